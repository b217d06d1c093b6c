"""What admits connections to an endpoint; the transports make theirs of it."""

from __future__ import annotations

from croupier.net.admission import Admission, Rejected
from croupier.tables.dialect import Dialect
from croupier.tables.endpoint import ConnectionRequest, Endpoint


class Listener:
    def __init__(self, admission: Admission, endpoint: Endpoint) -> None:
        self.admission = admission
        self.endpoint = endpoint
        self.message_size = endpoint.message_size or admission.limits.message_size

    def accept(self, request: ConnectionRequest) -> Dialect:
        dialect = self.endpoint.accept(request)
        if isinstance(dialect, Dialect):
            return dialect
        raise Rejected(dialect)
