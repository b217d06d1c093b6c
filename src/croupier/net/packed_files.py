"""Files for browsers, as they are or packed, and how long they may be kept."""

from __future__ import annotations

import mimetypes
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

LASTS, CHECKED = "max-age=31536000, immutable", "no-cache"
"""How browsers keep a file: for good, or they ask each time whether it is still the same."""

PACKINGS = {"br": "br", "gzip": "gz"}
"""How a file can be packed, the tightest first, and how its name ends then. Browsers take Brotli over https, and from
their own machine: what is in between on another way might trip over it."""

# Not every system knows these, and browsers run nothing that is called text.
for ending, kind in {
    ".avif": "image/avif",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}.items():
    mimetypes.add_type(kind, ending)


class PackedFiles(StaticFiles):
    """A folder of files. Where one is there packed as well, ``page.js.br`` or ``page.js.gz`` beside ``page.js``,
    browsers that take that get it, which all do."""

    def lasts(self, path: str, scope: Scope) -> bool:
        """Whether what is asked for will never be anything else."""
        raise NotImplementedError

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await self._packed(path, scope) or await super().get_response(path, scope)
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = LASTS if self.lasts(path, scope) else CHECKED
        return response

    async def _packed(self, path: str, scope: Scope) -> Response | None:
        taken = Headers(scope=scope).get("accept-encoding", "")
        for packing, ending in PACKINGS.items():
            if packing in taken:
                with suppress(HTTPException):  # it is not there
                    response = await super().get_response(f"{path}.{ending}", scope)
                    response.headers["Content-Encoding"] = packing
                    return response
        return None
