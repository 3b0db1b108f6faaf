//! Groups as a table: levels of keys across, every combination of labels, in order, with what stands for missing
//! results.

use std::collections::{HashMap, HashSet};

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::filling;
use cuprum_compute::sorting::{NullOrder, Order};

use super::PivotMargins;
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::reshape::concat::Part;
use crate::reshape::unstack::UnstackOptions;
use crate::series::Series;
use crate::types::equality::is_any;
use crate::types::{Dtype, TypedColumn};

/// How the aggregations of groups become a pivot table; see [`DataFrame::pivot_groups`].
#[derive(Clone, Debug)]
pub struct PivotLayout {
    /// So many of the outer levels of keys name rows.
    pub index_levels: usize,
    /// So many of the inner levels of keys name columns.
    pub column_levels: usize,
    /// One column is aggregated, whose label is none of the result's.
    pub is_one: bool,
    /// What stands for missing results.
    pub fill_value: Option<Scalar>,
    /// Without rows and columns of missing results; else with every combination of labels.
    pub dropna: bool,
    /// Columns in ascending order, those of categories in theirs.
    pub sort: bool,
}

impl PivotLayout {
    /// The levels of keys that name columns, where others name rows.
    fn across(&self) -> Option<Vec<usize>> {
        let levels = self.index_levels..self.index_levels + self.column_levels;
        (self.index_levels > 0 && self.column_levels > 0).then(|| levels.collect())
    }

    /// What stands where there is no row or column, where that is no missing value itself.
    fn filler(&self) -> Option<&Scalar> {
        let is_missing = |fill: &Scalar| fill.is_null() || fill.as_f64().is_some_and(f64::is_nan);
        self.fill_value.as_ref().filter(|fill| !is_missing(fill))
    }

    fn check(&self, index: &Index) -> Result<()> {
        let (given, wanted) = (index.num_levels(), self.index_levels + self.column_levels);
        if given != wanted {
            return Err(Error::invalid_argument(format!(
                "groups of {given} levels of keys, where {} name rows and {} columns",
                self.index_levels, self.column_levels
            )));
        }
        Ok(())
    }
}

impl DataFrame {
    /// Aggregations of groups of this frame's rows, one row for each group and the keys as levels of the row labels,
    /// laid out as [`pivot_table`](Self::pivot_table) does; with margins, where these are given.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of levels, for two
    /// groups of the same keys and where a column of this frame that is a key has the name of the margins, and as
    /// [`pivot_table`](Self::pivot_table).
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::pivot_table::PivotLayout;
    ///
    /// let df = df! { "k" => ["a", "b", "b"], "l" => ["x", "x", "y"], "v" => [1i64, 2, 4] }?;
    /// let ranges = df.groupby(["k", "l"]).finish()?.aggregate(&[Request::new("v", "v", Aggregation::Max)])?;
    /// let layout = PivotLayout {
    ///     index_levels: 1,
    ///     column_levels: 1,
    ///     is_one: true,
    ///     fill_value: None,
    ///     dropna: true,
    ///     sort: true,
    /// };
    /// let table = df.pivot_groups(&ranges, &layout, None)?;
    /// assert_eq!(table.labels(), ["x", "y"].map(Label::from));
    /// assert!(table.loc(("a", "y"))?.element()?.is_null());
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn pivot_groups(
        &self,
        groups: &Self,
        layout: &PivotLayout,
        margins: Option<&PivotMargins>,
    ) -> Result<Self> {
        layout.check(groups.index())?;
        if margins.is_some() && layout.index_levels == 0 {
            return margins_of_columns();
        }
        let keys: Vec<Dtype> = groups.index().dtypes().split_off(layout.index_levels);
        let key_name = groups.index().names().get(layout.index_levels).cloned().flatten();
        let mut table = groups.clone();
        if layout.dropna && table.num_columns() > 0 {
            table = table.dropna(&[], 1)?;
        }
        if let Some(levels) = layout.across() {
            // Groups come in the order of their keys, missing ones last.
            let fill = layout.fill_value.as_ref().map(Label::from_scalar).transpose()?;
            let options = UnstackOptions { fill, sort: layout.sort, missing: NullOrder::Last };
            table = table.unstack_at(&levels, &options)?;
        }
        if !layout.dropna {
            table = with_all_labels(table, layout)?;
        }
        if layout.sort {
            table = in_order(table, layout, &keys, 1)?;
        }
        if let Some(fill) = &layout.fill_value {
            table = table.fillna(fill)?;
        }
        if let Some(margins) = margins {
            table = margins.beside(table, layout, self.labels())?;
        }
        if layout.is_one && table.accessor().num_levels() > 1 {
            table = without_outer_level(&table)?;
        }
        if layout.index_levels == 0 {
            table = table.transpose()?;
        }
        if layout.dropna {
            table = table.dropna_columns(table.num_rows().min(1))?;
        }
        if layout.across().is_some() && layout.column_levels == 1 && layout.is_one && table.num_columns() == 0
        {
            let none = TypedColumn::nulls(&keys[0], 0, &table.context()?)?;
            let none = Index::new(none, key_name)?;
            let data = table.accessor().clone().with_kind_of(&none)?;
            table = Self::from_accessor(data, table.index().clone())?;
        }
        Ok(table)
    }
}

