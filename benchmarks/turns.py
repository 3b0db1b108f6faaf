"""How `bins.py`, `groups.py` and `shape.py` time what libraries do."""

import gc
import time


def best(runs, repeat):
    """Return the shortest time of each library, in seconds; they take turns."""
    times = {library: [] for library in runs}
    for _ in range(repeat):
        for library, run in runs.items():
            gc.collect()
            start = time.perf_counter()
            result = run()
            times[library].append(time.perf_counter() - start)
            del result
    return {library: min(taken) for library, taken in times.items()}
