//! A join by the nearest key.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::filling;
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::unary::{UnaryOperator, cast, is_valid, unary_operation};

use super::merge::{How, MergeOptions, On};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::types::equality::is_any;
use crate::types::{Dtype, TypedColumn};

/// Which key of the right side a key of the left one matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AsofDirection {
    /// The last that is not greater.
    #[default]
    Backward,
    /// The first that is not less.
    Forward,
    /// The nearer of both; of two as near the one before.
    Nearest,
}

/// The keys of one side of [`DataFrame::merge_asof`].
#[derive(Clone, Debug, PartialEq)]
pub enum AsofKey {
    /// A column.
    Column(Label),
    /// The row labels, of one level.
    Index,
}

impl From<&str> for AsofKey {
    fn from(label: &str) -> Self {
        Self::Column(label.into())
    }
}

/// The options of [`DataFrame::merge_asof`].
#[derive(Clone, Debug)]
pub struct MergeAsofOptions {
    /// The keys of the left side.
    pub left_on: AsofKey,
    /// The keys of the right side.
    pub right_on: AsofKey,
    /// Columns of the left and the right side that have to be equal besides; missing elements equal each other.
    pub by: Vec<(Label, Label)>,
    /// Which key is matched.
    pub direction: AsofDirection,
    /// How far apart keys may be: a number, or of times a length of time, not below 0.
    pub tolerance: Option<Scalar>,
    /// Equal keys match.
    pub allow_exact_matches: bool,
    /// Appended to labels that both sides have, left and right.
    pub suffixes: (Option<String>, Option<String>),
}

impl MergeAsofOptions {
    /// A join by the last key that is not greater, of columns of one name.
    pub fn on(label: impl Into<Label>) -> Self {
        let label = label.into();
        let MergeOptions { suffixes, .. } = MergeOptions::default();
        Self {
            left_on: AsofKey::Column(label.clone()),
            right_on: AsofKey::Column(label),
            by: vec![],
            direction: AsofDirection::default(),
            tolerance: None,
            allow_exact_matches: true,
            suffixes,
        }
    }
}

impl DataFrame {
    /// The rows of this frame, each beside the row of `right` whose key is the nearest in a direction; missing where
    /// there is none. Of equal keys of `right` the last matches backward, the first forward.
    ///
    /// Keys are numbers or times of one dtype, ascend and are not missing. Columns are those of this frame, then those
    /// of `right` but for keys of the same name. Row labels are those of this frame where a key is row labels, else
    /// `0, 1, …`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other keys; with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where keys differ in their dtypes, do not ascend or
    /// are missing, and for a tolerance that is none of them; with
    /// [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for columns that are not there; and with
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for row labels on the left beside a column on the right.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::merge_asof::MergeAsofOptions;
    ///
    /// let trades = df! { "t" => [1i64, 5, 10] }?;
    /// let quotes = df! { "t" => [1i64, 2, 3, 6, 7], "bid" => [10i64, 20, 30, 60, 70] }?;
    /// let options = MergeAsofOptions { tolerance: Some(2i64.into()), ..MergeAsofOptions::on("t") };
    /// let merged = trades.merge_asof(&quotes, &options)?;
    /// assert_eq!(merged.loc((1, "bid"))?.element()?, Scalar::from(30i64));
    /// assert!(merged.loc((2, "bid"))?.element()?.is_null());
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn merge_asof(&self, right: &Self, options: &MergeAsofOptions) -> Result<Self> {
        let MergeAsofOptions { left_on, right_on, by, tolerance, suffixes, .. } = options;
        if *left_on == AsofKey::Index && *right_on != AsofKey::Index {
            return Err(Error::unsupported(
                "merge_asof of the row labels of the left side with a column of the right one: make the row labels a \
                 column, or the column row labels",
            ));
        }
        let keys = [key(self, left_on, "left")?, key(right, right_on, "right")?];
        if keys[0].dtype() != keys[1].dtype() {
            return Err(Error::invalid_argument(format!(
                "incompatible merge keys [0] {} and {}, must be the same type",
                keys[0].dtype(),
                keys[1].dtype()
            )));
        }
        let ctx = self.context()?;
        let search = Search {
            codes: codes(self, right, by, &ctx)?,
            limit: tolerance.as_ref().map(|limit| limit_of(limit, keys[0].dtype())).transpose()?,
            exact: options.allow_exact_matches,
            keys: [keys[0].placed(&ctx)?.into_owned(), keys[1].placed(&ctx)?.into_owned()],
            ctx,
        };
        let rows = search.matches(options.direction)?;
        let mut shared: Vec<&Label> = by.iter().filter(|(l, r)| l == r).map(|(l, _)| l).collect();
        if let (AsofKey::Column(l), AsofKey::Column(r)) = (left_on, right_on)
            && l == r
        {
            shared.push(l);
        }
        let others: Vec<usize> =
            (0..right.num_columns()).filter(|&at| !shared.contains(&&right.labels()[at])).collect();
        let found = right.select_positions(&others)?.drop_index();
        let columns = found.columns().iter().map(|column| column.placed(&search.ctx)?.take_or_null(&rows));
        let index = Index::range_beside(self.num_rows(), self.place());
        let found = found.with_rows(columns.collect::<Result<_>>()?, index)?;
        let beside = MergeOptions {
            how: How::Left,
            on: Some(On::Indexes),
            suffixes: suffixes.clone(),
            ..MergeOptions::default()
        };
        let result = self.drop_index().merge(&found, &beside)?;
        match (left_on, right_on) {
            (AsofKey::Column(_), AsofKey::Column(_)) => Ok(result),
            // As in pandas: what has no rows gives no labels.
            (AsofKey::Column(_), _) if self.num_rows() == 0 => result.with_index(right.index().slice(0, 0)?),
            _ => result.with_index(self.index().clone()),
        }
    }
}

