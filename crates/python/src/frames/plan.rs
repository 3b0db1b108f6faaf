//! `Held`: the frame or series of a handle, or a plan of one.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use cuprum::plan::{Deferral, LazyFrame, LazySeries};
use cuprum::{DataFrame, Dtype, Frame, Result, Scalar, Series};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_runtime::fork;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;
use crate::run::{UNKNOWN_SIZE, run};

/// A plan of a frame or series.
pub trait Plan: Clone + Send + Sync {
    /// What it is a plan of.
    type Frame: Frame + Send + Sync;

    /// See [`LazyFrame::estimated_rows`].
    fn estimated_rows(&self) -> usize;

    /// The frame without rows.
    fn schema(&self) -> &Self::Frame;

    /// See [`LazyFrame::collect`].
    fn collect(&self) -> Result<Self::Frame>;

    /// See [`LazyFrame::collect_unlabelled`].
    fn collect_unlabelled(&self) -> Result<Self::Frame>;

    // Of series alone.

    /// See [`LazySeries::binary`].
    fn binary(&self, _other: &Self, _op: BinaryOperator) -> Result<Option<Self>> {
        Ok(None)
    }

    /// See [`LazySeries::binary_scalar`].
    fn binary_scalar(&self, _scalar: &Scalar, _op: BinaryOperator, _reflected: bool) -> Result<Option<Self>> {
        Ok(None)
    }

    /// See [`LazySeries::not`].
    fn not(&self) -> Result<Option<Self>> {
        Ok(None)
    }

    /// See [`LazySeries::cast`].
    fn cast(&self, _to: &Dtype) -> Result<Option<Self>> {
        Ok(None)
    }

    /// See [`LazySeries::where_one`].
    fn where_one(&self, _condition: &LazySeries, _other: &Scalar, _negated: bool) -> Result<Option<Self>> {
        Ok(None)
    }
}

macro_rules! plan {
    ($plan:ident of $frame:ident) => {
        impl Plan for $plan {
            type Frame = $frame;

            fn estimated_rows(&self) -> usize {
                self.estimated_rows()
            }

            fn schema(&self) -> &$frame {
                self.schema()
            }

            fn collect(&self) -> Result<$frame> {
                self.collect()
            }

            fn collect_unlabelled(&self) -> Result<$frame> {
                self.collect_unlabelled()
            }
        }
    };
}

plan!(LazyFrame of DataFrame);
plan!(LazySeries of Series);

/// A frame or series, or a plan of one until its rows are needed.
pub struct Held<P: Plan> {
    ready: OnceLock<P::Frame>,
    planned: Option<Arc<Planned<P>>>,
}

/// A plan and its results, shared by the handles of copies: their columns are the same memory.
struct Planned<P: Plan> {
    plan: P,
    labelled: OnceLock<P::Frame>,
    /// The rows without their labels.
    unlabelled: OnceLock<P::Frame>,
}

impl<P: Plan> Held<P> {
    /// A frame that is there.
    pub fn ready(frame: P::Frame) -> Self {
        Self { ready: OnceLock::from(frame), planned: None }
    }

    /// A frame that is planned.
    pub fn later(plan: P) -> Self {
        let planned = Planned { plan, labelled: OnceLock::new(), unlabelled: OnceLock::new() };
        Self { ready: OnceLock::new(), planned: Some(Arc::new(planned)) }
    }

    /// The same, for another handle.
    pub fn shared(&self) -> Self {
        match (self.now(), &self.planned) {
            (Some(frame), _) => Self::ready(frame.clone()),
            (None, planned) => Self { ready: OnceLock::new(), planned: planned.clone() },
        }
    }

    /// The frame, if it is there.
    pub fn now(&self) -> Option<&P::Frame> {
        self.ready.get()
    }

    fn pending(&self) -> Option<&Planned<P>> {
        if self.now().is_some() { None } else { self.planned.as_deref() }
    }

    /// The plan of a frame that is not there.
    pub fn plan(&self) -> Option<&P> {
        self.pending().map(|planned| &planned.plan)
    }

    /// The frame, or one without rows where it is planned: labels and dtypes.
    pub fn schema(&self) -> &P::Frame {
        match (self.now(), &self.planned) {
            (Some(frame), _) => frame,
            (None, Some(planned)) => planned.plan.schema(),
            (None, None) => unreachable!("a handle holds a frame or a plan"),
        }
    }

    /// The frame, whose rows are found now unless they were.
    pub fn frame(&self) -> PyResult<&P::Frame> {
        if let Some(planned) = self.pending() {
            let made = once(&planned.labelled, || found(&planned.plan, true))?;
            let _section = fork::section();
            return Ok(self.ready.get_or_init(|| made.clone()));
        }
        Ok(self.now().expect("a handle holds a frame or a plan"))
    }

    /// The frame, for writing.
    pub fn frame_mut(&mut self) -> PyResult<&mut P::Frame> {
        self.frame()?;
        self.planned = None;
        Ok(self.ready.get_mut().expect("the frame is there"))
    }

    /// The frame, for reading elements alone: of a plan, the rows without their labels.
    pub fn unlabelled(&self) -> PyResult<&P::Frame> {
        match self.pending() {
            Some(planned) => once(&planned.unlabelled, || found(&planned.plan, false)),
            None => self.frame(),
        }
    }

    /// The plan that `f` makes of this one; `None` where the frame is there, or `f` cannot plan it.
    pub fn try_plan<Q>(&self, f: impl FnOnce(&P) -> Result<Option<Q>>) -> PyResult<Option<Q>> {
        self.plan().map_or(Ok(None), |plan| f(plan).py())
    }
}

/// What is in a cell, made now unless it was. Two threads may make it at once; one result is kept.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> PyResult<T>) -> PyResult<&T> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    let _section = fork::section();
    Ok(cell.get_or_init(|| made))
}

/// The rows of a plan, found now.
fn found<P: Plan>(plan: &P, labelled: bool) -> PyResult<P::Frame> {
    let (size, begin) = (plan.estimated_rows().min(UNKNOWN_SIZE - 1), Instant::now());
    Python::attach(|py| {
        let find = || if labelled { plan.collect() } else { plan.collect_unlabelled() };
        let made = run(py, "merge", size, |ctx| ctx.scope(find))?;
        if Deferral::chosen() == Deferral::Trace {
            let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
            py.import("cuprum.core.plan")?.call_method1("tell_where", (labelled, milliseconds))?;
        }
        Ok(made)
    })
}
