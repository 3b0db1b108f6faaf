//! The rows of each value of key columns, and the directories that these are written to.

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::strings::from_fn;
use cuprum_column::{Column, ColumnView, Context, DataType, Error, Result, Table, TimeUnit};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::groupby::{aggregate, group};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::{datetime, replace, unary};
use cuprum_runtime::Device;
use cuprum_runtime::nvtx::func_range;

use super::hive;

/// A column whose values tell the directories of rows.
#[derive(Clone, Debug)]
pub struct KeyColumn<'c> {
    /// What it is called.
    pub name: &'c str,
    /// Its values: integers, truth values, texts, dates or times.
    pub values: &'c Column,
    /// What Arrow knows of them beyond their storage: times with a zone and extension types are refused.
    pub metadata: &'c ColumnMetadata,
    /// How messages call their type.
    pub type_name: String,
}

/// The rows of one value of each key.
#[derive(Clone, Debug)]
pub struct Group {
    /// The directories of the values, joined by `/`: `year=2024/month=1`.
    pub directory: String,
    /// The numbers of the rows, ascending.
    pub rows: Column,
}

/// The rows of each combination of values of key columns, in the order in which they first come. A missing value is one
/// like any other.
///
/// Values are in names of directories as pyarrow has them: times with the digits of their unit.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns of other types that have values, and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) as [`hive::directory`] and for no columns.
pub fn groups(keys: &[KeyColumn<'_>], ctx: &Context) -> Result<Vec<Group>> {
    func_range!(c"dataset.groups");
    if keys.is_empty() {
        return Err(Error::invalid_argument("`partition_cols` has no columns"));
    }
    for key in keys {
        hive::directory(key.name, None)?;
        let values = if key.values.data_type().is_float() {
            &replace::nans_to_nulls(key.values, ctx)?
        } else {
            key.values
        };
        if !is_key(key) && values.null_count()? < values.len() {
            return Err(Error::data_type(format!(
                "`partition_cols`: column '{}' is {}; keys are integers, truth values, texts, or dates and times \
                 without a zone",
                key.name, key.type_name
            )));
        }
    }
    // What has no values may be of any type.
    let columns = keys.iter().map(|key| {
        if is_key(key) {
            Ok(key.values.clone())
        } else {
            Column::nulls(DataType::Int8, key.values.len(), ctx)
        }
    });
    let table = Table::new(columns.collect::<Result<_>>()?)?;
    let grouping = group(&table, false, ctx)?;
    let distinct = gather(&table, &grouping.first_rows, OutOfBoundsPolicy::Check, ctx)?;
    let ids = grouping.ids(ctx)?.clone();
    let sizes = aggregate(&grouping, &[(&ids, Aggregation::Size)], ctx)?.remove(0).to_host()?;
    let order = sorted_order(&Table::new(vec![ids])?, &[Order::Ascending], NullOrder::First, ctx)?;
    let host = Context::beside(Device::Cpu)?;
    let texts = distinct.to_host()?.into_columns();
    let texts = texts.iter().map(|values| texts_of(values, &host)).collect::<Result<Vec<_>>>()?;
    let views = texts.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let views = views.iter().map(ColumnView::strings).collect::<Result<Vec<_>>>()?;
    let sizes = sizes.view()?;
    let mut start = 0;
    let mut groups = Vec::with_capacity(grouping.num_groups);
    for (row, &size) in sizes.values::<i64>()?.iter().enumerate() {
        let names = keys.iter().zip(&views).map(|(key, texts)| hive::directory(key.name, texts.get_opt(row)));
        let directory = names.collect::<Result<Vec<_>>>()?.join("/");
        let size = usize::try_from(size).unwrap_or_default();
        groups.push(Group { directory, rows: order.slice(start, size)? });
        start += size;
    }
    Ok(groups)
}

/// Whether values can be in names of directories.
fn is_key(key: &KeyColumn<'_>) -> bool {
    if key.metadata.timezone.is_some() || key.metadata.extension.is_some() {
        return false;
    }
    match key.values.data_type() {
        DataType::String | DataType::Bool8 | DataType::Timestamp(_) => true,
        other => other.is_integer(),
    }
}

/// The values as names of directories have them, before they are percent-encoded.
fn texts_of(values: &Column, ctx: &Context) -> Result<Column> {
    match values.data_type() {
        DataType::String => Ok(values.clone()),
        DataType::Bool8 => {
            let (view, texts) = (values.view()?, ["false", "true"]);
            let (raw, valid) = (view.raw_values::<u8>()?, view.validity());
            from_fn(values.len(), ctx, |row| {
                let is_valid = valid.as_ref().is_none_or(|valid| valid.get(row));
                is_valid.then(|| texts[usize::from(raw[row] != 0)])
            })
        }
        DataType::Timestamp(TimeUnit::Days) => datetime::strftime(values, "%Y-%m-%d", ctx),
        DataType::Timestamp(unit) => {
            let seconds = datetime::strftime(values, "%Y-%m-%d %H:%M:%S", ctx)?;
            let digits = match unit {
                TimeUnit::Days | TimeUnit::Seconds => return Ok(seconds),
                TimeUnit::Milliseconds => 3,
                TimeUnit::Microseconds => 6,
                TimeUnit::Nanoseconds => 9,
            };
            let (seconds, ticks) = (seconds.view()?, values.view()?);
            let (seconds, ticks) = (seconds.strings()?, ticks.raw_values::<i64>()?);
            let texts: Vec<Option<String>> = (0..values.len())
                .map(|row| {
                    let rest = ticks[row].rem_euclid(10i64.pow(digits));
                    Some(format!("{}.{rest:0width$}", seconds.get_opt(row)?, width = digits as usize))
                })
                .collect();
            from_fn(texts.len(), ctx, |row| texts[row].as_deref())
        }
        _ => unary::cast(values, DataType::String, ctx),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    fn directories(columns: &[(&str, &Column)], ctx: &Context) -> Result<Vec<(String, Vec<i32>)>> {
        let metadata = ColumnMetadata::default();
        let owned: Vec<(&str, Column)> =
            columns.iter().map(|&(name, values)| (name, values.clone())).collect();
        let keys: Vec<KeyColumn<'_>> = owned
            .iter()
            .map(|(name, values)| KeyColumn {
                name,
                values,
                metadata: &metadata,
                type_name: values.data_type().to_string(),
            })
            .collect();
        let groups = groups(&keys, ctx)?;
        let rows = |group: &Group| group.rows.view().unwrap().values::<i32>().unwrap().to_vec();
        Ok(groups.iter().map(|group| (group.directory.clone(), rows(group))).collect())
    }

    #[test]
    fn rows_of_each_value_in_their_order() {
        let ctx = Context::beside(Device::Cpu).unwrap();
        let numbers = Column::from_options(&[Some(7), None, Some(-1), Some(7), None], &ctx).unwrap();
        let texts = Column::from_strs(&["x y", "", "x y", "é/b", ""], &ctx).unwrap();
        let pairs = |found: &[(&str, &[i32])]| -> Vec<(String, Vec<i32>)> {
            found.iter().map(|(directory, rows)| ((*directory).to_owned(), rows.to_vec())).collect()
        };
        assert_eq!(
            directories(&[("k", &numbers)], &ctx).unwrap(),
            pairs(&[("k=7", &[0, 3]), ("k=__HIVE_DEFAULT_PARTITION__", &[1, 4]), ("k=-1", &[2])])
        );
        assert_eq!(
            directories(&[("s", &texts), ("k", &numbers)], &ctx).unwrap(),
            pairs(&[
                ("s=x%20y/k=7", &[0]),
                ("s=/k=__HIVE_DEFAULT_PARTITION__", &[1, 4]),
                ("s=x%20y/k=-1", &[2]),
                ("s=%C3%A9%2Fb/k=7", &[3]),
            ])
        );
        let none = Column::from_slice::<i64>(&[], &ctx).unwrap();
        assert_eq!(directories(&[("k", &none)], &ctx).unwrap(), []);
    }

    #[test]
    fn spellings_of_values() {
        let ctx = Context::beside(Device::Cpu).unwrap();
        let one = |column: &Column| directories(&[("k", column)], &ctx).unwrap().remove(0).0;
        let truth = unary::cast(&Column::from_slice(&[1i8], &ctx).unwrap(), DataType::Bool8, &ctx).unwrap();
        assert_eq!(one(&truth), "k=true");
        assert_eq!(one(&Column::from_slice(&[u64::MAX], &ctx).unwrap()), "k=18446744073709551615");
        let time = |ticks: i64, unit| {
            let ticks = Column::from_slice(&[ticks], &ctx).unwrap();
            one(&unary::cast(&ticks, DataType::Timestamp(unit), &ctx).unwrap())
        };
        assert_eq!(time(-1, TimeUnit::Milliseconds), "k=1969-12-31%2023%3A59%3A59.999");
        assert_eq!(time(1_500_000, TimeUnit::Microseconds), "k=1970-01-01%2000%3A00%3A01.500000");
        assert_eq!(time(5, TimeUnit::Nanoseconds), "k=1970-01-01%2000%3A00%3A00.000000005");
        assert_eq!(time(60, TimeUnit::Seconds), "k=1970-01-01%2000%3A01%3A00");
        assert_eq!(one(&Column::nulls(DataType::Float64, 2, &ctx).unwrap()), "k=__HIVE_DEFAULT_PARTITION__");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let ctx = Context::beside(Device::Cpu).unwrap();
        let (floats, times) = (
            Column::from_slice(&[0.5], &ctx).unwrap(),
            unary::cast(
                &Column::from_slice(&[1i64], &ctx).unwrap(),
                DataType::Timestamp(TimeUnit::Seconds),
                &ctx,
            )
            .unwrap(),
        );
        let error = directories(&[("f", &floats)], &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        assert!(error.to_string().contains("`partition_cols`: column 'f'"), "{error}");
        let metadata = ColumnMetadata { timezone: Some("UTC".into()), ..ColumnMetadata::default() };
        let key = KeyColumn { name: "t", values: &times, metadata: &metadata, type_name: "instants".into() };
        let zoned = groups(&[key], &ctx).unwrap_err();
        assert!(zoned.to_string().contains("instants"), "{zoned}");
        assert_eq!(zoned.kind(), ErrorKind::DataType);
        assert_eq!(directories(&[], &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(directories(&[("a=b", &times)], &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
