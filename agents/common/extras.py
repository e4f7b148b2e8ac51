"""Find the extra of the package that installs a missing module."""

from __future__ import annotations

EXTRAS = {
    "train": (
        "matplotlib", "openskill", "pydantic", "rich", "safetensors", "sb3_contrib", "scipy", "stable_baselines3",
        "tensorboard", "torch", "typer", "yaml",
    ),
    "play": ("rich", "typer", "yaml"),
    "render": ("PIL", "pygame"),
    "film": ("moviepy",),
    "web": ("h11", "markdown_it", "segno", "starlette", "uvicorn"),
    "browser": ("axe_playwright_python", "playwright"),
    "chat": ("certifi", "httpx"),
    "bench": ("city_of_gold", "pygame", "pyspiel", "rich", "typer"),
    "openspiel": ("pyspiel",),
    "textarena": ("textarena",),
    "minari": ("h5py", "minari"),
    "ray": ("ray",),
    "rllib": ("ray", "torch"),
}  # fmt: skip
"""The modules that each extra of `pyproject.toml` installs."""


def missing_module(error: ModuleNotFoundError, preferred: str = "train") -> str | None:
    """Return a line that names the missing module and its extra; None for a module that no extra installs.

    If several extras install the module, the line names `preferred` if possible, else the first.
    """
    module = (error.name or "").partition(".")[0]
    extras = [extra for extra, modules in EXTRAS.items() if module in modules]
    if not extras:
        return None
    extra = preferred if preferred in extras else extras[0]
    return f'the module {module} is not installed; try: pip install "edge-envs[{extra}]"'
