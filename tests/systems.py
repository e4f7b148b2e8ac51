"""Marks of tests that need what only some operating systems have."""

from __future__ import annotations

import os
import sys

import pytest

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