impl Series {
    /// The numbers of rows of groups, the keys as levels of the row labels, laid out as
    /// [`DataFrame::pivot_sizes`] does: a series where keys name rows alone or columns alone.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of levels and for two
    /// groups of the same keys.
    pub fn pivot_sizes(&self, layout: &PivotLayout) -> Result<Part> {
        layout.check(self.index())?;
        let Some(levels) = layout.across() else {
            let mut sizes = self.clone();
            if !layout.dropna && sizes.index().num_levels() > 1 {
                sizes = sizes.reindex(&every_combination(sizes.index(), layout.sort)?)?;
            }
            return Ok(Part::Series(match &layout.fill_value {
                Some(fill) => sizes.fillna(fill)?,
                None => sizes,
            }));
        };
        let keys: Vec<Dtype> = self.index().dtypes().split_off(layout.index_levels);
        let fill = layout.fill_value.as_ref().map(Label::from_scalar).transpose()?;
        let options = UnstackOptions { fill, sort: layout.sort, missing: NullOrder::First };
        let mut table = self.unstack_at(&levels, &options)?;
        if layout.sort {
            table = in_order(table, layout, &keys, 0)?;
        }
        if !layout.dropna {
            table = with_all_labels(table, layout)?;
        }
        Ok(Part::Frame(match &layout.fill_value {
            Some(fill) => table.fillna(fill)?,
            None => table,
        }))
    }
}

/// Refuses margins of keys that name columns alone.
pub(super) fn margins_of_columns<T>() -> Result<T> {
    Err(Error::unsupported("pivot_table does not support `margins` without `index`: of rows alone"))
}

/// The frame without the outer level of the columns' labels.
fn without_outer_level(table: &DataFrame) -> Result<DataFrame> {
    let labels = table.labels().iter().map(|label| match &label.parts()[1..] {
        [inner] => inner.clone(),
        inner => Label::tuple(inner.iter().cloned()),
    });
    let outer = table.accessor().to_index()?;
    let data = table.accessor().with_labels(labels.collect())?;
    let data = data.with_level_names(outer.names().iter().skip(1).cloned().collect());
    let dtypes = if outer.as_mixed().is_some() { vec![] } else { outer.dtypes() };
    DataFrame::from_accessor(data.with_level_dtypes(dtypes.into_iter().skip(1)), table.index().clone())
}

/// Whether labels, or parts of them, are missing.
pub(super) fn has_missing(labels: &[Label]) -> bool {
    labels.iter().flat_map(Label::parts).any(Label::is_missing)
}

