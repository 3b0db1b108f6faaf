//! Exponentially weighted means.

use cuprum_column::{Column, Context, Error, HostUVec, Result, null_mask};
use cuprum_runtime::backend::{host_only, on_no_device};
use cuprum_runtime::nvtx::func_range;

use crate::elements::{CHUNK, Input};

/// How values are weighted by [`ewm_mean`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EwmOptions {
    /// A value has `center_of_mass / (1 + center_of_mass)` of the weight of the next one.
    pub center_of_mass: f64,
    /// Weights begin with the first value; else it stands for all that might have been before it.
    pub adjust: bool,
    /// Weights fade from value to value, else from row to row.
    pub ignore_missing: bool,
    /// Results of fewer values are null; 0 is as 1.
    pub min_periods: usize,
}

impl Default for EwmOptions {
    fn default() -> Self {
        Self { center_of_mass: 0.0, adjust: true, ignore_missing: false, min_periods: 0 }
    }
}

on_no_device!(EwmOptions);

/// The exponentially weighted mean of the values up to each row: `Float64`, null before the first value. Missing
/// values (null and NaN) do not take part; their rows have the mean of the rows before.
///
/// Every step is pandas', and so are the results, to the bit. One thread: a mean is made of the last.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers, and with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a centre of mass that is negative or not finite.
///
/// ```
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::{EwmOptions, ewm_mean};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 4], ctx)?;
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// assert_eq!(ewm_mean(&values, options, ctx)?.view()?.values::<f64>()?, [1.0, 3.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn ewm_mean(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.ewm_mean");
    host_only!(ctx, [column], ewm_mean(&column, options));
    if !column.data_type().is_numeric() {
        return Err(Error::data_type(format!("`column` is {}, not numbers", column.data_type())));
    }
    let mass = options.center_of_mass;
    if !(mass >= 0.0 && mass.is_finite()) {
        return Err(Error::invalid_argument(format!("`center_of_mass` is {mass}, not a number from 0 on")));
    }
    let view = column.view()?;
    let (input, valid) = (Input::<f64>::of_column(&view)?, view.validity());
    let mut means = HostUVec::filled(f64::NAN, column.len(), ctx)?;
    let mut mean = Weighted::new(options);
    let mut buffer = [0.0; CHUNK];
    for (i, out) in means.chunks_mut(CHUNK).enumerate() {
        if i.is_multiple_of(64) {
            ctx.check()?;
        }
        let start = i * CHUNK;
        let values = input.chunk(start..start + out.len(), &mut buffer);
        for ((row, &value), slot) in (start..).zip(values).zip(out) {
            let is_there = !value.is_nan() && valid.is_none_or(|bits| bits.get(row));
            mean.add(is_there.then_some(value));
            *slot = mean.result();
        }
    }
    // Infinities may give NaN, which is no null: nulls are the rows with too few values, the first ones.
    let nulls = mean.rows_before_enough;
    let mask = null_mask::from_fn(column.len(), ctx, |row| row >= nulls)?;
    Column::from_values(means).with_mask(Some(mask), ctx)
}

struct Weighted {
    options: EwmOptions,
    /// `None` before the first value.
    mean: Option<f64>,
    /// Of all values so far, when the next has weight 1 (or alpha, where weights are not adjusted).
    weight: f64,
    count: usize,
    rows_before_enough: usize,
}

impl Weighted {
    fn new(options: EwmOptions) -> Self {
        Self { options, mean: None, weight: 1.0, count: 0, rows_before_enough: 0 }
    }

    fn add(&mut self, value: Option<f64>) {
        let alpha = 1.0 / (1.0 + self.options.center_of_mass);
        let next = if self.options.adjust { 1.0 } else { alpha };
        match (self.mean, value) {
            (None, value) => self.mean = value,
            (Some(_), None) if self.options.ignore_missing => {}
            (Some(_), None) => self.weight *= 1.0 - alpha,
            (Some(mean), Some(value)) => {
                self.weight *= 1.0 - alpha;
                if mean != value {
                    self.mean = Some((self.weight * mean + next * value) / (self.weight + next));
                }
                self.weight = if self.options.adjust { self.weight + next } else { 1.0 };
            }
        }
        self.count += usize::from(value.is_some());
        self.rows_before_enough += usize::from(self.count < self.options.min_periods.max(1));
    }

    fn result(&self) -> f64 {
        self.mean.unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    /// What pandas gives for the same values.
    #[test]
    fn means_of_pandas() {
        let ctx = &Context::current();
        let values = [None, Some(1.0), Some(5.0), None, Some(f64::NAN), Some(7.0), Some(2.0)];
        let column = Column::from_options(&values, ctx).unwrap();
        let of = |adjust, ignore_missing, min_periods| {
            let options = EwmOptions { center_of_mass: 0.5, adjust, ignore_missing, min_periods };
            let means = ewm_mean(&column, options, ctx).unwrap();
            (0..7).map(|row| means.get(row).unwrap().as_f64()).collect::<Vec<_>>()
        };
        let some = |values: [f64; 6]| std::iter::once(None).chain(values.map(Some)).collect::<Vec<_>>();
        let (mean, third) = (3.9999999999999996, 3.6666666666666665);
        assert_eq!(of(true, false, 0), some([1.0, mean, mean, mean, 6.858823529411764, 3.2591463414634148]));
        assert_eq!(of(true, true, 0), some([1.0, mean, mean, mean, 6.076923076923077, 3.325]));
        assert_eq!(
            of(false, false, 0),
            some([1.0, third, third, third, 6.8245614035087705, 3.6081871345029235])
        );
        assert_eq!(
            of(false, true, 2)[1..],
            [None, Some(third), Some(third), Some(third), Some(5.888888888888888), Some(3.2962962962962963)]
        );
        let refused = EwmOptions { center_of_mass: -0.5, ..EwmOptions::default() };
        assert_eq!(ewm_mean(&column, refused, ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let texts = Column::from_strs(&["a"], ctx).unwrap();
        assert_eq!(ewm_mean(&texts, EwmOptions::default(), ctx).unwrap_err().kind(), ErrorKind::DataType);
    }
}
