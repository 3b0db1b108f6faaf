//! Joins on expressions: equal values of expressions, and conditions over the columns of both frames.

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::expression::Expression;
use cuprum_compute::join::JoinKind;
use cuprum_compute::join::conditional::{conditional_join, mixed_join};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};

use super::evaluate::{Evaluator, evaluate_all};
use super::rules::Lazy;
use super::{Expr, Node, Selector, Variables};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::reshape::merge::{How, MergeOptions, On, joined_labels};
use crate::types::TypedColumn;

/// The rows that [`DataFrame::join_where`] keeps, and the names of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinWhereOptions {
    /// Which rows to keep: `Inner`, `Left`, `Right`, `Outer`, `LeftSemi` or `LeftAnti`.
    pub how: How,
    /// Appended to labels that both sides have, left and right.
    pub suffixes: (Option<String>, Option<String>),
}

impl Default for JoinWhereOptions {
    fn default() -> Self {
        How::Inner.into()
    }
}

impl From<How> for JoinWhereOptions {
    fn from(how: How) -> Self {
        Self { how, suffixes: MergeOptions::default().suffixes }
    }
}

impl DataFrame {
    /// The rows of both frames paired where the values of expressions, `left_on` of this frame and `right_on` of the
    /// other, are equal: [`merge`](Self::merge) by columns that need not be there. Missing keys equal each other. Rows
    /// and columns are those of `merge`; keys that are no columns are not among them.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for no keys, for other numbers of left
    /// and right ones and for types that are never equal, else as evaluating the expressions does.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let visits = df! { "who" => ["Ann", "BOB"], "day" => [3i64, 4] }?;
    /// let people = df! { "name" => ["bob", "ann"], "age" => [30i64, 40] }?;
    /// let joined = visits.join_by(&people, [col("who").str().lower()], [col("name")], How::Left)?;
    /// assert_eq!(joined.column("age")?.get(0)?, Scalar::from(40i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn join_by<L: Selector, R: Selector>(
        &self,
        right: &Self,
        left_on: impl IntoIterator<Item = L>,
        right_on: impl IntoIterator<Item = R>,
        how: How,
    ) -> Result<Self> {
        let (left, left_on, mut made) =
            with_keys(self, left_on.into_iter().map(Selector::expression), right)?;
        let (right, right_on, of_right) =
            with_keys(right, right_on.into_iter().map(Selector::expression), &left)?;
        if left_on.is_empty() {
            return Err(Error::invalid_argument(
                "`left_on` has no keys: use How::Cross of merge for all pairs",
            ));
        }
        made.extend(of_right);
        let on = Some(On::Pairs(left_on, right_on));
        let joined = left.merge(&right, &MergeOptions { how, on, ..MergeOptions::default() })?;
        let kept: Vec<usize> =
            (0..joined.num_columns()).filter(|&i| !made.contains(&joined.labels()[i])).collect();
        joined.select_positions(&kept)
    }

    /// The pairs of a row of each frame for which `condition` is true, an expression over the columns of both: each under
    /// the label that it has in the result. Those are the labels of the left frame, then of the right one, with suffixes
    /// (`t_x`, `t_y`) where both have one.
    ///
    /// The pairs are in the order of the left rows, then of the right ones (`Right`: of the right rows first); `Outer` has
    /// the left rows without a partner behind all pairs, then such right rows. Rows are labelled `0, 1, …`; `LeftSemi` and
    /// `LeftAnti` give left rows as they are. A comparison with a missing value is false.
    ///
    /// Equalities between columns of both sides, joined by `&`, are looked up in a hash table; the rest of the condition is
    /// evaluated for the pairs that match, a million pairs at a time. Subexpressions over one side are evaluated once for
    /// its rows: every function may stand there, and aggregations take all rows of that side. Subexpressions over both
    /// sides have operators, comparisons, `when`, `fillna` and casts of numbers, truth values, times and texts.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for the bare label of a column that both
    /// frames have, and for a condition that names no column; with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound)
    /// for a label that neither has; with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for anything else that is
    /// of both sides, and for other kinds of joins; with [`DataType`](cuprum_column::ErrorKind::DataType) for a condition
    /// that is no truth.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let calls = df! { "line" => [1i64, 2, 1], "at" => [5i64, 7, 20] }?;
    /// let shifts = df! { "line" => [1i64, 1, 2], "from" => [0i64, 10, 0], "to" => [10i64, 30, 5] }?;
    /// let during = col("line_x").eq(col("line_y")) & col("at").ge(col("from")) & col("at").lt(col("to"));
    /// let found = calls.join_where(&shifts, during, How::Inner)?;
    /// assert_eq!(found.num_rows(), 2);
    /// assert_eq!(found.column("from")?.get(1)?, Scalar::from(10i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn join_where(
        &self,
        right: &Self,
        condition: impl Into<Expr>,
        options: impl Into<JoinWhereOptions>,
    ) -> Result<Self> {
        let (condition, JoinWhereOptions { how, suffixes }) = (condition.into(), options.into());
        let kind = match how {
            How::Inner => JoinKind::Inner,
            How::Left | How::Right => JoinKind::Left,
            How::Outer => JoinKind::Full,
            How::LeftSemi => JoinKind::LeftSemi,
            How::LeftAnti => JoinKind::LeftAnti,
            How::Cross | How::LeftOnly | How::RightOnly => {
                return Err(Error::unsupported(format!(
                    "`how` is {how:?}: conditions join Inner, Left, Right, Outer, LeftSemi and LeftAnti"
                )));
            }
        };
        let labels = joined_labels(self, right, suffixes)?;
        self.context()?.scope(|| {
            let mut sides = Sides::new([self, right], &labels)?;
            let of_both = sides.split(&condition)?;
            if sides.values.iter().all(Vec::is_empty) {
                return Err(Error::invalid_argument(format!("the condition {condition} names no column")));
            }
            let flipped = how == How::Right;
            let pairs = sides.pairs(&of_both, &condition, kind, flipped)?;
            let (left_rows, right_rows) = if flipped { (pairs.1, pairs.0) } else { pairs };
            if matches!(how, How::LeftSemi | How::LeftAnti) {
                return self.take(&left_rows);
            }
            let take = |frame: &Self, rows: &Column| {
                frame.columns().iter().map(|column| column.take_or_null(rows)).collect::<Result<Vec<_>>>()
            };
            let mut columns = take(self, &left_rows)?;
            columns.extend(take(right, &right_rows)?);
            Self::from_parts(labels, columns, Index::range(left_rows.len()))
        })
    }
}

