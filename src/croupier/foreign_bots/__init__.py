"""Bots that somebody brings along: a class in a file or a module, or a program in any language."""
