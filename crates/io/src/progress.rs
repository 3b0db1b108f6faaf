//! One line on the terminal that says how far long work on a file has come.
//!
//! `read_csv flights.csv 43 % 120 MB/s`: on standard error, only if that is a terminal, only after
//! two seconds, and gone when the work ends. `CUPRUM_PROGRESS=0` turns it off. Python is not asked
//! for anything, so threads without the GIL may write it. A [`Watch`] of the thread sees the same counts.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cuprum_column::{Column, Table};

use crate::watch::{Counts, Watch};

/// Work that takes no longer shows nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time between two changes of the line.
const INTERVAL: Duration = Duration::from_millis(100);
/// Characters of a file name that are shown.
const NAME: usize = 40;

/// The progress of some work, in bytes. Any thread may report.
pub struct Progress {
    counts: Arc<Counts>,
    row_bytes: usize,
    line: Option<Line>,
}

/// The terminal of the line.
struct Line {
    title: String,
    terminal: Mutex<Box<dyn Write + Send>>,
    /// Time since the work began.
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
    /// When the line is due to change, in milliseconds.
    due: AtomicU64,
}

impl Progress {
    /// The progress of `operation` on the file `path`, shown where somebody may be looking.
    pub(crate) fn new(operation: &str, path: Option<&Path>) -> Self {
        let wanted = std::env::var_os("CUPRUM_PROGRESS").is_none_or(|value| value != "0");
        let this = if wanted && std::io::stderr().is_terminal() {
            let start = Instant::now();
            Self::on(Box::new(std::io::stderr()), Box::new(move || start.elapsed()), operation, path)
        } else {
            Self::silent()
        };
        if let Some(watch) = Watch::of_thread() {
            watch.begin(&this.counts);
        }
        this
    }

    /// The progress of an operation that writes the rows of `table` to `path`.
    pub(crate) fn of_table(operation: &str, path: &Path, table: &Table) -> Self {
        let bytes: usize = table.columns().iter().map(Column::nbytes).sum();
        let row_bytes = bytes.div_ceil(table.num_rows().max(1));
        let this = Self { row_bytes, ..Self::new(operation, Some(path)) };
        this.expect(row_bytes * table.num_rows());
        this
    }

    /// Progress that is never shown.
    pub(crate) fn silent() -> Self {
        Self { counts: Arc::default(), row_bytes: 0, line: None }
    }

    fn on(
        terminal: Box<dyn Write + Send>,
        clock: Box<dyn Fn() -> Duration + Send + Sync>,
        operation: &str,
        path: Option<&Path>,
    ) -> Self {
        let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        // No control characters, and short enough for one line.
        let name =
            name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(NAME).collect::<String>();
        let title = if name.is_empty() { operation.to_string() } else { format!("{operation} {name}") };
        let due = AtomicU64::new(PATIENCE.as_millis() as u64);
        let line = Line { title, terminal: Mutex::new(terminal), clock, due };
        Self { line: Some(line), ..Self::silent() }
    }

    /// Says how much there is to do in all.
    pub(crate) fn expect(&self, bytes: usize) {
        self.counts.expect(bytes);
    }

    /// Says that `bytes` more have been done.
    pub(crate) fn advance(&self, bytes: usize) {
        let done = self.counts.advance(bytes);
        if let Some(line) = &self.line {
            line.update(done, self.counts.share());
        }
    }

    /// Says that `rows` more rows of the table have been written.
    pub(crate) fn advance_rows(&self, rows: usize) {
        self.advance(rows * self.row_bytes);
    }
}

impl Line {
    fn update(&self, done: usize, share: Option<f64>) {
        let now = (self.clock)();
        let millis = now.as_millis() as u64;
        if millis < self.due.load(Ordering::Relaxed) {
            return;
        }
        // Where another thread is writing, its line is as good.
        let Ok(mut terminal) = self.terminal.try_lock() else { return };
        self.due.store(millis + INTERVAL.as_millis() as u64, Ordering::Relaxed);
        let percent = (share.unwrap_or(1.0) * 100.0) as u32;
        let rate = done as f64 / now.as_secs_f64() / 1e6;
        let text = format!("\r{} {percent} % {rate:.0} MB/s\x1b[K", self.title);
        // A terminal that went away is no reason to stop the work.
        let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
    }
}

/// Clears the line if it was shown.
impl Drop for Line {
    fn drop(&mut self) {
        if self.due.load(Ordering::Relaxed) > PATIENCE.as_millis() as u64
            && let Ok(terminal) = self.terminal.get_mut()
        {
            let _ = terminal.write_all(b"\r\x1b[K").and_then(|()| terminal.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that remembers what was written.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Screen {
        fn take(&self) -> String {
            String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
        }
    }

    fn shown_at(path: Option<&str>) -> (Progress, Screen, Arc<AtomicU64>) {
        let (screen, millis) = (Screen::default(), Arc::new(AtomicU64::new(0)));
        let clock = Arc::clone(&millis);
        let clock = Box::new(move || Duration::from_millis(clock.load(Ordering::Relaxed)));
        let progress = Progress::on(Box::new(screen.clone()), clock, "read_csv", path.map(Path::new));
        (progress, screen, millis)
    }

    #[test]
    fn shows_a_line_after_two_seconds_and_clears_it() {
        let (progress, screen, millis) = shown_at(Some("some/where/flights.csv"));
        progress.expect(1_000_000_000);
        millis.store(1999, Ordering::Relaxed);
        progress.advance(300_000_000);
        assert_eq!(screen.take(), "");
        millis.store(2500, Ordering::Relaxed);
        progress.advance(130_000_000);
        assert_eq!(screen.take(), "\rread_csv flights.csv 43 % 172 MB/s\x1b[K");
        millis.store(2599, Ordering::Relaxed);
        progress.advance(1);
        assert_eq!(screen.take(), "");
        millis.store(4000, Ordering::Relaxed);
        progress.advance(2_000_000_000);
        assert!(screen.take().contains(" 100 % "));
        drop(progress);
        assert_eq!(screen.take(), "\r\x1b[K");
    }

    #[test]
    fn short_work_and_other_outputs_stay_silent() {
        let (progress, screen, millis) = shown_at(None);
        millis.store(1000, Ordering::Relaxed);
        progress.advance(5);
        drop(progress);
        assert_eq!(screen.take(), "");
        // The tests' standard error may be a terminal, but then the variable decides.
        assert!(Progress::silent().line.is_none());
    }

    #[test]
    fn names_are_cut_and_have_no_control_characters() {
        let (progress, screen, millis) = shown_at(Some("a\x1b[2J\nb.csv"));
        millis.store(3000, Ordering::Relaxed);
        progress.advance(3_000_000);
        assert_eq!(screen.take(), "\rread_csv a[2Jb.csv 100 % 1 MB/s\x1b[K");
        let (progress, screen, millis) = shown_at(Some(&"x".repeat(1000)));
        millis.store(3000, Ordering::Relaxed);
        progress.advance(0);
        assert!(screen.take().len() < 100);
    }
}
