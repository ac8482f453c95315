"""The games. Each folder here is one; `load` finds it, or one from outside, by its id."""

from lamplighter.engine.registry import load, names, own_names

__all__ = ["load", "names", "own_names"]
