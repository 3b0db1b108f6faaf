use cuprum_column::{Column, Context, DataType, ErrorKind, TimeUnit};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::assert_table_eq;
use proptest::prelude::*;

use super::*;

fn ctx() -> Context {
    Tracked::current()
}

fn options() -> ReadOptions {
    ReadOptions::default()
}

pub(super) fn packed(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, text).unwrap();
    packer.finish().unwrap()
}

/// Reads with one chunk, then with chunks of every small size, and the same packed by gzip: all must agree.
fn read_with(text: &str, options: &ReadOptions) -> Result<Content> {
    let sources = [
        (Source::from(text.as_bytes()), options.compression),
        (Source::from(packed(text.as_bytes())), Compression::Gzip),
    ];
    let whole = read_csv(&sources[0].0, options, &ctx());
    let sizes = (1..=24).chain([31, 47, 64]);
    for (chunk_bytes, (source, compression)) in
        sizes.flat_map(|size| sources.iter().map(move |one| (size, one)))
    {
        let options = ReadOptions { chunk_bytes, compression: *compression, ..options.clone() };
        let cut = read_csv(source, &options, &ctx());
        match (&whole, &cut) {
            (Ok(whole), Ok(cut)) => {
                assert_eq!(whole.data.names, cut.data.names, "{text:?} in chunks of {chunk_bytes}");
                assert_eq!(whole.offsets, cut.offsets, "{text:?} in chunks of {chunk_bytes}");
                assert_table_eq(&cut.data.table, &whole.data.table);
            }
            (Err(whole), Err(cut)) => assert_eq!(whole.to_string(), cut.to_string(), "{text:?}"),
            _ => panic!("{text:?} in chunks of {chunk_bytes}: {whole:?}, {cut:?}"),
        }
    }
    whole
}