/// The key of a side.
fn key(frame: &DataFrame, on: &AsofKey, side: &str) -> Result<TypedColumn> {
    let key = match on {
        AsofKey::Column(label) => frame.accessor().get(label)?.clone(),
        AsofKey::Index if frame.index().num_levels() > 1 => {
            return Err(Error::invalid_argument("a key of row labels has one level"));
        }
        AsofKey::Index => frame.index().level(0)?,
    };
    if !matches!(key.dtype(), Dtype::Numeric(_) | Dtype::Datetime(_) | Dtype::Timedelta(_)) {
        return Err(Error::data_type(format!(
            "Incompatible merge dtype, {} on the {side}: keys are numbers or times",
            key.dtype()
        )));
    }
    if is_any(&key.missing()?)? {
        return Err(Error::invalid_argument(format!("Merge keys contain null values on {side} side")));
    }
    if !Index::new(key.clone(), None)?.is_monotonic_increasing()? {
        return Err(Error::invalid_argument(format!("{side} keys must be sorted")));
    }
    Ok(key)
}

/// Numbers of the different elements of the columns that have to be equal: equal ones have the same.
fn codes(
    left: &DataFrame,
    right: &DataFrame,
    by: &[(Label, Label)],
    ctx: &Context,
) -> Result<Option<[Column; 2]>> {
    if by.is_empty() {
        return Ok(None);
    }
    let (mut ours, mut theirs) = (vec![], vec![]);
    for (position, (l, r)) in by.iter().enumerate() {
        let (l, r) = (left.accessor().get(l)?, right.accessor().get(r)?);
        if l.dtype() != r.dtype() {
            return Err(Error::invalid_argument(format!(
                "incompatible merge keys [{position}] {} and {}, must be the same type",
                l.dtype(),
                r.dtype()
            )));
        }
        ours.push(l.placed(ctx)?.into_owned());
        theirs.push(r.placed(ctx)?.into_owned());
    }
    let sides = [ours, theirs].map(|side| Index::from_columns(side, vec![None; by.len()]));
    let [ours, theirs] = sides;
    let (ours, theirs) = (ours?, theirs?);
    let (codes, _) = Index::concat(&[&ours, &theirs])?.factorize(false, true)?;
    Ok(Some([codes.slice(0, ours.len())?, codes.slice(ours.len(), theirs.len())?]))
}

