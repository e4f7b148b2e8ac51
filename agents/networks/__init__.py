"""Policy networks behind one interface, `PolicyNetwork`; each kind is made by its `Architecture`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from agents.networks.convolutional import Convolutional
from agents.networks.network import NetworkArchitecture, PolicyNetwork
from agents.networks.perceptron import Perceptron

__all__ = ["KINDS", "Architecture", "Convolutional", "Perceptron", "PolicyNetwork"]

KINDS: dict[str, type[NetworkArchitecture]] = {"perceptron": Perceptron, "convolutional": Convolutional}


def _of_some_kind(value: Any) -> Any:
    """Make a perceptron the default kind."""
    return {"kind": "perceptron", **value} if isinstance(value, dict) else value


Architecture = Annotated[Perceptron | Convolutional, Field(discriminator="kind"), BeforeValidator(_of_some_kind)]
