"""What a journal knows of people beside its logs, in SQL that SQLite and PostgreSQL understand alike."""

from __future__ import annotations

FINISHED = ("table_id", "seq", "number", "game", "at", "rated", "shown", "players")
"""What is written of a game that is over, with its last entry."""

SEATED = "INSERT INTO seats (person, table_id) {rows} ON CONFLICT DO NOTHING"
"""What is written of those who sit down, with the entry that says so."""

RELATIONS = {
    "persons": ("id", "name", "avatar", "made_at", "hidden"),
    "devices": ("key", "person", "former", "label", "made_at", "seen_at"),
    "links": ("person", "code", "until"),
    "passkeys": ("id", "person", "public_key", "uses", "label", "made_at"),
    "seats": ("person", "table_id"),
    "challenges": ("hash", "until"),
    "finished": (*FINISHED, "rank"),
    "played": ("person", "at", "table_id", "seq", "game", "place", "side", "won", "shown", "gain"),
    "ratings": ("game", "person", "mu", "sigma", "games", "at"),
    "opinions": ("person", "other", "name", "how", "at"),
    "reports": (
        "id",
        "at",
        "reporter",
        "person",
        "name",
        "table_id",
        "game",
        "number",
        "why",
        "said",
        "done_at",
    ),
    "bans": ("what", "value", "until", "why", "at"),
}

# SQLite has no booleans: yes is 1, no is 0.
PEOPLE = """
    CREATE TABLE persons (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, avatar TEXT NOT NULL, made_at BIGINT NOT NULL, hidden SMALLINT NOT NULL
    );

    -- Keys by their hashes. Whose key was taken off them is nobody by it: person is NULL, and former is who they were.
    -- The first key of a person is here only if there is something to say about it; the person's id follows from it.
    CREATE TABLE devices (
        key TEXT PRIMARY KEY, person TEXT, former TEXT, label TEXT NOT NULL, made_at BIGINT NOT NULL,
        seen_at BIGINT NOT NULL
    );
    CREATE INDEX devices_of ON devices (person);
    CREATE INDEX devices_formerly_of ON devices (former) WHERE former IS NOT NULL;
    -- Codes by their hashes, of each person the last one.
    CREATE TABLE links (person TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, until BIGINT NOT NULL);
    CREATE TABLE passkeys (
        id TEXT PRIMARY KEY, person TEXT NOT NULL, public_key TEXT NOT NULL, uses BIGINT NOT NULL, label TEXT NOT NULL,
        made_at BIGINT NOT NULL
    );
    CREATE INDEX passkeys_of ON passkeys (person);
    -- Those that were answered, until they are too old for that anyway.
    CREATE TABLE challenges (hash TEXT PRIMARY KEY, until BIGINT NOT NULL);

    -- At which tables they have ever sat down, written with the entry that says so.
    CREATE TABLE seats (person TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (person, table_id));

    -- Games that are over, written with their last entries. The rank is the order in which they count for ratings.
    CREATE TABLE finished (
        table_id TEXT NOT NULL, seq INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL, at BIGINT NOT NULL,
        rated SMALLINT NOT NULL, shown SMALLINT NOT NULL, players TEXT NOT NULL, rank BIGINT,
        PRIMARY KEY (table_id, seq)
    );
    CREATE INDEX finished_new ON finished (at) WHERE rank IS NULL;
    CREATE UNIQUE INDEX finished_by_rank ON finished (rank) WHERE rank IS NOT NULL;

    -- These two are worked out from them (people/projection.py). Won: 1, 0 where several were first, or -1. Who was
    -- thrown out has neither place nor result; a game that does not count brings no gain.
    CREATE TABLE played (
        person TEXT NOT NULL, at BIGINT NOT NULL, table_id TEXT NOT NULL, seq INTEGER NOT NULL, game TEXT NOT NULL,
        place INTEGER, side INTEGER NOT NULL, won SMALLINT, shown SMALLINT NOT NULL, gain DOUBLE PRECISION,
        PRIMARY KEY (person, at, table_id, seq)
    );
    CREATE TABLE ratings (
        game TEXT NOT NULL, person TEXT NOT NULL, mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL,
        games INTEGER NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (game, person)
    );
    CREATE INDEX ratings_of ON ratings (person);
    CREATE INDEX ratings_best ON ratings (game, mu);

    CREATE TABLE opinions (
        person TEXT NOT NULL, other TEXT NOT NULL, name TEXT NOT NULL, how TEXT NOT NULL, at BIGINT NOT NULL,
        PRIMARY KEY (person, other)
    );
    CREATE INDEX opinions_about ON opinions (other);
    CREATE TABLE reports (
        id TEXT PRIMARY KEY, at BIGINT NOT NULL, reporter TEXT NOT NULL, person TEXT NOT NULL, name TEXT NOT NULL,
        table_id TEXT NOT NULL, game TEXT NOT NULL, number INTEGER NOT NULL, why TEXT NOT NULL, said TEXT NOT NULL,
        done_at BIGINT
    );
    CREATE INDEX reports_by_time ON reports (at);
    CREATE TABLE bans (
        what TEXT NOT NULL, value TEXT NOT NULL, until BIGINT, why TEXT NOT NULL, at BIGINT NOT NULL,
        PRIMARY KEY (what, value)
    );
"""