/// How far apart keys may be, in the unit of times.
fn limit_of(tolerance: &Scalar, dtype: &Dtype) -> Result<Scalar> {
    let shown =
        || Label::from_scalar(tolerance).map_or_else(|_| tolerance.to_string(), |label| label.to_string());
    let refused = || {
        Error::invalid_argument(format!(
            "incompatible tolerance {}, must be compat with type {dtype}",
            shown()
        ))
    };
    let below = || Error::invalid_argument(format!("tolerance must be positive, got {}", shown()));
    let unsigned = |value: i128| {
        u64::try_from(value).map(Scalar::from).map_err(|_| if value < 0 { below() } else { refused() })
    };
    // As precise as the keys.
    let float = |limit: f64| match dtype.storage() {
        _ if limit < 0.0 => Err(below()),
        DataType::Float32 => Ok(Scalar::from(f64::from(limit as f32))),
        _ => Ok(Scalar::from(limit)),
    };
    match (dtype.storage(), tolerance.data_type(), tolerance.value()) {
        (DataType::Timestamp(unit) | DataType::Duration(unit), DataType::Duration(of), Value::Int(count)) => {
            let per = |unit: TimeUnit| i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day());
            unsigned((i128::from(*count) * per(of)).div_euclid(per(unit)))
        }
        (storage, _, Value::Float(limit)) if storage.is_float() => float(*limit),
        (storage, of, Value::Int(limit)) if storage.is_float() && of.is_numeric() => float(*limit as f64),
        (storage, of, Value::Int(limit)) if storage.is_integer() && of.is_integer() => {
            unsigned(i128::from(*limit))
        }
        (storage, _, Value::UInt(limit)) if storage.is_integer() => Ok(Scalar::from(*limit)),
        (storage, _, Value::UInt(limit)) if storage.is_float() => float(*limit as f64),
        _ => Err(refused()),
    }
}

/// The keys of both sides, and what else has to be so.
struct Search {
    keys: [TypedColumn; 2],
    codes: Option<[Column; 2]>,
    limit: Option<Scalar>,
    exact: bool,
    ctx: Context,
}

impl Search {
    /// For every left key the row of the right one that it matches, null for none.
    fn matches(&self, direction: AsofDirection) -> Result<Column> {
        match direction {
            AsofDirection::Backward => Ok(self.beside(false)?.0),
            AsofDirection::Forward => Ok(self.beside(true)?.0),
            AsofDirection::Nearest => {
                let ((before, near), (behind, far)) = (self.beside(false)?, self.beside(true)?);
                // Where one side has none its distance is null, and so is the comparison.
                let is_nearer = binary_operation(&near, &far, BinaryOperator::LessEqual, &self.ctx)?;
                let alone = unary_operation(&is_valid(&behind, &self.ctx)?, UnaryOperator::Not, &self.ctx)?;
                let takes = replace_nulls(&is_nearer, &Scalar::from(false), false, &self.ctx)?;
                let takes = binary_operation(&takes, &alone, BinaryOperator::Or, &self.ctx)?;
                copy_if_else(&before, &behind, &takes, &self.ctx)
            }
        }
    }

    /// The row of the last key before, or the first one behind, and how far away it is; null for none.
    fn beside(&self, forward: bool) -> Result<(Column, Column)> {
        let ctx = &self.ctx;
        let [left, right] = &self.keys;
        let rows = filling::sequence(0, 1, right.len(), ctx)?;
        let (order, known, wanted) = match &self.codes {
            None => (rows, vec![right.clone()], vec![left.clone()]),
            Some([ours, theirs]) => {
                // By the numbers first; keys ascend already.
                let keys = Table::new(vec![theirs.clone()])?;
                let order = sorted_order(&keys, &[Order::Ascending], NullOrder::Last, ctx)?;
                let order = cast(&order, DataType::Int64, ctx)?;
                let theirs = gather_column(theirs, &order, OutOfBoundsPolicy::Check, ctx)?;
                let right = right.take_or_null(&order)?;
                (order, vec![theirs.into(), right], vec![ours.clone().into(), left.clone()])
            }
        };
        let named = |levels: Vec<TypedColumn>| {
            let names = vec![None; levels.len()];
            Index::from_columns(levels, names)
        };
        let place = named(known)?.searchsorted_each(&named(wanted)?, self.exact != forward)?;
        let mut place = cast(&place, DataType::Int64, ctx)?;
        if !forward {
            place = binary_operation(&place, &Scalar::from(1i64), BinaryOperator::Sub, ctx)?;
        }
        let mut found = gather_column(&order, &place, OutOfBoundsPolicy::Nullify, ctx)?;
        if let Some([ours, theirs]) = &self.codes {
            let theirs = gather_column(theirs, &found, OutOfBoundsPolicy::Nullify, ctx)?;
            let alike = binary_operation(ours, &theirs, BinaryOperator::Equal, ctx)?;
            found = only_where(&found, &alike, ctx)?;
        }
        let distance = self.distance(&found, forward)?;
        if let Some(limit) = &self.limit {
            let near = binary_operation(&distance, limit, BinaryOperator::LessEqual, ctx)?;
            found = only_where(&found, &near, ctx)?;
        }
        let distance =
            copy_if_else(&distance, &Scalar::null(distance.data_type()), &is_valid(&found, ctx)?, ctx)?;
        Ok((found, distance))
    }

