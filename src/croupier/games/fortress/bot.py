from croupier.kernel import RandomBot


class Warden(RandomBot):
    name = "warden"
    about = "x"
