//! Lists, maps and structs of other writers, whole and damaged, against what they were made of.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeListArray, ListArray, MapArray,
    RecordBatch, StringArray, StructArray, UInt8Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType as ArrowType, Field, Fields, Schema};
use cuprum_column::{Column, Context, Table, arrow};
use cuprum_testing::Random;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::{ConvertedType, Encoding, Repetition, Type as Physical};
use parquet::data_type::Int64Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use proptest::prelude::*;

use super::decode_tests::{self, properties};
use super::nested::Shape;
use super::*;

fn field(name: &str, data_type: ArrowType, nullable: bool) -> Arc<Field> {
    Arc::new(Field::new(name, data_type, nullable))
}

fn list(of: ArrowType, nullable: bool) -> ArrowType {
    ArrowType::List(field("item", of, nullable))
}

/// Columns of every kind of nesting, with and without nulls in each place.
fn types() -> Vec<(ArrowType, bool)> {
    let pair = |nullable| {
        let list = list(ArrowType::Float64, true);
        ArrowType::Struct(Fields::from(vec![
            field("a", ArrowType::Int64, nullable),
            field("s", ArrowType::Utf8, true),
            field("l", list, !nullable),
        ]))
    };
    let entries = ArrowType::Struct(Fields::from(vec![
        field("keys", ArrowType::Utf8, false),
        field("values", ArrowType::Int64, true),
    ]));
    vec![
        (list(ArrowType::Int64, true), true),
        (list(ArrowType::Utf8, false), false),
        (pair(true), true),
        (pair(false), false),
        (list(pair(true), true), true),
        (list(pair(false), false), false),
        (list(list(ArrowType::UInt8, true), true), true),
        (list(list(list(ArrowType::Boolean, false), false), true), false),
        (ArrowType::LargeList(field("item", ArrowType::Utf8, true)), true),
        (ArrowType::Map(field("entries", entries, false), false), true),
        (ArrowType::Struct(Fields::from(vec![field("r", pair(true), true)])), true),
    ]
}

fn array(of: &ArrowType, nullable: bool, len: usize, random: &mut Random) -> ArrayRef {
    // Some pieces are all null, some have none.
    let share = [0, 0, 2, 8, 16][random.below(5) as usize];
    let is_valid: Vec<bool> = (0..len).map(|_| !nullable || random.below(16) >= share).collect();
    let nulls = nullable.then(|| NullBuffer::from(is_valid.clone()));
    let mut number = |below: u64| -> Vec<Option<u64>> {
        is_valid.iter().map(|&valid| valid.then(|| random.below(below))).collect()
    };
    match of {
        ArrowType::Int64 => {
            Arc::new(number(500).into_iter().map(|v| v.map(|v| v as i64 - 9)).collect::<Int64Array>())
        }
        ArrowType::UInt8 => {
            Arc::new(number(256).into_iter().map(|v| v.map(|v| v as u8)).collect::<UInt8Array>())
        }
        ArrowType::Float64 => Arc::new(
            number(u64::MAX).into_iter().map(|v| v.map(|v| v as f64 / 8.0)).collect::<Float64Array>(),
        ),
        ArrowType::Boolean => {
            Arc::new(number(2).into_iter().map(|v| v.map(|v| v == 1)).collect::<BooleanArray>())
        }
        ArrowType::Utf8 => Arc::new(
            number(90)
                .into_iter()
                .map(|v| {
                    v.map(|v| if v % 11 == 0 { "größer ".repeat(v as usize / 4) } else { format!("ü{v}") })
                })
                .collect::<StringArray>(),
        ),
        ArrowType::List(inner) | ArrowType::LargeList(inner) | ArrowType::Map(inner, _) => {
            // Long ones go over several pages.
            let below = |random: &mut Random| match random.below(40) {
                0 => random.below(200),
                _ => random.below(4),
            };
            let lengths: Vec<usize> =
                is_valid.iter().map(|&valid| if valid { below(random) as usize } else { 0 }).collect();
            let child = array(inner.data_type(), inner.is_nullable(), lengths.iter().sum(), random);
            let inner = Arc::clone(inner);
            match of {
                ArrowType::List(_) => {
                    Arc::new(ListArray::new(inner, OffsetBuffer::from_lengths(lengths), child, nulls))
                }
                ArrowType::LargeList(_) => {
                    Arc::new(LargeListArray::new(inner, OffsetBuffer::from_lengths(lengths), child, nulls))
                }
                _ => {
                    let entries = child.as_any().downcast_ref::<StructArray>().unwrap().clone();
                    Arc::new(MapArray::new(inner, OffsetBuffer::from_lengths(lengths), entries, nulls, false))
                }
            }
        }
        ArrowType::Struct(fields) => {
            let own = fields.iter().map(|f| array(f.data_type(), f.is_nullable(), len, random));
            Arc::new(StructArray::new(fields.clone(), own.collect(), nulls))
        }
        other => panic!("{other}"),
    }
}

