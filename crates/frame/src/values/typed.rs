//! Typed reading: the elements of a series as values of Rust.
//!
//! ```
//! use cuprum::prelude::*;
//!
//! # fn main() -> cuprum::Result<()> {
//! let frame = df! { "n" => [Some(1.5), None, Some(4.0)], "word" => ["a", "b", "c"] }?;
//! let (n, word) = (frame.column("n")?, frame.column("word")?);
//! let numbers = n.f64()?;
//! assert_eq!((numbers.get(0), numbers.get(1), numbers.len()), (Some(1.5), None, 3));
//! assert_eq!(numbers.iter().flatten().sum::<f64>(), 5.5);
//! assert_eq!(word.strings()?.iter().flatten().collect::<String>(), "abc");
//! assert_eq!(n.to_vec::<Option<f64>>()?, [Some(1.5), None, Some(4.0)]);
//! assert_eq!(word.to_vec::<String>()?, ["a", "b", "c"]);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::marker::PhantomData;

use cuprum_column::{ColumnView, DataType, Error, Native, Result, Scalar};

use crate::frame::IndexedFrame;
use crate::series::Series;
use crate::types::Dtype;

/// A type of Rust that elements of a series are read as: numbers, `bool` and `str`.
pub trait Readable {
    /// An element; texts are borrowed.
    type Item<'v>;

    /// The type of the columns that hold such elements.
    const DATA_TYPE: DataType;

    /// A function that reads the element of a row, valid or not; it panics outside the rows.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for a column of another type.
    fn reader<'v>(view: &'v ColumnView<'_>) -> Result<impl Fn(usize) -> Self::Item<'v> + Copy + 'v>;
}

macro_rules! readable_numbers {
    ($($t:ty)*) => {$(
        impl Readable for $t {
            type Item<'v> = $t;
            const DATA_TYPE: DataType = <$t as Native>::DATA_TYPE;

            fn reader<'v>(view: &'v ColumnView<'_>) -> Result<impl Fn(usize) -> $t + Copy + 'v> {
                let values = view.values::<$t>()?;
                Ok(|row| values[row])
            }
        }
    )*};
}

readable_numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Readable for bool {
    type Item<'v> = bool;
    const DATA_TYPE: DataType = DataType::Bool8;

    fn reader<'v>(view: &'v ColumnView<'_>) -> Result<impl Fn(usize) -> bool + Copy + 'v> {
        let values = view.values::<u8>()?;
        Ok(|row| values[row] != 0)
    }
}

impl Readable for str {
    type Item<'v> = &'v str;
    const DATA_TYPE: DataType = DataType::String;

    fn reader<'v>(view: &'v ColumnView<'_>) -> Result<impl Fn(usize) -> &'v str + Copy + 'v> {
        let texts = view.strings()?;
        Ok(move |row| texts.get(row))
    }
}

/// The elements of a series in host memory as values of Rust: [`Series::f64`], [`Series::strings`] and their kin.
///
/// `None` is a null. NaN is a number here, which `isna` of frames counts as missing.
pub struct Values<'a, T: Readable + ?Sized> {
    view: ColumnView<'a>,
    element: PhantomData<fn() -> Box<T>>,
}

impl<'a, T: Readable + ?Sized> Values<'a, T> {
    fn new(view: ColumnView<'a>) -> Result<Self> {
        let _ = T::reader(&view)?;
        Ok(Self { view, element: PhantomData })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }

    /// The element at `row`; `None` where it is null and where there is no such row.
    pub fn get(&self, row: usize) -> Option<T::Item<'_>> {
        (row < self.len() && self.view.is_valid(row)).then(|| self.reader()(row))
    }

    /// The elements in the order of the rows, `None` for nulls.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<T::Item<'_>>> + DoubleEndedIterator {
        let (read, validity) = (self.reader(), self.view.validity());
        (0..self.len()).map(move |row| validity.is_none_or(|bits| bits.get(row)).then(|| read(row)))
    }

    fn reader<'v>(&'v self) -> impl Fn(usize) -> T::Item<'v> + Copy + use<'v, 'a, T> {
        T::reader(&self.view).expect("the type was checked when the view was made")
    }
}

impl<T: Native + Readable> Values<'_, T> {
    /// The stored numbers, where none is null.
    pub fn as_slice(&self) -> Option<&[T]> {
        if self.view.validity().is_some() { None } else { self.view.values().ok() }
    }
}