/// A frame with columns of the keys that are none, their labels, and those that were made.
fn with_keys(
    frame: &DataFrame,
    keys: impl Iterator<Item = Expr>,
    other: &DataFrame,
) -> Result<(DataFrame, Vec<Label>, Vec<Label>)> {
    let keys: Vec<Expr> = keys.collect();
    let values = evaluate_all(&keys, frame, &Variables::new())?;
    let (mut with, mut labels, mut made) = (frame.clone(), vec![], vec![]);
    let free = |with: &DataFrame| {
        let mut names = (0..).map(|i| Label::from(format!("key {i}")));
        names.find(|name| !with.contains(name) && !other.contains(name)).unwrap_or(Label::Int(0))
    };
    for (key, value) in keys.iter().zip(values) {
        if let Node::Column(label) = key.node() {
            labels.push(label.clone());
            continue;
        }
        let label = free(&with);
        with = with.with_column(label.clone(), value.into_column(frame.num_rows())?)?;
        labels.push(label.clone());
        made.push(label);
    }
    Ok((with, labels, made))
}

/// Both frames of a condition, with the labels that it has for their columns, and what it needs of each.
struct Sides {
    frames: [DataFrame; 2],
    /// Labels that both frames have.
    ambiguous: Vec<Label>,
    values: [Vec<Expr>; 2],
}

