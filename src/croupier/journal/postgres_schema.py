"""The tables of a journal in PostgreSQL, through all versions of it."""

from __future__ import annotations

import asyncpg

from croupier.journal import JournalDown
from croupier.journal.people_schema import PEOPLE

NAME_TAKEN = "CR001"
"""What ``append_1`` says when another table has a name; the detail is which append wants it."""

_LOCK = 0x63726F75
"""Of nobody else: those who hold it change the schema one after the other."""

MIGRATIONS = (
    f"""
    CREATE TABLE tables (
        id text PRIMARY KEY, game text NOT NULL, opened_at bigint NOT NULL, closed_at bigint,
        seq integer NOT NULL, due_at bigint,
        phase text NOT NULL DEFAULT '', listed boolean NOT NULL DEFAULT false, free integer NOT NULL DEFAULT 0,
        summary bytea NOT NULL DEFAULT '', names text NOT NULL DEFAULT '', changed_at bigint,
        waits boolean GENERATED ALWAYS AS (phase = 'waiting' AND free > 0) STORED
    ) WITH (fillfactor = 70);
    CREATE INDEX live ON tables (game) WHERE closed_at IS NULL;
    CREATE INDEX due ON tables (due_at) WHERE closed_at IS NULL AND due_at IS NOT NULL;
    CREATE INDEX lobby ON tables (waits, opened_at, id) WHERE closed_at IS NULL AND listed;
    CREATE INDEX lobby_of_game ON tables (game, waits, opened_at, id) WHERE closed_at IS NULL AND listed;
    CREATE INDEX changed ON tables (changed_at) WHERE changed_at IS NOT NULL;

    CREATE TABLE entries (
        table_id text NOT NULL, seq integer NOT NULL, at bigint NOT NULL, entry bytea NOT NULL,
        PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE checks (
        table_id text NOT NULL, seq integer NOT NULL, hash text NOT NULL, PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE public (table_id text PRIMARY KEY, record bytea NOT NULL);
    CREATE TABLE snapshots (table_id text PRIMARY KEY, snapshot bytea NOT NULL);
    CREATE TABLE names (name text PRIMARY KEY, table_id text NOT NULL);
    CREATE INDEX names_of_table ON names (table_id);
    CREATE TABLE secret (value bytea NOT NULL);
    INSERT INTO secret SELECT sha256(string_agg(uuid_send(gen_random_uuid()), ''::bytea)) FROM generate_series(1, 4);

    CREATE TABLE nodes (name text PRIMARY KEY, about bytea NOT NULL, beat_at timestamptz NOT NULL);
    CREATE TABLE attending (
        table_id text NOT NULL, token text NOT NULL, kind text NOT NULL, node text, since bigint NOT NULL,
        until bigint NOT NULL, PRIMARY KEY (table_id, token, kind)
    );
    CREATE INDEX attending_at ON attending (node) WHERE node IS NOT NULL;

    -- Milliseconds of the clock that all nodes share.
    CREATE FUNCTION clock() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

    -- A group of appends, in the order of their tables' ids, so that two groups never wait for each other. What none
    -- of them has is NULL; names are lines. Returns the numbers of those that have lost a race; the others are in.
    CREATE FUNCTION append_1(
        ids text[], firsts integer[], lasts integer[], follow integer[], games text[], close boolean[], dues bigint[],
        begins bigint[], ends bigint[],
        entry_of integer[], seqs integer[], ats bigint[], given bytea[],
        check_of integer[], hashes text[],
        snapshot_of integer[], snapshots bytea[],
        public_of integer[], records bytea[],
        directory_of integer[], phases text[], listings boolean[], frees integer[], summaries bytea[],
        name_lists text[]
    ) RETURNS integer[] LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
        lost integer[] := '{{}}';
        each record;
        renamed integer[] := '{{}}';
        taken integer;
    BEGIN
        FOR each IN SELECT * FROM unnest(ids, firsts, lasts, follow, games, close, dues, begins, ends)
            WITH ORDINALITY AS a (id, first, last, follows, game, closes, due, begins, ends, n)
        LOOP
            IF each.first > each.last THEN
                CONTINUE;  -- only something about it
            ELSIF each.follows = ANY (lost) THEN
                lost := lost || each.n::integer;
                CONTINUE;
            ELSIF each.game IS NOT NULL THEN
                INSERT INTO tables (id, game, opened_at, closed_at, seq, due_at)
                VALUES (each.id, each.game, each.begins, CASE WHEN each.closes THEN each.ends END, each.last, each.due)
                ON CONFLICT DO NOTHING;
            ELSIF each.closes THEN
                UPDATE tables SET seq = each.last, closed_at = each.ends, due_at = NULL,
                    changed_at = CASE WHEN changed_at IS NULL THEN NULL ELSE clock() END
                WHERE id = each.id AND seq = each.first - 1;
            ELSE
                UPDATE tables SET seq = each.last, due_at = each.due WHERE id = each.id AND seq = each.first - 1;
            END IF;
            IF NOT FOUND THEN
                lost := lost || each.n::integer;
            ELSIF each.closes THEN
                DELETE FROM snapshots WHERE table_id = each.id;
                DELETE FROM names WHERE table_id = each.id;
                DELETE FROM attending WHERE table_id = each.id;
            END IF;
        END LOOP;

        INSERT INTO entries
        SELECT ids[e.n], e.seq, e.at, e.entry FROM unnest(entry_of, seqs, ats, given) AS e (n, seq, at, entry)
        WHERE e.n <> ALL (lost);

        IF coalesce(directory_of, check_of, snapshot_of, public_of) IS NULL THEN
            RETURN lost;  -- as mostly
        END IF;

        FOR each IN SELECT * FROM unnest(directory_of, phases, listings, frees, summaries, name_lists)
            AS d (n, phase, listed, free, summary, names) WHERE d.n <> ALL (lost)
        LOOP
            IF (SELECT names <> each.names FROM tables WHERE id = ids[each.n]) THEN
                renamed := renamed || each.n;
            END IF;
            UPDATE tables SET phase = each.phase, listed = each.listed, free = each.free, summary = each.summary,
                names = each.names, changed_at = CASE WHEN each.listed OR changed_at IS NOT NULL THEN clock() END
            WHERE id = ids[each.n];
        END LOOP;
        IF renamed <> '{{}}' THEN
            DELETE FROM names AS known USING unnest(directory_of, name_lists) AS d (n, names)
            WHERE d.n = ANY (renamed) AND known.table_id = ids[d.n]
                AND known.name <> ALL (string_to_array(d.names, E'\\n'));
            INSERT INTO names
            SELECT wanted, ids[d.n]
            FROM unnest(directory_of, name_lists) AS d (n, names), string_to_table(d.names, E'\\n') AS wanted
            WHERE d.n = ANY (renamed) ORDER BY wanted ON CONFLICT DO NOTHING;
            SELECT min(d.n) INTO taken
            FROM unnest(directory_of, name_lists) AS d (n, names), string_to_table(d.names, E'\\n') AS wanted
            WHERE d.n = ANY (renamed)
                AND NOT EXISTS (SELECT 1 FROM names AS known WHERE known.name = wanted AND known.table_id = ids[d.n]);
            IF taken IS NOT NULL THEN
                RAISE EXCEPTION 'a name is taken' USING ERRCODE = '{NAME_TAKEN}', DETAIL = taken;
            END IF;
        END IF;

        IF check_of IS NOT NULL THEN
            INSERT INTO checks SELECT ids[c.n], lasts[c.n], c.hash FROM unnest(check_of, hashes) AS c (n, hash)
            WHERE c.n <> ALL (lost);
        END IF;
        FOR each IN SELECT * FROM unnest(snapshot_of, snapshots) AS s (n, snapshot) WHERE s.n <> ALL (lost) LOOP
            INSERT INTO snapshots VALUES (ids[each.n], each.snapshot)
            ON CONFLICT (table_id) DO UPDATE SET snapshot = EXCLUDED.snapshot;
        END LOOP;
        IF public_of IS NOT NULL THEN
            INSERT INTO public SELECT ids[p.n], p.record FROM unnest(public_of, records) AS p (n, record)
            WHERE p.n <> ALL (lost) ON CONFLICT DO NOTHING;
        END IF;
        RETURN lost;
    END $$;
    """,
    # Whether a node is off the bus.
    "ALTER TABLE nodes ADD COLUMN deaf boolean NOT NULL DEFAULT false",
    PEOPLE,
)
"""Version n of the schema is made from version n - 1 by step n. A step, once released, never changes; and nodes of the
release before go on with what a step has changed: what they call stays."""


async def migrate(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Any number of nodes may do this at once."""
    async with connection.transaction():
        # Nobody else could start while a node that has vanished in the midst of this holds the lock.
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = '5 s'")
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        version = await check_version(connection)
        if version == 0:
            await connection.execute("CREATE TABLE schema (version integer NOT NULL)")
            await connection.execute("INSERT INTO schema VALUES (0)")
        for step in MIGRATIONS[version:]:
            await connection.execute(step)
        if version < len(MIGRATIONS):
            await connection.execute("UPDATE schema SET version = $1", len(MIGRATIONS))


async def check_version(connection: asyncpg.Connection[asyncpg.Record]) -> int:
    """The number of its schema, 0 where nothing is. Raises ``JournalDown`` when this is no journal, or a newer one."""
    found = await connection.fetch("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
    if not found:
        return 0
    if not {"schema", "entries"} <= {row["relname"] for row in found}:
        raise JournalDown("this is not a journal, but some other database")
    version = int(await connection.fetchval("SELECT version FROM schema"))
    if version > len(MIGRATIONS):
        raise JournalDown(f"the journal was written by a newer Croupier (schema {version}, known: {len(MIGRATIONS)})")
    return version
