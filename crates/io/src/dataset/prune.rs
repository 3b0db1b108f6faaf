//! What a filter leaves to be asked where part of it is known before any row is read.

use std::collections::HashMap;

use arrow_schema::Field;
use cuprum_column::{Column, Context, Result};

use super::keys::Key;
use crate::filter::{Bound, Condition, Filter};

/// Which rows of a file are still in question.
#[derive(Clone, Debug, PartialEq)]
pub enum Rest {
    /// None can meet the filter.
    Nothing,
    /// All do.
    Everything,
    /// Those that meet this one.
    Filtered(Filter),
}

impl Rest {
    /// What `filter` asks beyond the conditions whose outcome `known` tells for all rows alike; the others have `None`.
    pub(super) fn of(filter: &Filter, known: impl Fn(&Condition) -> Option<bool>) -> Self {
        let mut left = Vec::new();
        for all in &filter.0 {
            if all.iter().any(|condition| known(condition) == Some(false)) {
                continue;
            }
            let rest: Vec<Condition> = all.iter().filter(|one| known(one).is_none()).cloned().collect();
            if rest.is_empty() && !all.is_empty() {
                return Self::Everything;
            }
            left.push(rest);
        }
        if left.is_empty() && !filter.0.is_empty() { Self::Nothing } else { Self::Filtered(Filter(left)) }
    }

    /// What `filter` asks of a file that has the columns for which `has` is true: the values of others are missing.
    pub(super) fn of_columns(filter: &Filter, has: impl Fn(&str) -> bool) -> Self {
        Self::of(filter, |condition| (!has(&condition.column)).then(|| condition.meets_null()))
    }

    /// What `filter` asks of the rows of each of `files` files beyond their keys.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where a key is compared with a value of another kind,
    /// whatever other conditions say.
    pub(super) fn of_keys(filter: &Filter, keys: &[Key], files: usize) -> Result<Vec<Self>> {
        // By the place of a condition in memory: they need not have an order or a hash.
        let mut outcomes: HashMap<*const Condition, Vec<bool>> = HashMap::new();
        for condition in filter.0.iter().flatten() {
            if let Some(key) = keys.iter().find(|key| key.name() == condition.column) {
                outcomes.insert(std::ptr::from_ref(condition), key.meet(condition)?);
            }
        }
        let of_file = |file: usize| {
            Self::of(filter, |one| outcomes.get(&std::ptr::from_ref(one)).map(|meet| meet[file]))
        };
        Ok((0..files).map(of_file).collect())
    }
}

/// Whether each row of a host's column meets a condition, which is evaluated as for columns of files.
pub(super) fn rows_that_meet(
    condition: &Condition,
    column: &Column,
    field: &Field,
    ctx: &Context,
) -> Result<Vec<bool>> {
    let filter = Filter::all([condition.clone()]);
    let bound = Bound::new(&filter, |_| Ok(0), |_| Ok((field.clone(), column.data_type())))?;
    let mask = bound.mask(column.len(), |_| column, ctx)?;
    Ok(mask.view()?.raw_values::<u8>()?.iter().map(|&met| met != 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Operator, Value};

    fn one(column: &str, operator: Operator, value: i128) -> Condition {
        Condition::new(column, operator, Value::Int(value))
    }

    #[test]
    fn keys_settle_what_they_can() {
        let keys = [Key::new("k", &["1", "2"].map(|text| Some(text.to_owned())))];
        let (k1, a3) = (one("k", Operator::Equal, 1), one("a", Operator::Less, 3));
        let rest = |filter: &Filter| Rest::of_keys(filter, &keys, 2).unwrap();
        let of_rows = Rest::Filtered(Filter::all([a3.clone()]));
        assert_eq!(rest(&Filter::all([k1.clone()])), [Rest::Everything, Rest::Nothing]);
        assert_eq!(rest(&Filter::all([k1.clone(), a3.clone()])), [of_rows.clone(), Rest::Nothing]);
        assert_eq!(
            rest(&Filter(vec![vec![k1.clone()], vec![a3.clone()]])),
            [Rest::Everything, of_rows.clone()]
        );
        assert_eq!(rest(&Filter::all([a3])), [of_rows.clone(), of_rows]);
        // What has no conditions is the reader's to refuse.
        assert_eq!(rest(&Filter(vec![])), [Rest::Filtered(Filter(vec![])), Rest::Filtered(Filter(vec![]))]);
        assert_eq!(rest(&Filter(vec![vec![]]))[0], Rest::Filtered(Filter(vec![vec![]])));
    }

    #[test]
    fn columns_that_are_not_there_are_missing() {
        let absent = |operator, value| {
            let condition = Condition { column: "b".into(), operator, values: vec![value] };
            Rest::of_columns(&Filter::all([condition]), |name| name == "a")
        };
        assert_eq!(absent(Operator::Equal, Value::Int(1)), Rest::Nothing);
        assert_eq!(absent(Operator::NotEqual, Value::Int(1)), Rest::Nothing);
        assert_eq!(absent(Operator::In, Value::Null), Rest::Everything);
        assert_eq!(absent(Operator::NotIn, Value::Int(1)), Rest::Everything);
        assert_eq!(absent(Operator::NotIn, Value::Null), Rest::Nothing);
    }
}
