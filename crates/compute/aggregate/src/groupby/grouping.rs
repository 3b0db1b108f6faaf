//! The groups of rows.

use std::borrow::Cow;
use std::sync::OnceLock;

use cuprum_column::{Column, Context, Result};
use cuprum_elements::row_numbers::row_column;
use cuprum_keys::equality;
use cuprum_keys::equality::cpu::Factorized;
use cuprum_keys::equality::cpu::radix_partitioned::RadixPartitioned;
use cuprum_keys::equality::cuda::known_codes::GroupedCodes;
use cuprum_runtime::Device;
use cuprum_runtime::backend::OnDevice;

use crate::accumulation::cpu::coded_groups::CodedGroups;

/// Rows by group; see [`group`](super::group).
#[derive(Debug)]
pub struct Grouping {
    rows: Rows,
    /// The first row of each group, ascending: `Int32`, or `Int64` where the rows do not fit it.
    /// Gathering the keys by it gives one row of keys per group.
    pub first_rows: Column,
    /// The number of groups.
    pub num_groups: usize,
}

/// Representations of the groups of rows.
#[derive(Debug)]
enum Rows {
    Numbered(Column),
    /// In parts of the host's memory, and their numbers once somebody has asked for them.
    Parted(Box<RadixPartitioned>, OnceLock<Column>),
    /// By keys in the host's memory, each with a number, and the numbers of all rows as above.
    Coded(CodedGroups, OnceLock<Column>),
    /// The same in a GPU's memory.
    OnGpu(Box<GroupedCodes>, OnceLock<Column>),
}

impl Grouping {
    /// Groups by the number of each row, as [`ids`](Self::ids) gives them.
    pub fn new(ids: Column, first_rows: Column, num_groups: usize) -> Self {
        Self { rows: Rows::Numbered(ids), first_rows, num_groups }
    }

    /// The group of each row, in order of first appearance; −1 for rows in no group. Without nulls: `Int32`,
    /// or `Int64` where the groups do not fit it. A gather map from values of groups to rows.
    ///
    /// Many groups, and few groups of integers, know their rows in another form. The numbers are made of it at the
    /// first call, in memory of `ctx`.
    pub fn ids(&self, ctx: &Context) -> Result<&Column> {
        match &self.rows {
            Rows::Numbered(ids) => Ok(ids),
            Rows::Parted(_, ids) | Rows::Coded(_, ids) | Rows::OnGpu(_, ids) => {
                if let Some(ids) = ids.get() {
                    return Ok(ids);
                }
                let groups = self.first_rows.len();
                let made = match &self.rows {
                    Rows::Coded(coded, _) => row_column(coded.all(ctx)?, groups, ctx)?,
                    Rows::Parted(parted, _) => row_column(parted.numbers(ctx)?, groups, ctx)?,
                    Rows::OnGpu(codes, _) => equality::cuda::row_column(codes.ids(ctx)?, groups, ctx)?,
                    Rows::Numbered(ids) => return Ok(ids),
                };
                Ok(ids.get_or_init(|| made))
            }
        }
    }

    /// The ids in 32 bits on a GPU, checked as [`NarrowRows`](cuprum_elements::row_numbers::NarrowRows) does.
    pub(crate) fn narrow_ids(&self, ctx: &Context) -> Result<Cow<'_, Column>> {
        equality::cuda::narrow_ids("grouping.ids", self.ids(ctx)?, &ctx.temporary()?)
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        match &self.rows {
            Rows::Numbered(ids) => ids.len(),
            Rows::Parted(parted, _) => parted.rows.to.len(),
            Rows::Coded(coded, _) => coded.len(),
            Rows::OnGpu(codes, _) => codes.len(),
        }
    }

    pub(super) fn parted(&self) -> Option<&RadixPartitioned> {
        match &self.rows {
            Rows::Parted(parted, _) => Some(parted),
            _ => None,
        }
    }

    pub(super) fn coded(&self) -> Option<&CodedGroups> {
        match &self.rows {
            Rows::Coded(coded, _) => Some(coded),
            _ => None,
        }
    }

    pub(super) fn of_numbers(numbers: Factorized, ctx: &Context) -> Result<Self> {
        let (rows, num_groups) = (numbers.ids.len(), numbers.first_rows.len());
        let first_rows = row_column(numbers.first_rows, rows, ctx)?;
        Ok(Self::new(row_column(numbers.ids, num_groups, ctx)?, first_rows, num_groups))
    }

    pub(super) fn of_codes(coded: CodedGroups, first_rows: Column, num_groups: usize) -> Self {
        Self { rows: Rows::Coded(coded, OnceLock::new()), first_rows, num_groups }
    }

    pub(super) fn on_gpu(codes: GroupedCodes, first_rows: Column, num_groups: usize) -> Self {
        Self { rows: Rows::OnGpu(Box::new(codes), OnceLock::new()), first_rows, num_groups }
    }

    pub(super) fn of_parts(mut parts: Box<RadixPartitioned>, ctx: &Context) -> Result<Self> {
        let num_groups = parts.len();
        let first_rows = row_column(parts.take_first_rows(ctx)?, parts.rows.to.len(), ctx)?;
        Ok(Self { rows: Rows::Parted(parts, OnceLock::new()), first_rows, num_groups })
    }
}

impl OnDevice for Grouping {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        let of_rows = match &self.rows {
            Rows::Numbered(ids) => ids.elsewhere(device),
            Rows::Parted(..) | Rows::Coded(..) => (device != Device::Cpu).then_some(Device::Cpu),
            Rows::OnGpu(codes, _) => Some(codes.device()).filter(|&own| own != device),
        };
        of_rows.or_else(|| self.first_rows.elsewhere(device))
    }

    fn types(&self) -> String {
        format!("grouping of {} rows", self.num_rows())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        let ids = match &self.rows {
            Rows::Numbered(ids) => ids,
            Rows::Parted(..) | Rows::Coded(..) => self.ids(&Context::on(Device::Cpu)?)?,
            Rows::OnGpu(codes, _) => self.ids(&Context::on(codes.device())?)?,
        };
        Ok(Self::new(ids.moved_to(ctx)?, self.first_rows.moved_to(ctx)?, self.num_groups))
    }
}
