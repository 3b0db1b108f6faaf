//! What a handle holds: a frame or series, or a plan of one.

use std::sync::OnceLock;
use std::time::Instant;

use cuprum::plan::{LazyFrame, LazySeries, Planning};
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

    /// See [`LazyFrame::about`].
    fn about(&self) -> usize;

    /// The frame without rows.
    fn schema(&self) -> &Self::Frame;

    /// See [`LazyFrame::collect`].
    fn collect(&self) -> Result<Self::Frame>;

    /// See [`LazyFrame::collect_unlabelled`].
    fn collect_unlabelled(&self) -> Result<Self::Frame>;

    // What is planned of series alone.

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

            fn about(&self) -> usize {
                self.about()
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

/// A frame or series, or a plan until somebody asks for its rows.
pub struct Held<P: Plan> {
    ready: OnceLock<P::Frame>,
    /// The rows of a plan without their labels, if somebody asked for elements alone.
    unlabelled: OnceLock<P::Frame>,
    plan: Option<P>,
}

impl<P: Plan> Held<P> {
    /// A frame that is there.
    pub fn ready(frame: P::Frame) -> Self {
        Self { ready: OnceLock::from(frame), unlabelled: OnceLock::new(), plan: None }
    }

    /// A frame that is planned.
    pub fn later(plan: P) -> Self {
        Self { ready: OnceLock::new(), unlabelled: OnceLock::new(), plan: Some(plan) }
    }

    /// The same, for another handle.
    pub fn shared(&self) -> Self {
        match (self.now(), &self.plan) {
            (Some(frame), _) => Self::ready(frame.clone()),
            (None, plan) => {
                Self { ready: OnceLock::new(), unlabelled: self.unlabelled.clone(), plan: plan.clone() }
            }
        }
    }

    /// The frame, if it is there.
    pub fn now(&self) -> Option<&P::Frame> {
        self.ready.get()
    }

    /// The plan of a frame that is not there.
    pub fn plan(&self) -> Option<&P> {
        if self.now().is_some() { None } else { self.plan.as_ref() }
    }

    /// The frame, or one without rows where it is planned: labels and dtypes.
    pub fn schema(&self) -> &P::Frame {
        match (self.now(), &self.plan) {
            (Some(frame), _) => frame,
            (None, Some(plan)) => plan.schema(),
            (None, None) => unreachable!("a handle holds a frame or a plan"),
        }
    }

    /// The frame, whose rows are found now unless they were.
    pub fn frame(&self) -> PyResult<&P::Frame> {
        if let Some(frame) = self.now() {
            return Ok(frame);
        }
        let plan = self.plan.as_ref().expect("a handle holds a frame or a plan");
        let made = found(plan, true)?;
        let _section = fork::section();
        Ok(self.ready.get_or_init(|| made))
    }

    /// The frame, for writing.
    pub fn frame_mut(&mut self) -> PyResult<&mut P::Frame> {
        self.frame()?;
        self.plan = None;
        Ok(self.ready.get_mut().expect("the frame is there"))
    }

    /// The frame; of a plan the rows without their labels, for those who ask for elements alone.
    pub fn unlabelled(&self) -> PyResult<&P::Frame> {
        let Some(plan) = self.plan() else { return self.frame() };
        if let Some(frame) = self.unlabelled.get() {
            return Ok(frame);
        }
        let made = found(plan, false)?;
        let _section = fork::section();
        Ok(self.unlabelled.get_or_init(|| made))
    }

    /// What `f` plans of the plan, if it is one.
    pub fn planned<Q>(&self, f: impl FnOnce(&P) -> Result<Option<Q>>) -> PyResult<Option<Q>> {
        self.plan().map_or(Ok(None), |plan| f(plan).py())
    }
}

/// The rows of a plan, found now.
fn found<P: Plan>(plan: &P, labelled: bool) -> PyResult<P::Frame> {
    let (size, begin) = (plan.about().min(UNKNOWN_SIZE - 1), Instant::now());
    Python::attach(|py| {
        let find = || if labelled { plan.collect() } else { plan.collect_unlabelled() };
        let made = run(py, "merge", size, |ctx| ctx.scope(find))?;
        if Planning::chosen() == Planning::Trace {
            let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
            py.import("cuprum.core.deferred")?.call_method1("tell_where", (labelled, milliseconds))?;
        }
        Ok(made)
    })
}
