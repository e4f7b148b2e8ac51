"""Which extra of the package installs a module that is not there."""

from __future__ import annotations

EXTRAS = {
    "train": (
        "matplotlib", "openskill", "pydantic", "rich", "safetensors", "sb3_contrib", "scipy", "stable_baselines3",
        "tensorboard", "torch", "typer", "yaml",
    ),
    "play": ("rich", "typer", "yaml"),
    "render": ("PIL", "pygame"),
    "film": ("moviepy",),
    "web": ("markdown_it", "starlette", "uvicorn"),
    "browser": ("playwright",),
    "chat": ("certifi", "httpx"),
    "bench": ("pygame", "pyspiel", "rich", "typer"),
    "openspiel": ("pyspiel",),
    "textarena": ("textarena",),
    "minari": ("h5py", "minari"),
    "ray": ("ray",),
    "rllib": ("ray", "torch"),
}  # fmt: skip
"""For each extra of `pyproject.toml` that users install: the modules that it brings."""


def missing_module(error: ModuleNotFoundError, preferred: str = "train") -> str | None:
    """One line that names the missing module and the extra with it; None for a module that no extra brings.

    Of several extras with the module it names `preferred`, else the first.
    """
    module = (error.name or "").partition(".")[0]
    extras = [extra for extra, modules in EXTRAS.items() if module in modules]
    if not extras:
        return None
    extra = preferred if preferred in extras else extras[0]
    return f'the module {module} is not installed; try: pip install "edge-envs[{extra}]"'