fn batch(rows: usize, seed: u64) -> RecordBatch {
    let mut random = Random(seed);
    let columns: Vec<ArrayRef> =
        types().iter().map(|(of, nullable)| array(of, *nullable, rows, &mut random)).collect();
    let fields =
        types().into_iter().enumerate().map(|(i, (of, nullable))| field(&i.to_string(), of, nullable));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns).unwrap()
}

fn file(
    batch: &RecordBatch,
    (v2, dictionary, delta): (bool, bool, bool),
    page: usize,
    group: usize,
) -> Vec<u8> {
    let mut builder = properties(v2, dictionary, delta, page, group)
        .set_data_page_size_limit(600)
        .set_offset_index_disabled(page.is_multiple_of(3));
    if !delta {
        builder = builder.set_encoding(Encoding::PLAIN);
    }
    decode_tests::file(batch, builder.build())
}

fn read(bytes: Vec<u8>, skip_rows: usize, nrows: Option<usize>) -> Result<Table> {
    let options = ReadOptions { nrows, skip_rows, ..ReadOptions::default() };
    read_parquet(&Source::from(bytes), &options, &Context::current()).map(|content| content.data.table)
}

/// Walks through all rows.
fn look_at(column: &Column) {
    let whole = arrow::to_arrow(column).unwrap();
    whole.to_data().validate_full().unwrap();
}

/// Whether each column of a file is read by our own decoder.
fn are_known(bytes: &[u8]) -> Vec<bool> {
    let bytes = bytes::Bytes::copy_from_slice(bytes);
    let read = ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new()).unwrap();
    let schema = read.parquet_schema();
    let column = |(i, column): (usize, &TypePtr)| {
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == i).unwrap();
        Shape::of(column, read.schema().field(i).data_type(), leaf).is_some()
    };
    schema.root_schema().get_fields().iter().enumerate().map(column).collect()
}

#[test]
fn every_kind_of_nesting_is_known() {
    let bytes = file(&batch(3, 1), (false, false, false), 8, 9);
    assert_eq!(are_known(&bytes), vec![true; types().len()]);
}

/// Offsets may be narrower than Arrow's type says.
fn assert_same(column: &Column, expected: &Column) {
    assert_eq!(column.null_count().unwrap(), expected.null_count().unwrap());
    let (own, expected) = (arrow::to_arrow(column).unwrap(), arrow::to_arrow(expected).unwrap());
    assert_eq!(&arrow_cast::cast(&own, expected.data_type()).unwrap(), &expected);
}

