//! Comparability of columns, all the way down.

use crate::column::Column;
use crate::types::DataType;

/// Whether two columns have the same type with all that is inside: elements of lists, fields of structs
/// in their order, keys of dictionaries. The widths of offsets and indices do not matter.
pub fn have_same_types(a: &Column, b: &Column) -> bool {
    let (left, right) = (inside(a), inside(b));
    a.data_type() == b.data_type()
        && left.len() == right.len()
        && left.iter().zip(right).all(|(a, b)| have_same_types(a, b))
}

/// The type of a column with those inside of it: `list<struct<int32, str>>`.
pub fn type_name(column: &Column) -> String {
    let name = column.data_type().to_string();
    match inside(column) {
        [] => name,
        inside => format!("{name}<{}>", inside.iter().map(type_name).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether elements of the column can be compared for equality, with all that is inside.
pub fn is_equality_comparable(column: &Column) -> bool {
    column.data_type().is_equality_comparable() && inside(column).iter().all(is_equality_comparable)
}

/// Whether elements of the column have an order, with all that is inside.
pub fn is_relationally_comparable(column: &Column) -> bool {
    column.data_type().is_relationally_comparable() && inside(column).iter().all(is_relationally_comparable)
}

/// The columns whose types make the type of this one.
fn inside(column: &Column) -> &[Column] {
    match column.data_type() {
        DataType::List | DataType::Dictionary32 => column.children().get(1..2).unwrap_or_default(),
        DataType::Struct => column.children(),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    #[test]
    fn types_are_compared_all_the_way_down() {
        let ctx = Context::current();
        let ints = Column::from_slice(&[1i32, 2], &ctx).unwrap();
        let longs = Column::from_slice(&[1i64, 2], &ctx).unwrap();
        let lists = |offsets: &Column, elements: &Column| {
            Column::lists(offsets.clone(), elements.clone(), None).unwrap()
        };
        let small = Column::from_slice(&[0i32, 2], &ctx).unwrap();
        let large = Column::from_slice(&[0i64, 2], &ctx).unwrap();
        assert!(have_same_types(&lists(&small, &ints), &lists(&large, &ints)));
        assert!(!have_same_types(&lists(&small, &ints), &lists(&small, &longs)));
        let structs = |fields: &[&Column]| {
            Column::structs(2, fields.iter().map(|&c| c.clone()).collect(), None).unwrap()
        };
        assert!(have_same_types(&structs(&[&ints, &longs]), &structs(&[&ints, &longs])));
        assert!(!have_same_types(&structs(&[&ints, &longs]), &structs(&[&longs, &ints])));
        assert!(!have_same_types(&structs(&[&ints]), &structs(&[&ints, &ints])));
        let nothing = Column::nulls(DataType::Empty, 2, &ctx).unwrap();
        assert!(is_relationally_comparable(&structs(&[&ints])));
        assert!(!is_equality_comparable(&structs(&[&ints, &nothing])));
        assert!(!is_equality_comparable(&lists(&small, &nothing)));
    }
}
