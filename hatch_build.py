"""Complete the metadata of the package: the project's addresses, and a README with absolute links for PyPI.

The address of the repository is set once, in `pyproject.toml` under `[tool.hatch.metadata.hooks.custom]`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(\]\()(?!https?://|#)([^)\s]+)")
"""The target of a Markdown link to a file of the repository."""
PICTURE = re.compile(r"(\b(?:src|srcset)=\")(?!https?://)([^\"]+)")
"""The source of an HTML picture in the repository."""


class AbsoluteLinks(MetadataHookInterface):
    """Sets `urls` and `readme` from the address of the repository and the version's tag."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that `pyproject.toml` lists as dynamic."""
        repository, tag = self.config["repository"], f"v{metadata['version']}"
        metadata["urls"] = {
            "Repository": repository,
            "Documentation": f"{repository}/blob/{tag}/docs/README.md",
            "Issues": f"{repository}/issues",
            "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
        }
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = LINK.sub(rf"\g<1>{repository}/blob/{tag}/\g<2>", text)
        text = PICTURE.sub(rf"\g<1>{repository}/raw/{tag}/\g<2>", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
