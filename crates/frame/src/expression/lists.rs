//! `Expr::list`: the elements of lists.

use std::fmt;

use cuprum_column::{Error, Result, Scalar};
use cuprum_compute::lists::ConcatenateNullPolicy;
use cuprum_compute::sorting::NullOrder;

use super::evaluate::Evaluated;
use super::{Exact, Expr, Function};
use crate::series::Series;
use crate::types::Dtype;

/// A function of a list, missing where that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ListFunction {
    Len,
    /// At a position, or those beside it.
    Get(Option<i64>, Option<Exact<Scalar>>),
    Join(String),
    /// Whether what is beside it is there.
    Contains,
    /// Where what is beside it is.
    Index,
    Unique,
    SortValues {
        ascending: bool,
        nulls: NullOrder,
    },
    Concat(ConcatenateNullPolicy),
    /// At the positions of the lists beside it.
    Take,
    Astype(Exact<Dtype>),
}

impl ListFunction {
    pub(super) fn call(&self, series: &Series, beside: &[Evaluated]) -> Result<Series> {
        let list = series.list()?;
        match (self, beside) {
            (Self::Len, []) => list.len(),
            (Self::Get(Some(index), default), []) => list.get(*index, default.as_ref().map(|d| &d.0)),
            (Self::Get(None, default), [indices]) => {
                list.get_each(&indices.clone().into_column(series.len())?, default.as_ref().map(|d| &d.0))
            }
            (Self::Join(separator), []) => list.join(separator),
            (Self::Contains, [Evaluated::One(key)]) => list.contains(key),
            (Self::Contains, [Evaluated::Rows(keys)]) => list.contains_each(keys),
            (Self::Index, [Evaluated::One(key)]) => list.index(key),
            (Self::Index, [Evaluated::Rows(keys)]) => list.index_each(keys),
            (Self::Unique, []) => list.unique(),
            (Self::SortValues { ascending, nulls }, []) => list.sort_values(*ascending, *nulls),
            (Self::Concat(nulls), []) => list.concat(*nulls),
            (Self::Take, [positions]) => list.take(&positions.clone().into_column(series.len())?),
            (Self::Astype(element), []) => list.astype(&element.0),
            _ => Err(Error::logic(format!("list.{self} with {} operands", beside.len()))),
        }
    }
}

/// As a method of pandas or cuDF.
impl fmt::Display for ListFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or = |default: &Option<Exact<Scalar>>| match default {
            Some(default) => format!("default={}", default.0),
            None => String::new(),
        };
        match self {
            Self::Len => f.write_str("len()"),
            Self::Get(Some(index), None) => write!(f, "get({index})"),
            Self::Get(Some(index), default) => write!(f, "get({index}, {})", or(default)),
            Self::Get(None, default) => write!(f, "get({})", or(default)),
            Self::Join(separator) => write!(f, "join({separator:?})"),
            Self::Contains => f.write_str("contains()"),
            Self::Index => f.write_str("index()"),
            Self::Unique => f.write_str("unique()"),
            Self::SortValues { ascending, nulls } => {
                let ascending = if *ascending { "True" } else { "False" };
                let place = if *nulls == NullOrder::First { "first" } else { "last" };
                write!(f, "sort_values(ascending={ascending}, na_position={place:?})")
            }
            Self::Concat(ConcatenateNullPolicy::Ignore) => f.write_str("concat()"),
            Self::Concat(_) => f.write_str("concat(dropna=False)"),
            Self::Take => f.write_str("take()"),
            Self::Astype(element) => write!(f, "astype({:?})", element.0.to_string()),
        }
    }
}

/// Functions of lists: what [`Expr::list`] gives. They are those of [`ListMethods`](crate::accessors::ListMethods) that
/// give one value for each row; missing lists stay missing.
///
/// Evaluating one fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no lists, else as the
/// method of series does.
#[derive(Clone, Debug)]
pub struct ListExpr(Expr);

impl Expr {
    /// Functions of lists.
    pub fn list(&self) -> ListExpr {
        ListExpr(self.clone())
    }
}

impl ListExpr {
    fn call(&self, function: ListFunction) -> Expr {
        self.0.call(Function::List(function))
    }

    fn call_beside(&self, function: ListFunction, beside: Expr) -> Expr {
        self.0.call_beside(Function::List(function), [beside])
    }

    /// The number of elements, `int32`.
    #[allow(clippy::len_without_is_empty)] // an expression
    pub fn len(&self) -> Expr {
        self.call(ListFunction::Len)
    }

    /// Element `index`, those below 0 counted from the end; where the list is too short `default`, else a missing
    /// value.
    pub fn get(&self, index: i64, default: Option<&Scalar>) -> Expr {
        self.call(ListFunction::Get(Some(index), default.cloned().map(Exact)))
    }

    /// [`get`](Self::get) with an index for each list; missing where that is.
    pub fn get_each(&self, indices: impl Into<Expr>, default: Option<&Scalar>) -> Expr {
        self.call_beside(ListFunction::Get(None, default.cloned().map(Exact)), indices.into())
    }

    /// The texts of each list with `separator` between them; missing where one of them is.
    pub fn join(&self, separator: &str) -> Expr {
        self.call(ListFunction::Join(separator.into()))
    }

    /// Whether `key`, one value or one for each list, is an element; missing where that is.
    pub fn contains(&self, key: impl Into<Expr>) -> Expr {
        self.call_beside(ListFunction::Contains, key.into())
    }

    /// The position of the first element equal to `key`, one value or one for each list, `int32`; −1 where there is
    /// none, missing where the key is.
    pub fn index(&self, key: impl Into<Expr>) -> Expr {
        self.call_beside(ListFunction::Index, key.into())
    }

    /// Each list without the elements that are equal to an earlier one; missing ones equal each other.
    pub fn unique(&self) -> Expr {
        self.call(ListFunction::Unique)
    }

    /// The elements of each list in order, missing ones first or last as `nulls` says.
    pub fn sort_values(&self, ascending: bool, nulls: NullOrder) -> Expr {
        self.call(ListFunction::SortValues { ascending, nulls })
    }

    /// The elements of the lists in each list as one list. Missing inner lists are left out, or with
    /// `NullifyOutputRow` make the result missing.
    pub fn concat(&self, nulls: ConcatenateNullPolicy) -> Expr {
        self.call(ListFunction::Concat(nulls))
    }

    /// The elements at the positions that a list of `positions` has for each list, those below 0 counted from the
    /// end.
    ///
    /// Evaluating it fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) where a list has no such
    /// position.
    pub fn take(&self, positions: impl Into<Expr>) -> Expr {
        self.call_beside(ListFunction::Take, positions.into())
    }

    /// Lists of the same elements as `element`; see [`types::cast`](crate::types::cast).
    pub fn astype(&self, element: impl Into<Dtype>) -> Expr {
        self.call(ListFunction::Astype(Exact(element.into())))
    }
}
