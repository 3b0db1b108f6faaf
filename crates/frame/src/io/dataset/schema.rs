//! Columns of files as the dtypes that are asked for.

use cuprum_column::{Error, ErrorKind, Result};

use super::unify::as_categories;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::types::{Dtype, TypedColumn, cast};

/// These columns of a file, which messages call `file`, with these dtypes; those that are not there are missing. Row labels
/// that are called as one of them become columns.
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) for a value that the dtype does not have. Floats are
/// rounded to narrower ones.
pub(super) fn with_dtypes(frame: &DataFrame, dtypes: &[(String, Dtype)], file: &str) -> Result<DataFrame> {
    let is_asked = |name: &Label| dtypes.iter().any(|(asked, _)| *name == Label::from(asked));
    let frame = if frame.index().names().iter().flatten().any(is_asked) {
        frame.reset_index()?
    } else {
        frame.clone()
    };
    let column = |(name, dtype): &(String, Dtype)| {
        let label = Label::from(name);
        if !frame.contains(&label) {
            return TypedColumn::nulls(dtype, frame.num_rows(), &frame.context()?);
        }
        exactly(frame.accessor().get(&label)?, dtype).map_err(|e| of_another_dtype(file, name, dtype, e))
    };
    let columns = dtypes.iter().map(column).collect::<Result<Vec<_>>>()?;
    let labels: Vec<Label> = dtypes.iter().map(|(name, _)| Label::from(name)).collect();
    DataFrame::from_parts(labels, columns, frame.index().clone())
}

/// The error that values of a file are not of the dtype that is asked for.
pub(super) fn of_another_dtype(file: &str, name: &str, dtype: &Dtype, error: Error) -> Error {
    match error.kind() {
        ErrorKind::DataType | ErrorKind::InvalidArgument | ErrorKind::Overflow | ErrorKind::Unsupported => {
            Error::invalid_argument(format!("{file}: column '{name}' is not {dtype}: {error}"))
        }
        _ => error,
    }
}

/// The same values as another dtype. Categories are those of the column, whatever `to` has; of them only a column of
/// such knows an order.
pub(super) fn exactly(column: &TypedColumn, to: &Dtype) -> Result<TypedColumn> {
    let from = column.dtype();
    if let Dtype::Categorical(kind) = to {
        let ordered = kind.categories().is_ordered();
        return match from {
            Dtype::Categorical(own)
                if own.value_type() == kind.value_type() && own.categories().is_ordered() == ordered =>
            {
                Ok(column.clone())
            }
            _ if ordered => Err(Error::data_type(format!("{from} does not tell the order of categories"))),
            _ => as_categories(&exactly(&column.decoded()?, &kind.value_type())?),
        };
    }
    let (column, from) = (&column.decoded()?, &from_values(from));
    if let (Dtype::String(_), Dtype::Bool(_)) = (from, to) {
        return Err(Error::data_type("texts are no truth values"));
    }
    let made = cast(column, to)?;
    let is_float = |dtype: &Dtype| dtype.storage().is_float();
    let is_counted = |dtype: &Dtype| {
        matches!(
            dtype,
            Dtype::Numeric(_)
                | Dtype::Bool(_)
                | Dtype::Decimal(_)
                | Dtype::Date(_)
                | Dtype::Datetime(_)
                | Dtype::Timedelta(_)
        )
    };
    let may_lose = from != to && is_counted(from) && is_counted(to) && !(is_float(from) && is_float(to));
    if may_lose && !column.equals(&cast(&made, from)?)? {
        return Err(Error::invalid_argument(format!("some values of {from} would be others")));
    }
    Ok(made)
}

/// The dtype of values: that of categories is theirs.
fn from_values(dtype: &Dtype) -> Dtype {
    match dtype {
        Dtype::Categorical(kind) => kind.value_type(),
        other => other.clone(),
    }
}