/// Columns as `name:type[value, …]`.
fn show(read: &Content) -> String {
    let named = &read.data;
    let column = |(name, column): (&String, &Column)| {
        let values: Vec<String> = (0..column.len()).map(|i| column.get(i).unwrap().to_string()).collect();
        format!("{name}:{}[{}]", column.data_type(), values.join(", "))
    };
    named.names.iter().zip(named.table.columns()).map(column).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_with(text: &str, options: &ReadOptions, expected: &str) {
    match read_with(text, options) {
        Ok(named) => assert_eq!(show(&named), expected, "{text:?}"),
        Err(error) => panic!("{text:?}: {error}"),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(text, &options(), expected);
}

#[track_caller]
fn check_error(text: &str, options: &ReadOptions, kind: ErrorKind, parts: &[&str]) {
    let error = read_with(text, options).map(|named| show(&named)).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    for part in parts {
        assert!(error.to_string().contains(part), "{error} does not say {part:?}");
    }
}

#[test]
fn types_are_inferred_over_the_whole_column() {
    check("a\n1\n-2\n", "a:int64[1, -2]");
    check("a\n 1 \n+2\n\t3\n", "a:int64[1, 2, 3]");
    check("a\n1\n2.5\n", "a:float64[1.0, 2.5]");
    check("a\n1e5\n2\n", "a:float64[100000.0, 2.0]");
    check("a,b\n 1.5 ,3\n+2.,4\n.5,5\n", "a:float64[1.5, 2.0, 0.5] b:int64[3, 4, 5]");
    check("a\n1\nx\n2\n", "a:str[\"1\", \"x\", \"2\"]");
    check("a\nTrue\nfalse\nTRUE\n", "a:bool[true, false, true]");
    check("a\nTrue\nNA\n", "a:bool[true, null]");
    check("a\n True\nFalse\n", "a:str[\" True\", \"False\"]");
    check("a\n1\nTrue\n", "a:str[\"1\", \"True\"]");
    check("a\ntrUe\n", "a:str[\"trUe\"]");
    check("a\n-\n+\n", "a:str[\"-\", \"+\"]");
    check("a\n.\n", "a:str[\".\"]");
    check("a\n1 2\n", "a:str[\"1 2\"]");
    check("a\n1.5.\n", "a:str[\"1.5.\"]");
    check("a\n1_000\n0x10\n", "a:str[\"1_000\", \"0x10\"]");
    check("a\n1e\n", "a:str[\"1e\"]");
    check("a\n-0\n0.5\n", "a:float64[-0.0, 0.5]");
    check("a\n0001\n", "a:int64[1]");
    check("a\n1e400\n1\n", "a:float64[inf, 1.0]");
    check("a\n inf\n1\n", "a:str[\" inf\", \"1\"]");
    check("a\nINFINITY\n-inf\n+inf\n", "a:float64[inf, -inf, inf]");
}

#[test]
fn wide_integers() {
    check(
        "a\n9223372036854775807\n-9223372036854775808\n",
        "a:int64[9223372036854775807, -9223372036854775808]",
    );
    check("a\n18446744073709551615\n1\n", "a:uint64[18446744073709551615, 1]");
    check("a\n1\n9223372036854775808\n", "a:uint64[1, 9223372036854775808]");
    check("a\n18446744073709551615\n-1\n", "a:str[\"18446744073709551615\", \"-1\"]");
    check("a\n-1\n1\n18446744073709551615\n", "a:str[\"-1\", \"1\", \"18446744073709551615\"]");
    check("a\n-1\n18446744073709551615\n1.5\n", "a:float64[-1.0, 1.8446744073709552e19, 1.5]");
    check("a\n18446744073709551616\n1\n", "a:str[\"18446744073709551616\", \"1\"]");
    check("a\n18446744073709551616\n1.5\n", "a:float64[1.8446744073709552e19, 1.5]");
    check("a\n-9223372036854775809\n1\n", "a:str[\"-9223372036854775809\", \"1\"]");
    check("a\n00000000000000000000000000000001\n", "a:int64[1]");
}

#[test]
fn floats_are_correctly_rounded() {
    for text in [
        "0.1",
        "1e23",
        "8.5e-45",
        "9007199254740993",
        "123456789012345678901.5",
        "4.9e-324",
        "2.2250738585072011e-308",
        "0.3",
        "1.7976931348623157e308",
        "3.14159265358979323846",
        "1e-7",
        "5e22",
        "0.000001",
    ] {
        check(&format!("a\n0.5\n{text}\n"), &format!("a:float64[0.5, {:?}]", text.parse::<f64>().unwrap()));
    }
}

#[test]
fn missing_values() {
    let all: Vec<&str> = DEFAULT_NA_VALUES.to_vec();
    let text = format!("a,b\n{}\n", all.iter().map(|na| format!("1,{na}")).collect::<Vec<_>>().join("\n"));
    let named = read_with(&text, &options()).unwrap();
    assert_eq!(named.data.table.columns()[1].null_count().unwrap(), all.len());
    assert_eq!(named.data.table.columns()[1].data_type(), DataType::Float64);
    check("a\n1\nNA\n3\n", "a:int64[1, null, 3]");
    check("a\nx\nnull\n\"NA\"\n", "a:str[\"x\", null, null]");
    check("a\n\"\"\n1\n", "a:int64[null, 1]");
    check("a\n NA\nNAN\n", "a:str[\" NA\", \"NAN\"]");
    let na = |values: &[&str]| ReadOptions {
        na_values: values.iter().map(|v| (*v).to_string()).collect(),
        ..options()
    };
    check_with("a,b\n1,x\n999,y\n", &na(&["999", "y"]), "a:int64[1, null] b:str[\"x\", null]");
    check_with("a\n999.0\n999\n1.5\n", &na(&["999"]), "a:float64[null, null, 1.5]");
    let plain = ReadOptions { keep_default_na: false, skip_blank_lines: false, ..options() };
    check_with("a\n1\n\n2\n", &plain, "a:str[\"1\", \"\", \"2\"]");
    check_with("a\nnan\n1\n", &plain, "a:str[\"nan\", \"1\"]");
}

#[test]
fn quotes() {
    check("a,b\n\"1\",\"x, y\"\n2,\"say \"\"hi\"\"\"\n", "a:int64[1, 2] b:str[\"x, y\", \"say \\\"hi\\\"\"]");
    check("a,b\n1,\"two\nlines\"\n2,\"\r\n\"\n", "a:int64[1, 2] b:str[\"two\\nlines\", \"\\r\\n\"]");
    check("a,b\n1,\"x\"y\"z\n", "a:int64[1] b:str[\"xy\\\"z\"]");
    // Quotes inside unquoted fields mean nothing, and must not mislead the cutting into chunks.
    check(
        "a,b\n5\" pipe,1\n6\" pipe,2\n7 pipe,3\n\"8\" pipe\",4\n",
        "a:str[\"5\\\" pipe\", \"6\\\" pipe\", \"7 pipe\", \"8 pipe\\\"\"] b:int64[1, 2, 3, 4]",
    );
    check("\"a\"\"b\",c\n1,2\n", "a\"b:int64[1] c:int64[2]");
    check("\"a\nb\",c\n1,2\n", "a\nb:int64[1] c:int64[2]");
    check_with(
        "a;b\n'x;y';1\n",
        &ReadOptions { separator: b';', quote: b'\'', ..options() },
        "a:str[\"x;y\"] b:int64[1]",
    );
}

#[test]
fn lines() {
    check("a,b\r\n1,2\r\n3,4\r\n", "a:int64[1, 3] b:int64[2, 4]");
    check("a,b\n1,2\n3,4", "a:int64[1, 3] b:int64[2, 4]");
    check("a\n1\r2\r\n3\n", "a:int64[1, 2, 3]");
    check("a,b\r1,x\r2,y", "a:int64[1, 2] b:str[\"x\", \"y\"]");
    check("\u{feff}a,b\n1,2\n", "a:int64[1] b:int64[2]");
    check("\n\na\n\n1\n  \n2\n\n", "a:int64[1, 2]");
    check("a,b\n1,2\n3\n4,\n", "a:int64[1, 3, 4] b:int64[2, null, null]");
    check_with(
        "a,b\n1,2\n\n3,4\n",
        &ReadOptions { skip_blank_lines: false, ..options() },
        "a:int64[1, null, 3] b:int64[2, null, 4]",
    );
    check("größe,日本\n1,ß\n2,語\n", "größe:int64[1, 2] 日本:str[\"ß\", \"語\"]");
    check_with(
        "a\tb\n1\t\n\t2\n",
        &ReadOptions { separator: b'\t', ..options() },
        "a:int64[1, null] b:int64[null, 2]",
    );
    check_with(
        "a,b\n1,2#x\n#zz,\"\n3#,4\n",
        &ReadOptions { comment: Some(b'#'), ..options() },
        "a:int64[1, 3] b:int64[2, null]",
    );
}

#[test]
fn headers_and_names() {
    check("a,a,,a.1\n1,2,3,4\n", "a:int64[1] a.2:int64[2] Unnamed: 2:int64[3] a.1:int64[4]");
    check(",Unnamed: 0\n1,2\n", "Unnamed: 0.1:int64[1] Unnamed: 0:int64[2]");
    check(" a, b\n1,2\n", " a:int64[1]  b:int64[2]");
    check("a,b\n", "a:str[] b:str[]");
    check("a,b", "a:str[] b:str[]");
    let none = ReadOptions { header: Header::None, ..options() };
    check_with("1,x\n2,y\n", &none, "0:int64[1, 2] 1:str[\"x\", \"y\"]");
    let names = |names: &[&str]| Some(names.iter().map(|n| (*n).to_string()).collect::<Vec<_>>());
    check_with(
        "1,2\n3,4\n",
        &ReadOptions { names: names(&["p", "q", "r"]), ..options() },
        "p:int64[1, 3] q:int64[2, 4] r:float64[null, null]",
    );
    check_with(
        "a,b\n3,4\n",
        &ReadOptions { names: names(&["p", "q"]), header: Header::Row(0), ..options() },
        "p:int64[3] q:int64[4]",
    );
    check_with("x\n\na\n1\n", &ReadOptions { header: Header::Row(1), ..options() }, "a:int64[1]");
    check_with("x\n\na\n1\n", &ReadOptions { skiprows: 1, ..options() }, "a:int64[1]");
    check_error("", &options(), ErrorKind::InvalidArgument, &["the input", "no columns to parse from file"]);
    check_error("\n \n", &options(), ErrorKind::InvalidArgument, &["no columns to parse from file"]);
    check_error(
        "a\n1\n",
        &ReadOptions { header: Header::Row(5), ..options() },
        ErrorKind::InvalidArgument,
        &["row 5", "2 rows"],
    );
    check_error(
        "1,2\n",
        &ReadOptions { names: names(&["p"]), ..options() },
        ErrorKind::InvalidArgument,
        &["1 names", "2 fields"],
    );
    check_error(
        "1,2\n",
        &ReadOptions { names: names(&["p", "p"]), ..options() },
        ErrorKind::InvalidArgument,
        &["'p' twice"],
    );
}

#[test]
fn choosing_columns_and_rows() {
    let use_names = |names: &[&str]| Some(names.iter().map(|n| ColumnRef::from(*n)).collect::<Vec<_>>());
    let text = "a,b,c\n1,x,2.5\n3,y,4.5\n5,z,6.5\n";
    check_with(
        text,
        &ReadOptions { usecols: use_names(&["c", "a"]), ..options() },
        "a:int64[1, 3, 5] c:float64[2.5, 4.5, 6.5]",
    );
    check_with(
        text,
        &ReadOptions { usecols: Some(vec![ColumnRef::Position(1)]), nrows: Some(2), ..options() },
        "b:str[\"x\", \"y\"]",
    );
    check_with(text, &ReadOptions { nrows: Some(0), ..options() }, "a:str[] b:str[] c:str[]");
    check_with(
        text,
        &ReadOptions { nrows: Some(99), usecols: use_names(&["a"]), ..options() },
        "a:int64[1, 3, 5]",
    );
    check_with("a\n1\n2\nx\n", &ReadOptions { nrows: Some(2), ..options() }, "a:int64[1, 2]");
    check_with(
        "a,b\n1,2\n4,5,6\n",
        &ReadOptions { usecols: use_names(&["a"]), ..options() },
        "a:int64[1, 4]",
    );
    check_error(
        text,
        &ReadOptions { usecols: use_names(&["A"]), ..options() },
        ErrorKind::KeyNotFound,
        &["`usecols`", "'A'", "did you mean 'a'?"],
    );
    check_error(
        "price;quantity\n1;2\n",
        &ReadOptions { usecols: use_names(&["price"]), ..options() },
        ErrorKind::KeyNotFound,
        &["'price'", "single column", "';'"],
    );
    check_error(
        text,
        &ReadOptions { usecols: Some(vec![ColumnRef::Position(3)]), ..options() },
        ErrorKind::OutOfRange,
        &["column 3", "3 columns"],
    );
    let named = read_with(text, &ReadOptions { usecols: Some(vec![]), ..options() }).unwrap();
    assert_eq!((named.data.table.num_columns(), named.data.table.num_rows()), (0, 3));
}

#[test]
fn declared_types() {
    let dtype = |data_type| ReadOptions { dtype_all: Some(data_type), ..options() };
    check_with("a\n1\n1.0\nNA\n-128\n", &dtype(DataType::Int8), "a:int8[1, 1, null, -128]");
    check_with("a\n1\n255\n", &dtype(DataType::UInt8), "a:uint8[1, 255]");
    check_with("a\n18446744073709551615\n", &dtype(DataType::UInt64), "a:uint64[18446744073709551615]");
    check_with("a\n1\n0.1\n", &dtype(DataType::Float32), "a:float32[1.0, 0.10000000149011612]");
    check_with("a\n1\n\"\"\nx\n", &dtype(DataType::String), "a:str[\"1\", null, \"x\"]");
    check_with("a\n0\n1\nTrue\n", &dtype(DataType::Bool8), "a:bool[false, true, true]");
    check_with(
        "a\n1970-01-03\n1969-12-31 23:00\n",
        &dtype(DataType::Timestamp(TimeUnit::Days)),
        "a:datetime64[D][2, -1]",
    );
    check_with("a\n", &dtype(DataType::Int32), "a:int32[]");
    check_error(
        "a,b\n1,2\n300,4\n",
        &ReadOptions { dtype: vec![("a".into(), DataType::Int8)], ..options() },
        ErrorKind::InvalidArgument,
        &["line 3", "'a'", "'300'", "int8"],
    );
    check_error(
        "a,b\n1,\"2\nx\"\n",
        &dtype(DataType::Int64),
        ErrorKind::InvalidArgument,
        &["line 2", "'b'", "'2\nx'", "int64"],
    );
    check_error(
        "a\n1\n",
        &ReadOptions { dtype: vec![("b".into(), DataType::Int8)], ..options() },
        ErrorKind::KeyNotFound,
        &["`dtype`", "'b'"],
    );
    check_error(
        "a\n1\n",
        &dtype(DataType::Duration(TimeUnit::Days)),
        ErrorKind::Unsupported,
        &["'a'", "timedelta64[D]"],
    );
}

#[test]
fn times_say_the_offset_of_their_clock() {
    let dates = ReadOptions { parse_dates: vec!["d".into()], ..options() };
    let offset = |text: &str| {
        let read = read_with(&format!("a,d\n{text}"), &dates).unwrap();
        assert_eq!(read.offsets[0], None);
        (read.offsets[1], read.data.table.columns()[1].clone())
    };
    let instants = |text: &str| offset(text).1.get(0).unwrap().to_string();
    for (text, ahead, instant) in [
        ("1,1970-01-01T01:00:00Z\n1,\n1,1970-01-01 00:00-0000\n", Some(0), "3600000000"),
        ("1,\n1,1970-01-01 02:00:00.5+01:00\n1,1970-01-01 00+01\n", Some(60), "null"),
        ("1,1970-01-01 00:00-0530\n", Some(-330), "19800000000"),
        ("1,1970-01-01 00:00:00.123456789+2359\n", Some(1439), "-86339876543211"),
        ("1,1970-01-01\n1,1970-01-01 01:00\n", None, "0"),
        ("1,\n", None, "null"),
    ] {
        assert_eq!((offset(text).0, instants(text).as_str()), (ahead, instant), "{text}");
    }
    let mixed = ["1970-01-01", "1970-01-01T01:00:00Z", "1970-01-01T01:00:00.1234567+01:00"];
    for (one, other) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
        let csv = format!("d\n{0}\n{0}\n\"\"\n{1}\n", mixed[one], mixed[other]);
        check_error(&csv, &dates, ErrorKind::InvalidArgument, &["'d'", "mixed time zones detected"]);
        // A declared type takes the times of UTC whatever the clock.
        let declared = DataType::Timestamp(TimeUnit::Microseconds);
        let read =
            read_with(&csv, &ReadOptions { dtype: vec![("d".into(), declared)], ..options() }).unwrap();
        assert_eq!(read.offsets, [None]);
    }
}

#[test]
fn dates() {
    let dates = ReadOptions { parse_dates: vec!["d".into()], ..options() };
    let at = |text: &str| text.to_string();
    check_with(
        "d\n1970-01-01\n1970/01/02\n19700103\n1970-02\n1971\n",
        &dates,
        &at("d:datetime64[us][0, 86400000000, 172800000000, 2678400000000, 31536000000000]"),
    );
    let declared = DataType::Timestamp(TimeUnit::Microseconds);
    check_with(
        "d\n1970-01-01T00:00:01.5Z\n1970-01-01 01:00:00+01:00\n\"1970-01-01 00:00-0030\"\n1970-01-01 00\n\"\"\n",
        &ReadOptions { dtype: vec![("d".into(), declared)], ..options() },
        &at("d:datetime64[us][1500000, 0, 1800000000, 0, null]"),
    );
    check_with(
        "d\n1970-01-01 00:00:00.123456789\n1969-12-31 23:59:59.999999999\n",
        &dates,
        &at("d:datetime64[ns][123456789, -1]"),
    );
    check_with(
        "d\n1969-12-31 23:59:59.9\n0001-01-01\n9999-12-31\n2000-02-29\n",
        &dates,
        &at("d:datetime64[us][-100000, -62135596800000000, 253402214400000000, 951782400000000]"),
    );
    for bad in [
        "foo",
        "2001-02-29",
        "2020-13-01",
        "2020-01-00",
        "01/02/2020",
        "2020-01-01 24:00",
        "2020-01-01x",
        "2020-01-01 12:30:15.",
        "12",
    ] {
        check_error(
            &format!("d\n2020-01-01\n{bad}\n"),
            &dates,
            ErrorKind::InvalidArgument,
            &["line 3", "'d'", bad],
        );
    }
    check_error("d\n0001-01-01 00:00:00.0000001\n", &dates, ErrorKind::InvalidArgument, &["datetime64[ns]"]);
}

#[test]
fn numbers_in_other_notations() {
    let european = ReadOptions { separator: b';', thousands: Some(b'.'), decimal: b',', ..options() };
    check_with(
        "a;b;c\n1.000,5;1.000;True\n-2;3;False\n",
        &european,
        "a:float64[1000.5, -2.0] b:int64[1000, 3] c:bool[true, false]",
    );
    let thousands = ReadOptions { thousands: Some(b','), ..options() };
    check_with(
        "a,b\n\"1,000\",x\n\"2,000,000\",y\n",
        &thousands,
        "a:int64[1000, 2000000] b:str[\"x\", \"y\"]",
    );
    let words = ReadOptions { true_values: vec!["yes".into()], false_values: vec!["no".into()], ..options() };
    check_with("a\nyes\nno\nTrue\n", &words, "a:bool[true, false, true]");
}

#[test]
fn missing_values_of_single_columns() {
    let own = ReadOptions {
        na_values_of: vec![("a".into(), vec!["-".into()]), (1.into(), Vec::new())],
        na_values: vec!["x".into()],
        ..options()
    };
    check_with(
        "a,b,c\n-,,x\nx,NA,NA\n",
        &own,
        "a:str[null, \"x\"] b:str[\"\", \"NA\"] c:float64[null, null]",
    );
    check_with("a,b,c\n-,-,1\n2,3,4\n", &own, "a:int64[null, 2] b:str[\"-\", \"3\"] c:int64[1, 4]");
    let other = ReadOptions { na_values_of: vec![("z".into(), Vec::new())], ..options() };
    check_error("a\n1\n", &other, ErrorKind::KeyNotFound, &["na_values", "z"]);
}

#[test]
fn ends_of_records() {
    let end = |text: &str, records| end_of_records(text.as_bytes(), records, &options()).unwrap();
    assert_eq!(end("1,2\n3,4\n", 0), Some(0));
    assert_eq!(end("1,2\n3,4\n", 1), Some(4));
    assert_eq!(end("1,2\n3,4\n", 2), Some(8));
    assert_eq!(end("1,2\n3,4\n", 3), None);
    assert_eq!(end("1,2\n3,4", 2), None); // it may go on
    assert_eq!(end("1,2\r\n3,4\r\n", 1), Some(5));
    assert_eq!(end("1,2\r", 1), None);
    assert_eq!(end("\n\n1\n2\n", 1), Some(4));
    assert_eq!(end("\"a\nb\"\nc\n", 1), Some(6));
    assert_eq!(end("\"a\n", 1), None);
    assert_eq!(end("", 1), None);
    let wrong = ReadOptions { separator: b'\n', ..options() };
    assert_eq!(end_of_records(b"1", 1, &wrong).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn broken_texts() {
    check_error(
        "a,b\n1,2\n4,5,6,7\n",
        &options(),
        ErrorKind::InvalidArgument,
        &["the input", "line 3", "4 fields", "expected 2"],
    );
    check_error(
        "a,b\n\n\"x\ny\",2\r\n4,5,6\r\n",
        &options(),
        ErrorKind::InvalidArgument,
        &["line 5", "3 fields"],
    );
    check_error(
        "a,b\n1,2\n3,\"x\n4,5\n",
        &options(),
        ErrorKind::InvalidArgument,
        &["line 3", "quoted field"],
    );
    check_error("\"a\n", &options(), ErrorKind::InvalidArgument, &["line 1", "quoted field"]);
    for options in [
        ReadOptions { separator: b'"', ..options() },
        ReadOptions { separator: b'\n', ..options() },
        ReadOptions { separator: b'1', ..options() },
        ReadOptions { comment: Some(b','), ..options() },
        ReadOptions { separator: 0xE4, ..options() },
    ] {
        check_error("a\n", &options, ErrorKind::InvalidArgument, &["`"]);
    }
    for text in [&b"a,b\n1,x\n2,caf\xE9\n3,y\n"[..], b"a\xE9b\n1\n"] {
        let error = read_csv(&Source::from(text), &options(), &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("byte 0xE9 at offset"), "{error}");
    }
}

#[test]
fn long_files_with_a_late_change_of_type() {
    let line = |i: usize| match i {
        59_000 => "1.5,x,7,1,18446744073709551615".to_string(),
        _ => format!("{i},{}.25,s{},,{i}", i % 100, i % 1000),
    };
    let lines: Vec<String> = (0..60_000).map(line).collect();
    let text = format!("i,f,s,n,u\n{}\n", lines.join("\n"));
    let source = Source::from(text.into_bytes());
    let named = read_csv(&source, &ReadOptions { chunk_bytes: 50_000, ..options() }, &ctx()).unwrap();
    let types: Vec<DataType> = named.data.table.columns().iter().map(Column::data_type).collect();
    assert_eq!(
        types,
        [DataType::Float64, DataType::String, DataType::String, DataType::Int64, DataType::UInt64]
    );
    let row = |c: usize, r: usize| named.data.table.columns()[c].get(r).unwrap().to_string();
    assert_eq!(
        [row(0, 59_000), row(1, 59_000), row(2, 12), row(4, 59_000)],
        ["1.5", "\"x\"", "\"s12\"", "18446744073709551615"]
    );
    assert_eq!([row(0, 59_999), row(1, 10), row(3, 59_000)], ["59999.0", "\"10.25\"", "1"]);
    assert_eq!(named.data.table.columns()[3].null_count().unwrap(), 59_999);
}

#[test]
fn files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("no such file.csv");
    let error = read_csv(&Source::from(path.as_path()), &options(), &ctx()).unwrap_err();
    assert_eq!((error.kind(), error.os_error()), (ErrorKind::Io, Some(2)));
    let text = format!("a,b\n{}", "1,x\n2,y\n".repeat(5000));
    let expected = read_csv(&Source::from(text.as_bytes()), &options(), &ctx()).unwrap();
    let read = |name: &str, bytes: &[u8], options: &ReadOptions| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        read_csv(&Source::from(path.as_path()), options, &ctx())
    };
    let packed = packed(text.as_bytes());
    assert_table_eq(&read("a.csv", text.as_bytes(), &options()).unwrap().data.table, &expected.data.table);
    assert_table_eq(&read("a.csv.gz", &packed, &options()).unwrap().data.table, &expected.data.table);
    let first = ReadOptions { nrows: Some(3), chunk_bytes: 4, ..options() };
    assert_eq!(
        show(&read("a.csv", text.as_bytes(), &first).unwrap()),
        "a:int64[1, 2, 1] b:str[\"x\", \"y\", \"x\"]"
    );
    let explicit = ReadOptions { compression: Compression::Gzip, ..options() };
    assert_table_eq(&read("a.data", &packed, &explicit).unwrap().data.table, &expected.data.table);
    let error = |name: &str, bytes: &[u8]| {
        let error = read(name, bytes, &options()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        error.to_string()
    };
    assert!(error("a.csv.gz", text.as_bytes()).contains("is not gzip data"));
    assert!(error("a.csv.gz", &packed[..packed.len() - 20]).contains("truncated"));
    assert!(error("a.zip", text.as_bytes()).contains("not a zip archive"));
    assert!(error("a.csv", b"").contains("no columns to parse from file"));
    for name in ["a.csv.zst", "a.tar.gz", "a.tgz", "a.tar.xz"] {
        assert_eq!(read(name, &packed, &options()).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_an_error_or_a_table(bytes in "[a1\",\n\r #.\\-\u{e9}]{0,60}", raw: Vec<u8>, comment: bool, chunk in 1usize..40, nrows in prop::option::of(0usize..5)) {
        let options = ReadOptions { comment: comment.then_some(b'#'), nrows, ..options() };
        let _ = read_with(&bytes, &options);
        for options in [options.clone(), ReadOptions { chunk_bytes: chunk, parse_dates: vec![0.into()], ..options }] {
            let _ = read_csv(&Source::from(&raw[..]), &options, &ctx());
        }
    }

    #[test]
    fn damaged_texts_are_errors_or_tables(
        rows in 1usize..200,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        chunk in 1usize..2000,
    ) {
        let mut text = String::from("id,price,name,flag,when\n");
        for i in 0..rows {
            text += &format!("{i},{},\"na\"\"me, {i}\",{},2024-03-01T12:30:15Z\n", i as f64 / 3.0, ["True", "", "False"][i % 3]);
        }
        let mut bytes = text.into_bytes();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let dates = ReadOptions { chunk_bytes: chunk, parse_dates: vec!["when".into()], ..options() };
        for options in [dates, ReadOptions { chunk_bytes: chunk, ..options() }] {
            if let Ok(named) = read_csv(&Source::from(&bytes[..]), &options, &ctx()) {
                // A quote that is gone joins records.
                prop_assert!(named.data.table.num_rows() <= rows + 8);
                prop_assert!(named.data.table.columns().iter().all(|c| c.len() == named.data.table.num_rows()));
            }
        }
    }

    #[test]
    fn fields_that_are_quoted_come_back(rows in prop::collection::vec(prop::collection::vec("[ab\",\n\r0-9é ]{0,6}", 3), 0..20)) {
        let mut text = String::from("x,y,z\n");
        for row in &rows {
            let fields: Vec<String> = row.iter().map(|f| format!("\"{}\"", f.replace('"', "\"\""))).collect();
            text += &fields.join(",");
            text.push('\n');
        }
        let options = ReadOptions { dtype_all: Some(DataType::String), keep_default_na: false, ..options() };
        let named = read_with(&text, &options).unwrap();
        for (c, column) in named.data.table.columns().iter().enumerate() {
            let expected: Vec<&str> = rows.iter().map(|r| r[c].as_str()).collect();
            let view = column.view().unwrap();
            let actual: Vec<&str> = view.strings().unwrap().iter().map(Option::unwrap).collect();
            prop_assert_eq!(actual, expected);
        }
    }
}

/// More lines to skip than there are take no longer than there are.
#[test]
fn sizes_out_of_all_proportion() {
    let source = Source::from(&b"a,b\n1,2\n3,4\n"[..]);
    for skiprows in [3, 1 << 31, 1 << 62, usize::MAX] {
        let error = read_csv(&source, &ReadOptions { skiprows, ..options() }, &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    for n in [1 << 31, 1 << 62, usize::MAX] {
        for options in [
            ReadOptions { nrows: Some(n), ..options() },
            ReadOptions { chunk_bytes: n, ..options() },
            ReadOptions { chunk_bytes: n, nrows: Some(n), ..options() },
        ] {
            assert_eq!(read_csv(&source, &options, &ctx()).unwrap().data.table.num_rows(), 2);
        }
        assert!(read_csv(&source, &ReadOptions { header: Header::Row(n), ..options() }, &ctx()).is_err());
    }
}

#[test]
fn fields_that_are_not_there_are_empty() {
    let none = ReadOptions { keep_default_na: false, ..options() };
    check_with("a,b\n1,x\n2\n", &none, "a:int64[1, 2] b:str[\"x\", \"\"]");
    check_with("a,b\n1,2\n2\n", &none, "a:int64[1, 2] b:str[\"2\", \"\"]");
    let typed = ReadOptions { dtype: vec![("b".into(), DataType::Int64)], ..none.clone() };
    check_error("a,b\n1,2\n2\n", &typed, ErrorKind::InvalidArgument, &["line 3", "'b'"]);
    check("a,b\n1,x\n2\n", "a:int64[1, 2] b:str[\"x\", null]");
}

#[test]
fn marks_of_thousands_follow_digits_of_the_whole_part() {
    let marked = ReadOptions { separator: b';', thousands: Some(b','), ..options() };
    check_with("a\n1,000\n-1,,0,\n", &marked, "a:int64[1000, -10]");
    check_with("a\n1,000.5\n1,.5\n", &marked, "a:float64[1000.5, 1.5]");
    for text in ["1 ,", ",1", "-,1", "1.,", "1.5,0", "1e,5", "1 ,0", ".,5"] {
        check_with(&format!("a\n{text}\n"), &marked, &format!("a:str[\"{text}\"]"));
    }
}

#[test]
fn blanks_before_an_exponent_beside_marks_of_thousands() {
    let marked = |mark| ReadOptions { separator: b';', thousands: Some(mark), ..options() };
    // Texts that pandas reads as numbers there, and texts that it does not.
    for mark in *b", '" {
        for (text, number) in [
            ("1e 1", "10.0"),
            ("-1.5E  2", "-150.0"),
            ("1.e\t1", "10.0"),
            ("1e -1 ", "0.1"),
            ("1e1 ", "10.0"),
        ] {
            check_with(&format!("a\n{text}\n"), &marked(mark), &format!("a:float64[{number}]"));
        }
        for text in ["1e+ 1", "1e 1x", "1e ", "e 1", "1. 5", "Fals e"] {
            check_with(&format!("a\n{text}\n"), &marked(mark), &format!("a:str[\"{text}\"]"));
        }
    }
    check_with("a\n1 e1\n", &marked(b','), "a:str[\"1 e1\"]");
    check_with("a\n1 000e 1\n1. \n", &marked(b' '), "a:float64[10000.0, 1.0]");
    let comma = ReadOptions { separator: b';', decimal: b',', ..options() };
    check_with("a\n1e 1\n", &comma, "a:str[\"1e 1\"]");
}

#[test]
fn types_of_names_that_are_there_twice() {
    let typed = ReadOptions { dtype: vec![("a".into(), DataType::String)], ..options() };
    check_with("a,a,b\n1,2,3\n", &typed, "a:str[\"1\"] a.1:str[\"2\"] b:int64[3]");
    // A column that is really called so is another one.
    check_with("a,a.1\n1,2\n", &typed, "a:str[\"1\"] a.1:int64[2]");
    let both = ReadOptions {
        dtype: vec![("a.1".into(), DataType::Float64), ("a".into(), DataType::String)],
        ..options()
    };
    check_with("a,a\n1,2\n", &both, "a:str[\"1\"] a.1:float64[2.0]");
}

#[test]
fn only_as_many_fields_as_the_first_record_has_are_dropped() {
    let dropping = ReadOptions { drop_extra_fields: true, ..options() };
    check_with("a,b\n1,2,3\n4,5,6\n7,8\n", &dropping, "a:int64[1, 4, 7] b:int64[2, 5, 8]");
    check_error(
        "a,b\n1,2\n4,5,6\n",
        &dropping,
        ErrorKind::InvalidArgument,
        &["line 3 has 3 fields, expected 2"],
    );
    check_error("a,b\n1,2,3\n4,5,6,7\n", &dropping, ErrorKind::InvalidArgument, &["line 3 has 4 fields"]);
    // Of a piece the first record of the text says it.
    let piece = |most| ReadOptions { most_fields: Some(most), ..dropping.clone() };
    check_with("a,b\n1,2\n4,5,6\n", &piece(3), "a:int64[1, 4] b:int64[2, 5]");
    check_error("a,b\n4,5,6\n", &piece(2), ErrorKind::InvalidArgument, &["line 2 has 3 fields"]);
}

#[test]
fn too_many_fields_are_what_is_wrong_where_they_do_not_fit_their_columns() {
    let typed = ReadOptions { dtype: vec![("b".into(), DataType::Int64)], ..options() };
    let long = &["line 3 has 3 fields, expected 2"];
    check_error("a,b\n1,2\n1,x,3\n", &typed, ErrorKind::InvalidArgument, long);
    let dates = ReadOptions { parse_dates: vec!["b".into()], ..options() };
    check_error("a,b\n1,2020-01-01\n1,x,2020-01-02\n", &dates, ErrorKind::InvalidArgument, long);
    // Fields that are dropped do not count.
    let dropping = ReadOptions { drop_extra_fields: true, ..typed };
    check_error(
        "a,b\n1,2,3\n1,x,3\n",
        &dropping,
        ErrorKind::InvalidArgument,
        &["column 'b': 'x' is not int64"],
    );
}

#[test]
fn numbers_that_are_truth_values() {
    let truths = ReadOptions {
        true_values: vec!["x".to_string(), "1".to_string()],
        false_values: vec!["0".to_string()],
        ..options()
    };
    check_with("a,b\nx,1\nTrue,0\n", &truths, "a:bool[true, true] b:int64[1, 0]");
    check_with("a\nx\n1\ny\n", &truths, "a:str[\"x\", \"1\", \"y\"]");
    check_error("a\nx\n1\n", &truths, ErrorKind::Unsupported, &["'a'", "true_values"]);
}

#[test]
fn the_line_of_names_as_it_is() {
    let fields = |text: &str, options: &ReadOptions| {
        let plain = (Source::from(text.as_bytes()), Compression::None);
        let [plain, unpacked] = [plain, (Source::from(packed(text.as_bytes())), Compression::Gzip)].map(
            |(source, compression)| {
                let options = ReadOptions { compression, chunk_bytes: 16, ..options.clone() };
                header_fields(&source, &options, &ctx()).unwrap()
            },
        );
        assert_eq!(plain, unpacked);
        plain
    };
    assert_eq!(
        fields("a,,a,\"Unnamed: 1\",and many more of them\n1\n", &options()),
        ["a", "", "a", "Unnamed: 1", "and many more of them"]
    );
    let none = ReadOptions { header: Header::None, ..options() };
    assert!(fields("a,b\n", &none).is_empty());
    let blank = ReadOptions { skip_blank_lines: false, ..options() };
    check_error("\n1\n", &blank, ErrorKind::Unsupported, &["skip_blank_lines"]);
}
