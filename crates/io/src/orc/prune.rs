//! The stripes that a filter leaves to be decoded: those that their statistics do not rule out.
//!
//! Statistics that are missing, damaged or of kinds that say nothing rule out nothing.

use arrow_schema::{DataType as ArrowType, SchemaRef, TimeUnit};
use cuprum_column::{DataType, Result};

use super::read::{Opened, Wanted};
use super::schema::{Kind, Node};
use super::statistics::{ColumnStatistics, Statistic};
use crate::bounds::{Key, Known};
use crate::filter::{Bound, Filter};
use crate::{Source, batches};

/// Writers before it had minima and maxima of texts in another order (HIVE-8732).
const TEXTS_IN_ORDER: u64 = 1;
const DAY: i128 = 86_400_000;

/// A filter over the columns of a file. Fails as [`Bound::new`], and where there is no such column.
pub(super) fn bind(source: &Source, schema: &SchemaRef, filter: &Filter) -> Result<Bound> {
    let position = |name: &str| {
        let found = batches::positions(source, schema, Some(&[name.to_owned()]));
        found.map(|positions| positions[0]).map_err(|e| e.context("`filters`"))
    };
    let field = |position: usize| {
        let field = schema.field(position);
        let arrow = match field.data_type() {
            // The zone stands in the field.
            ArrowType::Timestamp(unit, _) => &ArrowType::Timestamp(*unit, None),
            other => other,
        };
        let data_type = DataType::stored_as(arrow).map_err(|e| {
            e.context(format!("`filters`: column '{}'", field.name())).context(source.to_string())
        })?;
        Ok((field.clone(), data_type))
    };
    Bound::new(filter, position, field)
}

impl Opened {
    /// Whether texts of a column are counted as they are read: those of a fixed length may be padded.
    fn has_plain_texts(&self, node: &Node) -> bool {
        const STRING: u64 = 7;
        const VARCHAR: u64 = 16;
        let own = usize::try_from(node.id).ok().and_then(|id| self.footer.types.get(id));
        own.is_some_and(|own| matches!(own.kind, STRING | VARCHAR))
    }
}

/// Takes away the stripes in which nothing can meet the filter.
pub(super) fn stripes(of: &Opened, filter: &Bound, wanted: &mut Vec<Wanted>) {
    let Ok(statistics) = of.stripe_statistics() else { return };
    if statistics.len() != of.footer.stripes.len() {
        return;
    }
    wanted.retain(|stripe| {
        let may = |column: usize, met: &dyn Fn(&Known<'_>) -> bool| {
            let node = &of.top.children[column];
            let own = usize::try_from(node.id).ok().and_then(|id| statistics[stripe.number].get(id));
            let Some(own) = own else { return true };
            let (least, greatest) = bounds(of, node, own).unzip();
            let values = own.number_of_values;
            met(&Known {
                least: least.as_ref(),
                greatest: greatest.as_ref(),
                no_nulls: values == Some(stripe.rows as u64),
                all_nulls: values == Some(0) && own.has_null == Some(true),
            })
        };
        filter.0.iter().any(|all| {
            all.iter().all(|condition| may(condition.column, &|known| condition.may_be_met(known)))
        })
    });
}

/// The least and the greatest value of a column, as it is read.
fn bounds(of: &Opened, node: &Node, statistics: &ColumnStatistics) -> Option<(Key, Key)> {
    let find = |name: &str| statistics.others.iter().find(|(own, _)| *own == name).map(|(_, value)| value);
    let both = |least: &str, greatest: &str| find(least).zip(find(greatest));
    Some(match node.kind {
        Kind::Boolean => {
            let Statistic::Counts(counts) = find("count")? else { return None };
            let (trues, values) = (*counts.first()?, statistics.number_of_values?);
            (Key::Whole(i128::from(trues == values)), Key::Whole(i128::from(trues > 0)))
        }
        Kind::Byte | Kind::Integer(_) => whole(both("minimum", "maximum")?)?,
        Kind::Date if !of.has_julian_days() => whole(both("minimum", "maximum")?)?,
        Kind::Float | Kind::Double => match both("minimum", "maximum")? {
            (Statistic::Float(least), Statistic::Float(greatest)) => {
                (Key::Float(*least), Key::Float(*greatest))
            }
            _ => return None,
        },
        Kind::String if of.postscript.rules >= TEXTS_IN_ORDER && of.has_plain_texts(node) => {
            let least = find("minimum").or_else(|| find("lower_bound"))?;
            let greatest = find("maximum").or_else(|| find("upper_bound"))?;
            match (least, greatest) {
                (Statistic::Text(least), Statistic::Text(greatest)) => {
                    (Key::Bytes(least.clone().into_bytes()), Key::Bytes(greatest.clone().into_bytes()))
                }
                _ => return None,
            }
        }
        Kind::Timestamp { .. } if !of.has_julian_days() => {
            let nanoseconds = match node.field.data_type() {
                ArrowType::Timestamp(TimeUnit::Second, _) => 1_000_000_000,
                ArrowType::Timestamp(TimeUnit::Millisecond, _) => 1_000_000,
                ArrowType::Timestamp(TimeUnit::Microsecond, _) => 1_000,
                ArrowType::Timestamp(TimeUnit::Nanosecond, _) => 1,
                _ => return None,
            };
            let (Statistic::Integer(least), Statistic::Integer(greatest)) =
                both("minimum_utc", "maximum_utc")?
            else {
                return None;
            };
            // Writers differ in whether clocks of other zones count as they show, and milliseconds are cut off: a
            // day on either side is more than all of that.
            let unit = |milliseconds: i128| (milliseconds * 1_000_000).div_euclid(nanoseconds);
            (Key::Whole(unit(i128::from(*least) - DAY)), Key::Whole(unit(i128::from(*greatest) + DAY)))
        }
        Kind::Decimal { scale, .. } => match both("minimum", "maximum")? {
            (Statistic::Text(least), Statistic::Text(greatest)) => {
                let (least, greatest) = (unscaled(least, scale)?, unscaled(greatest, scale)?);
                (Key::Whole(least.0), Key::Whole(greatest.1))
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn whole(bounds: (&Statistic, &Statistic)) -> Option<(Key, Key)> {
    match bounds {
        (Statistic::Integer(least), Statistic::Integer(greatest)) => {
            Some((Key::Whole(i128::from(*least)), Key::Whole(i128::from(*greatest))))
        }
        _ => None,
    }
}

/// The digits of a decimal as an integer of so many behind the point, rounded down and up.
fn unscaled(text: &str, scale: i8) -> Option<(i128, i128)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale = usize::try_from(scale).ok()?;
    let (kept, rest) = fraction.split_at_checked(scale.min(fraction.len()))?;
    if whole.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') || fraction.contains('.')
    {
        return None;
    }
    let value: i128 = format!("{whole}{kept:0<scale$}").parse().ok()?;
    let more = i128::from(rest.bytes().any(|b| b != b'0'));
    Some(if negative { (-value - more, -value) } else { (value, value + more) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_of_statistics() {
        assert_eq!(unscaled("1.5", 2), Some((150, 150)));
        assert_eq!(unscaled("-0.075", 2), Some((-8, -7)));
        assert_eq!(unscaled("0.075", 2), Some((7, 8)));
        assert_eq!(unscaled("7", 0), Some((7, 7)));
        assert_eq!(unscaled("-12", 3), Some((-12_000, -12_000)));
        for odd in ["", "-", "1e5", ".5", "1.2.3", "ü", "1.ü"] {
            assert_eq!(unscaled(odd, 2), None, "{odd}");
        }
    }
}
