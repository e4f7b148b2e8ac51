"""What all games share: fact sheets, states, the compiler, generators, generic compiled loops."""
