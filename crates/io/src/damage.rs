//! Damage that tests of readers do to files, and the properties of tables that are read all the same.

use cuprum_column::DataType;
use proptest::sample::Index;

use crate::Content;

/// Changes bytes of a file and cuts it off.
pub(crate) fn damage(bytes: &mut Vec<u8>, changes: &[(Index, u8)], cut: Option<Index>) {
    for (at, value) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
}

/// Asserts that columns have as many rows as their table, and that texts are UTF-8.
#[track_caller]
pub(crate) fn assert_sound(content: &Content) {
    for column in content.data.table.columns() {
        assert_eq!(column.len(), content.data.table.num_rows());
        if column.data_type() == DataType::String {
            let view = column.view().unwrap();
            let strings = view.strings().unwrap();
            for text in (0..column.len()).map(|row| strings.bytes(row)) {
                assert!(std::str::from_utf8(text).is_ok());
            }
        }
    }
}
