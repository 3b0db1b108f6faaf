//! Columns, series and frames from values of Rust.

use cuprum_column::{Column, Context, Error, Result};

use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// A frame of columns under labels: `df! { "a" => [1, 2, 3], "b" => ["x", "y", "z"] }?`.
///
/// Columns are what [`IntoColumn`] takes: arrays, vectors and slices of numbers, truth values and texts, of
/// options of them where values may be missing, and columns and series (whose row labels are left). The
/// types are Rust's: `[1, 2]` is `int32`, `[1i64, 2]` is `int64`.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for columns of different lengths and for
/// a label that is there twice.
///
/// ```
/// use cuprum::prelude::*;
///
/// let frame = df! { "n" => [1, 2], "word" => [Some("a"), None] }?;
/// assert_eq!(frame.shape(), (2, 2));
/// # Ok::<(), cuprum::Error>(())
/// ```
#[macro_export]
macro_rules! df {
    ($($label:expr => $column:expr),* $(,)?) => {
        (|| -> $crate::Result<$crate::DataFrame> {
            $crate::DataFrame::new::<$crate::Label, $crate::TypedColumn>([
                $(($crate::Label::from($label), $crate::values::IntoColumn::into_column($column)?)),*
            ])
        })()
    };
}

/// Data that becomes a column.
pub trait IntoColumn {
    /// The column; fails where there is no memory for it.
    fn into_column(self) -> Result<TypedColumn>;
}

/// An element of a column.
pub trait Element: Sized {
    /// A column of values.
    fn column(values: &[Self]) -> Result<Column>;

    /// A column of values that may be missing.
    fn optional(values: &[Option<Self>]) -> Result<Column>;
}

macro_rules! numbers {
    ($($t:ty)*) => {$(
        impl Element for $t {
            fn column(values: &[Self]) -> Result<Column> {
                Column::from_slice(values, &Context::current())
            }

            fn optional(values: &[Option<Self>]) -> Result<Column> {
                Column::from_options(values, &Context::current())
            }
        }
    )*};
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Element for bool {
    fn column(values: &[Self]) -> Result<Column> {
        Column::from_bools(values, &Context::current())
    }

    fn optional(values: &[Option<Self>]) -> Result<Column> {
        let bytes: Vec<Option<u8>> = values.iter().map(|value| value.map(u8::from)).collect();
        Column::from_options(&bytes, &Context::current())?.bit_cast(cuprum_column::DataType::Bool8)
    }
}

macro_rules! texts {
    ($($t:ty)*) => {$(
        impl Element for $t {
            fn column(values: &[Self]) -> Result<Column> {
                Column::from_strs(values, &Context::current())
            }

            fn optional(values: &[Option<Self>]) -> Result<Column> {
                Column::from_opt_strs(values, &Context::current())
            }
        }
    )*};
}

texts! { &str String }

/// Missing where there is none.
impl<T: Element> Element for Option<T> {
    fn column(values: &[Self]) -> Result<Column> {
        T::optional(values)
    }

    fn optional(_: &[Option<Self>]) -> Result<Column> {
        Err(Error::unsupported("options of options: a value is there or it is missing"))
    }
}

impl<T: Element> IntoColumn for &[T] {
    fn into_column(self) -> Result<TypedColumn> {
        T::column(self).map(TypedColumn::from)
    }
}

impl<T: Element, const N: usize> IntoColumn for [T; N] {
    fn into_column(self) -> Result<TypedColumn> {
        self.as_slice().into_column()
    }
}

impl<T: Element, const N: usize> IntoColumn for &[T; N] {
    fn into_column(self) -> Result<TypedColumn> {
        self.as_slice().into_column()
    }
}

impl<T: Element> IntoColumn for Vec<T> {
    fn into_column(self) -> Result<TypedColumn> {
        self.as_slice().into_column()
    }
}

impl<T: Element> IntoColumn for &Vec<T> {
    fn into_column(self) -> Result<TypedColumn> {
        self.as_slice().into_column()
    }
}

impl IntoColumn for Column {
    fn into_column(self) -> Result<TypedColumn> {
        Ok(self.into())
    }
}

impl IntoColumn for TypedColumn {
    fn into_column(self) -> Result<TypedColumn> {
        Ok(self)
    }
}

impl IntoColumn for Series {
    fn into_column(self) -> Result<TypedColumn> {
        Ok(self.column().clone())
    }
}

impl IntoColumn for &Series {
    fn into_column(self) -> Result<TypedColumn> {
        Ok(self.column().clone())
    }
}

impl Series {
    /// A series of values under a name, with the row labels `0, 1, …`.
    pub fn from_values(name: impl Into<Label>, values: impl IntoColumn) -> Result<Self> {
        Ok(Self::from_column(values.into_column()?, Some(name.into())))
    }
}

/// A series without a name. Panics where there is no memory for it, as collecting the vector would have
/// ended the program; [`Series::from_values`] fails instead.
impl<T: Element> From<Vec<T>> for Series {
    fn from(values: Vec<T>) -> Self {
        let column = values.into_column().expect("memory for a column as large as the vector");
        Self::from_column(column, None)
    }
}

/// See [`From<Vec<T>>`](#impl-From<Vec<T>>-for-Series).
impl<T: Element> FromIterator<T> for Series {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from(values.into_iter().collect::<Vec<T>>())
    }
}

/// A column; see [`From<Vec<T>>`](Series#impl-From<Vec<T>>-for-Series).
impl<T: Element> FromIterator<T> for TypedColumn {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values: Vec<T> = values.into_iter().collect();
        values.into_column().expect("memory for a column as large as the vector")
    }
}
