"""What nodes share, started in a folder of our own for tests, benchmarks and ``make cluster``: no service of the system
is touched, and nothing is left behind when whoever started it is gone, however that happened."""
