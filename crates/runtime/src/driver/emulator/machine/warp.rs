//! Warp operations: lanes meet, and each gets its result when the last one has come.

use super::failure::Site;

/// `WarpOperation` in `cuda_words.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "kernels make the values")]
pub(super) enum WarpOperation {
    Sync,
    Shuffle,
    Ballot,
    MatchAny,
    MatchAll,
    Add,
    MinSigned,
    MaxSigned,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// The 32 lanes that meet in warp operations.
#[derive(Clone)]
pub(super) struct Warp {
    values: [u64; 32],
    sources: [u32; 32],
    results: [u64; 32],
    /// Lanes that have returned, or that a narrow block never had.
    absent: u32,
    meetings: Vec<Meeting>,
}

/// Lanes that wait for the others of their mask.
#[derive(Clone, Copy)]
struct Meeting {
    mask: u32,
    arrived: u32,
    operation: WarpOperation,
    site: Site,
}

/// The outcome of a lane's arrival.
pub(super) enum Arrival {
    /// The lane waits for others.
    Waits,
    /// These lanes, the last one included, have their results.
    Complete(u32),
    /// Lanes of the same mask wait in another operation.
    Mismatch(WarpOperation, Site),
}

impl Warp {
    /// A warp of so many lanes.
    pub(super) fn new(lanes: u32) -> Self {
        let absent = u32::MAX.checked_shl(lanes).unwrap_or(0);
        Self { values: [0; 32], sources: [0; 32], results: [0; 32], absent, meetings: Vec::new() }
    }

    pub(super) fn restart(&mut self, lanes: u32) {
        self.absent = u32::MAX.checked_shl(lanes).unwrap_or(0);
        self.meetings.clear();
    }

    pub(super) fn absent(&self) -> u32 {
        self.absent
    }

    pub(super) fn result(&self, lane: u32) -> u64 {
        self.results[lane as usize]
    }

    /// `lane`, one of `mask`, arrives at an operation.
    pub(super) fn arrive(
        &mut self,
        lane: u32,
        operation: WarpOperation,
        mask: u32,
        value: u64,
        source: u32,
        site: Site,
    ) -> Arrival {
        self.values[lane as usize] = value;
        self.sources[lane as usize] = source;
        let index = self.meetings.iter().position(|m| m.mask == mask).unwrap_or_else(|| {
            self.meetings.push(Meeting { mask, arrived: 0, operation, site });
            self.meetings.len() - 1
        });
        let meeting = &mut self.meetings[index];
        if meeting.operation != operation {
            return Arrival::Mismatch(meeting.operation, meeting.site);
        }
        meeting.arrived |= 1 << lane;
        if meeting.arrived == mask & !self.absent {
            Arrival::Complete(self.complete(index))
        } else {
            Arrival::Waits
        }
    }

    /// A lane returns. Lanes that waited for nobody else have their results now.
    pub(super) fn leave(&mut self, lane: u32) -> u32 {
        self.absent |= 1 << lane;
        let mut woken = 0;
        while let Some(index) = self.meetings.iter().position(|m| m.arrived == m.mask & !self.absent) {
            woken |= self.complete(index);
        }
        woken
    }

    /// Gives every lane that has arrived its result.
    fn complete(&mut self, index: usize) -> u32 {
        let Meeting { arrived, operation, .. } = self.meetings.swap_remove(index);
        if operation != WarpOperation::Sync {
            let of_all = self.fold(operation, arrived);
            for lane in lanes(arrived) {
                self.results[lane as usize] = match operation {
                    WarpOperation::Shuffle => self.shuffled(lane, arrived),
                    WarpOperation::MatchAny => {
                        let value = self.values[lane as usize];
                        self.where_value(arrived, |v| v == value).into()
                    }
                    _ => of_all,
                };
            }
        }
        arrived
    }

    /// The result of an operation that gives all lanes the same.
    fn fold(&self, operation: WarpOperation, arrived: u32) -> u64 {
        let first = self.values[arrived.trailing_zeros() as usize & 31];
        let words = || lanes(arrived).map(|lane| self.values[lane as usize] as u32);
        let result = match operation {
            WarpOperation::Ballot => self.where_value(arrived, |v| v != 0),
            WarpOperation::MatchAll if self.where_value(arrived, |v| v == first) == arrived => arrived,
            WarpOperation::Add => words().fold(0, u32::wrapping_add),
            WarpOperation::MinSigned => words().map(|w| w as i32).min().unwrap_or(0) as u32,
            WarpOperation::MaxSigned => words().map(|w| w as i32).max().unwrap_or(0) as u32,
            WarpOperation::Min => words().min().unwrap_or(0),
            WarpOperation::Max => words().max().unwrap_or(0),
            WarpOperation::And => words().fold(u32::MAX, |a, b| a & b),
            WarpOperation::Or => words().fold(0, |a, b| a | b),
            WarpOperation::Xor => words().fold(0, |a, b| a ^ b),
            _ => 0,
        };
        result.into()
    }

    /// The value of the lane's source; that of a lane which is not there is undefined, and poison here.
    fn shuffled(&self, lane: u32, arrived: u32) -> u64 {
        let source = self.sources[lane as usize] & 31;
        if arrived >> source & 1 == 1 { self.values[source as usize] } else { 0xa5a5_a5a5_a5a5_a5a5 }
    }

    fn where_value(&self, arrived: u32, holds: impl Fn(u64) -> bool) -> u32 {
        lanes(arrived).filter(|&lane| holds(self.values[lane as usize])).fold(0, |set, lane| set | 1 << lane)
    }
}

/// The lanes of a mask, ascending.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}
