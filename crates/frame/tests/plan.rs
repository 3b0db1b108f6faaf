//! Statements that are planned, beside the same statements one by one.
//!
//! Programs are random: joins, conditions, new columns and selections of frames with missing elements, NaN and keys that
//! repeat. What a plan finds, with labels and without, is what the statements give.

mod random_frame;

use cuprum::plan::{Cost, LazyFrame, LazySeries};
use cuprum::prelude::*;
use cuprum::types::cast;
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::{strings, unary};
use cuprum_testing::contexts;
use cuprum_testing::generated::below;

use random_frame::random_frame;

/// Numbers of a program, one after the other.
struct Chance {
    seed: u64,
    drawn: usize,
}

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.drawn += 1;
        below(self.seed, self.drawn, bound as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

/// A random frame whose labels end with its number.
fn frame(number: usize, rows: usize, seed: u64, ctx: &Context) -> DataFrame {
    random_frame(rows, 12, seed, ctx).rename(|label| Label::from(format!("{label}{number}")))
}

/// A frame as statements make it and as it is planned.
struct Both {
    written: DataFrame,
    planned: LazyFrame,
}

impl Both {
    fn of(frame: DataFrame) -> Self {
        let planned = LazyFrame::of(&frame).unwrap().expect("frames are planned");
        Self { written: frame, planned }
    }

    /// The labels of columns that begin with a letter.
    fn labels(&self, letter: &str) -> Vec<Label> {
        self.written.labels().iter().filter(|l| l.to_string().starts_with(letter)).cloned().collect()
    }

    fn column(&self, label: &Label) -> (Series, LazySeries) {
        (self.written.column(label.clone()).unwrap(), self.planned.column(label).unwrap())
    }

    /// A random column that begins with a letter, if there is one.
    fn any(&self, letter: &str, chance: &mut Chance) -> Option<(Series, LazySeries)> {
        let labels = self.labels(letter);
        if labels.is_empty() { None } else { Some(self.column(&labels[chance.below(labels.len())])) }
    }

    /// A random condition.
    fn condition(&self, depth: usize, chance: &mut Chance) -> (Series, LazySeries) {
        if depth > 0 && chance.one_in(2) {
            let (left, right) = (self.condition(depth - 1, chance), self.condition(depth - 1, chance));
            let op = if chance.one_in(2) { BinaryOperator::And } else { BinaryOperator::Or };
            let planned = left.1.binary(&right.1, op).unwrap().expect("logic is planned");
            return (left.0.binary(&right.0, op).unwrap(), planned);
        }
        let comparisons = [
            BinaryOperator::Less,
            BinaryOperator::GreaterEqual,
            BinaryOperator::Equal,
            BinaryOperator::NotEqual,
        ];
        let op = comparisons[chance.below(comparisons.len())];
        let scalar = |(written, planned): (Series, LazySeries), value: Scalar| {
            let planned = planned.binary_scalar(&value, op, false).unwrap().expect("comparisons are planned");
            (written.binary_scalar(&value, op, false).unwrap(), planned)
        };
        let condition = match chance.below(6) {
            0 => self.any("k", chance).map(|of| scalar(of, Scalar::from(chance.below(8) as i64 - 4))),
            1 => self
                .any("s", chance)
                .map(|of| scalar(of, Scalar::from(format!("ä{}", chance.below(6)).as_str()))),
            2 => self.any("x", chance).and_then(|one| {
                let other = self.any("x", chance)?;
                let planned = one.1.binary(&other.1, op).unwrap().expect("comparisons are planned");
                Some((one.0.binary(&other.0, op).unwrap(), planned))
            }),
            3 => self.any("b", chance).map(|(written, planned)| {
                let planned = planned.not().unwrap().expect("negations are planned");
                (written.unary(unary::UnaryOperator::Not).unwrap(), planned)
            }),
            4 => self.any("s", chance).map(|(written, planned)| {
                let contains = |series: &Series| {
                    let found =
                        series.str()?.apply(|c, ctx| strings::find::contains(c, "[135]", true, true, ctx))?;
                    found.fillna(&Scalar::from(false))
                };
                let planned = planned.each(Cost::High, contains).unwrap().expect("patterns are planned");
                (contains(&written).unwrap(), planned)
            }),
            _ => self.any("k", chance).map(|(written, planned)| {
                let ctx = written.context().unwrap();
                let values = Column::from_slice(&[-4i64, 0, 3], &ctx).unwrap().into();
                (
                    written.isin(&values).unwrap(),
                    planned.isin(&values).unwrap().expect("membership is planned"),
                )
            }),
        };
        condition.unwrap_or_else(|| {
            let any = self.column(&self.written.labels()[0].clone());
            let present = |series: &Series| series.notna();
            (present(&any.0).unwrap(), any.1.each(Cost::Low, present).unwrap().unwrap())
        })
    }

    /// Two alternatives, each of several conditions: what they imply for one side is tested before joins.
    fn alternatives(&self, chance: &mut Chance) -> (Series, LazySeries) {
        let mut alternative = || {
            (0..3).map(|_| self.condition(0, chance)).reduce(|(written, planned), (more, plan_of_more)| {
                let planned =
                    planned.binary(&plan_of_more, BinaryOperator::And).unwrap().expect("logic is planned");
                (written.binary(&more, BinaryOperator::And).unwrap(), planned)
            })
        };
        let (one, other) = (alternative().expect("three"), alternative().expect("three"));
        let planned = one.1.binary(&other.1, BinaryOperator::Or).unwrap().expect("logic is planned");
        (one.0.binary(&other.0, BinaryOperator::Or).unwrap(), planned)
    }

    fn filtered(self, chance: &mut Chance) -> Self {
        let (written, planned) =
            if chance.one_in(3) { self.alternatives(chance) } else { self.condition(2, chance) };
        Self {
            written: self.written.filter(written.data().unwrap()).unwrap(),
            planned: self.planned.filter(&planned).expect("conditions of the same rows are planned"),
        }
    }

    /// Joined with a frame by a key that both have.
    fn merged(self, right: Self, chance: &mut Chance) -> Self {
        let letter = ["k", "s", "t", "b"][chance.below(4)];
        let (left_on, right_on) = (self.labels(letter), right.labels(letter));
        let (Some(left_on), Some(right_on)) = (left_on.first(), right_on.first()) else { return self };
        let how = if chance.one_in(3) { How::Left } else { How::Inner };
        let on = Some(On::Pairs(vec![left_on.clone()], vec![right_on.clone()]));
        let options = MergeOptions { how, on, ..MergeOptions::default() };
        let planned = self.planned.merge(&right.planned, &options).unwrap().expect("joins are planned");
        Self { written: self.written.merge(&right.written, &options).unwrap(), planned }
    }

    /// With a column that is computed, under a new label or an old one.
    fn assigned(self, chance: &mut Chance) -> Self {
        let Some((one, other)) = self.any("x", chance).zip(self.any("x", chance)) else { return self };
        let label = if chance.one_in(3) {
            self.labels("x")[0].clone()
        } else {
            Label::from(format!("x_{}", chance.drawn))
        };
        let (written, planned) = if chance.one_in(2) {
            let op = [BinaryOperator::Mul, BinaryOperator::Sub][chance.below(2)];
            (one.0.binary(&other.0, op).unwrap(), one.1.binary(&other.1, op).unwrap().unwrap())
        } else {
            let truth = self.any("b", chance).unwrap_or_else(|| self.condition(0, chance));
            let float = Dtype::plain(DataType::Float64);
            let of = |series: &Series| series.map_columns(|column| cast(column, &float));
            (of(&truth.0).unwrap(), truth.1.cast(&float).unwrap().expect("truth values are cast"))
        };
        Self {
            written: self.written.assign(label.clone(), &written).unwrap(),
            planned: self.planned.assign(&label, &planned).unwrap().expect("columns are planned"),
        }
    }

    /// With some of the columns, or with one under another name.
    fn selected(self, chance: &mut Chance) -> Self {
        if chance.one_in(2) {
            let kept: Vec<Label> =
                self.written.labels().iter().filter(|_| !chance.one_in(5)).cloned().collect();
            if kept.is_empty() {
                return self;
            }
            let select = |frame: &DataFrame| frame.select_labels(&kept);
            return Self {
                written: select(&self.written).unwrap(),
                planned: self.planned.select(select).unwrap().expect("selections are planned"),
            };
        }
        let old = self.written.labels()[0].clone();
        let new = Label::from(format!("{old}_"));
        let rename = |frame: &DataFrame| {
            Ok(frame.rename(|label| if *label == old { new.clone() } else { label.clone() }))
        };
        Self {
            written: rename(&self.written).unwrap(),
            planned: self.planned.relabel(rename).unwrap().expect("names are planned"),
        }
    }

    fn check(&self, program: &str, labels_first: bool) {
        let labelled = || {
            let found = self.planned.collect().unwrap();
            assert!(found.equals(&self.written).unwrap(), "{program}\n{found}\n{}", self.written);
            assert!(found.index().equals(self.written.index()).unwrap(), "{program}");
        };
        if labels_first {
            labelled();
        }
        let found = self.planned.collect_unlabelled().unwrap();
        let written = self.written.drop_index();
        assert!(found.equals(&written).unwrap(), "{program}\n{found}\n{written}");
        let dtypes =
            |frame: &DataFrame| frame.columns().iter().map(|c| c.dtype().clone()).collect::<Vec<_>>();
        assert_eq!(dtypes(&found), dtypes(&written), "{program}");
        if !labels_first {
            labelled();
        }
    }
}

fn run(seed: u64, ctx: &Context) {
    let mut chance = Chance { seed, drawn: 0 };
    let mut number = 0;
    let mut next = |chance: &mut Chance| {
        number += 1;
        let rows = [0, 1, 7, 33, 65][chance.below(5)];
        let frame = Both::of(frame(number, rows, seed + number as u64 * 100, ctx));
        if chance.one_in(3) { frame.filtered(chance) } else { frame }
    };
    let mut both = next(&mut chance);
    let mut program = format!("program {seed}:");
    for _ in 0..chance.below(7) + 2 {
        let step = chance.below(5);
        program += [" merge", " filter", " filter", " assign", " select"][step];
        both = match step {
            0 if both.written.num_rows() > 3000 => both,
            0 => {
                let right = next(&mut chance);
                both.merged(right, &mut chance)
            }
            1 | 2 => both.filtered(&mut chance),
            3 => both.assigned(&mut chance),
            _ => both.selected(&mut chance),
        };
        // What somebody has looked at is joined and filtered as well.
        if chance.one_in(4) {
            both.check(&program, chance.one_in(2));
        }
    }
    both.check(&program, chance.one_in(2));
}

#[test]
fn plans_find_what_statements_find() {
    for (number, ctx) in contexts().enumerate() {
        ctx.scope(|| (0..if number == 0 { 600 } else { 12 }).for_each(|seed| run(seed * 7919, &ctx)));
    }
}
