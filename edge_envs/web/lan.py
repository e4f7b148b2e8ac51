"""Guests on the local network, for servers that were started with `--lan`.

The server then has a second socket, at the address of this machine on the local network. Requests that arrive there are
from guests. Guests can play the seats that they were invited to, review these matches when they are over, and read the
rules and tutorials; they cannot create matches, change players, review other games, or use the editor. Their number of
requests, of simultaneous requests and of connections is limited. Requests that arrive at the loopback address are those
of the host, as without `--lan`.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from edge_envs.core.errors import MissingExtraError

NOT_FOR_GUESTS = "guests can only play the seats that they were invited to; ask the host"
_UNROUTED = ("192.0.2.1", 9)  # an address for documentation; nothing is sent
_READ = re.compile(
    r"/|/favicon\.ico|/colours\.css|/covers/\w+\.svg|/static/[\w.]+|/api/events|/api/games(/\w+(/rules|/tutorial)?)?"
    r"|/api/sittings/[\w-]+(/about|/log|/hint|/worth|/evaluation|/record|/position)?",
    re.ASCII,
)
_WRITE = re.compile(
    r"/api/games/\w+|/api/sittings/[\w-]+/(join|actions|takeback|stop|settings|rematch|scenes|page|analysis|film)",
    re.ASCII,
)
_LINK = re.compile(r"[\w-]{8,64}/[\w-]{8,64}", re.ASCII)
_MOST_ADDRESSES = 256


def may_guest(method: str, path: str) -> bool:
    """Return whether guests may send a request. The routes of matches check tokens and codes themselves."""
    return (_WRITE if method == "POST" else _READ).fullmatch(path) is not None


def local_address() -> str:
    """Return the IPv4 address of this machine on the local network, without sending anything.

    Raises:
        ValueError: if it has none, or only a public one.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_UNROUTED)
        except OSError as error:
            raise ValueError(f"this machine is not connected to a local network ({error.strerror})") from None
        address = str(probe.getsockname()[0])
    if not is_local(address) or ipaddress.ip_address(address).is_loopback:
        raise ValueError(f"the address of this machine, {address}, is not that of a local network")
    return address


def is_local(address: str) -> bool:
    """Return whether an address belongs to a local network, and not to the internet."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (found.is_private or found.is_link_local) and not found.is_unspecified and not found.is_multicast


@dataclass
class GuestLimits:
    """Limits for each address of guests."""

    rate: float = 20.0
    """Requests per second in the long run."""
    burst: float = 120.0
    """Requests that may be sent at once."""
    joins: int = 12
    """Attempts to use a link per minute."""
    simultaneous: int = 16
    """Requests at a time, including streams."""
    connections: int = 32


@dataclass
class _Account:
    """The requests of an address."""

    left: float
    at: float
    joins: list[float] = field(default_factory=list)
    running: int = 0


class Visits:
    """The requests and connections of guests, by address."""

    def __init__(self, limits: GuestLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or GuestLimits()
        self.connections: Counter[str] = Counter()
        self._clock = clock
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    def begin(self, address: str, is_join: bool) -> bool:
        """Count a request, and return whether it is allowed; then call `end` after it."""
        account, now, limits = self._account(address), self._clock(), self.limits
        account.left = min(limits.burst, account.left + (now - account.at) * limits.rate)
        account.at = now
        account.joins = [at for at in account.joins if now - at < 60.0]
        if account.left < 1.0 or account.running >= limits.simultaneous:
            return False
        if is_join and len(account.joins) >= limits.joins:
            return False
        account.left -= 1.0
        account.running += 1
        if is_join:
            account.joins.append(now)
        return True

    def end(self, address: str) -> None:
        """Count the end of an allowed request."""
        if address in self._accounts:
            self._accounts[address].running -= 1

    def _account(self, address: str) -> _Account:
        if address not in self._accounts:
            idle = [one for one, account in self._accounts.items() if not account.running]
            if len(self._accounts) >= _MOST_ADDRESSES and idle:
                del self._accounts[idle[0]]
            self._accounts[address] = _Account(self.limits.burst, self._clock())
        self._accounts.move_to_end(address)
        return self._accounts[address]


def check_qr_codes() -> None:
    """Raise a MissingExtraError if QR codes cannot be drawn."""
    try:
        import segno  # noqa: F401  the extra `web` has it
    except ModuleNotFoundError:
        raise MissingExtraError("--lan", "segno", "web") from None


def qr_code(address: str, link: str) -> str:
    """Return the QR code of a link to a seat as SVG.

    Args:
        address: the address of the page for guests.
        link: the id of the match and the code of the seat, with a slash between them.

    Raises:
        ValueError: if `link` is not of this form.
    """
    if not _LINK.fullmatch(link):
        raise ValueError("link: expected the id of a match and the code of a seat")
    import segno

    file = io.BytesIO()
    segno.make(f"{address}#play/{link}", micro=False, error="m").save(
        file, kind="svg", scale=4, border=2, light="#ffffff", xmldecl=False, nl=False
    )
    return file.getvalue().decode("ascii")
