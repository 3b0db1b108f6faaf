//! The rows that a running reduction takes in.

/// What a running reduction has of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanRows {
    UpToEach,
    BeforeEach,
}
