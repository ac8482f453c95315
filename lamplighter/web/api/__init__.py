"""The JSON API: tables, moves, events. Browsers and programs use the same one."""

from lamplighter.web.api import afterwards, daily, games, live, play, server

ROUTERS = tuple(part.router for part in (play, live, games, afterwards, daily, server))  # looked through in this order