    /// How far the right keys at some rows are from the left ones: floats of the type of the keys, or `uint64`, in which
    /// the distance of any two integers fits.
    fn distance(&self, rows: &Column, forward: bool) -> Result<Column> {
        let ctx = &self.ctx;
        let [ours, theirs] = [self.keys[0].data()?, self.keys[1].data()?];
        let theirs = gather_column(theirs, rows, OutOfBoundsPolicy::Nullify, ctx)?;
        let (low, high) = if forward { (ours, &theirs) } else { (&theirs, ours) };
        if low.data_type().is_float() {
            let apart = binary_operation(high, low, BinaryOperator::Sub, ctx)?;
            // Infinities that are equal are not apart.
            let same = binary_operation(low, high, BinaryOperator::Equal, ctx)?;
            let same = replace_nulls(&same, &Scalar::from(false), false, ctx)?;
            return copy_if_else(&Scalar::new(apart.data_type(), Value::Float(0.0))?, &apart, &same, ctx);
        }
        let plain = |side: &Column| match side.data_type() {
            DataType::Timestamp(TimeUnit::Days) | DataType::Duration(TimeUnit::Days) => {
                cast(&side.bit_cast(DataType::Int32)?, DataType::Int64, ctx)
            }
            DataType::UInt64 | DataType::Timestamp(_) | DataType::Duration(_) => {
                side.bit_cast(DataType::Int64)
            }
            _ => cast(side, DataType::Int64, ctx),
        };
        binary_operation(&plain(high)?, &plain(low)?, BinaryOperator::Sub, ctx)?.bit_cast(DataType::UInt64)
    }
}

