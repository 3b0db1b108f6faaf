//! Pieces of time in which clocks of a zone go by one offset: what both devices look times up in.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use chrono::MappedLocalTime;
use cuprum_runtime::fork::RwLock;

use super::database::{CYCLE, DATABASE, Rule, calendar};

/// Values for pieces of time, which go from one start to the next; the first one goes back for ever.
pub(super) struct Pieces<V> {
    pub(super) starts: Vec<i64>,
    pub(super) values: Vec<V>,
    /// From here on pieces are those of [`CYCLE`] seconds before.
    pub(super) repeats_from: i64,
}

impl<V: Copy + PartialEq> Pieces<V> {
    /// Values by the starts of pieces, which ascend; neighbours with one value are one piece.
    fn new(starts: impl IntoIterator<Item = i64>, repeats_from: i64, value: impl Fn(i64) -> V) -> Self {
        let mut pieces = Self { starts: Vec::new(), values: Vec::new(), repeats_from };
        for start in starts {
            pieces.push(start, value(start));
        }
        pieces
    }

    fn push(&mut self, start: i64, value: V) {
        if self.values.last() != Some(&value) {
            self.starts.push(start);
            self.values.push(value);
        }
    }

    /// The same pieces with other values.
    pub(super) fn map<W: Copy + PartialEq>(&self, f: impl Fn(V) -> W) -> Pieces<W> {
        let mut mapped = Pieces { starts: Vec::new(), values: Vec::new(), repeats_from: self.repeats_from };
        for (start, value) in self.starts.iter().zip(&self.values) {
            mapped.push(*start, f(*value));
        }
        mapped
    }
}

impl<V: Copy> Pieces<V> {
    /// The seconds between a moment and the one that has its pieces.
    #[inline(always)]
    pub(super) fn cycles(&self, seconds: i64) -> i64 {
        if seconds < self.repeats_from { 0 } else { (seconds - self.repeats_from) / CYCLE * CYCLE }
    }

    /// The value at a moment before pieces repeat. `piece` is where to look first, and where it was found.
    #[inline(always)]
    pub(super) fn at(&self, seconds: i64, piece: &mut usize) -> V {
        let is_in =
            self.starts[*piece] <= seconds && self.starts.get(*piece + 1).is_none_or(|end| seconds < *end);
        if !is_in {
            *piece = self.starts.partition_point(|start| *start <= seconds).saturating_sub(1);
        }
        self.values[*piece]
    }
}

/// The offsets that a clock may have when it shows a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Once(i64),
    /// First the one, then the other.
    Twice(i64, i64),
    /// The clock was put forward at this instant.
    Never(i64),
}

/// The pieces of a zone.
pub(super) struct ZonePieces {
    /// Offsets from UTC and abbreviations, each once.
    pub(super) periods: Vec<(i64, String)>,
    /// The numbers of periods, by instants.
    pub(super) by_instant: Pieces<usize>,
    /// By what clocks show.
    pub(super) by_clock: Pieces<Clock>,
}

impl ZonePieces {
    /// The pieces of a rule, which are made once.
    pub(super) fn of(rule: Rule) -> Arc<Self> {
        static KNOWN: LazyLock<RwLock<HashMap<Rule, Arc<ZonePieces>>>> = LazyLock::new(RwLock::default);
        if let Some(known) = KNOWN.read().get(&rule) {
            return Arc::clone(known);
        }
        let made = Arc::new(Self::new(rule));
        Arc::clone(KNOWN.write().entry(rule).or_insert(made))
    }

    fn new(rule: Rule) -> Self {
        let (changes, first) = (rule.changes(), *calendar().start());
        let repeats_from = if rule.goes_on() { DATABASE } else { i64::MAX };
        let mut periods: Vec<(i64, String)> = Vec::new();
        let starts = || [first].into_iter().chain(changes.iter().copied());
        let numbers: Vec<usize> = starts()
            .map(|start| {
                let period =
                    rule.period_at(start, |offset, name| (offset, name.to_owned())).unwrap_or_default();
                periods.iter().position(|known| *known == period).unwrap_or_else(|| {
                    periods.push(period);
                    periods.len() - 1
                })
            })
            .collect();
        let mut by_instant = Pieces { starts: Vec::new(), values: Vec::new(), repeats_from };
        for (start, number) in starts().zip(&numbers) {
            by_instant.push(start, *number);
        }
        // What a clock shows changes its meaning where it showed the change by the old or the new offset, and with years
        // that are taken for others.
        let mut moments = vec![first, repeats_from];
        // The changes that clocks skip a time at, by the first such time.
        let mut skips = HashMap::new();
        for (change, around) in changes.iter().zip(numbers.windows(2)) {
            let [before, after] = [around[0], around[1]].map(|number| change + periods[number].0);
            moments.extend([before, after]);
            if before < after {
                skips.insert(before, *change);
            }
        }
        moments.retain(|moment| *moment < i64::MAX);
        moments.sort_unstable();
        moments.dedup();
        let change = |local: i64| skips.get(&local).copied().or_else(|| rule.change_before(local));
        let by_clock = Pieces::new(moments, repeats_from, |local| match rule.offsets_of(local) {
            Some(MappedLocalTime::Single(offset)) => Clock::Once(offset),
            Some(MappedLocalTime::Ambiguous(first, second)) => Clock::Twice(first, second),
            Some(MappedLocalTime::None) | None => Clock::Never(change(local).unwrap_or(local)),
        });
        Self { periods, by_instant, by_clock }
    }
}

/// What becomes of the times of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// So many seconds later.
    Moved(i64),
    /// At this second.
    At(i64),
    /// Before this second.
    Before(i64),
    /// This number, whatever the time.
    Number(i64),
    /// Missing.
    Nowhere,
    /// Refused: clocks show them twice.
    Twice,
    /// Refused: clocks never show them.
    Never,
}

impl Place {
    /// The kind and the number, as `map_times.cu` has them.
    pub(super) fn encoded(self) -> [i64; 2] {
        match self {
            Self::Moved(seconds) => [0, seconds],
            Self::At(second) => [1, second],
            Self::Before(second) => [2, second],
            Self::Number(number) => [3, number],
            Self::Nowhere => [4, 0],
            Self::Twice => [5, 0],
            Self::Never => [6, 0],
        }
    }

    /// The place of a time of `per_second` units a second, `cycles` seconds after the years that pieces are of; `None`
    /// where there is none, or it does not fit.
    #[inline(always)]
    pub(super) fn of(self, value: i64, per_second: i64, cycles: i64) -> Option<i64> {
        match self {
            Self::Moved(seconds) => value.checked_add(seconds.checked_mul(per_second)?),
            Self::At(second) => (second + cycles).checked_mul(per_second),
            Self::Before(second) => (second + cycles).checked_mul(per_second)?.checked_sub(1),
            Self::Number(number) => Some(number),
            Self::Nowhere | Self::Twice | Self::Never => None,
        }
    }
}