impl<T: Readable + ?Sized> fmt::Debug for Values<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Values({} of {})", self.len(), self.view.data_type())
    }
}

/// What [`Series::to_vec`] makes vectors of: numbers, `bool` and `String`, and options of them.
pub trait FromElements: Sized {
    /// The elements in the order of the rows.
    fn from_elements(series: &Series) -> Result<Vec<Self>>;
}

macro_rules! from_elements {
    ($($t:ty as $read:ty),* $(,)?) => {$(
        /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) at the first null.
        impl FromElements for $t {
            fn from_elements(series: &Series) -> Result<Vec<Self>> {
                let values = series.read::<$read>()?;
                values.iter().enumerate().map(|(row, value)| value.map(Self::from).ok_or_else(|| null(row))).collect()
            }
        }

        /// `None` for nulls.
        impl FromElements for Option<$t> {
            fn from_elements(series: &Series) -> Result<Vec<Self>> {
                Ok(series.read::<$read>()?.iter().map(|value| value.map(<$t>::from)).collect())
            }
        }
    )*};
}

from_elements! {
    i8 as i8, i16 as i16, i32 as i32, i64 as i64, u8 as u8, u16 as u16, u32 as u32, u64 as u64,
    f32 as f32, f64 as f64, bool as bool, String as str,
}

fn null(row: usize) -> Error {
    Error::invalid_argument(format!("the element at {row} is missing: read options, or fill it with fillna"))
}

macro_rules! typed_methods {
    ($($(#[$doc:meta])* $method:ident $t:ty;)*) => {
        /// Typed reading; each fails with [`DataType`](crate::ErrorKind::DataType) for another dtype, with
        /// [`Unsupported`](crate::ErrorKind::Unsupported) on a GPU, from where [`to_host`](IndexedFrame::to_host)
        /// copies.
        impl Series {$(
            $(#[$doc])*
            pub fn $method(&self) -> Result<Values<'_, $t>> {
                self.read()
            }
        )*}
    };
}

typed_methods! {
    /// The elements of an `int8` series.
    i8 i8;
    /// The elements of an `int16` series.
    i16 i16;
    /// The elements of an `int32` series.
    i32 i32;
    /// The elements of an `int64` series.
    i64 i64;
    /// The elements of a `uint8` series.
    u8 u8;
    /// The elements of a `uint16` series.
    u16 u16;
    /// The elements of a `uint32` series.
    u32 u32;
    /// The elements of a `uint64` series.
    u64 u64;
    /// The elements of a `float32` series.
    f32 f32;
    /// The elements of a `float64` series.
    f64 f64;
    /// The elements of a `bool` series.
    bool bool;
    /// The texts of a `str` series.
    strings str;
}

impl Series {
    /// The element at `row`: the value of a category, an instant in UTC, otherwise the stored value; null where it is
    /// missing. From any device.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where there is no such row.
    pub fn get(&self, row: usize) -> Result<Scalar> {
        self.column().get(row)
    }

    /// The elements in the order of the rows, from any device; categories as their values.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for another dtype, and for a `T` that is no option with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where an element is null.
    pub fn to_vec<T: FromElements>(&self) -> Result<Vec<T>> {
        let host = self.to_host()?;
        match host.dtype() {
            Dtype::Categorical(_) => T::from_elements(&host.with_column(host.column().decoded()?)),
            _ => T::from_elements(&host),
        }
    }

    /// The ticks of a series of times or lengths of time without parts of their own: since 1970 (in UTC) or of length,
    /// in the unit of the dtype.
    ///
    /// Fails as [`i64`](Self::i64) does.
    pub fn ticks(&self) -> Result<Values<'_, i64>> {
        match self.dtype() {
            Dtype::Datetime(_) | Dtype::Timedelta(_) => Values::new(self.data()?.view()?),
            other => Err(unlike(other, "a series of times")),
        }
    }

    fn read<T: Readable + ?Sized>(&self) -> Result<Values<'_, T>> {
        let is_plain = matches!(self.dtype(), Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::String(_));
        if !is_plain || self.dtype().storage() != T::DATA_TYPE {
            return Err(unlike(self.dtype(), &Dtype::plain(T::DATA_TYPE).to_string()));
        }
        Values::new(self.data()?.view()?)
    }
}

