"""What the server counts, for Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

moves = Counter("lamplighter_moves", "Moves of people that were accepted", ["game"])
refusals = Counter("lamplighter_refusals", "Requests that were refused, by reason", ["code"])
entries = Counter("lamplighter_entries", "Entries written to logs", ["game"])
tables = Counter("lamplighter_tables", "Tables that were set up", ["game", "kind"])
in_memory = Gauge("lamplighter_tables_in_memory", "Tables in memory")
listeners = Gauge("lamplighter_listeners", "Open event streams")
thinking = Histogram("lamplighter_thinking_seconds", "How long bots thought at a time")
requests = Histogram("lamplighter_request_seconds", "How long requests took", ["method", "route", "status"])
