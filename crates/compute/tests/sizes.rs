//! Whatever size a caller names, there is a result or an error: no panic, and no abort where memory ends.
//!
//! The calls run in a process of their own that may take little memory, so that a size of 2³¹ is refused
//! like one of 2⁶², and an abort ends that process alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use cuprum_column::{
    Column, Context, DataType, ErrorKind, Result, Scalar, StringBuilder, Table, TimeUnit, Value, nested,
    null_mask, strings,
};
use cuprum_compute::contiguous_split::{ChunkedPack, contiguous_split, split};
use cuprum_compute::copying::{self, MaskAllocationPolicy, OutOfBoundsPolicy};
use cuprum_compute::hashing::HashFunction;
use cuprum_compute::rolling::{self, WindowFunction};
use cuprum_compute::sorting::{self, NullOrder, Order};
use cuprum_compute::strings::{find, pad, records, replace, slice, split as parts, strip::Side, wrap};
use cuprum_compute::tokens::vocabulary::{self, Vocabulary};
use cuprum_compute::tokens::{distances, minhash, ngrams, replace as tokens, stemmer};
use cuprum_compute::{
    concatenate, datetime, ewm, filling, groupby, join, lists, partitioning, reduce, stream_compaction,
    tdigest, unary,
};
use cuprum_runtime::{HostUVec, parallel};

const SIZES: [usize; 10] =
    [0, 1, 2, 1000, 1 << 31, 4_000_000_000, 1 << 62, i64::MAX as usize, usize::MAX - 1, usize::MAX];

/// Says that the process is the one with little memory.
const CHILD: &str = "CUPRUM_TEST_SIZES";

/// The prefixes of that process's lines about a call that is made, and about one that went wrong.
const STARTED: &str = "calls ";
const FAILED: &str = "failed ";

/// The most memory of the process beyond that at the start of the calls: less than a mask of 2³¹ rows.
const MEMORY: u64 = 1 << 27;

type Call<'a> = (&'static str, Box<dyn Fn(usize) -> Result<()> + 'a>);

macro_rules! calls {
    ($($name:literal => |$n:ident| $call:expr;)*) => {
        vec![$(($name, Box::new(move |$n: usize| -> Result<()> { let _result = $call?; Ok(()) }))),*]
    };
}

fn some_types() -> Vec<DataType> {
    vec![
        DataType::Int8,
        DataType::Int64,
        DataType::Float64,
        DataType::String,
        DataType::List,
        DataType::Struct,
        DataType::Dictionary32,
        DataType::Empty,
        DataType::Decimal128(-3),
        DataType::Timestamp(TimeUnit::Nanoseconds),
    ]
}

/// Columns and tables that take no memory, whatever their length.
fn weightless(n: usize) -> Result<(Column, Table)> {
    Ok((Column::structs(n, vec![], None)?, Table::with_rows(vec![], n)?))
}

fn lists_of(ints: &Column, ctx: &Context) -> Result<Column> {
    let offsets = Column::from_slice(&[0i32, 2, 2, 3], ctx)?;
    Column::lists(offsets, ints.slice(0, 3)?, None)
}

