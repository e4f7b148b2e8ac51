"""The examples with other libraries: their requirements, how to run them, and their generated pages."""