fn unlike(dtype: &Dtype, expected: &str) -> Error {
    Error::data_type(format!("the series is {dtype}, not {expected}: astype casts it"))
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, Context, ErrorKind, TimeUnit};

    use super::*;
    use crate::types::{Categorical, Categories};

    #[test]
    fn elements_of_every_type_are_read_as_they_were_given() {
        macro_rules! check {
            ($($method:ident $t:ty: $values:expr;)*) => {$(
                let values: Vec<Option<$t>> = $values;
                let series = Series::from(values.clone());
                let read = series.$method().unwrap();
                assert_eq!(read.iter().map(|value| value.map(<$t>::from)).collect::<Vec<_>>(), values);
                assert_eq!(series.to_vec::<Option<$t>>().unwrap(), values);
                let part = series.slice(1, 2).unwrap();
                assert_eq!(part.to_vec::<Option<$t>>().unwrap(), values[1..3]);
                assert_eq!(part.$method().unwrap().get(0).map(<$t>::from), values[1]);
                assert_eq!(series.$method().unwrap().get(values.len()), None);
                let error = series.to_vec::<$t>().unwrap_err();
                assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                assert!(error.to_string().contains("the element at 1 is missing"), "{error}");
                let empty = series.slice(0, 0).unwrap();
                assert!(empty.to_vec::<$t>().unwrap().is_empty() && empty.$method().unwrap().is_empty());
            )*};
        }
        check! {
            i8 i8: vec![Some(i8::MIN), None, Some(i8::MAX)];
            i16 i16: vec![Some(i16::MIN), None, Some(i16::MAX)];
            i32 i32: vec![Some(i32::MIN), None, Some(i32::MAX)];
            i64 i64: vec![Some(i64::MIN), None, Some(i64::MAX)];
            u8 u8: vec![Some(0), None, Some(u8::MAX)];
            u16 u16: vec![Some(0), None, Some(u16::MAX)];
            u32 u32: vec![Some(0), None, Some(u32::MAX)];
            u64 u64: vec![Some(0), None, Some(u64::MAX)];
            f32 f32: vec![Some(-0.0), None, Some(f32::INFINITY)];
            f64 f64: vec![Some(f64::MIN_POSITIVE), None, Some(f64::MAX)];
            bool bool: vec![Some(true), None, Some(false)];
            strings String: vec![Some("日本".to_owned()), None, Some(String::new())];
        }
    }

    #[test]
    fn slices_are_of_series_without_nulls() {
        let series = Series::from(vec![1i64, 2, 3]);
        assert_eq!(series.i64().unwrap().as_slice(), Some(&[1, 2, 3][..]));
        assert_eq!(Series::from(vec![Some(1i64), None]).i64().unwrap().as_slice(), None);
    }

    #[test]
    fn nan_is_a_number() {
        let series = Series::from(vec![Some(f64::NAN), None]);
        let read: Vec<Option<f64>> = series.to_vec().unwrap();
        assert!(read[0].is_some_and(f64::is_nan) && read[1].is_none());
    }

    #[test]
    fn other_dtypes_are_refused_by_name() {
        let series = Series::from(vec![1i64]);
        let error = series.f64().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        assert_eq!(error.to_string(), "the series is int64, not float64: astype casts it");
        assert_eq!(series.u8().unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(series.bool().unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(Series::from(vec![true]).u8().unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(series.to_vec::<String>().unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(series.ticks().unwrap_err().kind(), ErrorKind::DataType);
    }

    #[test]
    fn times_are_read_as_ticks_and_not_as_numbers() {
        let ctx = Context::current();
        let ticks = Column::from_options(&[Some(5i64), None], &ctx).unwrap();
        for unit in [DataType::Timestamp(TimeUnit::Milliseconds), DataType::Duration(TimeUnit::Seconds)] {
            let times = Series::from_column(ticks.bit_cast(unit).unwrap(), None);
            assert_eq!(times.ticks().unwrap().iter().collect::<Vec<_>>(), [Some(5), None]);
            assert_eq!(times.i64().unwrap_err().kind(), ErrorKind::DataType);
        }
    }

    #[test]
    fn categories_are_vectors_of_their_values() {
        let texts = Series::from(vec![Some("b"), None, Some("a"), Some("b")]);
        let names = Categories::new(Series::from(vec!["a", "b"]).column().clone(), false).unwrap();
        let series = Series::from_column(Categorical::of(names).encode(texts.column()).unwrap(), None);
        let read: Vec<Option<String>> = series.to_vec().unwrap();
        assert_eq!(read, texts.to_vec::<Option<String>>().unwrap());
        assert_eq!(series.strings().unwrap_err().kind(), ErrorKind::DataType);
    }
}