fn calls_of_columns<'a>(ctx: &'a Context, ints: &'a Column, texts: &'a Column) -> Vec<Call<'a>> {
    let list = move || lists_of(ints, ctx);
    let mut all: Vec<Call<'a>> = calls! {
        "HostUVec::uninit" => |n| HostUVec::<u64>::uninit(n, ctx);
        "HostUVec::filled" => |n| HostUVec::filled(7u8, n, ctx);
        "parallel::map_morsels" => |n| parallel::map_ranges(n, n / 3, ctx, |range| Ok(range.start));
        "Column::from_parts, len" => |n| Column::from_parts(DataType::Int64, n, 0, ints.data().cloned(), None, vec![]);
        "Column::from_parts, offset" => |n| Column::from_parts(DataType::Int64, 1, n, ints.data().cloned(), None, vec![]);
        "Column::from_parts, both" => |n| Column::from_parts(DataType::Struct, n, n, None, None, vec![]);
        "Column::slice, len" => |n| ints.slice(0, n);
        "Column::slice, start" => |n| ints.slice(n, 2);
        "Column::slice, both" => |n| ints.slice(n, n);
        "Column::get" => |n| ints.get(n);
        "Column::field" => |n| ints.field(n);
        "Column::copy_rows" => |n| texts.copy_rows(n, n, ctx);
        "Table::slice" => |n| Table::new(vec![texts.clone()])?.slice(n, n);
        "Table::column" => |n| Table::new(vec![texts.clone()])?.column(n).cloned();
        "Column::from_scalar, int" => |n| Column::from_scalar(&5i64.into(), n, ctx);
        "Column::from_scalar, text" => |n| Column::from_scalar(&"some text".into(), n, ctx);
        "Column::from_scalar, null" => |n| Column::from_scalar(&Scalar::null(DataType::String), n, ctx);
        "Column::from_scalar, list" => |n| Column::from_scalar(&list()?.get(0)?, n, ctx);
        "Column::nulls_like" => |n| Column::nulls_like(&list()?, n, ctx);
        "strings::from_fn" => |n| strings::from_fn(n, ctx, |_| Some("ab"));
        "StringBuilder" => |n| { let mut b = StringBuilder::with_capacity(n, n); b.push("a"); b.finish(ctx) };
        "StringBuilder, piece by piece" => |n| {
            let (mut builder, piece) = (StringBuilder::default(), "a".repeat(1 << 20));
            (0..n.min(1 << 10)).for_each(|_| builder.write_str(&piece));
            builder.end_row();
            builder.finish(ctx)
        };
        "nested::offsets_from_lengths" => |n| nested::offsets_from_lengths(&[n, n], ctx);
        "null_mask::uniform" => |n| null_mask::uniform(true, n, ctx);
        "null_mask::from_fn" => |n| null_mask::from_fn(n, ctx, |i| i % 3 == 0);
        "null_mask::create" => |n| null_mask::create_null_mask(n, null_mask::MaskState::AllValid, ctx);
        "null_mask::create, uninitialised" => |n| null_mask::create_null_mask(n, null_mask::MaskState::Uninitialized, ctx);
        "null_mask::count" => |n| null_mask::count_set_bits(&null_mask::uniform(true, 100, ctx)?, n, n, ctx);
        "null_mask::count from 0" => |n| null_mask::count_unset_bits(&null_mask::uniform(true, 100, ctx)?, 0, n, ctx);
        "null_mask::segmented" => |n| null_mask::segmented_count_set_bits(&null_mask::uniform(true, 100, ctx)?, &[0..n, n..n, 5..n], ctx);
        "null_mask::copy" => |n| null_mask::copy_bitmask_from_bitmask(&null_mask::uniform(true, 100, ctx)?, 1, n, ctx);
        "null_mask::set" => |n| null_mask::set_null_mask(&mut null_mask::uniform(true, 100, ctx)?, n, n, true, ctx);
        "null_mask::mask_to_bools" => |n| null_mask::mask_to_bools(&null_mask::uniform(true, 100, ctx)?, 3, n, ctx);
    };
    for data_type in some_types() {
        all.push(("Column::nulls", Box::new(move |n| Column::nulls(data_type, n, ctx).map(drop))));
    }
    all.push((
        "decimals of any scale",
        Box::new(move |n| {
            for scale in [n as i32, (n as i32).wrapping_neg(), (n as i32).wrapping_add(i32::MIN)] {
                for of in
                    [DataType::Decimal32(scale), DataType::Decimal64(scale), DataType::Decimal128(scale)]
                {
                    let text = Scalar::new(of, Value::Decimal(-105))?.to_string();
                    assert!(text.len() < 1 << 20, "{} characters for a scale of {scale}", text.len());
                    let _ = Scalar::new(of, Value::Decimal(3))?.as_f64();
                    let _ = cuprum_column::arrow::to_arrow(&Column::nulls(of, 1, ctx)?);
                }
            }
            Ok(())
        }),
    ));
    all
}

fn rolled(
    column: &Column,
    preceding: i64,
    following: i64,
    min_periods: usize,
    function: WindowFunction,
    ctx: &Context,
) -> Result<Column> {
    let sizes = (Scalar::from(preceding), Scalar::from(following));
    rolling::rolling_window(column, &sizes.0, &sizes.1, min_periods, function, ctx)
}

