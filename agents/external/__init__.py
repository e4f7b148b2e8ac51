"""External agents: objects made by a function, programs in any language, language models."""
