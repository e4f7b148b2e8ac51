"""What all games share: generators, the compiler, parameters, checks on positions."""
