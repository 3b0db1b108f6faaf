//! How the emulator runs kernels: set per thread, by the environment where a thread sets nothing.

use std::cell::Cell;

use super::Emulator;
use crate::error::{Error, Result};

/// The order in which the threads of a kernel take turns.
///
/// A correct kernel gives the same result under each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Ascending, in turn.
    Fifo,
    /// From the last block and thread to the first, in turn.
    Reverse,
    /// By random priorities that change now and then, drawn from this seed.
    Random(u64),
}

thread_local! {
    static SCHEDULE: Cell<Option<Schedule>> = const { Cell::new(None) };
    static RACE_CHECK: Cell<Option<bool>> = const { Cell::new(None) };
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
    /// check tells from what orders them, not from when they come, so it needs no run in order of its own.
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

/// The schedule for launches of this thread.
pub(super) fn schedule() -> Result<Schedule> {
    match (SCHEDULE.get(), std::env::var("CUPRUM_EMULATOR_SCHEDULE")) {
        (Some(schedule), _) => Ok(schedule),
        (None, Err(_)) => Ok(Schedule::Fifo),
        (None, Ok(spelling)) => parse_schedule(&spelling),
    }
}

/// Whether this thread compiles for the race check.
pub(crate) fn race_check() -> Result<bool> {
    match (RACE_CHECK.get(), std::env::var("CUPRUM_EMULATOR_CHECK").as_deref()) {
        (Some(check), _) => Ok(check),
        (None, Err(_) | Ok("")) => Ok(false),
        (None, Ok("race")) => Ok(true),
        (None, Ok(other)) => Err(Error::invalid_argument(format!(
            "CUPRUM_EMULATOR_CHECK is '{other}'; it can be 'race' or nothing"
        ))),
    }
}

fn parse_schedule(spelling: &str) -> Result<Schedule> {
    match spelling.split_once(':') {
        None if spelling == "fifo" => Ok(Schedule::Fifo),
        None if spelling == "reverse" => Ok(Schedule::Reverse),
        Some(("random", seed)) if seed.parse::<u64>().is_ok() => {
            Ok(Schedule::Random(seed.parse().unwrap_or_default()))
        }
        _ => Err(Error::invalid_argument(format!(
            "CUPRUM_EMULATOR_SCHEDULE is '{spelling}'; it can be 'fifo', 'reverse' or 'random:SEED'"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_spelled() {
        assert_eq!(parse_schedule("fifo").unwrap(), Schedule::Fifo);
        assert_eq!(parse_schedule("reverse").unwrap(), Schedule::Reverse);
        assert_eq!(parse_schedule("random:7").unwrap(), Schedule::Random(7));
        for wrong in ["", "random", "random:", "random:-1", "random:x", "fifo:1", "FIFO"] {
            let message = parse_schedule(wrong).unwrap_err().to_string();
            assert!(message.contains(&format!("'{wrong}'")), "{message}");
        }
    }
}
