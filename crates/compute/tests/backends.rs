//! Every public function works where its data is, refuses before any work what it has no kernel for, and
//! does that on the host where the option says so.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cuprum_column::{Column, Context, Device, Error, ErrorKind, Result};
use cuprum_runtime::backend::{self, Fallback};
use cuprum_runtime::memory::{self, StatisticsResourceAdaptor};
use cuprum_testing::assert_column_eq;

mod operations;
mod sources;

use operations::{Given, OPERATIONS, Outcome, columns};

/// The option, the counts and the memory resources are those of the process: one test at a time.
fn alone(fallback: Fallback) -> Alone {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    backend::reset_fallbacks();
    Alone { before: backend::set_fallback(fallback), _guard: guard }
}

struct Alone {
    before: Fallback,
    _guard: MutexGuard<'static, ()>,
}

impl Drop for Alone {
    fn drop(&mut self) {
        backend::set_fallback(self.before);
    }
}

fn gpu() -> Context {
    Context::on(Device::EMULATOR).unwrap()
}

/// Each column and a slice of it, there and on the emulator.
fn pairs() -> impl Iterator<Item = (Column, Column)> {
    let slices = columns().into_iter().flat_map(|column| [column.clone(), column.slice(1, 2).unwrap()]);
    slices.map(|column| (column.clone(), column.to_device(&gpu()).unwrap()))
}

#[track_caller]
fn assert_same(actual: &Outcome, expected: &Outcome, what: &str) {
    assert_eq!(actual.text, expected.text, "{what}");
    assert_eq!(actual.columns.len(), expected.columns.len(), "{what}");
    for (actual, expected) in actual.columns.iter().zip(&expected.columns) {
        assert!(actual.is_on(Device::EMULATOR), "{what}: {actual:?}");
        assert_column_eq(actual, expected);
    }
}

/// The failed checks, so that one run reports all of them.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn check(&mut self, what: String, check: impl FnOnce()) {
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err() {
            self.0.push(what);
        }
    }

    #[track_caller]
    fn assert_none(self) {
        assert!(self.0.is_empty(), "{} failed:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Whether a function was refused because it has no kernel.
fn is_refused(result: &Result<Outcome>) -> bool {
    let is_shape = |error: &Error| error.to_string().contains("has no kernel");
    result.as_ref().err().is_some_and(is_shape)
}

#[track_caller]
fn assert_agree(actual: Result<Outcome>, expected: &Result<Outcome>, what: &str) {
    match (actual, expected) {
        (Ok(actual), Ok(expected)) => assert_same(&actual, expected, what),
        (Err(actual), Err(expected)) => {
            assert_eq!(actual.kind(), expected.kind(), "{what}: {actual}, {expected}")
        }
        (Err(error), Ok(_)) => panic!("{what} fails on a GPU alone: {error}"),
        (Ok(_), Err(error)) => panic!("{what} fails on the CPU alone: {error}"),
    }
}

#[test]
fn every_function_is_called() {
    let called: BTreeSet<String> = OPERATIONS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let there: BTreeSet<String> =
        sources::of_families().into_iter().map(|f| format!("{}.{}", f.family, f.name)).collect();
    assert_eq!(called, there);
}

#[test]
fn functions_without_kernels_are_refused_before_any_work() {
    let _alone = alone(Fallback::Error);
    let counted =
        Arc::new(StatisticsResourceAdaptor::new(memory::current_resource(Device::EMULATOR).unwrap()));
    let before = memory::set_current_resource(Device::EMULATOR, counted.clone()).unwrap();
    let mut refused = BTreeSet::new();
    let mut failures = Failures::default();
    for (here, there) in pairs() {
        let (here, there) = (Given::new(&here, &Context::current()), Given::new(&there, &gpu()));
        for (name, case, operation) in OPERATIONS {
            let what = format!("{name} ({case}) of {:?}", here.column);
            failures.check(what.clone(), || {
                let allocations = counted.statistics().count.total;
                let actual = operation(&there);
                let allocations = counted.statistics().count.total - allocations;
                if !is_refused(&actual) {
                    return assert_agree(actual, &operation(&here), &what);
                }
                let error = actual.err().unwrap();
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{what}");
                assert_eq!(allocations, 0, "{what}");
                let message = error.to_string();
                let data_type = here.column.data_type().to_string();
                let ending = "on emulator: move the data to the CPU, or let the option `fallback` \
                              (CUPRUM_FALLBACK) be 'host'";
                assert!(message.starts_with(&format!("`{name}` has no kernel")), "{what}: {message}");
                assert!(message.ends_with(ending), "{what}: {message}");
                // Lists of the column's elements are lists; some look at no column but at groups.
                let of_others = ["of type list", "`groups` of type groups of"];
                let of_others = of_others.into_iter().any(|others| message.contains(others));
                let is_named = message.contains(&data_type) || of_others || *name == "join.cross_join";
                assert!(is_named, "{what}: {message}");
                refused.insert(*name);
            });
        }
    }
    memory::set_current_resource(Device::EMULATOR, before).unwrap();
    failures.assert_none();
    assert!(backend::fallbacks().is_empty());
    // What is left: texts in formulas.
    let left = ["expression.evaluate", "expression.reduce"];
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), left);
}

