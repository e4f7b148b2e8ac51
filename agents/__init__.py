"""Train, evaluate and rate agents for the games of `edge_envs`.

Each module at this level is a program, such as `python -m agents.train`; the packages hold everything else.
"""

from agents.common.old_names import install

install()