fn calls_of_families<'a>(ctx: &'a Context, ints: &'a Column, texts: &'a Column) -> Vec<Call<'a>> {
    let table = move || Table::new(vec![ints.clone(), texts.clone()]);
    let one_row = move || Table::new(vec![ints.slice(0, 1)?]);
    let times = move || unary::cast(ints, DataType::Timestamp(TimeUnit::Nanoseconds), ctx);
    let map = move || Column::from_slice(&[0i32; 4], ctx);
    calls! {
        "filling::sequence" => |n| filling::sequence(0, 0, n, ctx);
        "filling::sequence, step" => |n| filling::sequence(n as i64, n as i64, 3, ctx);
        "lists::extract_list_element" => |n| lists::extract_list_element(&lists_of(ints, ctx)?, n as i64, ctx);
        "lists::sequences" => |n| {
            let sizes = Column::from_slice(&[1u64, n as u64], ctx)?;
            lists::sequences(&ints.slice(0, 2)?, &sizes, None, ctx)
        };
        "filling::repeat" => |n| filling::repeat(&table()?, n, ctx);
        "filling::repeat, one row" => |n| filling::repeat(&one_row()?, n, ctx);
        "filling::repeat, no column" => |n| filling::repeat(&Table::with_rows(vec![], n)?, n, ctx);
        "filling::repeat, weightless" => |n| filling::repeat(&Table::new(vec![weightless(1)?.0])?, n, ctx);
        "filling::tile" => |n| filling::tile(&table()?, n, ctx);
        "filling::tile, one row" => |n| filling::tile(&one_row()?, n, ctx);
        "filling::tile, no column" => |n| filling::tile(&Table::with_rows(vec![], 3)?, n, ctx);
        "filling::tile, weightless" => |n| filling::tile(&Table::new(vec![weightless(1)?.0])?, n, ctx);
        "copying::sample" => |n| copying::sample(&table()?, n, true, 0, ctx);
        "copying::sample, no repetition" => |n| copying::sample(&table()?, n, false, 0, ctx);
        "copying::sample_rows" => |n| copying::sample_rows(1, n, true, 0, ctx);
        "copying::sample_rows of many" => |n| copying::sample_rows(n, 3, true, 0, ctx);
        "copying::sample_rows of many, no repetition" => |n| copying::sample_rows(n, 3, false, 0, ctx);
        "copying::sample_rows, all" => |n| copying::sample_rows(n, n, false, 0, ctx);
        "copying::sample_rows, half" => |n| copying::sample_rows(n, n / 2, false, 0, ctx);
        "copying::allocate_like" => |n| copying::allocate_like(ints, n, MaskAllocationPolicy::Always, ctx);
        "copying::slice" => |n| copying::slice(&table()?, &[0, n, n, n]);
        "copying::copy_range" => |n| copying::copy_range(ints, ints, 0, n, 0, ctx);
        "copying::copy_range, target" => |n| copying::copy_range(ints, ints, 0, 1, n, ctx);
        "copying::copy_range, source" => |n| copying::copy_range(ints, ints, n, n, n, ctx);
        "copying::shift" => |n| copying::shift(ints, n as i64, &Scalar::null(DataType::Int64), ctx);
        "copying::shift, up" => |n| copying::shift(texts, (n as i64).wrapping_neg(), &"x".into(), ctx);
        "copying::rows_from_end" => |n| copying::rows_from_end(&map()?, n, ctx);
        "copying::gather, weightless" => |n| copying::gather_column(&weightless(n)?.0, &map()?, OutOfBoundsPolicy::Check, ctx);
        "copying::gather, no column" => |n| copying::gather(&weightless(n)?.1, &map()?, OutOfBoundsPolicy::Nullify, ctx);
        "copying::gather, map" => |n| copying::gather(&table()?, &Column::from_slice(&[n as u64], ctx)?, OutOfBoundsPolicy::Check, ctx);
        "copying::gather, map, null" => |n| copying::gather(&table()?, &Column::from_slice(&[n as u64], ctx)?, OutOfBoundsPolicy::Nullify, ctx);
        "copying::scatter, map" => |n| copying::scatter(&ints.slice(0, 1)?, &Column::from_slice(&[n as u64], ctx)?, ints, ctx);
        "copying::scatter, weightless" => |n| copying::scatter(&weightless(4)?.0, &map()?, &weightless(n)?.0, ctx);
        "copying::reverse, weightless" => |n| copying::reverse(&weightless(n)?.0, ctx);
        "copying::shift, weightless" => |n| copying::shift(&weightless(n)?.0, 1, &Scalar::null(DataType::Struct), ctx);
        "partitioning::round_robin" => |n| partitioning::round_robin_partition(&table()?, n, 0, ctx);
        "partitioning::round_robin, start" => |n| partitioning::round_robin_partition(&table()?, n, n.wrapping_sub(1), ctx);
        "partitioning::round_robin, no column" => |n| partitioning::round_robin_partition(&weightless(n)?.1, 3, 1, ctx);
        "partitioning::partition" => |n| partitioning::partition(&one_row()?, &Column::from_slice(&[0u8], ctx)?, n, ctx);
        "partitioning::hash_partition" => |n| partitioning::hash_partition(&table()?, &[0], n, HashFunction::Murmur3, 0, ctx);
        "partitioning::hash_partition, column" => |n| partitioning::hash_partition(&table()?, &[n], 2, HashFunction::Murmur3, 0, ctx);
        "contiguous_split::split" => |n| split(ints, &[n, n]);
        "contiguous_split" => |n| contiguous_split(&table()?, &[n], ctx);
        "contiguous_split, weightless" => |n| contiguous_split(&Table::new(vec![weightless(n)?.0])?, &[n / 2], ctx);
        "ChunkedPack" => |n| ChunkedPack::create(&table()?, n, ctx);
        "sorting::top_k" => |n| sorting::top_k(ints, n, Order::Ascending, ctx);
        "sorting::sorted_order, no column" => |n| sorting::sorted_order(&weightless(n)?.1, &[], NullOrder::Last, ctx);
        "concatenate, weightless" => |n| concatenate::concatenate(&[&weightless(n)?.0, &weightless(n)?.0], ctx).map(|c| assert!(c.len() >= n));
        "concatenate, no column" => |n| concatenate::concatenate_tables(&[&weightless(n)?.1, &weightless(n)?.1], ctx).map(|t| assert!(t.num_rows() >= n));
        "concatenate_masks" => |n| concatenate::concatenate_masks(&[&weightless(n)?.0, &Column::nulls(DataType::Int8, 3, ctx)?, &weightless(n)?.0], ctx);
        "strings::pad" => |n| pad::pad(texts, n, Side::Both, 'é', ctx);
        "tokens::generate_ngrams" => |n| ngrams::generate_ngrams(texts, n, "-", ctx);
        "tokens::character_ngrams" => |n| ngrams::character_ngrams(texts, n, ctx);
        "tokens::hash_character_ngrams" => |n| ngrams::hash_character_ngrams(texts, n, 0, ctx);
        "tokens::ngrams_tokenize" => |n| ngrams::ngrams_tokenize(texts, n, "", "-", ctx);
        "tokens::jaccard_index" => |n| distances::jaccard_index(texts, texts, n, ctx);
        "tokens::minhash64" => |n| {
            let numbers = Column::from_slice(&[1u64], ctx)?;
            minhash::minhash64(texts, n as u64, &numbers, &numbers, n, ctx)
        };
        "tokens::minhash_ngrams" => |n| {
            let numbers = Column::from_slice(&[1u32], ctx)?;
            let lists = Column::lists(Column::from_slice(&[0i32, texts.len() as i32], ctx)?, texts.clone(), None)?;
            minhash::minhash_ngrams(&lists, n, 0, &numbers, &numbers, ctx)
        };
        "tokens::filter_tokens" => |n| tokens::filter_tokens(texts, n, "--", "", ctx);
        "tokens::is_letter" => |n| stemmer::is_letter(texts, true, n as i64, ctx);
        "tokens::wordpiece_tokenize" => |n| {
            let words = Vocabulary::new(&Column::from_strs(&["[UNK]"], ctx)?, ctx)?;
            vocabulary::wordpiece_tokenize(texts, &words, n, ctx)
        };
        "strings::zfill" => |n| pad::zfill(texts, n, ctx);
        "strings::repeat" => |n| pad::repeat(texts, n, ctx);
        "strings::repeat_each" => |n| pad::repeat_each(texts, &Column::from_slice(&vec![n as u64; texts.len()], ctx)?, ctx);
        "strings::split" => |n| parts::split(texts, None, Some(n), false, ctx);
        "strings::split, reverse" => |n| parts::split(texts, Some("a"), Some(n), true, ctx);
        "strings::split_record" => |n| records::split_record(texts, Some("a"), Some(n), true, ctx);
        "strings::split_record_regex" => |n| records::split_record_regex(texts, "a|b", Some(n), false, ctx);
        "strings::split_regex" => |n| parts::split_regex(texts, "a|b", Some(n), true, ctx);
        "strings::wrap" => |n| wrap::wrap(texts, n, ctx);
        "strings::replace" => |n| replace::replace(texts, "", "xy", false, Some(n), ctx);
        "strings::slice" => |n| slice::slice(texts, Some(n as i64), Some((n as i64).wrapping_neg()), Some((n as i64) | 1), ctx);
        "strings::slice, back" => |n| slice::slice(texts, None, None, Some((n as i64).wrapping_neg() | 1), ctx);
        "strings::slice_replace" => |n| slice::slice_replace(texts, Some(n as i64), Some(n as i64), "xy", ctx);
        "strings::get" => |n| slice::get(texts, n as i64, ctx);
        "strings::find" => |n| find::find(texts, "a", n as i64, Some((n as i64).wrapping_neg()), ctx);
        "rolling::rolling_window, preceding" => |n| rolled(ints, n as i64, 1, 0, WindowFunction::Sum, ctx);
        "rolling::rolling_window, following" => |n| rolled(texts, 1, n as i64, 0, WindowFunction::Max, ctx);
        "rolling::rolling_window, both" => |n| rolled(ints, n as i64, n as i64, 0, WindowFunction::NUnique { with_nulls: true }, ctx);
        "rolling::rolling_window, list" => |n| rolled(texts, n as i64, 1, 0, WindowFunction::CollectList { with_nulls: true }, ctx);
        "rolling::rolling_window, min_periods" => |n| rolled(ints, 1, 1, n, WindowFunction::Mean, ctx);
        "rolling::rolling_window, lead" => |n| rolled(ints, 3, 1, 0, WindowFunction::Lead(n), ctx);
        "rolling::rolling_window, lag" => |n| rolled(ints, 3, 1, 0, WindowFunction::Lag(n), ctx);
        "rolling::rolling_window, nth" => |n| rolled(ints, 3, 1, 0, WindowFunction::Nth { n: n as i64, with_nulls: false }, ctx);
        "rolling::rolling_window, weightless" => |n| rolled(&weightless(n)?.0, 2, 1, 0, WindowFunction::CountAll, ctx);
        "rolling::rolling_window, sizes" => |n| rolling::rolling_window(ints, &Column::from_slice(&[n as i64; 4], ctx)?, &Scalar::from(1i64), 0, WindowFunction::Sum, ctx);
        "rolling::grouped_windows" => |n| rolling::grouped_windows(&table()?, n as i64, 1, ctx);
        "rolling::grouped_windows, no column" => |n| rolling::grouped_windows(&weightless(n)?.1, 1, n as i64, ctx);
        "rolling::centred" => |n| Ok::<_, cuprum_column::Error>(rolling::centred(n));
        "ewm::mean" => |n| ewm::mean(ints, ewm::EwmOptions { min_periods: n, ..Default::default() }, ctx);
        "tdigest::digest" => |n| {
            let all = groupby::group(&Table::with_rows(vec![], 4)?, true, ctx)?;
            let digest = tdigest::digest(&all, ints, n, ctx)?;
            let one = groupby::group(&Table::with_rows(vec![], 1)?, true, ctx)?;
            tdigest::percentile_approx(&tdigest::merge(&one, &digest, n, ctx)?, &[0.5], ctx)
        };
        "stream_compaction::approx_distinct_count" => |n| stream_compaction::approx_distinct_count(&table()?, n as u32, true, ctx);
        "groupby::group, no column" => |n| groupby::group(&weightless(n)?.1, true, ctx);
        "join::cross_join" => |n| join::cross_join(n, n, ctx);
        "join::cross_join, one side" => |n| join::cross_join(n, 0, ctx);
        "join::cross_join, other side" => |n| join::cross_join(1, n, ctx);
        "unary::round" => |n| unary::round(ints, n as i32, ctx);
        "unary::cast, floats as decimals of any scale" => |n| {
            let floats = Column::from_slice(&[0.0, 1.5, -5e-324], ctx)?;
            for of in [DataType::Decimal32(n as i32), DataType::Decimal128((n as i32).wrapping_neg())] {
                if let Ok(decimals) = unary::cast(&floats, of, ctx) {
                    unary::cast(&decimals, DataType::Float64, ctx)?;
                }
            }
            Ok::<(), cuprum_column::Error>(())
        };
        "datetime::add_months" => |n| datetime::add_months(&times()?, n as i64, ctx);
        "stream_compaction::drop_nulls" => |n| stream_compaction::drop_nulls(&table()?, &[0], n, false, ctx);
        "stream_compaction::drop_nulls, column" => |n| stream_compaction::drop_nulls(&table()?, &[n], 1, false, ctx);
        "reduce of an empty type" => |n| reduce::reduce(&Column::nulls(DataType::Empty, n, ctx)?, reduce::Aggregation::Count, ctx);
        "is_null, weightless" => |n| unary::is_null(&weightless(n)?.0, ctx);
    }
}