#[test]
fn functions_without_kernels_are_done_on_the_host() {
    let _alone = alone(Fallback::Host);
    let mut failures = Failures::default();
    for (here, there) in pairs() {
        let (here, there) = (Given::new(&here, &Context::current()), Given::new(&there, &gpu()));
        for (name, case, operation) in OPERATIONS {
            let what = format!("{name} ({case}) of {:?}", here.column);
            failures.check(what.clone(), || {
                backend::set_fallback(Fallback::Error);
                let is_refused = is_refused(&operation(&there));
                backend::set_fallback(Fallback::Host);
                backend::reset_fallbacks();
                let actual = operation(&there);
                let counts: Vec<_> = backend::fallbacks().into_iter().collect();
                let expected = if is_refused { vec![((*name).to_owned(), 1)] } else { vec![] };
                assert_eq!(counts, expected, "{what}");
                assert_agree(actual, &operation(&here), &what);
            });
        }
    }
    failures.assert_none();
}

#[test]
fn the_first_call_of_each_function_warns() {
    static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let heard = || std::mem::take(&mut *HEARD.lock().unwrap());
    backend::hand_warnings_to(|message| HEARD.lock().unwrap().push(message));
    let _alone = alone(Fallback::Warn);
    let run = |name: &str, case: &str, given: &Given| {
        let operation = OPERATIONS.iter().find(|(n, c, _)| (*n, *c) == (name, case)).unwrap().2;
        operation(given).unwrap();
    };
    let column = Column::from_strs(&["c", "a", "b"], &gpu()).unwrap();
    let given = Given::new(&column, &gpu());
    let (reduced, formula) = (("expression.reduce", "sum"), ("expression.evaluate", "sum"));
    for (name, case) in [reduced, formula, reduced, ("copying.reverse", "")] {
        run(name, case, &given);
    }
    let first = "`expression.reduce` has no kernel for `table` of type (str) on emulator: \
                 the CPU does it, and the result is copied back";
    let messages = heard();
    assert_eq!((messages.len(), messages[0].as_str()), (2, first), "{messages:?}");
    assert!(messages[1].starts_with("`expression.evaluate` has no kernel for `table` of type (str)"));
    let counts: Vec<_> = backend::fallbacks().into_iter().collect();
    assert_eq!(counts, [("expression.evaluate".to_owned(), 1), ("expression.reduce".to_owned(), 2)]);
    backend::reset_fallbacks();
    assert!(backend::fallbacks().is_empty());
    run(formula.0, formula.1, &given);
    assert_eq!(heard().len(), 1);
}

/// Data on one device and a context of another one.
#[test]
fn data_elsewhere_is_refused_by_the_name_of_the_argument() {
    let _alone = alone(Fallback::Host);
    // These look at no data of the column.
    let looks_at_none = [
        "copying.allocate_like",
        "copying.sample_rows",
        "filling.sequence",
        "groupby.runs",
        "join.cross_join",
    ];
    let mut failures = Failures::default();
    for (here, there) in pairs() {
        if here.is_on(Device::EMULATOR) {
            continue;
        }
        let cases = [
            (Given::new(&there, &Context::current()), "is on emulator, the operation on cpu"),
            (Given::new(&here, &gpu()), "is on cpu, the operation on emulator"),
        ];
        for (given, problem) in cases {
            for (name, case, operation) in OPERATIONS {
                if looks_at_none.contains(name) {
                    continue;
                }
                let what = format!("{name} ({case}) of {:?}", given.column);
                failures.check(what.clone(), || {
                    let error = operation(&given).err().unwrap_or_else(|| panic!("{what} works"));
                    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{what}: {error}");
                    let message = error.to_string();
                    assert!(message.starts_with('`') && message.contains(problem), "{what}: {message}");
                });
            }
        }
    }
    failures.assert_none();
    assert!(backend::fallbacks().is_empty());
}