impl Sides {
    fn new(frames: [&DataFrame; 2], labels: &[Label]) -> Result<Self> {
        let (left, right) = labels.split_at(frames[0].num_columns());
        let named = |frame: &DataFrame, labels: &[Label]| {
            DataFrame::from_parts(labels.to_vec(), frame.columns().to_vec(), frame.index().clone())
        };
        let both =
            frames[0].labels().iter().filter(|label| frames[1].contains(label) && !labels.contains(label));
        Ok(Self {
            ambiguous: both.cloned().collect(),
            frames: [named(frames[0], left)?, named(frames[1], right)?],
            values: [vec![], vec![]],
        })
    }

    /// The side whose columns an expression names; `None` for one that names none, and for one of both sides.
    fn side(&self, expression: &Expr) -> Result<Option<usize>> {
        let mut found = [false; 2];
        for label in expression.columns() {
            let sides = [0, 1].map(|side| self.frames[side].contains(&label));
            match sides {
                [true, false] | [false, true] => found[usize::from(sides[1])] = true,
                // Labels that one frame has and the other as well, with a suffix that makes one of them.
                [true, true] => {
                    return Err(Error::invalid_argument(format!("'{label}' is a column of both frames")));
                }
                [false, false] if self.ambiguous.contains(&label) => {
                    return Err(Error::invalid_argument(format!(
                        "'{label}' is a column of both frames: name it as in the result, with a suffix"
                    )));
                }
                [false, false] => {
                    return Err(Error::key_not_found(format!("'{label}' is a column of neither frame")));
                }
            }
        }
        Ok(match found {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        })
    }

    /// The condition with each subexpression over one side replaced by a column, named by the side and its position;
    /// operators are left of it.
    fn split(&mut self, expression: &Expr) -> Result<Expr> {
        if let Some(side) = self.side(expression)? {
            let values = &mut self.values[side];
            let place = values.iter().position(|known| known == expression).unwrap_or_else(|| {
                values.push(expression.clone());
                values.len() - 1
            });
            return Ok(Expr::new(Node::Column(name(side, place))));
        }
        let node = match expression.node() {
            Node::Literal(_) | Node::List(_) | Node::TooLarge => return Ok(expression.clone()),
            Node::Alias(a, _) => return self.split(a),
            Node::Unary(op, a) => Node::Unary(*op, self.split(a)?),
            Node::Cast(a, to) => Node::Cast(self.split(a)?, to.clone()),
            Node::Binary(op, a, b) => Node::Binary(*op, self.split(a)?, self.split(b)?),
            Node::Fill(a, b) => Node::Fill(self.split(a)?, self.split(b)?),
            Node::Conditional(a, b, c) => Node::Conditional(self.split(a)?, self.split(b)?, self.split(c)?),
            _ => {
                return Err(Error::unsupported(format!(
                    "{expression} in a condition on pairs of rows: of both sides there are operators, comparisons, \
                     `when`, `fillna` and casts alone"
                )));
            }
        };
        Ok(Expr::new(node))
    }

