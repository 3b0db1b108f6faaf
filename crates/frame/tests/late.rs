//! Columns that take their rows when they are read, beside those that take them at once.
//!
//! `set_late_rows` is of the process, so all of it stands in this program, one test at a time.

mod random_frame;

use std::sync::{Mutex, PoisonError};

use cuprum::io::{ParquetWriteOptions, read_parquet};
use cuprum::prelude::*;
use cuprum::types::{self, Dtype, late_rows, set_late_rows};
use cuprum_compute::unary;
use cuprum_runtime::Device;
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

/// A frame with a column of decimals as it is read of a file of several row groups, at once, and the path of the file.
fn frame_in_file(rows: usize, folder: &std::path::Path) -> (DataFrame, std::path::PathBuf) {
    let ctx = Context::beside(Device::Cpu).unwrap();
    let frame = random_frame(rows, 40, 3, &ctx);
    let cents =
        unary::cast(frame.column("k").unwrap().data().unwrap(), DataType::Decimal64(-2), &ctx).unwrap();
    let frame = frame.with_column("cents", cents).unwrap();
    let path = folder.join("t.parquet");
    let options = ParquetWriteOptions { row_group_rows: 100, ..ParquetWriteOptions::default() };
    frame.write_parquet(&path).options(options).finish().unwrap();
    let read = with_late_rows(usize::MAX, || ctx.scope(|| read_parquet(&path).finish().unwrap()));
    (read, path)
}

#[test]
fn columns_of_files_are_the_same_either_way() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    for ctx in contexts() {
        ctx.scope(|| {
            for rows in if ctx.is_on_gpu() { vec![33, 64] } else { vec![0, 1, 31, 32, 33, 63, 64, 65, 450] } {
                let (_, path) = frame_in_file(rows, folder.path());
                let read = || read_parquet(&path).finish();
                same_either_way(read);
                for how in [How::Inner, How::Left, How::Outer] {
                    same_either_way(|| {
                        let joined = merged(&read()?, &read()?.slice(rows / 4, rows / 2)?, how)?;
                        let some = joined.filter(col("s_x").ne("ä7") & col("x_x").gt(0.0))?;
                        let sorted = some.sort_by(["t_x", "s_x"], Descending)?;
                        sorted.slice(sorted.num_rows() / 5, sorted.num_rows() / 2)
                    });
                }
                same_either_way(|| {
                    let frame = read()?;
                    let floats =
                        types::cast(frame.column("cents")?.column(), &Dtype::plain(DataType::Float64))?;
                    frame.filter(frame.column("k")?.ge(3i64)?.data()?)?;
                    frame.with_column("cents", floats)?.filter(frame.column("k")?.ge(7i64)?.data()?)
                });
            }
        });
    }
}

#[test]
fn columns_of_files_are_decoded_when_they_are_read() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let (frame, path) = frame_in_file(1000, folder.path());
    let on_cpu = Context::beside(Device::Cpu).unwrap();
    with_late_rows(1000, || {
        on_cpu.scope(|| {
            let read = read_parquet(&path).finish().unwrap();
            let are_late = |frame: &DataFrame| {
                let names = frame.labels().iter().zip(frame.columns());
                let late = names.filter(|(_, column)| column.is_late());
                late.map(|(name, _)| name.to_string()).collect::<Vec<_>>().join(" ")
            };
            // Categories are known from values.
            assert_eq!(are_late(&read), "k s x b t cents");
            assert!(read_parquet(&path).rows(999).finish().unwrap().columns().iter().all(|c| !c.is_late()));
            std::fs::remove_file(&path).unwrap();
            read.column("x").unwrap().data().unwrap();
            assert_eq!(are_late(&read), "k s b t cents");
            // Few rows that follow each other are few pages, and are decoded at once; others are not.
            assert_eq!(are_late(&read.slice(990, 10).unwrap()), "");
            let mask: Vec<bool> = (0..1000).map(|row| row % 200 == 5).collect();
            let kept = read.filter(&Column::from_bools(&mask, &on_cpu).unwrap()).unwrap();
            assert_eq!(are_late(&kept), "k s b t cents");
            let expected = frame.filter(&Column::from_bools(&mask, &on_cpu).unwrap()).unwrap();
            let texts = |frame: &DataFrame| frame.column("s").unwrap().column().clone();
            assert!(texts(&kept).equals(&texts(&expected)).unwrap());
            // The rows of a column that was decoded whole for another reader are few, and are not to hold it.
            read.column("k").unwrap().data().unwrap();
            assert_eq!(are_late(&kept), "b t cents");
            assert!(read.equals(&frame).unwrap());
        });
    });
}

#[test]
fn threads_decode_one_column() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let (frame, path) = frame_in_file(3000, folder.path());
    with_late_rows(0, || {
        let read = read_parquet(&path).finish().unwrap();
        let mask: Vec<bool> = (0..3000).map(|row| row % 3 == 0).collect();
        let mask = Column::from_bools(&mask, &Context::current()).unwrap();
        let (kept, expected) = (read.filter(&mask).unwrap(), frame.filter(&mask).unwrap());
        let copy = read.deep_copy().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(read.equals(&frame).unwrap()));
                scope.spawn(|| assert!(kept.equals(&expected).unwrap()));
                scope.spawn(|| assert!(copy.equals(&frame).unwrap()));
            }
        });
    });
}
