//! Every public function works where its data is.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Column, Context, Device, ErrorKind, Result};
use cuprum_runtime::backend::{self, Fallback};
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

/// Nothing is left to the host: what the CPU does a GPU does, and what it refuses is refused in the same words.
#[test]
fn every_function_has_kernels() {
    let _alone = alone(Fallback::Error);
    let mut failures = Failures::default();
    for (here, there) in pairs() {
        let (here, there) = (Given::new(&here, &Context::current()), Given::new(&there, &gpu()));
        for (name, case, operation) in OPERATIONS {
            let what = format!("{name} ({case}) of {:?}", here.column);
            failures.check(what.clone(), || assert_agree(operation(&there), &operation(&here), &what));
        }
    }
    failures.assert_none();
    assert!(backend::fallbacks().is_empty());
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
