"""Strangers who mean no good, each beside a table that plays on.

A server as ``croupier serve`` starts it, with its default limits; an attacker in a process of its own, from other
addresses; and people who must not notice: tables that play, idle connections of every protocol, and newcomers who want
a seat. What is measured, and what of it every test run asserts, is in ``stage`` and ``test_attack``.
"""
