"""Every attack there is."""

from tests.attack.attacks import cambia, coup, faraway, fortress, frames, http, native, palace, persons
from tests.attack.siege import ATTACKS

__all__ = ["ATTACKS", "cambia", "coup", "faraway", "fortress", "frames", "http", "native", "palace", "persons"]
