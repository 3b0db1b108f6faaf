//! Decomposition of nested columns for hashing.
//!
//! A nested column counts as several: one for each leaf field, and one for each struct that has no
//! fields or a list as its first. On its way down a *branch* goes into the first field of each struct;
//! the other fields begin branches of their own. Of the levels above these only the lists count again,
//! because they say which elements belong to a row. Fields of a null struct are null in every branch.

use std::ops::Range;

use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Column, DataType, Error, Result, UNKNOWN_NULL_COUNT};

/// The hashed columns of a table, in order.
#[derive(Default)]
pub(super) struct Plan {
    /// The columns that the parts number: those without nesting, and the levels and leaves of branches.
    pub columns: Vec<Column>,
    pub parts: Vec<Part>,
    /// Whether anything is null, at any level, where there are branches: these hash otherwise then.
    pub has_nulls: bool,
}

pub(super) enum Part {
    /// Columns without nesting.
    Plain(Range<usize>),
    Branch(Branch),
}

/// Lists and structs one inside the other, and the leaf inside the last.
pub(super) struct Branch {
    /// Each is cut to the range of the rows, and stripped of its elements or fields: row `i` of a struct
    /// has row `i` of the next level, and the first list begins with its row 0.
    pub levels: Range<usize>,
    /// The first level that no earlier branch has counted.
    pub first_counted: usize,
    /// The values; none where the branch ends with a struct.
    pub leaf: Option<usize>,
}

impl Plan {
    /// The plan for columns of one length. On a GPU nested columns cost waits, for the ranges of lists and
    /// for counts of nulls.
    pub fn new(columns: &[Column]) -> Result<Self> {
        let mut plan = Self::default();
        for column in columns {
            if column.data_type().is_nested() {
                plan.add_branches(&mut vec![column.clone()], 0)?;
                continue;
            }
            plan.columns.push(column.clone());
            let end = plan.columns.len();
            match plan.parts.last_mut() {
                Some(Part::Plain(range)) if range.end + 1 == end => range.end = end,
                _ => plan.parts.push(Part::Plain(end - 1..end)),
            }
        }
        if plan.parts.iter().any(|part| matches!(part, Part::Branch(_))) {
            for column in &plan.columns {
                plan.has_nulls |= column.null_count()? > 0;
            }
        }
        Ok(plan)
    }

    /// Adds every branch that goes through `way`, a column with the levels above it.
    fn add_branches(&mut self, way: &mut Vec<Column>, first_counted: usize) -> Result<()> {
        let column = &way[way.len() - 1];
        let inside = match column.data_type() {
            DataType::List => vec![column.elements()?],
            DataType::Struct => {
                let fields = (0..column.children().len()).map(|i| column.field(i));
                fields.collect::<Result<_>>()?
            }
            _ => return self.add_branch(way, first_counted),
        };
        let is_struct = column.data_type() == DataType::Struct;
        let ends = is_struct && inside.first().is_none_or(|first| first.data_type() == DataType::List);
        if ends {
            self.add_branch(way, first_counted)?;
        }
        for (i, next) in inside.into_iter().enumerate() {
            let first_counted = if ends || i > 0 { way.len() } else { first_counted };
            way.push(next);
            self.add_branches(way, first_counted)?;
            way.pop();
        }
        Ok(())
    }

    fn add_branch(&mut self, way: &[Column], first_counted: usize) -> Result<()> {
        if way.len() > MAX_DEPTH {
            return Err(Error::data_type(format!("columns deeper than {MAX_DEPTH} levels cannot be hashed")));
        }
        let first = self.columns.len();
        let (leaf, levels) = match way.split_last() {
            Some((leaf, levels)) if !leaf.data_type().is_nested() => (Some(leaf), levels),
            _ => (None, way),
        };
        for level in levels {
            self.columns.push(stripped(level)?);
        }
        let levels = first..self.columns.len();
        if let Some(leaf) = leaf {
            self.columns.push(leaf.clone());
        }
        let leaf = leaf.map(|_| levels.end);
        self.parts.push(Part::Branch(Branch { levels, first_counted, leaf }));
        Ok(())
    }
}

/// A list or struct column without the values inside, so that wide structs stay small.
fn stripped(level: &Column) -> Result<Column> {
    let children = match (level.data_type(), level.children()) {
        (DataType::List, [offsets, elements]) => {
            let nothing = Column::from_parts(DataType::Empty, elements.len(), 0, None, None, Vec::new())?;
            vec![offsets.clone(), nothing]
        }
        _ => Vec::new(),
    };
    let mask = level.mask().map(|mask| (mask.clone(), UNKNOWN_NULL_COUNT));
    // SAFETY: the parts are those of a column; there are as many elements of no type as there were.
    unsafe {
        Column::from_parts_unchecked(level.data_type(), level.len(), level.offset(), None, mask, children)
    }
}