/// Where labels stand in ascending order, each once; those that are missing are left out.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for labels of kinds that have no order.
fn ranks<'a>(labels: impl Iterator<Item = &'a Label>) -> Result<HashMap<Label, usize>> {
    let mut labels: Vec<&Label> = labels.filter(|label| !label.is_missing()).collect();
    if let Some(first) = labels.first()
        && let Some(other) = labels.iter().find(|label| !first.comparable(label))
    {
        return Err(Error::data_type(format!("column labels {first} and {other} have no order")));
    }
    labels.sort();
    labels.dedup();
    Ok(labels.into_iter().cloned().zip(0..).collect())
}

/// The table with its columns in order: those of categories, which labels are not, in theirs. Keys of types `keys` are
/// below `outer` levels.
fn in_order(table: DataFrame, layout: &PivotLayout, keys: &[Dtype], outer: usize) -> Result<DataFrame> {
    let missing = has_missing(table.labels());
    let table = if missing { table } else { ascending(table)? };
    let of_categories = keys.iter().any(|key| matches!(key, Dtype::Categorical(_)));
    if layout.index_levels == 0 || !(of_categories || missing) {
        return Ok(table);
    }
    let depth = table.accessor().num_levels();
    let of_level = |level: usize| match level.checked_sub(outer).and_then(|key| keys.get(key)) {
        Some(Dtype::Categorical(kind)) => {
            let known = Index::new(kind.categories().values().clone(), None)?.labels()?;
            Ok(known.into_iter().zip(0..).collect::<HashMap<Label, usize>>())
        }
        _ => ranks(table.labels().iter().map(|label| &label.parts()[level])),
    };
    let known = (0..depth).map(of_level).collect::<Result<Vec<_>>>()?;
    let place = |&at: &usize| -> Vec<usize> {
        let parts = table.labels()[at].parts();
        parts
            .iter()
            .zip(&known)
            .map(|(part, known)| known.get(part).copied().unwrap_or(known.len()))
            .collect()
    };
    let mut order: Vec<usize> = (0..table.num_columns()).collect();
    order.sort_by_cached_key(place);
    table.select_positions(&order)
}

/// The table with its columns in the ascending order of their labels.
fn ascending(table: DataFrame) -> Result<DataFrame> {
    let labels = table.accessor().to_index()?;
    if labels.num_levels() == 1 && labels.as_mixed().is_some() {
        let known = ranks(table.labels().iter())?;
        let mut order: Vec<usize> = (0..table.num_columns()).collect();
        order.sort_by_key(|&at| known.get(&table.labels()[at]));
        return table.select_positions(&order);
    }
    let ctx = labels.context()?;
    let places: Vec<i64> = (0..table.num_columns() as i64).collect();
    let places =
        Series::new(Column::from_slice(&places, &ctx)?, None, labels)?.sort_index(Order::Ascending)?;
    let order = (0..places.len()).map(|at| Ok(places.get(at)?.as_i64().unwrap_or(0) as usize));
    table.select_positions(&order.collect::<Result<Vec<_>>>()?)
}

/// The table with every combination of labels.
fn with_all_labels(mut table: DataFrame, layout: &PivotLayout) -> Result<DataFrame> {
    if table.index().num_levels() > 1 {
        table = filled_rows(&table, &every_combination(table.index(), layout.sort)?, layout)?;
    }
    if table.accessor().num_levels() == 1 {
        return Ok(table);
    }
    let (labels, index) = (table.labels(), table.accessor().to_index()?);
    let depth = index.num_levels();
    let levels: Vec<Vec<Label>> = if has_missing(labels) {
        (0..depth).map(|level| parts_once(labels, level, layout.sort)).collect::<Result<_>>()?
    } else {
        let all = |level: usize| Index::new(all_of_level(&index, level, layout.sort)?, None)?.labels();
        (0..depth).map(all).collect::<Result<_>>()?
    };
    let positions: HashMap<Label, usize> = labels.iter().map(comparable).zip(0..).collect();
    let ctx = table.context()?;
    let absent = match layout.filler() {
        Some(fill) => Column::from_scalar(fill, table.num_rows(), &ctx)?.into(),
        None => TypedColumn::nulls(&Dtype::plain(DataType::Float64), table.num_rows(), &ctx)?,
    };
    combinations(levels.iter().map(Vec::len), "columns")?;
    let mut every: Vec<Vec<Label>> = vec![vec![]];
    for level in &levels {
        let with = |above: &Vec<Label>, part: &Label| above.iter().chain([part]).cloned().collect::<Vec<_>>();
        every = every.iter().flat_map(|above| level.iter().map(move |part| with(above, part))).collect();
    }
    let every: Vec<Label> = every.into_iter().map(Label::tuple).collect();
    let column = |label: &Label| {
        let at = positions.get(&comparable(label));
        at.map_or_else(|| absent.clone(), |&at| table.columns()[at].clone())
    };
    let columns = every.iter().map(column).collect();
    let data = ColumnAccessor::new(every, columns, table.num_rows())?;
    let data = data.with_levels_of(table.accessor());
    DataFrame::from_accessor(data, table.index().clone())
}

