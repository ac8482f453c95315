"""The JSON API: tables, moves, events. Browsers and programs use the same one."""

from lamplighter.web.api import classes, daily, events, finished, games, hints, learn, play, puzzle, reviews, server

ROUTERS = tuple(
    part.router for part in (play, events, games, learn, puzzle, hints, reviews, finished, daily, classes, server)
)  # looked through in this order
