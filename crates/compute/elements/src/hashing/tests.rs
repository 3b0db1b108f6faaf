//! One body for every device, against published values and a plain model of the rules for rows.

use cuprum_column::{ErrorKind, Scalar, TimeUnit, Value, null_mask};
use cuprum_testing::{
    any_column, any_data_type, any_nested_column, assert_column_eq, assert_table_eq, contexts,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::hashing::functions::combine;

fn host() -> Context {
    Context::current()
}

/// Checks a function of a table on every device.
fn on_every_device(table: &Table, check: impl Fn(&Table, &Context)) {
    for ctx in contexts() {
        check(&table.to_device(&ctx).unwrap(), &ctx);
    }
}

fn table(columns: Vec<Column>) -> Table {
    Table::new(columns).unwrap()
}

fn values<T: cuprum_column::Native>(column: &Column) -> Vec<T> {
    column.to_host().unwrap().view().unwrap().values::<T>().unwrap().to_vec()
}

fn texts(column: &Column) -> Vec<String> {
    let host = column.to_host().unwrap();
    host.view().unwrap().strings().unwrap().iter().map(|text| text.unwrap().to_owned()).collect()
}

const WORDS: [&str; 5] = [
    "",
    "The quick brown fox jumps over the lazy dog",
    "é",
    "0123456789abcdef",
    "0123456789abcdef0123456789abcdefX",
];

/// Made with the Python packages mmh3 5.3.1 and xxhash 4.1.0 and with hashlib.
#[test]
fn published_functions() {
    on_every_device(&table(vec![Column::from_strs(&WORDS, &host()).unwrap()]), |table, ctx| {
        let murmur = |seed| values::<u32>(&murmurhash3_x86_32(table, seed, ctx).unwrap());
        assert_eq!(murmur(0), MURMUR3_SEED_0);
        assert_eq!(murmur(42), MURMUR3_SEED_42);
        assert_eq!(values::<u32>(&xxhash_32(table, 42, ctx).unwrap()), XXHASH_32_SEED_42);
        assert_eq!(values::<u64>(&xxhash_64(table, 42, ctx).unwrap()), XXHASH_64_SEED_42);
        let wide = murmurhash3_x64_128(table, 42, ctx).unwrap();
        assert_eq!(values::<u64>(&wide.columns()[0]), MURMUR3_LOW_SEED_42);
        assert_eq!(values::<u64>(&wide.columns()[1]), MURMUR3_HIGH_SEED_42);
        for (algorithm, of_nothing, of_fox) in DIGESTS {
            let digests = texts(&digest(table, algorithm, ctx).unwrap());
            assert_eq!(digests[..2], [of_nothing, of_fox], "{algorithm:?}");
            assert!(digests.iter().all(|digest| digest.len() == algorithm.hex_digits()));
        }
    });
}

const MURMUR3_SEED_0: [u32; 5] = [0, 776_992_547, 269_551_495, 919_068_895, 2_640_308_639];
const MURMUR3_SEED_42: [u32; 5] = [142_593_372, 880_582_914, 1_023_967_903, 2_565_442_419, 4_173_092_822];
const XXHASH_32_SEED_42: [u32; 5] =
    [3_586_027_192, 1_277_803_380, 3_678_676_660, 1_503_399_606, 1_007_819_630];
const XXHASH_64_SEED_42: [u64; 5] = [
    11_002_672_306_508_523_268,
    12_294_590_083_258_531_135,
    2_065_146_811_275_570_100,
    152_989_496_093_262_263,
    6_490_393_984_247_241_068,
];
const MURMUR3_LOW_SEED_42: [u64; 5] = [
    17_305_828_677_633_410_339,
    8_362_568_317_626_209_751,
    3_630_946_824_602_700_533,
    9_335_577_662_010_995_364,
    14_236_790_714_229_111_177,
];
const MURMUR3_HIGH_SEED_42: [u64; 5] = [
    15_060_430_851_467_758_521,
    14_147_052_128_672_177_295,
    13_778_349_602_089_218_168,
    17_727_525_231_211_749_342,
    10_441_854_138_260_738_672,
];
/// The digests of the first two words.
const DIGESTS: [(DigestAlgorithm, &str, &str); 6] = [
    (DigestAlgorithm::Md5, "d41d8cd98f00b204e9800998ecf8427e", "9e107d9d372bb6826bd81d3542a419d6"),
    (
        DigestAlgorithm::Sha1,
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
    ),
    (
        DigestAlgorithm::Sha224,
        "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
        "730e109bd7a8a32b1cb9d9a09aa2325d2430587ddbc0c38bad911525",
    ),
    (
        DigestAlgorithm::Sha256,
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592",
    ),
    (
        DigestAlgorithm::Sha384,
        "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
        "ca737f1014a48f4c0b6dd43cb177b0afd9e5169367544c494011e3317dbf9a509cb1e5dc1e85a941bbee3d7f2afbc9b1",
    ),
    (
        DigestAlgorithm::Sha512,
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        "07e547d9586f6a73f73fbac0435ed76951218fb7d0c8d788a309d785436bbb642e93a252a954f23912547d1e8a3b5ed6e1bfd7097821233fa0538f3db854fee6",
    ),
];

/// xxHash of doubles as libcudf's tests have it, where the zeros differ.
#[test]
fn doubles_as_in_libcudf() {
    let doubles = [-127.0, -70000.125, 0.0, 200_000.5, 128.5, -0.0, f64::INFINITY, f64::NAN, f64::MAX];
    let expected: [u64; 9] = [
        16_892_115_221_677_838_993,
        1_686_446_903_308_179_321,
        3_803_688_792_395_291_579,
        18_250_447_068_822_614_389,
        3_511_911_086_082_166_358,
        4_558_309_869_707_674_848,
        18_031_741_628_920_313_605,
        16_838_308_782_748_609_196,
        3_127_544_388_062_992_779,
    ];
    on_every_device(&table(vec![Column::from_slice(&doubles, &host()).unwrap()]), |table, ctx| {
        assert_eq!(values::<u64>(&xxhash_64(table, 0, ctx).unwrap()), expected);
    });
}

#[test]
fn equal_floats_hash_equally() {
    let nans = [f32::NAN, f32::from_bits(0xffc0_0123), f32::from_bits(0x7f80_0001), 0.0, -0.0];
    on_every_device(&table(vec![Column::from_slice(&nans, &host()).unwrap()]), |table, ctx| {
        for hashes in [murmurhash3_x86_32(table, 1, ctx), xxhash_32(table, 1, ctx)] {
            let hashes = values::<u32>(&hashes.unwrap());
            assert!(hashes[0] == hashes[1] && hashes[1] == hashes[2] && hashes[3] == hashes[4]);
            assert_ne!(hashes[0], hashes[3]);
        }
        let hashes = values::<u64>(&xxhash_64(table, 1, ctx).unwrap());
        assert!(hashes[0] == hashes[1] && hashes[1] == hashes[2] && hashes[3] != hashes[4]);
        let digests = texts(&digest(table, DigestAlgorithm::Sha1, ctx).unwrap());
        assert!(digests[0] == digests[1] && digests[1] == digests[2] && digests[3] == digests[4]);
    });
}

#[test]
fn identity_is_the_value() {
    let of = |column: Column| table(vec![column]);
    let ctx = host();
    let floats = [-1.5, -0.0, f64::NAN, 0.99, 7.5, 4_294_967_295.9, 1e300];
    for (table, expected) in [
        (of(Column::from_slice(&[-1i8, 0, 7], &ctx).unwrap()), vec![u32::MAX, 0, 7]),
        (of(Column::from_slice(&[-2i16, 9], &ctx).unwrap()), vec![u32::MAX - 1, 9]),
        (of(Column::from_slice(&[u16::MAX], &ctx).unwrap()), vec![65_535]),
        (of(Column::from_slice(&[-1i64, 1 << 32, 5], &ctx).unwrap()), vec![u32::MAX, 0, 5]),
        (of(Column::from_slice(&floats, &ctx).unwrap()), vec![0, 0, 0, 0, 7, u32::MAX, u32::MAX]),
        (of(Column::from_bools(&[true, false], &ctx).unwrap()), vec![1, 0]),
        (of(Column::from_options(&[None, Some(3u8)], &ctx).unwrap()), vec![u32::MAX, 3]),
        (Table::with_rows(vec![], 2).unwrap(), vec![11, 11]),
    ] {
        on_every_device(&table, |table, ctx| {
            let hashes = hash_rows(table, HashFunction::Identity, 11, ctx).unwrap();
            assert_eq!(values::<u32>(&hashes), expected);
        });
    }
    let partition = |hash, n: u32| partition_of_hash(hash, n.try_into().unwrap());
    assert_eq!((partition(13, 8), partition(u32::MAX, 7)), (5, 3));
}

/// The rules for rows written down plainly, for a hash function of bytes.
struct Model {
    function: fn(&[u8], u32) -> u32,
    seed: u32,
}

/// The type of a column.
enum Shape {
    Leaf,
    List(Box<Shape>),
    Struct(Vec<Shape>),
}

/// A value; `None` where it is null.
enum Tree {
    Leaf(Option<Vec<u8>>),
    List(Option<Vec<Tree>>),
    /// Whether it is valid, and its fields in any case.
    Struct(bool, Vec<Tree>),
}

impl Shape {
    fn of(column: &Column) -> Self {
        match column.data_type() {
            DataType::List => Self::List(Box::new(Self::of(&column.children()[1]))),
            DataType::Struct => Self::Struct(column.children().iter().map(Self::of).collect()),
            _ => Self::Leaf,
        }
    }

    /// The ways down that make a branch each, as numbers of children.
    fn ways(&self) -> Vec<Vec<usize>> {
        let below = |i: usize, child: &Self| -> Vec<Vec<usize>> {
            child.ways().into_iter().map(|way| [vec![i], way].concat()).collect()
        };
        match self {
            Self::Leaf => vec![vec![]],
            Self::List(elements) => below(0, elements),
            Self::Struct(fields) => {
                let stops = matches!(fields.first(), None | Some(Self::List(_)));
                let own = if stops { vec![vec![]] } else { vec![] };
                let fields = fields.iter().enumerate().flat_map(|(i, field)| below(i, field));
                own.into_iter().chain(fields).collect()
            }
        }
    }
}

impl Tree {
    /// The value of a column of one row.
    fn of(row: &Column, is_hidden: bool) -> Self {
        let is_valid = !is_hidden && row.view().unwrap().is_valid(0);
        match row.data_type() {
            DataType::List => Self::List(is_valid.then(|| {
                let elements = row.elements().unwrap();
                (0..elements.len()).map(|i| Self::of(&elements.slice(i, 1).unwrap(), false)).collect()
            })),
            DataType::Struct => {
                let fields = (0..row.children().len()).map(|i| row.field(i).unwrap());
                Self::Struct(is_valid, fields.map(|field| Self::of(&field, !is_valid)).collect())
            }
            _ => Self::Leaf(bytes_of(&row.get(0).unwrap()).filter(|_| is_valid)),
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Self::Leaf(None) | Self::List(None) | Self::Struct(false, _))
    }

    fn children(&self, number: usize) -> Vec<&Self> {
        match self {
            Self::List(Some(elements)) => elements.iter().collect(),
            Self::Struct(_, fields) => vec![&fields[number]],
            _ => vec![],
        }
    }
}

/// The bytes of a value, `None` where it is null.
fn bytes_of(scalar: &Scalar) -> Option<Vec<u8>> {
    let size = scalar.data_type().size().unwrap_or(0);
    Some(match scalar.value() {
        Value::Null => return None,
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Float(x) if x.is_nan() && size == 4 => 0x7fc0_0000u32.to_le_bytes().to_vec(),
        Value::Float(x) if x.is_nan() => 0x7ff8_0000_0000_0000u64.to_le_bytes().to_vec(),
        Value::Float(x) if size == 4 => (*x as f32 + 0.0).to_le_bytes().to_vec(),
        Value::Float(x) => (*x + 0.0).to_le_bytes().to_vec(),
        Value::Bool(x) => vec![u8::from(*x)],
        Value::Int(x) => x.to_le_bytes()[..size].to_vec(),
        Value::UInt(x) => x.to_le_bytes()[..size].to_vec(),
        Value::Decimal(x) => x.to_le_bytes()[..size].to_vec(),
        Value::Nested(_) => panic!("{scalar} is no leaf"),
    })
}

fn any_null(tree: &Tree) -> bool {
    tree.is_null()
        || match tree {
            Tree::List(Some(inside)) | Tree::Struct(_, inside) => inside.iter().any(any_null),
            _ => false,
        }
}

impl Model {
    fn rows(&self, table: &Table) -> Vec<u32> {
        let tree = |column: &Column, row| Tree::of(&column.slice(row, 1).unwrap(), false);
        let rows: Vec<Vec<Tree>> = (0..table.num_rows())
            .map(|row| table.columns().iter().map(|column| tree(column, row)).collect())
            .collect();
        let has_nulls = rows.iter().flatten().any(any_null);
        let ways: Vec<_> = table.columns().iter().map(|column| Shape::of(column).ways()).collect();
        let hash = |row: Vec<Tree>| {
            let branches =
                row.iter().zip(&ways).flat_map(|(tree, ways)| self.branches(tree, ways, has_nulls));
            branches.reduce(combine).unwrap_or(self.seed)
        };
        rows.into_iter().map(hash).collect()
    }

    fn branches(&self, tree: &Tree, ways: &[Vec<usize>], has_nulls: bool) -> Vec<u32> {
        let mut previous: Option<&Vec<usize>> = None;
        let mut hashes = vec![];
        for way in ways {
            // Levels that the branch has in common with the one before.
            let shared = previous.map_or(0, |p| 1 + p.iter().zip(way).take_while(|(a, b)| a == b).count());
            hashes.push(self.branch(tree, way, shared, has_nulls));
            previous = Some(way);
        }
        hashes
    }

    fn branch(&self, tree: &Tree, way: &[usize], shared: usize, has_nulls: bool) -> u32 {
        let mut level = vec![tree];
        let mut hash = None;
        let add = |hash: Option<u32>, next| Some(combine(hash.unwrap_or(0), next));
        for depth in 0..=way.len() {
            for element in &level {
                let is_list = matches!(element, Tree::List(_));
                let is_leaf = matches!(element, Tree::Leaf(_));
                if has_nulls && !is_leaf && (depth >= shared || is_list) {
                    hash = add(hash, if element.is_null() && depth >= shared { u32::MAX } else { 0 });
                }
            }
            for element in &level {
                match element {
                    Tree::List(elements) => {
                        let size = elements.as_ref().map_or(0, Vec::len) as u32;
                        hash = add(hash, (self.function)(&size.to_le_bytes(), 0));
                    }
                    Tree::Struct(..) if depth >= shared => hash = hash.or(Some(0)),
                    Tree::Struct(..) => {}
                    Tree::Leaf(bytes) => {
                        let next = bytes.as_ref().map_or(u32::MAX, |bytes| (self.function)(bytes, self.seed));
                        hash = Some(hash.map_or(next, |hash| combine(hash, next)));
                    }
                }
            }
            if let Some(&child) = way.get(depth) {
                level = level.into_iter().flat_map(|element| element.children(child)).collect();
            }
        }
        hash.unwrap_or(0)
    }
}

fn murmur(bytes: &[u8], seed: u32) -> u32 {
    functions::murmur3_x86_32(bytes, seed)
}

fn check_32(table: &Table, seed: u32) {
    let murmur3 = Model { function: murmur, seed }.rows(table);
    let xxhash =
        Model { function: |bytes, seed| twox_hash::XxHash32::oneshot(seed, bytes), seed }.rows(table);
    on_every_device(table, |table, ctx| {
        let device = ctx.stream().device();
        let got = values::<u32>(&murmurhash3_x86_32(table, seed, ctx).unwrap());
        assert_eq!(got, murmur3, "{device}: {table:?}");
        let got = values::<u32>(&xxhash_32(table, seed, ctx).unwrap());
        assert_eq!(got, xxhash, "{device}: {table:?}");
    });
}

/// Around the edges of warps, blocks of threads, and blocks and morsels of the CPU.
const LENGTHS: [usize; 16] = [0, 1, 2, 31, 32, 33, 63, 64, 65, 255, 257, 1023, 1025, 2047, 2049, 32_769];

#[test]
fn rows_of_any_length() {
    let ctx = host();
    for len in LENGTHS {
        let longer = len + 3;
        let wide: Vec<Option<i64>> = (0..longer as i64).map(|i| (i % 7 != 2).then_some(i * i - 5)).collect();
        let small: Vec<i8> = (0..longer).map(|i| i as i8).collect();
        let text: Vec<String> = (0..longer).map(|i| "é日x".repeat(i % 9)).collect();
        let columns = vec![
            Column::from_options(&wide, &ctx).unwrap(),
            Column::from_slice(&small, &ctx).unwrap(),
            Column::from_strs(&text, &ctx).unwrap(),
        ];
        check_32(&table(columns).slice(3, len).unwrap(), 7);
    }
}

#[test]
fn tables_of_any_columns() {
    let tables = (0usize..40).prop_flat_map(|len| prop::collection::vec(any_nested_column(len), 1..4));
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    let check = |columns: Vec<Column>| {
        check_32(&table(columns), 3);
        Ok(())
    };
    TestRunner::new(config).run(&tables, check).unwrap();
}

/// Levels in the order of libcudf, by hand.
#[test]
fn nested_columns_by_hand() {
    let ctx = host();
    let of = |value: u32, seed| murmur(&value.to_le_bytes(), seed);
    let elements = Column::from_slice(&[1u32, 2, 3, 4, 5], &ctx).unwrap();
    let offsets = Column::from_slice(&[0i32, 3, 3, 5], &ctx).unwrap();
    let lists = Column::lists(offsets, elements, None).unwrap();
    let list = |values: &[u32]| {
        let start = combine(0, of(values.len() as u32, 0));
        values.iter().fold(start, |hash, &value| combine(hash, of(value, 9)))
    };
    let expected = [list(&[1, 2, 3]), list(&[]), list(&[4, 5])];
    on_every_device(&table(vec![lists]), |table, ctx| {
        assert_eq!(values::<u32>(&murmurhash3_x86_32(table, 9, ctx).unwrap()), expected);
    });
    let field = |start: u32| Column::from_slice(&[start, start + 3], &ctx).unwrap();
    let structs = Column::structs(2, vec![field(1), field(2), field(3)], None).unwrap();
    let row = |a: u32| combine(combine(combine(0, of(a, 9)), of(a + 1, 9)), of(a + 2, 9));
    on_every_device(&table(vec![structs]), |table, ctx| {
        assert_eq!(values::<u32>(&murmurhash3_x86_32(table, 9, ctx).unwrap()), [row(1), row(4)]);
    });
}

#[test]
fn wide_hashes_and_digests_are_the_same_everywhere() {
    let columns = (any_data_type(), any_data_type()).prop_flat_map(|(a, b)| {
        (0usize..70).prop_flat_map(move |len| (any_column(a, len), any_column(b, len)))
    });
    let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
    let check = |(a, b): (Column, Column)| {
        let table = table(vec![a, b]);
        let xxhash = xxhash_64(&table, 5, &host()).unwrap();
        let murmur = murmurhash3_x64_128(&table, 5, &host()).unwrap();
        let digests = DIGESTS.map(|(algorithm, ..)| digest(&table, algorithm, &host()).unwrap());
        on_every_device(&table, |table, ctx| {
            assert_column_eq(&xxhash_64(table, 5, ctx).unwrap(), &xxhash);
            assert_table_eq(&murmurhash3_x64_128(table, 5, ctx).unwrap(), &murmur);
            for ((algorithm, ..), expected) in DIGESTS.iter().zip(&digests) {
                assert_column_eq(&digest(table, *algorithm, ctx).unwrap(), expected);
            }
        });
        // One column after the other, with the hash so far as the seed; digests of all bytes.
        for row in 0..table.num_rows() {
            let values = table.columns().iter().map(|column| bytes_of(&column.get(row).unwrap()));
            let bytes: Vec<u8> = values.flatten().flatten().collect();
            let text = Column::from_strs(&[String::from_utf8(bytes).unwrap_or_default()], &host()).unwrap();
            if text.view().unwrap().strings().unwrap().total_bytes() > 0 {
                let alone =
                    digest(&Table::new(vec![text]).unwrap(), DigestAlgorithm::Sha512, &host()).unwrap();
                assert_eq!(texts(&digests[5])[row], texts(&alone)[0]);
            }
        }
        Ok(())
    };
    TestRunner::new(config).run(&columns, check).unwrap();
}

#[test]
fn columns_chain_and_nulls_are_ones() {
    let ctx = host();
    let a = Column::from_options(&[Some(1i64), None, Some(3)], &ctx).unwrap();
    let b = Column::from_opt_strs(&[Some("x"), Some("y"), None], &ctx).unwrap();
    on_every_device(&table(vec![a, b]), |table, ctx| {
        let chained = |seed: u64, bytes: &[u8]| twox_hash::XxHash64::oneshot(seed, bytes);
        let expected = [chained(chained(8, &1i64.to_le_bytes()), b"x"), chained(u64::MAX, b"y"), u64::MAX];
        assert_eq!(values::<u64>(&xxhash_64(table, 8, ctx).unwrap()), expected);
        let wide = murmurhash3_x64_128(table, 8, ctx).unwrap();
        let first = functions::murmur3_x64_128(&1i64.to_le_bytes(), 8)[0];
        let expected = [
            functions::murmur3_x64_128(b"x", first),
            functions::murmur3_x64_128(b"y", u64::MAX),
            [u64::MAX; 2],
        ];
        assert_eq!(values::<u64>(&wide.columns()[0]), expected.map(|hash| hash[0]));
        assert_eq!(values::<u64>(&wide.columns()[1]), expected.map(|hash| hash[1]));
    });
    on_every_device(&Table::with_rows(vec![], 2).unwrap(), |table, ctx| {
        assert_eq!(values::<u32>(&murmurhash3_x86_32(table, 8, ctx).unwrap()), [8, 8]);
        assert_eq!(values::<u64>(&xxhash_64(table, 8, ctx).unwrap()), [8, 8]);
        let wide = murmurhash3_x64_128(table, 8, ctx).unwrap();
        assert_eq!(values::<u64>(&wide.columns()[1]), [0, 0]);
        let nothing = texts(&digest(table, DigestAlgorithm::Md5, ctx).unwrap());
        assert_eq!(nothing, [DIGESTS[0].1; 2]);
    });
}

/// Messages of every length around the blocks of the algorithms; from 111 bytes on the length of
/// SHA-512's does not fit in the first block.
#[test]
fn messages_of_any_length() {
    let text: Vec<String> = (0..270).map(|i| "abcdefg".chars().cycle().take(i).collect()).collect();
    let table = table(vec![Column::from_strs(&text, &host()).unwrap()]);
    let expected = DIGESTS.map(|(algorithm, ..)| digest(&table, algorithm, &host()).unwrap());
    on_every_device(&table, |table, ctx| {
        for ((algorithm, ..), expected) in DIGESTS.iter().zip(&expected) {
            assert_column_eq(&digest(table, *algorithm, ctx).unwrap(), expected);
        }
    });
}

#[test]
fn lists_in_md5() {
    let ctx = host();
    let words = Column::from_opt_strs(&[Some("The quick brown "), None, Some("fox jumps"), Some("?")], &ctx);
    let offsets = Column::from_slice(&[0i32, 3, 3, 4], &ctx).unwrap();
    let valid = null_mask::from_fn(3, &ctx, |i| i != 2).unwrap();
    let lists = Column::lists(offsets, words.unwrap(), Some(valid)).unwrap();
    let ends = Column::from_strs(&[" over the lazy dog", "", ""], &ctx).unwrap();
    let fox = table(vec![lists.clone(), ends]);
    on_every_device(&fox, |table, ctx| {
        let digests = texts(&digest(table, DigestAlgorithm::Md5, ctx).unwrap());
        assert_eq!(digests, [DIGESTS[0].2, DIGESTS[0].1, DIGESTS[0].1]);
    });
}

#[test]
fn what_is_not_hashed_is_named() {
    let ctx = host();
    let one = || Column::from_slice(&[1i64], &ctx).unwrap();
    let list = |elements: Column| {
        Column::lists(Column::from_slice(&[0i32, 1], &ctx).unwrap(), elements, None).unwrap()
    };
    let structs = table(vec![one(), Column::structs(1, vec![one()], None).unwrap()]);
    let lists = table(vec![list(one())]);
    let index = Column::from_slice(&[0u8], &ctx).unwrap();
    let dictionary = table(vec![Column::dictionary(index, list(one()), None).unwrap()]);
    let time =
        Column::from_slice(&[1i64], &ctx).unwrap().bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
    for (result, part) in [
        (xxhash_64(&structs, 0, &ctx), "column 1: a column of type struct"),
        (xxhash_64(&lists, 0, &ctx), "column 0: a column of type list"),
        (digest(&structs, DigestAlgorithm::Md5, &ctx), "struct"),
        (digest(&lists, DigestAlgorithm::Sha1, &ctx), "list"),
        (digest(&table(vec![list(list(one()))]), DigestAlgorithm::Md5, &ctx), "list"),
        (murmurhash3_x86_32(&dictionary, 0, &ctx), "a dictionary of type list"),
        (hash_rows(&table(vec![time]), HashFunction::Identity, 0, &ctx), "datetime64[s]"),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!(murmurhash3_x64_128(&lists, 0, &ctx).unwrap_err().kind(), ErrorKind::DataType);
}
