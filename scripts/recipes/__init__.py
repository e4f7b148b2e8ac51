"""The examples with other libraries: what each needs, how it is run, and the pages made of it."""
