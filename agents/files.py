"""Files that programs read and do not trust."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_json(path: str | Path) -> Any:
    """What a JSON file holds; ValueError names the file and says what is wrong with it."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise ValueError(f"{path}: not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number of too many digits
        raise ValueError(f"{path}: not JSON: {error}") from None
