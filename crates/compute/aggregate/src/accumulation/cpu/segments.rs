//! The accumulated statistics of groups, range by range.

use std::any::Any;

use cuprum_column::{Error, Result};

/// The places of groups in a layout.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    /// In their order, `1 << shift` to a part.
    InOrder { shift: u32 },
    /// For each group its part, in the upper 32 bits, and its place there.
    Listed(&'a [u64]),
}

impl Places<'_> {
    #[inline(always)]
    fn of(self, group: usize) -> (usize, usize) {
        match self {
            Self::InOrder { shift } => (group >> shift, group & ((1 << shift) - 1)),
            Self::Listed(places) => ((places[group] >> 32) as usize, places[group] as u32 as usize),
        }
    }
}

/// The accumulators of each group, part by part.
pub(crate) struct Segments<'a, A> {
    pub(super) places: Places<'a>,
    pub(super) parts: Vec<A>,
}

impl<A> Segments<'_, A> {
    /// The part with group `g`, and the position of the group in it.
    #[inline(always)]
    pub(crate) fn get(&self, g: usize) -> (&A, usize) {
        let (part, place) = self.places.of(g);
        (&self.parts[part], place)
    }
}

impl<A> Segments<'_, A> {
    pub(crate) fn parts_mut(&mut self) -> &mut [A] {
        &mut self.parts
    }
}

impl<'a, A> Segments<'a, Vec<A>> {
    /// The statistics that were accumulated together, one by one.
    pub(crate) fn apart(self) -> Vec<Segments<'a, A>> {
        let mut apart: Vec<Segments<'a, A>> = Vec::new();
        for part in self.parts {
            if apart.is_empty() {
                apart.extend(part.iter().map(|_| Segments { places: self.places, parts: Vec::new() }));
            }
            apart.iter_mut().zip(part).for_each(|(own, state)| own.parts.push(state));
        }
        apart
    }
}

impl<'a> Segments<'a, Box<dyn Any + Send>> {
    /// The same as what they are.
    pub(crate) fn typed<A: 'static>(self) -> Result<Segments<'a, A>> {
        let typed = self.parts.into_iter().map(|part| part.downcast().map(|part| *part));
        let parts =
            typed.collect::<Result<_, _>>().map_err(|_| Error::logic("statistics of another type"))?;
        Ok(Segments { places: self.places, parts })
    }
}
