"""Many persons at once: how soon the page to play in is answered.

python -m tests.web.load [seconds, by default 60]
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from typing import Any

from edge_envs.web.server import Web
from tests.web.client import SOON, Client, Player, serving, sit

SITTINGS, PERSONS, PAUSE = 50, 5, 0.4


def clicks_for(web: Web, seconds: float) -> list[float]:
    """How long each decision took to be answered, in seconds.

    Fifty sittings, each against the heuristic, and some ten clicks a second in all, while other agents think for long.
    Raises what went wrong.
    """
    host = Client(web)
    sit(host, game="falling_off", seats=["flat_monte_carlo"] * 2)
    made = [sit(host, game="falling_off", seed=seed)[0] for seed in range(SITTINGS)]
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
                    if seen["turn"] == "person":
                        begun = time.monotonic()
                        player.play(seen)
                        times.append(time.monotonic() - begun)
                    elif seen["turn"] == "over":
                        _, (players[number],) = sit(own, game="falling_off")
                    time.sleep(PAUSE)
                    own.got.clear()
        except BaseException as error:
            errors.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=click, args=(made[part::PERSONS],)) for part in range(PERSONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + SOON)
    host.close()
    if errors:
        raise errors[0]
    return times


def main() -> None:
    """Measure, and print what was measured."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with serving() as web:
        times = sorted(clicks_for(web, seconds))
    rate = len(times) / seconds
    median, late = 1000 * statistics.median(times), 1000 * times[int(0.99 * len(times))]
    print(f"{SITTINGS} sittings, {rate:.1f} clicks a second, no error")
    print(f"answers: median {median:.0f} ms, 99 of 100 within {late:.0f} ms")


if __name__ == "__main__":
    main()
