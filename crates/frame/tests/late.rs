//! Columns that take their rows when they are read, beside those that take them at once.
//!
//! `set_late_rows` is of the process, so all of it stands in this program, one test at a time.

mod random_frame;

use std::sync::{Mutex, PoisonError};

use cuprum::prelude::*;
use cuprum::types::{late_rows, set_late_rows};
use cuprum_testing::contexts;

use random_frame::random_frame;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Calls `f` while columns of so many rows are late.
fn with_late_rows<T>(rows: usize, f: impl FnOnce() -> T) -> T {
    let before = late_rows();
    set_late_rows(rows);
    let made = f();
    set_late_rows(before);
    made
}

/// What `f` makes with late columns and with others, which is the same.
fn same_either_way(f: impl Fn() -> cuprum::Result<DataFrame>) -> DataFrame {
    let late = with_late_rows(0, || f().unwrap());
    let at_once = with_late_rows(usize::MAX, || f().unwrap());
    assert!(late.equals(&at_once).unwrap(), "{late}\n{at_once}");
    let dtypes = |frame: &DataFrame| frame.columns().iter().map(|c| c.dtype().clone()).collect::<Vec<_>>();
    assert_eq!(dtypes(&late), dtypes(&at_once));
    assert!(late.index().equals(at_once.index()).unwrap());
    assert_eq!(late.index().as_range().is_some(), at_once.index().as_range().is_some());
    late
}

fn merged(left: &DataFrame, right: &DataFrame, how: How) -> cuprum::Result<DataFrame> {
    let on = Some(On::Columns(vec!["k".into()]));
    left.merge(right, &MergeOptions { how, on, ..MergeOptions::default() })
}

#[test]
fn chains_of_joins_filters_sorts_and_slices_are_the_same_either_way() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for ctx in contexts() {
        ctx.scope(|| {
            let sizes = [0, 1, 31, 32, 33, 63, 64, 65, 500];
            // The emulator takes its time.
            for &rows in if ctx.is_on_gpu() { &sizes[2..5] } else { &sizes[..] } {
                let (left, right) =
                    (random_frame(rows, 40, 1, &ctx), random_frame(rows / 3 + 1, 40, 9, &ctx));
                for how in [How::Inner, How::Left, How::Right, How::Outer] {
                    same_either_way(|| merged(&left, &right, how));
                    same_either_way(|| {
                        let joined = merged(&left, &right, how)?;
                        let some = joined.filter(col("s_x").ne("ä7") & col("x_y").gt(1.0))?;
                        let more = merged(&some, &right.select(["k", "b"])?, How::Left)?;
                        let kept = DataFrame::filter(&more, more.column("b_x")?.column().data()?)?;
                        let sorted = kept.sort_by(["t_y", "s_x"], Descending)?;
                        let some = sorted.slice(kept.num_rows() / 5, kept.num_rows() / 2)?;
                        some.sort_by(["k"], SortOptions { ignore_index: true, ..SortOptions::default() })
                    });
                }
                same_either_way(|| {
                    let mut frame = left.clone();
                    for bound in 0..12 {
                        frame = frame.filter(frame.column("k")?.ge(i64::from(bound))?.data()?)?;
                    }
                    frame.deep_copy()
                });
                same_either_way(|| {
                    // Rows without a match differ from every value, and are no row of the right side.
                    let joined = merged(&left, &right.slice(0, right.num_rows() / 2)?, How::Left)?;
                    let differs = joined.column("s_y")?.ne("ä7")?;
                    let differing = joined.filter(differs.column().data()?)?;
                    // Read half-way, so that row numbers are composed already.
                    differing.column("x_y")?.data()?;
                    differing.filter(differing.column("k")?.ge(3i64)?.data()?)
                });
                same_either_way(|| {
                    let joined = merged(&left, &right, How::Inner)?;
                    let upper = joined.column("s_y")?.str()?.upper()?;
                    let seconds = joined.column("t_y")?.dt()?.second()?;
                    let among = joined.column("s_y")?.isin(left.column("s")?.column())?;
                    let double =
                        joined.column("x_y")?.binary_scalar(&2.0.into(), BinaryOperator::Mul, false)?;
                    let columns = [upper, seconds, among, double].map(|made| made.column().clone());
                    let joined = DataFrame::from_parts(
                        ["upper", "seconds", "among", "double"].map(Label::from).to_vec(),
                        columns.to_vec(),
                        joined.index().clone(),
                    )?;
                    Ok(joined)
                });
            }
        });
    }
}

