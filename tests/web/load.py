"""Measure response times with many simultaneous users.

python -m tests.web.load [seconds, by default 60]
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from typing import Any

from edge_envs.web.server import Web
from tests.web.client import SOON, Client, Player, create_match, serving

MATCHES, CLIENTS, PAUSE = 50, 5, 0.4


def clicks_for(web: Web, seconds: float) -> list[float]:
    """Return the response time of each decision in seconds.

    Play fifty matches against the heuristic with about twelve clicks per second in total, while other agents compute.
    Raises the first error of a client.
    """
    host = Client(web)
    create_match(host, game="falling_off", seats=["flat_monte_carlo"] * 2)
    made = [create_match(host, game="falling_off", seed=seed)[0] for seed in range(MATCHES)]
    times: list[float] = []
    errors: list[BaseException] = []
    until = time.monotonic() + seconds

    def click(share: list[Any]) -> None:
        own = Client(web)
        try:
            players = [Player(own, one["id"], one["tokens"]["0"]) for one in share]
            while time.monotonic() < until:
                for number, player in enumerate(players):
                    seen = player.waited()
                    if seen["turn"] == "human":
                        started = time.monotonic()
                        player.play(seen)
                        times.append(time.monotonic() - started)
                    elif seen["turn"] == "over":
                        _, (players[number],) = create_match(own, game="falling_off")
                    time.sleep(PAUSE)
                    own.responses.clear()
        except BaseException as error:
            errors.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=click, args=(made[part::CLIENTS],)) for part in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + SOON)
    host.close()
    if errors:
        raise errors[0]
    return times


def main() -> None:
    """Measure and print response times."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with serving() as web:
        times = sorted(clicks_for(web, seconds))
    rate = len(times) / seconds
    median, late = 1000 * statistics.median(times), 1000 * times[int(0.99 * len(times))]
    print(f"{MATCHES} matches, {rate:.1f} clicks per second, no error")
    print(f"response times: median {median:.0f} ms, 99th percentile {late:.0f} ms")


if __name__ == "__main__":
    main()
