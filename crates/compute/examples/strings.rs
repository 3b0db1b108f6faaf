//! Text as columns: `cargo run --release --example strings`.
//!
//! A column of strings is two buffers: the characters of all rows one after the other, as UTF-8, and where each row
//! begins. Functions take whole columns, and a null stays null.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_compute::copying::copy_if_else;
use cuprum_compute::groupby::group_and_aggregate;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::strings::{attributes, case, combine, convert, extract, find, slice, split};

/// The whole example.
pub fn main() -> Result<()> {
    let ctx = &Context::current();
    let lines = Column::from_opt_strs(
        &[
            Some("2026-03-01 ada.lovelace@example.com  paid 120 EUR"),
            Some("2026-03-01 grace.hopper@navy.example paid 75 EUR"),
            None,
            Some("2026-03-02 édouard.lucas@example.com refunded 9 EUR"),
        ],
        ctx,
    )?;

    // A regular expression with groups: a column for each group, null where it does not match.
    let pattern = r"(\S+) (\S+)@(\S+)\s+(paid|refunded) (\d+)";
    let parts = extract::extract(&lines, pattern, true, ctx)?;
    let [day, user, host, what, amount] = &parts[..] else { unreachable!("the pattern has five groups") };
    println!("{user:?}\n{host:?}");
    assert_eq!(user.null_count()?, 1);

    // Text as numbers, with the type that is asked for. A text that is none would be an error that says which row;
    // `from_strings_or_null` makes null of it.
    let amount = convert::from_strings(amount, DataType::Int64, ctx)?;
    let total = reduce(&amount, Aggregation::Sum, ctx)?;
    println!("{amount:?}, {total} in all");
    assert_eq!(total.as_i64(), Some(204));

    // Split, capitalized and put together again: characters are those of Unicode, not bytes.
    let names = split::split(user, Some("."), None, false, ctx)?;
    let names = names.iter().map(|part| case::capitalize(part, ctx)).collect::<Result<Vec<_>>>()?;
    let full = combine::concatenate(&[&names[0], &names[1]], " ", None, ctx)?;
    let (characters, bytes) =
        (attributes::count_characters(&full, ctx)?, attributes::count_bytes(&full, ctx)?);
    println!("{full:?}: {characters:?} characters, {bytes:?} bytes");
    assert_eq!(full.get(3)?.as_str(), Some("Édouard Lucas"));
    assert_eq!((characters.get(3)?.as_i64(), bytes.get(3)?.as_i64()), (Some(13), Some(14)));

    // Redacted where the host is not ours: the first letter and three dots.
    let is_ours = find::ends_with(host, "example.com", ctx)?;
    let dots = slice::slice_replace(&full, Some(1), None, "...", ctx)?;
    let shown = copy_if_else(&full, &dots, &is_ours, ctx)?;
    println!("shown: {shown:?}");
    assert_eq!(shown.get(1)?.as_str(), Some("G..."));

    // Strings are keys like any other.
    let keys = Table::new(vec![day.clone(), what.clone()])?;
    let (groups, sums) = group_and_aggregate(&keys, true, &[(&amount, Aggregation::Sum)], ctx)?;
    println!("{} groups of day and kind, with {:?}", groups.num_groups, sums[0]);
    assert_eq!(groups.num_groups, 2);
    Ok(())
}
