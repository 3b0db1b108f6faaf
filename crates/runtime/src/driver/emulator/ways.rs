//! The ways in which a thread runs kernels, as programs and tests choose them.

use std::cell::Cell;

use super::Emulator;
use super::settings::{RACE_CHECK, SCHEDULE, Schedule};

thread_local! {
    static LAST_SEED: Cell<u64> = const { Cell::new(0) };
}

impl Emulator {
    /// Sets the schedule of the kernels that this thread launches from now on. Before, it is what
    /// `CUPRUM_EMULATOR_SCHEDULE` says (`fifo`, `reverse` or `random:SEED`), `fifo` where it is not set.
    pub fn set_schedule(schedule: Schedule) {
        SCHEDULE.set(Some(schedule));
    }

    /// Whether the kernels that this thread compiles from now on report races between threads and
    /// accesses outside their memory. Before, `CUPRUM_EMULATOR_CHECK=race` asks for it. Such kernels
    /// run several times slower.
    pub fn set_race_check(check: bool) {
        RACE_CHECK.set(Some(check));
    }

    /// The ways in which a test runs its kernels, each set for this thread as it is handed out: as they are with threads
    /// in order, and under the race check, which is said, in reverse and at random. Whether two accesses race, the
    /// check derives from their ordering, not from their time, so it needs no run in order of its own.
    /// `CUPRUM_EMULATOR_SEEDS` says how many random schedules there are (1); their seeds go on from call to call
    /// of a thread, so that the cases of a test see different ones.
    #[doc(hidden)]
    pub fn ways_of_tests() -> impl Iterator<Item = bool> {
        let seeds =
            std::env::var("CUPRUM_EMULATOR_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number"));
        let seed = |_| {
            LAST_SEED.set(LAST_SEED.get() + 1);
            (Schedule::Random(LAST_SEED.get()), true)
        };
        let fixed = [(Schedule::Fifo, false), (Schedule::Reverse, true)];
        fixed.into_iter().chain((0..seeds).map(seed)).map(|(schedule, race_check)| {
            Self::set_schedule(schedule);
            Self::set_race_check(race_check);
            race_check
        })
    }
}