/// The calls, in the process that may take little memory.
#[test]
fn calls_in_little_memory() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let ctx = &Context::current();
    let ints = &Column::from_options(&[Some(3i64), None, Some(-7), Some(1)], ctx).unwrap();
    let texts = &Column::from_opt_strs(&[Some("a b"), None, Some(""), Some("ébc a")], ctx).unwrap();
    // The threads are there before memory is limited.
    HostUVec::from_fn(1 << 20, ctx, |i| i).unwrap();
    limit_memory();
    let families = calls_of_families(ctx, ints, texts);
    let calls = calls_of_columns(ctx, ints, texts).into_iter().chain(families);
    let calls = calls.flat_map(|(name, call)| {
        let call = std::rc::Rc::new(call);
        SIZES.map(|n| (name, n, std::rc::Rc::clone(&call)))
    });
    let done: usize = std::env::var(CHILD).unwrap().parse().unwrap();
    for (number, (name, n, call)) in calls.enumerate().skip(done) {
        // If the process ends, these lines say how far it got.
        eprintln!("{STARTED}{number} {name}({n})");
        match catch_unwind(AssertUnwindSafe(|| call(n))) {
            Ok(Err(error))
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::Cuda | ErrorKind::Io) =>
            {
                eprintln!("{FAILED}{name}({n}): {error:?}");
            }
            Ok(_) => {}
            Err(_) => eprintln!("{FAILED}{name}({n}) panicked"),
        }
    }
}

/// Lets the process have [`MEMORY`] bytes more than it has.
fn limit_memory() {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = pages.split_whitespace().next().unwrap().parse().unwrap();
    let bytes = pages * 4096 + MEMORY;
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: the limit is read and not kept.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn every_size_has_a_result_or_an_error() {
    let (mut done, mut failures) = (0, Vec::new());
    // A process that aborts is followed by one that goes on behind the call that did.
    loop {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "calls_in_little_memory", "--nocapture"])
            .env(CHILD, done.to_string())
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr);
        failures.extend(said.lines().filter_map(|line| line.strip_prefix(FAILED)).map(str::to_owned));
        let last = said.lines().filter_map(|line| line.strip_prefix(STARTED)).next_back();
        let (number, name) = last.and_then(|last| last.split_once(' ')).unwrap_or_else(|| panic!("{said}"));
        if child.status.success() {
            assert!(number.parse::<usize>().unwrap() > 1000, "{number} calls");
            break;
        }
        failures.push(format!("{name}: {}", child.status));
        done = number.parse::<usize>().unwrap() + 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