/// Asserts that a file is read as the `parquet` crate reads it.
fn assert_read_as_by_the_crate(bytes: Vec<u8>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes.clone())).unwrap();
    let schema = Arc::clone(reader.schema());
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(|batch| batch.unwrap()).collect();
    let expected = arrow_select::concat::concat_batches(&schema, &batches).unwrap();
    let table = read(bytes, 0, None).unwrap();
    assert_eq!(table.num_rows(), expected.num_rows());
    for (column, expected) in table.columns().iter().zip(expected.columns()) {
        assert_same(column, &arrow::from_arrow(expected, &Context::current()).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn lists_and_structs_are_what_was_written(
        seed: u64,
        rows in prop::sample::select(vec![1usize, 31, 32, 33, 63, 64, 65, 300, 1500]),
        how in any::<(bool, bool, bool)>(),
        page in 1usize..200,
        group in 40usize..2000,
        skip in prop::sample::select(vec![0usize, 1, 17, 64, 333]),
        nrows in prop::option::of(0usize..800),
    ) {
        let batch = batch(rows, seed);
        let skip = skip.min(rows);
        let table = read(file(&batch, how, page, group), skip, nrows).unwrap();
        let taken = nrows.unwrap_or(rows).min(rows - skip);
        prop_assert_eq!(table.num_rows(), taken);
        for (column, array) in table.columns().iter().zip(batch.slice(skip, taken).columns()) {
            assert_same(column, &arrow::from_arrow(array, &Context::current()).unwrap());
        }
    }

    #[test]
    fn damaged_levels_are_errors_or_tables(
        seed: u64,
        skip in prop::sample::select(vec![0usize, 60]),
        how in any::<(bool, bool, bool)>(),
        group in 50usize..200,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = file(&batch(90, seed), how, 37, group);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let Ok(table) = read(bytes, skip, None) else { return Ok(()) };
        for column in table.columns() {
            prop_assert_eq!(column.len(), table.num_rows());
            look_at(column);
        }
    }
}

/// Files of other writers, of which bytes are changed: of apache/parquet-testing in the folder that
/// `CUPRUM_TEST_DATA` names, else in `shared/data` beside the checkout.
#[test]
fn damaged_files_of_others_are_errors_or_tables() {
    const NAMES: [&str; 12] = [
        "nested_lists.snappy",
        "nested_maps.snappy",
        "nested_structs.rust",
        "list_columns",
        "null_list",
        "nullable.impala",
        "nonnullable.impala",
        "repeated_no_annotation",
        "repeated_primitive_no_list",
        "old_list_structure",
        "map_no_value",
        "incorrect_map_schema",
    ];
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder =
        std::env::var_os("CUPRUM_TEST_DATA").map_or(beside, PathBuf::from).join("parquet-testing/data");
    if !folder.is_dir() {
        return;
    }
    let cases: u64 = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60);
    for name in NAMES {
        let whole = std::fs::read(folder.join(format!("{name}.parquet"))).unwrap();
        for seed in 0..cases {
            let (mut bytes, mut random) = (whole.clone(), Random(seed));
            for _ in 0..=seed % 4 {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] = random.next() as u8;
            }
            let Ok(table) = read(bytes, 0, None) else { continue };
            table.columns().iter().for_each(look_at);
        }
    }
}

/// The definition and repetition levels of a leaf.
type LeafLevels = (Vec<i16>, Vec<i16>);

