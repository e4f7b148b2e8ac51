"""Policy networks of several kinds behind one interface, `PolicyNetwork`, each made by its `Architecture`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from agents.networks.convolutional import Convolutional
from agents.networks.network import NetworkArchitecture, PolicyNetwork
from agents.networks.perceptron import Perceptron

__all__ = ["KINDS", "Architecture", "Convolutional", "Perceptron", "PolicyNetwork"]

KINDS: dict[str, type[NetworkArchitecture]] = {"perceptron": Perceptron, "convolutional": Convolutional}


def _of_some_kind(value: Any) -> Any:
    """What does not say its kind is a perceptron."""
    return {"kind": "perceptron", **value} if isinstance(value, dict) else value


Architecture = Annotated[Perceptron | Convolutional, Field(discriminator="kind"), BeforeValidator(_of_some_kind)]
