"""Work that is shared out: to processes of this machine, or to those of a Ray cluster."""