/// A file with these levels of each leaf in each row group; values that are there are 0, 1, ….
fn levels_of_groups(schema: TypePtr, groups: &[Vec<LeafLevels>]) -> Vec<u8> {
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    for leaves in groups {
        let mut group = writer.next_row_group().unwrap();
        for (leaf, (defs, reps)) in leaves.iter().enumerate() {
            let mut column = group.next_column().unwrap().unwrap();
            let most = columns.column(leaf).max_def_level();
            let values: Vec<i64> = (0..defs.iter().filter(|&&def| def == most).count() as i64).collect();
            let (defs, reps) = ((most > 0).then_some(&defs[..]), (!reps.is_empty()).then_some(&reps[..]));
            column.typed::<Int64Type>().write_batch(&values, defs, reps).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// [`levels_of_groups`] of one row group.
fn levels(schema: &str, leaves: &[(&[i16], &[i16])]) -> Vec<u8> {
    let leaves = leaves.iter().map(|(defs, reps)| (defs.to_vec(), reps.to_vec())).collect();
    levels_of_groups(Arc::new(parse_message_type(schema).unwrap()), &[leaves])
}

/// Adds a field of random length and nulls to the levels of its leaves, the first of `leaves`, inside of `lists` lists
/// with the definition level `def`; its first entry has the repetition level `rep`. Returns the number of its
/// leaves.
fn shred(
    field: &Type,
    (def, rep, lists): (i16, i16, i16),
    leaves: &mut [LeafLevels],
    random: &mut Random,
) -> usize {
    let (times, deeper, lists) = match field.get_basic_info().repetition() {
        Repetition::REQUIRED => (1, 0, lists),
        Repetition::OPTIONAL => (random.below(4).min(1), 1, lists),
        Repetition::REPEATED => (random.below(4), 1, lists + 1),
    };
    let mut inside = |def, rep, is_there: bool| {
        if field.is_primitive() || !is_there {
            let len = number_of_leaves(field);
            for (defs, reps) in &mut leaves[..len] {
                defs.push(def);
                reps.push(rep);
            }
            return len;
        }
        let mut first = 0;
        for field in field.get_fields() {
            first += shred(field, (def, rep, lists), &mut leaves[first..], random);
        }
        first
    };
    if times == 0 {
        return inside(def, rep, false);
    }
    (0..times).map(|i| inside(def + deeper, if i == 0 { rep } else { lists }, true)).last().unwrap()
}

fn number_of_leaves(field: &Type) -> usize {
    if field.is_primitive() {
        1
    } else {
        field.get_fields().iter().map(|field| number_of_leaves(field)).sum()
    }
}

/// A file of random rows in three row groups.
fn shredded(schema: TypePtr, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let mut group = |rows: usize| -> Vec<LeafLevels> {
        let mut leaves = vec![LeafLevels::default(); columns.num_columns()];
        for _ in 0..rows {
            let mut first = 0;
            for field in schema.get_fields() {
                first += shred(field, (0, 0, 0), &mut leaves[first..], &mut random);
            }
        }
        for (leaf, (_, reps)) in leaves.iter_mut().enumerate() {
            if columns.column(leaf).max_rep_level() == 0 {
                reps.clear();
            }
        }
        leaves
    };
    let groups = [group(70), group(1), group(64)];
    levels_of_groups(Arc::clone(&schema), &groups)
}

/// Lists and maps as writers have spelled them at some time.
#[test]
fn old_spellings_are_known() {
    for fields in [
        "repeated int64 x;",
        "repeated group x { optional int64 a; required int64 b; }",
        "repeated group x { repeated int64 a; }",
        "optional group r { repeated int64 x; repeated group y { optional int64 a; } }",
        "optional group l (LIST) { repeated int64 element; }",
        "required group l (LIST) { repeated group list { required int64 element; } }",
        "optional group l (LIST) { repeated group array { optional int64 x; } }",
        "optional group l (LIST) { repeated group l_tuple { optional int64 x; } }",
        "optional group l (LIST) { repeated group other_tuple { optional int64 x; } }",
        "optional group l (LIST) { repeated group array { repeated int64 x; } }",
        "optional group l (LIST) { repeated group array (LIST) { optional int64 x; } }",
        "optional group l (LIST) { repeated group array (LIST) { repeated int64 x; } }",
        "optional group l (LIST) { repeated group array { optional group array { optional int64 array; } } }",
        "optional group l (LIST) { repeated group list { optional int64 a; required int64 b; } }",
        "optional group m (MAP) { repeated group kv { required int64 key; optional int64 value; } }",
        "required group m (MAP_KEY_VALUE) { repeated group map { required int64 k; required int64 v; } }",
        "optional group m (MAP) { repeated group kv { required int64 key; } }",
        "optional group l (LIST) { repeated group list { optional group m (MAP) { repeated group kv { \
            required int64 key; optional group r { optional int64 a; repeated int64 b; } } } } }",
    ] {
        let schema =
            Arc::new(parse_message_type(&format!("message m {{ {fields} required int64 z; }}")).unwrap());
        for seed in 0..8 {
            let bytes = shredded(Arc::clone(&schema), seed);
            assert!(are_known(&bytes)[0], "{fields}");
            assert_read_as_by_the_crate(bytes);
        }
    }
}

fn group(name: &str, repetition: Repetition, fields: Vec<TypePtr>) -> TypePtr {
    Arc::new(Type::group_type_builder(name).with_repetition(repetition).with_fields(fields).build().unwrap())
}

fn integer(name: &str) -> TypePtr {
    let builder = Type::primitive_type_builder(name, Physical::INT64);
    Arc::new(builder.with_repetition(Repetition::OPTIONAL).build().unwrap())
}

fn message(fields: Vec<TypePtr>) -> TypePtr {
    Arc::new(Type::group_type_builder("m").with_fields(fields).build().unwrap())
}

#[test]
fn what_has_nothing_inside_moves_nothing_else() {
    let optional = |name: &str, fields| group(name, Repetition::OPTIONAL, fields);
    let nothing = || optional("nothing", vec![]);
    // A map that the `parquet` crate leaves out, although it has a leaf.
    let entries = vec![integer("key"), nothing()];
    let map = Type::group_type_builder("m").with_converted_type(ConvertedType::MAP);
    let map = map.with_repetition(Repetition::OPTIONAL).with_fields(vec![group(
        "kv",
        Repetition::REPEATED,
        entries,
    )]);
    let map = Arc::new(map.build().unwrap());
    for inside in [vec![nothing(), integer("a")], vec![integer("a"), Arc::clone(&map)]] {
        let column = optional("r", vec![optional("s", inside), integer("b")]);
        let bytes = shredded(message(vec![column]), 1);
        assert_eq!(are_known(&bytes), [false]);
        assert_read_as_by_the_crate(bytes);
    }
    for empty in [nothing(), map] {
        let name = empty.name().to_owned();
        let bytes = shredded(message(vec![integer("a"), empty, integer("b")]), 1);
        let error = read(bytes, 0, None).unwrap_err();
        assert_eq!(error.kind(), cuprum_column::ErrorKind::Unsupported);
        assert!(error.to_string().contains(&format!("column '{name}' has nothing inside")), "{error}");
    }
}

#[test]
fn the_deepest_nesting() {
    let structs: fn(usize) -> Vec<u8> = |depth| {
        let column = (0..depth).fold(integer("x"), |inner, _| group("r", Repetition::OPTIONAL, vec![inner]));
        shredded(message(vec![column]), 1)
    };
    let lists: fn(usize) -> Vec<u8> = |depth| {
        let column = (0..depth).fold(integer("x"), |inner, _| {
            let list = Type::group_type_builder("l").with_converted_type(ConvertedType::LIST);
            let fields = vec![group("list", Repetition::REPEATED, vec![inner])];
            Arc::new(list.with_repetition(Repetition::OPTIONAL).with_fields(fields).build().unwrap())
        });
        shredded(message(vec![column]), 1)
    };
    for of in [structs, lists] {
        assert_eq!(are_known(&of(63)), [true]);
        assert_read_as_by_the_crate(of(63));
        let error = read(of(64), 0, None).unwrap_err().to_string();
        assert!(error.contains("nested deeper than 64 levels"), "{error}");
    }
}

#[test]
fn schemas_of_many_levels_are_refused() {
    let chain = |levels: usize| {
        let mut footer = vec![0x15, 2, 0x19, 0xFC];
        let mut len = levels + 2;
        while len > 0 {
            footer.push(len as u8 & 0x7F | if len > 0x7F { 0x80 } else { 0 });
            len >>= 7;
        }
        // The message and groups of one field; an integer; no rows, no row groups.
        footer.extend([0x48, 1, b'm', 0x15, 2, 0]);
        footer.extend([0x35, 0, 0x18, 1, b'g', 0x15, 2, 0].repeat(levels));
        footer.extend([0x15, 4, 0x25, 0, 0x18, 1, b'x', 0, 0x16, 0, 0x19, 0x0C, 0]);
        let len = footer.len() as u32;
        [b"PAR1", &footer[..], &len.to_le_bytes(), b"PAR1"].concat()
    };
    assert_eq!(read(chain(20), 0, None).unwrap().num_columns(), 1);
    for levels in [160, 3000, 300_000] {
        for error in
            [read(chain(levels), 0, None).unwrap_err(), Footer::from_bytes(&chain(levels)).unwrap_err()]
        {
            assert!(error.to_string().contains("nested deeper than 160 levels"), "{error}");
        }
    }
    let mut damaged = chain(3);
    damaged[4] = 0x25;
    assert!(read(damaged, 0, None).unwrap_err().to_string().contains("no schema in its footer"));
    let wide = message((0..500).map(|i| integer(&i.to_string())).collect());
    assert_eq!(read(shredded(wide, 1), 0, None).unwrap().num_columns(), 500);
}

#[test]
fn leaves_of_a_struct_have_to_agree() {
    const PAIR: &str = "message m { optional group r { optional int64 a; optional int64 b; } }";
    const PAIRS: &str = "message m { optional group l (LIST) { repeated group list { \
        optional group element { optional int64 a; optional int64 b; } } } }";
    let pair = |b: &[i16]| read(levels(PAIR, &[(&[2, 1, 0], &[]), (b, &[])]), 0, None);
    assert_eq!(pair(&[1, 2, 0]).unwrap().columns()[0].null_count().unwrap(), 1);
    let pairs =
        |b: &[i16], reps: &[i16]| read(levels(PAIRS, &[(&[4, 4, 4, 0], &[0, 1, 0, 0]), (b, reps)]), 0, None);
    assert_eq!(pairs(&[3, 4, 4, 0], &[0, 1, 0, 0]).unwrap().num_rows(), 3);
    // A struct that is null for one of them, lists of other lengths, an empty list that is null for the other.
    for (error, leaves) in [
        (pair(&[2, 0, 0]), "'r.a' and 'r.b'"),
        (pairs(&[4, 4, 4, 0], &[0, 0, 1, 0]), "'l.list.element.a' and 'l.list.element.b'"),
        (pairs(&[4, 4, 4, 1], &[0, 1, 0, 0]), "'l.list.element.a' and 'l.list.element.b'"),
        (pairs(&[4, 2, 4, 0], &[0, 1, 0, 0]), "'l.list.element.a' and 'l.list.element.b'"),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), cuprum_column::ErrorKind::InvalidArgument);
        let said = error.to_string();
        assert!(said.contains(leaves) && said.contains("column '"), "{said}");
    }
    // The last list is longer for one of them.
    let said = read(levels(PAIRS, &[(&[4, 4], &[0, 1]), (&[4], &[0])]), 0, None).unwrap_err().to_string();
    assert!(said.contains("have other levels"), "{said}");
}

#[test]
fn levels_that_cannot_be_are_refused() {
    const LIST: &str =
        "message m { optional group l (LIST) { repeated group list { optional int64 element; } } }";
    let list = |defs: &[i16], reps: &[i16]| read(levels(LIST, &[(defs, reps)]), 0, None);
    assert_eq!(list(&[3, 2, 1, 0, 3], &[0, 1, 0, 0, 0]).unwrap().num_rows(), 4);
    let said = list(&[0, 3], &[0, 1]).unwrap_err().to_string();
    assert!(said.contains("column 'l'") && said.contains("null or empty goes on"), "{said}");
    let said = list(&[3, 1, 3], &[0, 1, 0]).unwrap_err().to_string();
    assert!(said.contains("null or empty goes on"), "{said}");
}