/// The rows with other labels; `fill_value` for those that are not there.
fn filled_rows(table: &DataFrame, rows: &Index, layout: &PivotLayout) -> Result<DataFrame> {
    let Some(fill) = layout.filler() else { return table.reindex(Some(rows), None) };
    let present = rows.is_in(table.index())?;
    let table = table.reindex(Some(rows), None)?;
    // The type of what fills yields to that of a column.
    let fill = fill.clone().keeping_type(false);
    let of = |at: usize| Ok(table.series_at(at)?.where_(&present, Some(&fill))?.column().clone());
    table.replace_columns((0..table.num_columns()).map(of).collect::<Result<_>>()?)
}

/// A label whose missing parts equal those of others.
fn comparable(label: &Label) -> Label {
    let part = |part: &Label| if part.is_missing() { Label::Missing } else { part.clone() };
    Label::tuple(label.parts().iter().map(part))
}

/// The different parts of labels in ascending order, a missing one last, or as they appear.
fn parts_once(labels: &[Label], level: usize, sort: bool) -> Result<Vec<Label>> {
    let mut once: Vec<Label> = vec![];
    let mut seen = HashSet::new();
    for part in labels.iter().map(|label| &label.parts()[level]) {
        let key = if part.is_missing() { Label::Missing } else { part.clone() };
        if seen.insert(key) {
            once.push(part.clone());
        }
    }
    if sort {
        let known = ranks(once.iter())?;
        once.sort_by_key(|part| known.get(part).copied().unwrap_or(known.len()));
    }
    Ok(once)
}

/// Every combination of the labels of levels, in their order or as they appear, missing ones among them; the last level
/// varies fastest.
fn every_combination(index: &Index, sort: bool) -> Result<Index> {
    let depth = index.num_levels();
    let levels = (0..depth).map(|level| Index::new(all_of_level(index, level, sort)?, None));
    let levels = levels.collect::<Result<Vec<_>>>()?;
    let count = |levels: &[Index]| combinations(levels.iter().map(Index::len), "rows");
    count(&levels)?;
    let column = |at: usize| {
        let (outer, inner) = (count(&levels[..at])?, count(&levels[at + 1..])?);
        levels[at].repeat(inner)?.tile(outer)?.level(0)
    };
    Index::from_columns((0..depth).map(column).collect::<Result<_>>()?, index.names().to_vec())
}

fn combinations(mut labels: impl Iterator<Item = usize>, of: &str) -> Result<usize> {
    labels
        .try_fold(1usize, usize::checked_mul)
        .ok_or_else(|| Error::overflow(format!("a table of every combination of labels has too many {of}")))
}

/// The different labels of a level, also those of no row, a missing one last; or as they appear.
fn all_of_level(index: &Index, level: usize, sort: bool) -> Result<TypedColumn> {
    let labels = index.level(level)?;
    if !sort && !matches!(labels.dtype(), Dtype::Categorical(_)) {
        return Ok(Series::from_column(labels, None).unique()?.column().clone());
    }
    let known = index.levels(level)?;
    if known.null_count()? > 0 || !is_any(&labels.missing()?)? {
        return Ok(known);
    }
    let ctx = known.context()?;
    let beyond = filling::sequence(0, 1, known.len() + 1, &ctx)?;
    known.take_or_null(&beyond)
}
