//! Operands along an axis on a device: nothing of them is done by the host.

use cuprum::axis::{CompareOptions, OperatorOptions, UpdateOptions};
use cuprum::prelude::*;
use cuprum::{Axis, Operand};
use cuprum_column::{Device, Result};
use cuprum_runtime::backend::{Fallback, set_fallback};

/// Whether what `f` makes on the emulator stays there and is what it makes on the host.
fn agrees(what: &str, f: impl Fn(&DataFrame) -> Result<DataFrame>) {
    let made = |device| {
        let ctx = &Context::on(device).unwrap();
        let x = Column::from_options(&[Some(3.0), Some(1.0), None, Some(2.0)], ctx).unwrap();
        let y = Column::from_slice(&[1.5f64, f64::NAN, -2.0, 0.0], ctx).unwrap();
        f(&DataFrame::new([("x", x), ("f", y)]).unwrap()).unwrap()
    };
    let (here, there) = (made(Device::Cpu), made(Device::EMULATOR));
    assert_eq!(there.place(), Some(Device::EMULATOR), "{what}");
    let back = there.to_host().unwrap();
    assert!(back.equals(&here).unwrap(), "{what}: {back} {here}");
}

#[test]
fn values_along_an_axis_need_no_host() {
    set_fallback(Fallback::Error);
    let ctx = |d: &DataFrame| d.context();
    let row = |d: &DataFrame| {
        DataFrame::new([
            ("f", Column::from_slice(&[0.5f64], &ctx(d)?)?),
            ("x", Column::from_slice(&[2.0], &ctx(d)?)?),
        ])
    };
    let column = |d: &DataFrame| Column::from_slice(&[1.0f64, 2.0, f64::NAN, 4.0], &ctx(d)?);
    let flags = |d: &DataFrame| Column::from_bools(&[true, false, true, false], &ctx(d)?);
    agrees("where along the rows", |d| {
        let (flags, column) = (flags(d)?.into(), column(d)?.into());
        let rows = |column| Operand::Values(column, Axis::Rows);
        d.where_with(rows(&flags), rows(&column), false)
    });
    agrees("mask along the columns", |d| {
        d.mask(Operand::Values(&flags(d)?.into(), Axis::Rows), Operand::Row(&row(d)?))
    });
    agrees("clip along the columns", |d| d.clip_with(Operand::Row(&row(d)?), Operand::Missing));
    agrees("clip along the rows", |d| {
        d.clip_with(Operand::Missing, Operand::Values(&column(d)?.into(), Axis::Rows))
    });
    agrees("fillna along the columns", |d| d.fillna_with(Operand::Row(&row(d)?), Some(1)));
    agrees("fillna along the rows", |d| d.fillna_with(Operand::Values(&column(d)?.into(), Axis::Rows), None));
    agrees("operators along both", |d| {
        let sum = d.operate(BinaryOperator::Add, Operand::Row(&row(d)?), OperatorOptions::default())?;
        let column = column(d)?.into();
        let options = OperatorOptions { reflected: true, ..OperatorOptions::default() };
        sum.operate(BinaryOperator::Sub, Operand::Values(&column, Axis::Rows), options)
    });
    agrees("two frames", |d| {
        let filled = d.fillna(&Scalar::from(9.0))?;
        let made = d.combine_first(&filled)?.update(&filled, UpdateOptions::default())?;
        made.compare(d, &CompareOptions { below: true, ..CompareOptions::default() })
    });
}
