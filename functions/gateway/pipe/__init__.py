"""The parts of `smart_pipe`: what it takes and returns, references between steps, the ready-made pipelines."""