    /// The pairs of rows for which the condition is true, those of the right frame first where they are `flipped`.
    fn pairs(
        &self,
        of_both: &Expr,
        condition: &Expr,
        kind: JoinKind,
        flipped: bool,
    ) -> Result<(Column, Column)> {
        let ctx = Context::current();
        let order = if flipped { [1, 0] } else { [0, 1] };
        let value = |side: usize| {
            let (frame, values) = (&self.frames[side], &self.values[side]);
            let made = evaluate_all(values, frame, &Variables::new())?.into_iter();
            made.map(|value| value.into_column(frame.num_rows())).collect::<Result<Vec<TypedColumn>>>()
        };
        let values = [value(0)?, value(1)?];
        let (mut labels, mut none) = (vec![], vec![]);
        for side in order {
            for (place, column) in values[side].iter().enumerate() {
                labels.push(name(side, place));
                none.push(column.slice(0, 0)?);
            }
        }
        let none = DataFrame::from_parts(labels.clone(), none, Index::range(0))?;
        let formula = formula(of_both, condition, &none, &labels)?;
        let table = |side: usize| {
            let data = values[side].iter().map(|column| column.data().cloned()).collect::<Result<_>>()?;
            Table::with_rows(data, self.frames[side].num_rows())
        };
        let (first, second) = (table(order[0])?, table(order[1])?);
        let mut keys = (vec![], vec![]);
        equalities(of_both, &mut |left, right| {
            let columns = [left, right].map(|label| {
                let found = [0, 1].map(|side| {
                    let places = 0..values[side].len();
                    places.into_iter().find(|&place| name(side, place) == *label).map(|place| (side, place))
                });
                found[0].or(found[1])
            });
            if let [Some((l, i)), Some((r, j))] = columns
                && l != r
                && values[l][i].dtype() == values[r][j].dtype()
            {
                let (of_first, of_second) = if l == order[0] { ((l, i), (r, j)) } else { ((r, j), (l, i)) };
                keys.0.push(values[of_first.0][of_first.1].data()?.clone());
                keys.1.push(values[of_second.0][of_second.1].data()?.clone());
            }
            Ok(())
        })?;
        let (rows, others) = if keys.0.is_empty() {
            conditional_join(&first, &second, &formula, kind, &ctx)?
        } else {
            let keys = (Table::new(keys.0)?, Table::new(keys.1)?);
            mixed_join((&keys.0, &keys.1), &first, &second, &formula, kind, false, &ctx)?
        };
        if kind != JoinKind::Left {
            return Ok((rows, others));
        }
        // Rows without a partner come where they stand.
        let order =
            sorted_order(&Table::new(vec![rows.clone()])?, &[Order::Ascending], NullOrder::Last, &ctx)?;
        let pick = |map: &Column| copying::gather_column(map, &order, OutOfBoundsPolicy::Check, &ctx);
        Ok((pick(&rows)?, pick(&others)?))
    }
}

/// The label of a value of a side.
fn name(side: usize, place: usize) -> Label {
    Label::from(format!("{} {place}", if side == 0 { "left" } else { "right" }))
}

/// The condition as a formula over the values of both sides, in the order of their labels.
fn formula(of_both: &Expr, condition: &Expr, none: &DataFrame, labels: &[Label]) -> Result<Expression> {
    let variables = Variables::new();
    let mut evaluator = Evaluator::new(none, &variables, None);
    let refused =
        |what: String| Error::unsupported(format!("the condition {condition} on pairs of rows: {what}"));
    for (label, column) in labels.iter().zip(none.columns()) {
        match evaluator.lower(&Expr::new(Node::Column(label.clone())))? {
            Lazy::Pending(_) | Lazy::Digits(..) => {}
            _ => return Err(refused(format!("values of type {} are in no formula", column.dtype()))),
        }
    }
    let lowered = evaluator.lower(of_both).map_err(|e| e.context(format!("in {condition}")))?;
    match lowered {
        _ if evaluator.num_inputs() != labels.len() => {
            Err(refused("an operation between both sides is no formula".into()))
        }
        Lazy::Pending(formula) if formula.data_type() == cuprum_column::DataType::Bool8 => Ok(formula),
        Lazy::Pending(_) | Lazy::Digits(..) => {
            Err(Error::data_type(format!("the condition {condition} is no truth")))
        }
        _ => Err(refused("it is no formula".into())),
    }
}

/// The columns that a condition asks to be equal, whatever else it asks.
fn equalities(condition: &Expr, found: &mut impl FnMut(&Label, &Label) -> Result<()>) -> Result<()> {
    match condition.node() {
        Node::Binary(BinaryOperator::And, a, b) => {
            equalities(a, found)?;
            equalities(b, found)
        }
        Node::Binary(BinaryOperator::Equal, a, b) => match (a.node(), b.node()) {
            (Node::Column(a), Node::Column(b)) => found(a, b),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}
