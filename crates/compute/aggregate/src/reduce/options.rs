//! Options of running reductions.

/// The rows of a running reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanRows {
    UpToEach,
    BeforeEach,
}
