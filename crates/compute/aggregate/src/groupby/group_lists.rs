//! The rows of each group next to each other.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::renumber::atomic;
use cuprum_keys::group_csr::rows_by_group;
use cuprum_runtime::backend::OnDevice;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

use super::cached_scan;

/// The rows of each group next to each other; see [`grouped_rows`](super::grouped_rows::grouped_rows).
#[derive(Debug)]
pub struct GroupedRows {
    /// The place of the group of every row, `NONE` for rows in none.
    pub(super) places: Column,
    /// The number of places.
    pub(super) num_places: usize,
    /// Made where somebody asks for them: what few groups give for their rows is found without.
    pub(super) lists: OnceLock<Lists>,
}

/// The rows of groups, as lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// The rows that are in groups, group after group, ascending in each.
    pub(super) rows: Column,
    /// The offset in `rows` of the group at each place, and the end of the last one.
    pub(super) offsets: Column,
    /// The position of every row in `rows`, `NONE` for rows in no group.
    pub(super) positions: Column,
}

impl GroupedRows {
    /// The rows that are in groups, group after group, ascending in each: `UInt32`.
    pub fn rows(&self, ctx: &Context) -> Result<&Column> {
        Ok(&self.lists(ctx)?.rows)
    }

    /// The offset in [`rows`](Self::rows) of the group at each place, and the end of the last one: `UInt32`.
    pub fn offsets(&self, ctx: &Context) -> Result<&Column> {
        Ok(&self.lists(ctx)?.offsets)
    }

    /// The lists, made in memory of `ctx` at the first call.
    pub(super) fn lists(&self, ctx: &Context) -> Result<&Lists> {
        if let Some(lists) = self.lists.get() {
            return Ok(lists);
        }
        let lists = lists_on_host(&self.places, self.num_places, ctx)?;
        Ok(self.lists.get_or_init(|| lists))
    }

    /// Whether groups are so few that the results of their rows take one pass over the rows.
    pub(super) fn is_walked(&self) -> bool {
        self.num_places <= cached_scan::MOST_PLACES
    }

    pub(super) fn check_length(&self, name: &str, column: &Column) -> Result<()> {
        if column.len() == self.places.len() {
            return Ok(());
        }
        let rows = (column.len(), self.places.len());
        Err(Error::logic(format!("`{name}` has {} rows, the groups {}", rows.0, rows.1)))
    }
}

impl OnDevice for GroupedRows {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        let lists = self.lists.get().map(|lists| [&lists.rows, &lists.offsets, &lists.positions]);
        let parts = [&self.places].into_iter().chain(lists.into_iter().flatten());
        parts.into_iter().find_map(|part| part.elsewhere(device))
    }

    fn types(&self) -> String {
        format!("groups of {} rows", self.places.len())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        // A device's lists exist from the beginning.
        let lists = self.lists(&Context::on(Device::Cpu)?)?;
        let lists = Lists {
            rows: lists.rows.moved_to(ctx)?,
            offsets: lists.offsets.moved_to(ctx)?,
            positions: lists.positions.moved_to(ctx)?,
        };
        Ok(Self {
            places: self.places.moved_to(ctx)?,
            num_places: self.num_places,
            lists: OnceLock::from(lists),
        })
    }
}

fn lists_on_host(places: &Column, num_places: usize, ctx: &Context) -> Result<Lists> {
    let places = places.view()?;
    let places = places.values::<u32>()?;
    let lists = rows_by_group(places, num_places, None, ctx)?;
    let mut positions = HostUVec::<u32>::filled(NONE, places.len(), ctx)?;
    let of_row = atomic(&mut positions);
    for_ranges(lists.rows.len(), MORSEL, ctx, &|range| {
        for at in range {
            of_row[lists.rows[at] as usize].store(at as u32, Ordering::Relaxed);
        }
        Ok(())
    })?;
    Ok(Lists {
        rows: Column::from_values(lists.rows),
        offsets: Column::from_values(lists.offsets),
        positions: Column::from_values(positions),
    })
}
