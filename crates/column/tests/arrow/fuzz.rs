//! Structures and bytes that are spoiled at random: an error, or a column that is valid.

use std::ffi::{CString, c_void};
use std::io::Cursor;
use std::ptr::null_mut;
use std::sync::Arc;

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType as ArrowType, Field, Schema};
use cuprum_column::arrow::*;
use cuprum_column::{Column, Context, Result};
use cuprum_testing::any_nested_column;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::raw::{RawArray, RawSchema};

/// Room behind every buffer, so that lengths may lie a little: how long a buffer is nobody can know.
const ROOM: usize = 1 << 14;
/// The most rows that fit there, whatever their type.
const ROWS: i64 = 700;

/// A structure in memory of the test's own, with places to spoil.
struct Spoiled {
    array: RawArray,
    schema: RawSchema,
    /// The memory that the structures point to.
    buffers: Vec<Vec<u8>>,
    pointers: Box<[*const c_void; 8]>,
    children: Vec<Spoiled>,
    array_children: Vec<*mut RawArray>,
    schema_children: Vec<*mut RawSchema>,
    format: CString,
    name: CString,
}

unsafe extern "C" fn release_array(array: *mut RawArray) {
    // SAFETY: called with a structure; the test keeps the memory.
    unsafe { (*array).release = None };
}

unsafe extern "C" fn release_schema(schema: *mut RawSchema) {
    // SAFETY: called with a structure; the test keeps the memory.
    unsafe { (*schema).release = None };
}

impl Spoiled {
    /// A deep copy of valid structures, children first and the dictionary last.
    ///
    /// # Safety
    /// The structures follow the C data interface.
    unsafe fn new(array: &RawArray, schema: &RawSchema) -> Box<Self> {
        // SAFETY: the caller's structures follow the C data interface.
        unsafe {
            let mut this = Box::new(Self {
                array: RawArray {
                    release: Some(release_array),
                    private_data: null_mut(),
                    ..std::ptr::read(array)
                },
                schema: RawSchema {
                    release: Some(release_schema),
                    private_data: null_mut(),
                    metadata: std::ptr::null(),
                    ..std::ptr::read(schema)
                },
                buffers: Vec::new(),
                pointers: Box::new([std::ptr::null(); 8]),
                children: Vec::new(),
                array_children: Vec::new(),
                schema_children: Vec::new(),
                format: std::ffi::CStr::from_ptr(schema.format).to_owned(),
                name: CString::default(),
            });
            for i in 0..array.n_buffers as usize {
                let pointer = (*array.buffers.add(i)).cast::<u8>();
                let size = if pointer.is_null() { 0 } else { buffer_size(array, this.format.as_bytes(), i) };
                let mut copy = vec![0; size + ROOM];
                if !pointer.is_null() {
                    std::ptr::copy_nonoverlapping(pointer, copy.as_mut_ptr(), size);
                    this.pointers[i] = copy.as_ptr().cast();
                }
                this.buffers.push(copy);
            }
            for i in 0..array.n_children as usize {
                let (array, schema) = (&**array.children.add(i), &**schema.children.add(i));
                this.children.push(*Self::new(array, schema));
            }
            if !array.dictionary.is_null() {
                this.children.push(*Self::new(&*array.dictionary, &*schema.dictionary));
            }
            this
        }
    }

    /// Sets the pointers, once nothing moves any more.
    fn link(&mut self) {
        self.array.buffers = self.pointers.as_mut_ptr();
        self.children.iter_mut().for_each(Self::link);
        self.array_children = self.children.iter_mut().map(|child| &raw mut child.array).collect();
        self.schema_children = self.children.iter_mut().map(|child| &raw mut child.schema).collect();
        if !self.array.dictionary.is_null() {
            self.array.dictionary = self.array_children.pop().unwrap();
            self.schema.dictionary = self.schema_children.pop().unwrap();
        }
        // Counts that lie find null pointers.
        self.array_children.resize(8, null_mut());
        self.schema_children.resize(8, null_mut());
        self.array.children = self.array_children.as_mut_ptr();
        self.schema.children = self.schema_children.as_mut_ptr();
    }

    /// Points to the formats and names that were replaced.
    fn rename(&mut self) {
        self.schema.format = self.format.as_ptr();
        self.schema.name = self.name.as_ptr();
        self.children.iter_mut().for_each(Self::rename);
    }

    fn nodes(&self) -> usize {
        1 + self.children.iter().map(Self::nodes).sum::<usize>()
    }

    fn node(&mut self, mut i: usize) -> &mut Self {
        if i == 0 {
            return self;
        }
        i -= 1;
        for child in &mut self.children {
            let nodes = child.nodes();
            if i < nodes {
                return child.node(i);
            }
            i -= nodes;
        }
        unreachable!("the number is below that of nodes")
    }

