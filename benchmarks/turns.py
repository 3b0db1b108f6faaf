"""How `bins.py`, `groups.py`, `shape.py` and `tpch.py` time what libraries do."""

import gc
import time


def best(runs, repeat, clock=time.perf_counter):
    """Return the shortest time of each library, in seconds; they take turns."""
    times = {library: [] for library in runs}
    for _ in range(repeat):
        for library, run in runs.items():
            gc.collect()
            start = clock()
            result = run()
            times[library].append(clock() - start)
            del result
    return {library: min(taken) for library, taken in times.items()}
