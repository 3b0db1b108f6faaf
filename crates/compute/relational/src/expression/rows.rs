//! The rows that formulas are of on a GPU: those of a table, or pairs of rows of two.

use cuprum_column::{Column, Table};
use cuprum_elements::fused::JitExpression;

/// Rows that a formula has a value for.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    Table(&'a Table),
    /// The columns of the left table, followed by those of the right one.
    Pairs(&'a Pairs<'a>),
}

/// Pairs of rows of two tables, which are read where they are.
pub(crate) struct Pairs<'a> {
    pub(crate) left: &'a Table,
    pub(crate) right: &'a Table,
    pub(crate) which: WhichPairs<'a>,
}

/// Some pairs of rows, in order.
pub(crate) enum WhichPairs<'a> {
    /// Those of so many left rows from `first` on with all right rows: fewer than 2³² pairs.
    All { first: usize, rows: usize },
    /// Those of two gather maps, which have no -1.
    Listed(&'a [Column; 2]),
}

impl<'a> Rows<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Table(table) => table.num_rows(),
            Self::Pairs(pairs) => match pairs.which {
                WhichPairs::All { rows, .. } => rows * pairs.right.num_rows(),
                WhichPairs::Listed(maps) => maps[0].len(),
            },
        }
    }

    pub(super) fn column(self, position: usize) -> &'a Column {
        match self {
            Self::Table(table) => &table.columns()[position],
            Self::Pairs(pairs) => match self.side(position) {
                0 => &pairs.left.columns()[position],
                _ => &pairs.right.columns()[position - pairs.left.num_columns()],
            },
        }
    }

    /// 0 for a column of the left side of pairs, 1 for one of the right side.
    pub(super) fn side(self, position: usize) -> usize {
        match self {
            Self::Table(_) => 0,
            Self::Pairs(pairs) => usize::from(position >= pairs.left.num_columns()),
        }
    }

    /// The names that the rows of both sides of pairs have in a formula.
    pub(super) fn sides(self, formula: &mut JitExpression) -> Option<[String; 2]> {
        let Self::Pairs(pairs) = self else { return None };
        Some(match pairs.which {
            WhichPairs::All { first, .. } => formula.rows_of_all_pairs(first, pairs.right.num_rows()),
            WhichPairs::Listed([left, right]) => [formula.row_of_map(left), formula.row_of_map(right)],
        })
    }
}