    fn spoil(&mut self, mutation: &Mutation) {
        let nodes = self.nodes();
        let node = self.node(mutation.node.index(nodes));
        let number = mutation.number;
        match mutation.what {
            What::Length => node.array.length = number,
            What::Offset => node.array.offset = number,
            What::Nulls => node.array.null_count = number,
            What::Buffers => node.array.n_buffers = number.clamp(-2, 8),
            What::Children => node.array.n_children = number.clamp(-2, 8),
            What::SchemaChildren => node.schema.n_children = number.clamp(-2, 8),
            What::Pointer => node.pointers[mutation.place.index(3)] = std::ptr::null(),
            What::Swap => node.pointers.swap(1, mutation.place.index(3)),
            What::Misalign => {
                let pointer = &mut node.pointers[mutation.place.index(3)];
                *pointer = pointer.wrapping_byte_add(usize::from(!pointer.is_null()));
            }
            What::Contents if !node.buffers.is_empty() => {
                let count = node.buffers.len();
                let buffer = &mut node.buffers[mutation.buffer.index(count)];
                let at = mutation.place.index(buffer.len().min(600) / 4) * 4;
                buffer[at..at + 4].copy_from_slice(&(number as i32).to_ne_bytes());
            }
            What::Byte if !node.buffers.is_empty() => {
                let count = node.buffers.len();
                let buffer = &mut node.buffers[mutation.buffer.index(count)];
                let at = mutation.place.index(buffer.len().min(600));
                buffer[at] = number as u8;
            }
            What::Contents | What::Byte => {}
            What::Released => node.array.release = None,
            What::Format => node.format = CString::new(FORMATS[mutation.place.index(FORMATS.len())]).unwrap(),
            What::Name => node.name = CString::new(b"\xff\xfe".to_vec()).unwrap(),
        }
    }

    /// Whether the memory that the structures claim is there: characters as far as the last offset says.
    fn is_honest(&self) -> bool {
        let end = self.array.length.saturating_add(self.array.offset);
        let size = match self.format.as_bytes() {
            b"u" | b"z" => 4,
            b"U" | b"Z" => 8,
            b"vu" => return self.array.n_buffers <= 3,
            _ => 0,
        };
        let last = self.pointers[1].cast::<u8>();
        let honest = size == 0 || last.is_null() || !(0..=ROWS).contains(&end) || {
            // SAFETY: every buffer has room for as many offsets.
            let last = unsafe {
                let at = last.add(end as usize * size);
                if size == 4 {
                    i64::from(at.cast::<i32>().read_unaligned())
                } else {
                    at.cast::<i64>().read_unaligned()
                }
            };
            last < ROOM as i64 / 2
        };
        honest && self.children.iter().all(Self::is_honest)
    }
}

const FORMATS: [&str; 33] = [
    "n",
    "b",
    "c",
    "C",
    "i",
    "L",
    "g",
    "u",
    "U",
    "vu",
    "z",
    "d:9,2,32",
    "d:38,0",
    "d:39,0",
    "tdD",
    "tdm",
    "tss:UTC",
    "tDn",
    "+l",
    "+L",
    "+vl",
    "+vL",
    "+s",
    "+m",
    "+r",
    "+w:0",
    "+w:1",
    "+w:3",
    "+w:2147483647",
    "+us:0",
    "",
    "+",
    "é",
];

#[derive(Clone, Debug)]
struct Mutation {
    what: What,
    node: Index,
    buffer: Index,
    place: Index,
    number: i64,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Length,
    Offset,
    Nulls,
    Buffers,
    Children,
    SchemaChildren,
    Pointer,
    Swap,
    Misalign,
    Contents,
    Byte,
    Released,
    Format,
    Name,
}

fn any_mutation() -> impl Strategy<Value = Mutation> {
    use What::*;
    let what = prop::sample::select(vec![
        Length,
        Offset,
        Nulls,
        Buffers,
        Children,
        SchemaChildren,
        Pointer,
        Swap,
        Misalign,
        Contents,
        Contents,
        Contents,
        Byte,
        Byte,
        Released,
        Format,
        Format,
        Name,
    ]);
    let number = prop_oneof![
        6 => -2i64..ROWS / 2,
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
        1 => Just(i64::from(i32::MIN)),
    ];
    let places = (any::<Index>(), any::<Index>(), any::<Index>());
    (what, places, number).prop_map(|(what, (node, buffer, place), number)| Mutation {
        what,
        node,
        buffer,
        place,
        number,
    })
}

