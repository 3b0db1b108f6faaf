//! The examples run, and check what they show.

#[allow(dead_code)] // `main`, which takes its rows from the command line.
#[path = "../examples/beyond_32_bits.rs"]
mod beyond_32_bits;
#[allow(dead_code)] // Likewise.
#[path = "../examples/billion_rows.rs"]
mod billion_rows;
#[path = "../examples/custom_kernel.rs"]
mod custom_kernel;
#[path = "../examples/first_table.rs"]
mod first_table;
#[path = "../examples/nested_types.rs"]
mod nested_types;
#[path = "../examples/strings.rs"]
mod strings;

#[test]
fn the_first_table() {
    first_table::main().unwrap();
}

#[test]
fn the_custom_kernel() {
    custom_kernel::main().unwrap();
}

#[test]
fn strings_as_columns() {
    strings::main().unwrap();
}

#[test]
fn lists_and_structs() {
    nested_types::main().unwrap();
}

#[test]
fn rows_in_pieces_as_beyond_32_bits() {
    beyond_32_bits::checked(10_001).unwrap();
    cuprum_keys::equality::row_limit::with_most_rows(3_000, || beyond_32_bits::checked(10_001)).unwrap();
}

#[test]
fn fewer_than_a_billion_rows() {
    let table = billion_rows::summary(1_000_000).unwrap();
    assert_eq!((table.num_rows(), table.num_columns()), (100, 5));
    let rows = |column: usize| (0..100).map(move |row| (row, column));
    let value = |(row, column): (usize, usize)| table.columns()[column].get(row).unwrap().as_f64().unwrap();
    assert!((0..100).all(|station| value((station, 0)) == station as f64));
    assert_eq!(rows(4).map(value).sum::<f64>(), 1e6);
    for station in 0..100 {
        let own = f64::from((station / 4) as i32);
        let [least, mean, most] = [1, 2, 3].map(|column| value((station, column)));
        assert_eq!((least, most), (own - 20.0, own + 20.0), "station {station}");
        assert!((mean - own).abs() < 1.0, "station {station} has {mean} degrees on average");
    }
}
