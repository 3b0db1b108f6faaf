//! Characters and elements beyond the range of 32-bit offsets, in memory that is reserved and never written:
//! its pages are all one page of zeros.

use std::ptr::NonNull;

use cuprum_column::{Buffer, Column, Context, DataType, Device, arrow, nested, strings};

/// More than 2 GiB.
const BYTES: usize = (1 << 31) + (1 << 20);

struct Reserved(NonNull<u8>);

// SAFETY: the pages are only read.
unsafe impl Send for Reserved {}
// SAFETY: the pages are only read.
unsafe impl Sync for Reserved {}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this length.
        unsafe { libc::munmap(self.0.as_ptr().cast(), BYTES) };
    }
}

/// Zeros that take no memory.
fn sparse() -> Buffer {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping of the kernel's choice.
    let at = unsafe { libc::mmap(std::ptr::null_mut(), BYTES, libc::PROT_READ, flags, -1, 0) };
    assert_ne!(at, libc::MAP_FAILED);
    let at = NonNull::new(at.cast::<u8>()).unwrap();
    // SAFETY: the mapping is readable, never written and lives as long as `Reserved`.
    unsafe { Buffer::from_foreign(at, BYTES, Reserved(at)) }
}

fn offsets() -> Column {
    let end = BYTES as i64;
    Column::from_slice(&[0i64, end - 5, end - 2, end], &Context::current()).unwrap()
}

#[test]
fn text_beyond_two_gibibytes() {
    let column = Column::from_parts(DataType::String, 3, 0, Some(sparse()), None, vec![offsets()]).unwrap();
    assert_eq!(column.get(1).unwrap().as_str(), Some("\0\0\0"));
    assert_eq!(column.view().unwrap().strings().unwrap().range(2), BYTES - 2..BYTES);
    let array = arrow::to_arrow(&column.slice(1, 2).unwrap()).unwrap();
    assert_eq!(array.data_type().to_string(), "LargeUtf8");
    // Only the memory of the rows moves.
    let gpu = Context::on(Device::EMULATOR).unwrap();
    let there = column.slice(1, 2).unwrap().to_device(&gpu).unwrap();
    assert!(there.nbytes() < 1000);
    assert_eq!(there.get(1).unwrap().as_str(), Some("\0\0"));
    let large = column.slice(0, 2).unwrap();
    assert_eq!(large.view().unwrap().strings().unwrap().total_bytes(), BYTES - 2);
}

#[test]
fn lists_of_more_elements_than_32_bits_count() {
    let elements = Column::from_buffer(DataType::Int8, BYTES, sparse(), None).unwrap();
    let lists = Column::lists(offsets(), elements, None).unwrap();
    assert_eq!(lists.get(2).unwrap().to_string(), "[0, 0]");
    assert_eq!(lists.slice(0, 1).unwrap().elements().unwrap().len(), BYTES - 5);
    assert_eq!(
        lists.slice(1, 2).unwrap().to_device(&Context::on(Device::EMULATOR).unwrap()).unwrap().len(),
        2
    );
}

#[test]
fn offsets_are_wide_exactly_where_they_must_be() {
    let ctx = Context::current();
    let small = strings::SMALL_STRINGS;
    for (lengths, wide) in [(vec![small], false), (vec![small, 1], true), (vec![0, small + 1], true)] {
        let offsets = nested::offsets_from_lengths(&lengths, &ctx).unwrap();
        assert_eq!(offsets.data_type() == DataType::Int64, wide, "{lengths:?}");
        let last = offsets.get(lengths.len()).unwrap().as_i64().unwrap();
        assert_eq!(last as usize, lengths.iter().sum::<usize>());
    }
    let error = nested::offsets_from_lengths(&[usize::MAX, 2], &ctx).unwrap_err();
    assert_eq!(error.kind(), cuprum_column::ErrorKind::Overflow);
}