/// Rows where a condition is true, null for others.
fn only_where(rows: &Column, condition: &Column, ctx: &Context) -> Result<Column> {
    let condition = replace_nulls(condition, &Scalar::from(false), false, ctx)?;
    copy_if_else(rows, &Scalar::null(rows.data_type()), &condition, ctx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::ErrorKind;

    fn column(frame: &DataFrame, label: &str) -> Vec<Option<f64>> {
        let column = frame.column(label).unwrap();
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64()).collect()
    }

    fn sides() -> (DataFrame, DataFrame) {
        (
            df! { "t" => [1i64, 5, 10], "g" => ["a", "b", "a"] }.unwrap(),
            df! { "t" => [1i64, 2, 5, 5, 12], "g" => ["b", "a", "b", "a", "b"], "v" => [1i64, 2, 3, 4, 5] }
                .unwrap(),
        )
    }

    fn found(options: &MergeAsofOptions) -> Vec<Option<f64>> {
        let (left, right) = sides();
        column(&left.merge_asof(&right, options).unwrap(), "v")
    }

    #[test]
    fn in_every_direction() {
        let on = || MergeAsofOptions::on("t");
        assert_eq!(found(&on()), [Some(1.0), Some(4.0), Some(4.0)]);
        let inexact = MergeAsofOptions { allow_exact_matches: false, ..on() };
        assert_eq!(found(&inexact), [None, Some(2.0), Some(4.0)]);
        let forward = MergeAsofOptions { direction: AsofDirection::Forward, ..on() };
        assert_eq!(found(&forward), [Some(1.0), Some(3.0), Some(5.0)]);
        let nearest = MergeAsofOptions { direction: AsofDirection::Nearest, ..on() };
        assert_eq!(found(&nearest), [Some(1.0), Some(4.0), Some(5.0)]);
        let near = MergeAsofOptions { tolerance: Some(Scalar::from(1i64)), ..nearest };
        assert_eq!(found(&near), [Some(1.0), Some(4.0), None]);
        let by = MergeAsofOptions { by: vec![("g".into(), "g".into())], ..on() };
        assert_eq!(found(&by), [None, Some(3.0), Some(4.0)]);
        let by = MergeAsofOptions { direction: AsofDirection::Nearest, ..by };
        assert_eq!(found(&by), [Some(2.0), Some(3.0), Some(4.0)]);
    }

    #[test]
    fn labels_and_suffixes() {
        let (left, right) = sides();
        let merged = left.merge_asof(&right, &MergeAsofOptions::on("t")).unwrap();
        assert_eq!(merged.labels(), ["t", "g_x", "g_y", "v"].map(Label::from));
        let labelled = right.set_index(&["t".into()], true).unwrap();
        let options = MergeAsofOptions { right_on: AsofKey::Index, ..MergeAsofOptions::on("t") };
        let left = left.with_index(Index::from_labels(&["x", "y", "z"].map(Label::from)).unwrap()).unwrap();
        let merged = left.merge_asof(&labelled, &options).unwrap();
        assert_eq!(merged.index().labels().unwrap(), ["x", "y", "z"].map(Label::from));
        let none = left.slice(0, 0).unwrap().merge_asof(&labelled, &options).unwrap();
        assert_eq!(none.shape(), (0, 4));
        let none = left.merge_asof(&labelled.slice(0, 0).unwrap(), &options).unwrap();
        assert_eq!(column(&none, "v"), [None; 3]);
    }

    #[test]
    fn distances_that_no_key_holds() {
        let left = df! { "t" => [i64::MIN, i64::MAX] }.unwrap();
        let right = df! { "t" => [0i64, 1], "v" => [1i64, 2] }.unwrap();
        let options = MergeAsofOptions { direction: AsofDirection::Nearest, ..MergeAsofOptions::on("t") };
        assert_eq!(column(&left.merge_asof(&right, &options).unwrap(), "v"), [Some(1.0), Some(2.0)]);
        let near = MergeAsofOptions { tolerance: Some(Scalar::from(i64::MAX)), ..options.clone() };
        assert_eq!(column(&left.merge_asof(&right, &near).unwrap(), "v"), [None, Some(2.0)]);
        let infinite = df! { "t" => [f64::NEG_INFINITY, -0.0, f64::INFINITY] }.unwrap();
        let right = infinite.with_column("v", [1i64, 2, 3].into_iter().collect::<TypedColumn>()).unwrap();
        let near = MergeAsofOptions { tolerance: Some(Scalar::from(0.0)), ..options };
        assert_eq!(
            column(&infinite.merge_asof(&right, &near).unwrap(), "v"),
            [Some(1.0), Some(2.0), Some(3.0)]
        );
    }

    #[test]
    fn refusals() {
        let (left, right) = sides();
        let kind = |left: &DataFrame, right: &DataFrame, options: &MergeAsofOptions| {
            left.merge_asof(right, options).unwrap_err().kind()
        };
        let on = || MergeAsofOptions::on("t");
        assert_eq!(kind(&left, &right, &MergeAsofOptions::on("z")), ErrorKind::KeyNotFound);
        assert_eq!(kind(&left, &right, &MergeAsofOptions::on("g")), ErrorKind::DataType);
        let floats = df! { "t" => [1.0, 2.0] }.unwrap();
        assert_eq!(kind(&left, &floats, &on()), ErrorKind::InvalidArgument);
        let gap = df! { "t" => [Some(1i64), None] }.unwrap();
        assert_eq!(kind(&left, &gap, &on()), ErrorKind::InvalidArgument);
        let down = df! { "t" => [2i64, 1] }.unwrap();
        assert_eq!(kind(&down, &right, &on()), ErrorKind::InvalidArgument);
        for tolerance in [Scalar::from(-1i64), Scalar::from(0.5), Scalar::from(true)] {
            let options = MergeAsofOptions { tolerance: Some(tolerance), ..on() };
            assert_eq!(kind(&left, &right, &options), ErrorKind::InvalidArgument);
        }
        let by_labels = MergeAsofOptions { left_on: AsofKey::Index, ..on() };
        assert_eq!(kind(&left, &right, &by_labels), ErrorKind::Unsupported);
    }
}
