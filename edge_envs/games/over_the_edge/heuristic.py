from edge_envs.core.jit import kernel
import numpy as np
@kernel
def heuristic(state):
    return np.int64(0)