/// The bytes of buffer `i` of a valid array.
///
/// # Safety
/// The structures follow the C data interface.
unsafe fn buffer_size(array: &RawArray, format: &[u8], i: usize) -> usize {
    let end = (array.length + array.offset) as usize;
    // SAFETY: arrays of the C data interface have offsets, one more than rows.
    let last = |wide: bool| unsafe {
        let offsets = *array.buffers.add(1);
        if wide { *offsets.cast::<i64>().add(end) as usize } else { *offsets.cast::<i32>().add(end) as usize }
    };
    match (i, format) {
        (0, _) | (_, b"b") => end.div_ceil(8),
        (1, b"u" | b"+l") => (end + 1) * 4,
        (1, b"U" | b"+L") => (end + 1) * 8,
        (_, b"u") => last(false),
        (_, b"U") => last(true),
        (_, b"c" | b"C") => end,
        (_, b"s" | b"S") => end * 2,
        (_, b"i" | b"I" | b"f" | b"tdD") => end * 4,
        (_, b"l" | b"L" | b"g" | b"tdm" | [b't', b's' | b'D', ..]) => end * 8,
        (_, decimal) if decimal.ends_with(b",32") => end * 4,
        (_, decimal) if decimal.ends_with(b",64") => end * 8,
        _ => end * 16,
    }
}

fn import(spoiled: &Spoiled) -> Result<Column> {
    // SAFETY: the structures release nothing, and the memory they point to is kept by the test.
    unsafe {
        let schema: ArrowSchema = std::ptr::read(&raw const spoiled.schema).into();
        let array: ArrowArray = std::ptr::read(&raw const spoiled.array).into();
        import_array(array, &import_schema(&schema)?, KeyOrder::Ascending, &Context::current())
    }
}

proptest! {
    #[test]
    fn spoiled_structures(
        column in (0usize..70).prop_flat_map(any_nested_column),
        mutations in prop::collection::vec(any_mutation(), 1..4),
    ) {
        let metadata = ColumnMetadata::named("x");
        let array: RawArray = export_array(&column, &metadata).unwrap().into();
        let schema: RawSchema = export_schema(&field(&column, &metadata).unwrap()).unwrap().into();
        // SAFETY: the structures were just made.
        let mut spoiled = unsafe { Spoiled::new(&array, &schema) };
        drop((ArrowArray::from(array), ArrowSchema::from(schema)));
        spoiled.link();
        spoiled.rename();
        let whole = import(&spoiled).unwrap();
        prop_assert_eq!(&to_arrow(&whole).unwrap(), &to_arrow(&column).unwrap());
        drop(whole);
        for mutation in &mutations {
            spoiled.spoil(mutation);
        }
        spoiled.rename();
        prop_assume!(spoiled.is_honest());
        if let Ok(column) = import(&spoiled) {
            column.validate().unwrap();
            let array = to_arrow(&column).unwrap();
            array.to_data().validate_full().unwrap();
            let _ = format!("{column:?}");
        }
    }

    #[test]
    fn spoiled_messages(
        columns in prop::collection::vec(any_nested_column(40), 1..3),
        mutations in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        let arrays: Vec<_> = columns.iter().map(|column| to_arrow(column).unwrap()).collect();
        let fields = arrays.iter().map(|array| Field::new("x", array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let batch = arrow_array::RecordBatch::try_new(Arc::clone(&schema), arrays).unwrap();
        let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        let mut at = writer.get_ref().len();
        writer.write(&batch).unwrap();
        let mut bytes = writer.into_inner().unwrap();
        // A message is a marker, the length of the header, the header and the data. Headers are left
        // alone: arrow-rs's reader panics at lengths that lie.
        let mut data = Vec::new();
        while bytes.len() > at + 8 {
            let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
            let header = arrow_ipc::root_as_message(&bytes[at + 8..at + 8 + length]).unwrap();
            let begin = at + 8 + length;
            at = begin + header.bodyLength() as usize;
            data.extend(begin..at);
        }
        for (place, byte) in mutations.into_iter().filter(|_| !data.is_empty()) {
            bytes[data[place.index(data.len())]] = byte;
        }
        let Ok(reader) = StreamReader::try_new(Cursor::new(bytes), None) else { return Ok(()) };
        for batch in reader.map_while(std::result::Result::ok) {
            let table = table_from_batch(&batch, &Context::current()).unwrap();
            table.columns().iter().for_each(|column| column.validate().unwrap());
        }
    }
}

#[test]
fn formats_are_types_or_errors() {
    for format in FORMATS {
        let format = CString::new(format).unwrap();
        let mut schema = RawSchema::from(ArrowSchema::empty());
        schema.format = format.as_ptr();
        schema.release = Some(release_schema);
        // SAFETY: the string lives as long as the structure.
        if let Ok(field) = unsafe { import_schema(&schema.into()) } {
            assert!(!matches!(field.data_type(), ArrowType::Float16));
        }
    }
}
