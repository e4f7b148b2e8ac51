"""How strong an agent is: matches, intervals, and estimates against perfect play."""
