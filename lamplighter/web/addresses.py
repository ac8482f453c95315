"""Whom an address stands for: limits count a client, and an IPv6 client has a whole network of addresses."""

from __future__ import annotations

import functools
import ipaddress


@functools.lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the IPv4 address, or the /64 of an IPv6 address; a text that is no address stays as it is.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def is_loopback(address: str) -> bool:
    """Return whether an address is of this machine alone.

    >>> is_loopback("127.0.0.9"), is_loopback("::1"), is_loopback("192.0.2.7"), is_loopback("nobody")
    (True, True, False, False)
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
