//! Settings of the emulator: set per thread, by the environment where a thread sets nothing.

use std::cell::Cell;

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
    pub(super) static SCHEDULE: Cell<Option<Schedule>> = const { Cell::new(None) };
    pub(super) static RACE_CHECK: Cell<Option<bool>> = const { Cell::new(None) };
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