#[test]
fn writes_to_the_column_that_rows_are_taken_from_do_not_show() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    with_late_rows(0, || {
        let ctx = Context::current();
        let mut source = random_frame(100, 40, 5, &ctx);
        let mask = Column::from_bools(&[true; 100], &ctx).unwrap();
        let expected = with_late_rows(usize::MAX, || source.filter(&mask).unwrap());
        let kept = source.filter(&mask).unwrap();
        assert!(kept.columns().iter().all(TypedColumn::is_late));
        source.set_loc((.., "k"), 77).unwrap();
        assert!(kept.equals(&expected).unwrap());

        // Somebody outside gets an address: the rows are taken before.
        let kept = expected.filter(&mask).unwrap();
        assert!(kept.columns()[0].is_late());
        let memory = expected.columns()[0].data().unwrap().data().unwrap().clone();
        memory.expose().unwrap();
        assert!(!kept.columns()[0].is_late() && kept.columns()[1].is_late());
        assert!(!expected.filter(&mask).unwrap().columns()[0].is_late());

        // A late column that is written itself.
        let mut kept = source.filter(&mask).unwrap();
        let copy = kept.clone();
        kept.set_loc((0, "x"), 5.0).unwrap();
        assert_eq!(kept.column("x").unwrap().get(0).unwrap(), Scalar::from(5.0));
        assert!(copy.equals(&source.filter(&mask).unwrap()).unwrap());
    });
}

#[test]
fn a_column_that_was_read_keeps_nothing_and_few_rows_are_taken_at_once() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    with_late_rows(10, || {
        let ctx = Context::current();
        let source = random_frame(100, 40, 5, &ctx);
        let users = || source.columns()[0].data().unwrap().data().unwrap().use_count();
        let keep = |count: usize| {
            let mask: Vec<bool> = (0..100).map(|i| i < count).collect();
            source.filter(&Column::from_bools(&mask, &ctx).unwrap()).unwrap()
        };
        let before = users();
        let kept = keep(50);
        assert_eq!(users(), before + 1);
        kept.columns()[0].data().unwrap();
        assert_eq!(users(), before);
        // A quarter of the rows at least, and as many as the option says.
        assert!(keep(25).columns()[0].is_late());
        assert!(!keep(24).columns()[0].is_late());
        set_late_rows(60);
        assert!(!keep(59).columns()[0].is_late() && keep(60).columns()[0].is_late());
        // Row by row on the fewer rows, and one column of them all.
        let few = source.slice(0, 20).unwrap();
        let joined = merged(&few, &source, How::Inner).unwrap();
        assert!(joined.num_rows() >= 60, "{}", joined.num_rows());
        let text = joined.column("s_x").unwrap();
        let found = text.eq("ä7").unwrap();
        assert!(found.column().is_late() && text.column().is_late());
        let expected: Vec<Scalar> = (0..joined.num_rows())
            .map(|row| Scalar::from(text.get(row).unwrap() == Scalar::from("ä7")))
            .collect();
        assert_eq!((0..joined.num_rows()).map(|row| found.get(row).unwrap()).collect::<Vec<_>>(), expected);
    });
}

#[test]
fn threads_that_read_one_column_at_once_read_the_same() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    with_late_rows(0, || {
        let ctx = Context::current();
        let source = random_frame(5000, 40, 3, &ctx);
        let joined = merged(&source, &source.slice(0, 200).unwrap(), How::Inner).unwrap();
        let expected = with_late_rows(usize::MAX, || {
            merged(&source, &source.slice(0, 200).unwrap(), How::Inner).unwrap()
        });
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert!(joined.equals(&expected).unwrap()));
            }
        });
    });
}
