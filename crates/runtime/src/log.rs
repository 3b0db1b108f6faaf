//! Logging.
//!
//! Six levels, as libcudf has them. `WARN` and above go to standard error unless told otherwise:
//! `CUPRUM_LOGGING_LEVEL` (or `LIBCUDF_LOGGING_LEVEL`) sets the lowest level that is written, and
//! `CUPRUM_DEBUG_LOG_FILE` (or `LIBCUDF_DEBUG_LOG_FILE`) names a file to append to instead.
//!
//! A program that installs a logger of the [`log`] crate gets the messages in place of standard error,
//! with the target [`TARGET`]; that logger alone then chooses among the levels, of which its own highest,
//! `Error`, stands for `CRITICAL`, too. A file or a writer that was named still goes first.
//!
//! [`trace!`](crate::log::trace) and [`debug!`](crate::log::debug) may show data and are left out of
//! builds without debug assertions (both of our profiles), unless the feature `debug-log` asks for them.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use ::log::{LevelFilter, Log, Metadata, Record};

use crate::error::{Error, Result};
use crate::fork::{self, Mutex};

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Every step, for developers.
    Trace,
    /// Details, for developers.
    Debug,
    /// Rare events of normal work.
    Info,
    /// Events that a user may not expect.
    Warn,
    /// An error that was survived.
    Error,
    /// An error that was not, such as corrupt memory.
    Critical,
    /// No message at all.
    Off,
}

impl Level {
    const NAMES: [(&str, Self); 7] = [
        ("TRACE", Self::Trace),
        ("DEBUG", Self::Debug),
        ("INFO", Self::Info),
        ("WARN", Self::Warn),
        ("ERROR", Self::Error),
        ("CRITICAL", Self::Critical),
        ("OFF", Self::Off),
    ];

    fn from_number(number: u8) -> Self {
        Self::NAMES.get(number as usize).map_or(Self::Off, |&(_, level)| level)
    }

    /// The level that the `log` crate has for it.
    fn in_facade(self) -> Option<::log::Level> {
        match self {
            Self::Trace => Some(::log::Level::Trace),
            Self::Debug => Some(::log::Level::Debug),
            Self::Info => Some(::log::Level::Info),
            Self::Warn => Some(::log::Level::Warn),
            Self::Error | Self::Critical => Some(::log::Level::Error),
            Self::Off => None,
        }
    }
}

impl FromStr for Level {
    type Err = Error;

    /// The name in any case.
    fn from_str(name: &str) -> Result<Self> {
        let found = Self::NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|&(_, level)| level).ok_or_else(|| {
            Error::invalid_argument(format!(
                "logging level '{name}' is unknown; use TRACE, DEBUG, INFO, WARN, ERROR, CRITICAL or OFF"
            ))
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::NAMES[*self as usize].0)
    }
}

/// The target of the messages that a logger of the program gets.
pub const TARGET: &str = "cuprum";

static LEVEL: AtomicU8 = AtomicU8::new(Level::Warn as u8);
static SINK: Mutex<Sink> = Mutex::new(Sink::Stderr);
/// Whether nobody has named a file or a writer.
static IS_DEFAULT: AtomicBool = AtomicBool::new(true);

enum Sink {
    Stderr,
    Writer(Box<dyn Write + Send>),
}

/// Reads the environment once, before the first message is judged.
fn initialise() {
    static ONCE: Once = Once::new();
    if ONCE.is_completed() {
        return;
    }
    let _section = fork::section();
    ONCE.call_once(|| {
        let variable = |names: [&'static str; 2]| {
            names.into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)))
        };
        let mut problems = Vec::new();
        if let Some((name, value)) = variable(["CUPRUM_LOGGING_LEVEL", "LIBCUDF_LOGGING_LEVEL"]) {
            match value.parse::<Level>() {
                Ok(level) => LEVEL.store(level as u8, Ordering::Relaxed),
                Err(error) => problems.push(error.context(name)),
            }
        }
        if let Some((name, value)) = variable(["CUPRUM_DEBUG_LOG_FILE", "LIBCUDF_DEBUG_LOG_FILE"])
            && let Err(error) = open(Path::new(&value)).map(|file| replace_sink(Sink::Writer(Box::new(file))))
        {
            problems.push(error.context(name));
        }
        for problem in problems {
            emit(Level::Warn, format_args!("{problem}"));
        }
    });
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new().create(true).append(true).open(path).map_err(|e| Error::io(path, e))
}

fn replace_sink(sink: Sink) {
    IS_DEFAULT.store(matches!(sink, Sink::Stderr), Ordering::Relaxed);
    *SINK.lock() = sink;
}

/// The lowest level that is written.
pub fn level() -> Level {
    initialise();
    Level::from_number(LEVEL.load(Ordering::Relaxed))
}

/// Sets the lowest level that is written; returns the one before.
pub fn set_level(level: Level) -> Level {
    initialise();
    Level::from_number(LEVEL.swap(level as u8, Ordering::Relaxed))
}

/// Whether a message of this level would be written.
#[inline]
pub fn is_enabled(level: Level) -> bool {
    match (level.in_facade(), program_logger()) {
        (None, _) => false,
        (Some(theirs), Some(logger)) => {
            theirs <= ::log::max_level()
                && logger.enabled(&Metadata::builder().level(theirs).target(TARGET).build())
        }
        (Some(_), None) => level >= self::level(),
    }
}

/// The logger that the program has installed, where it is to get the messages.
#[inline]
fn program_logger() -> Option<&'static dyn Log> {
    initialise();
    // The `log` crate does not tell whether there is a logger. Its placeholder has no state, and then no
    // level is let through.
    let logger = ::log::logger();
    let installed = size_of_val(logger) > 0 || ::log::max_level() > LevelFilter::Off;
    Some(logger).filter(|_| installed && IS_DEFAULT.load(Ordering::Relaxed))
}

/// Appends messages to a file from now on.
pub fn to_file(path: &Path) -> Result<()> {
    initialise();
    replace_sink(Sink::Writer(Box::new(open(path)?)));
    Ok(())
}

/// Hands messages to `writer` from now on.
pub fn to_writer(writer: impl Write + Send + 'static) {
    initialise();
    replace_sink(Sink::Writer(Box::new(writer)));
}

/// Writes messages to standard error from now on, as at first.
pub fn to_stderr() {
    initialise();
    replace_sink(Sink::Stderr);
}

/// Hands buffered messages to the operating system.
pub fn flush() -> io::Result<()> {
    match &mut *SINK.lock() {
        Sink::Stderr => Ok(()),
        Sink::Writer(writer) => writer.flush(),
    }
}

/// Writes a message if its level is enabled: `[LEVEL][thread][HH:MM:SS.micros] message`, or the message alone
/// to a logger of the program's.
pub fn write(level: Level, message: fmt::Arguments<'_>) {
    if !is_enabled(level) {
        return;
    }
    match (level.in_facade(), program_logger()) {
        (Some(level), Some(logger)) => {
            logger.log(&Record::builder().level(level).target(TARGET).args(message).build());
        }
        _ => emit(level, message),
    }
}

fn emit(level: Level, message: fmt::Arguments<'_>) {
    let line = format!("[{level:8}][{}][{}] {message}\n", thread_number(), TimeOfDay::now());
    // A message that could not be written can be reported to nobody.
    let _ = match &mut *SINK.lock() {
        Sink::Stderr => io::stderr().write_all(line.as_bytes()),
        Sink::Writer(writer) => writer.write_all(line.as_bytes()).and_then(|()| writer.flush()),
    };
}

/// A small number unique to each thread.
pub(crate) fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|&number| number)
}

/// The time of the day in UTC, printed as `HH:MM:SS.micros`.
pub(crate) struct TimeOfDay(u64);

impl TimeOfDay {
    pub(crate) fn now() -> Self {
        Self(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros() as u64))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1_000_000;
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
        write!(f, "{hours:02}:{minutes:02}:{:02}.{:06}", seconds % 60, self.0 % 1_000_000)
    }
}

/// Logs for developers at [`Level::Trace`]; left out of release builds.
#[macro_export]
#[doc(hidden)]
macro_rules! __log_trace {
    ($($message:tt)*) => {
        if cfg!(any(debug_assertions, feature = "debug-log")) {
            $crate::log::write($crate::log::Level::Trace, format_args!($($message)*));
        }
    };
}

/// Logs for developers at [`Level::Debug`]; left out of release builds.
#[macro_export]
#[doc(hidden)]
macro_rules! __log_debug {
    ($($message:tt)*) => {
        if cfg!(any(debug_assertions, feature = "debug-log")) {
            $crate::log::write($crate::log::Level::Debug, format_args!($($message)*));
        }
    };
}

/// Logs at [`Level::Info`].
#[macro_export]
#[doc(hidden)]
macro_rules! __log_info {
    ($($message:tt)*) => { $crate::log::write($crate::log::Level::Info, format_args!($($message)*)) };
}

/// Logs at [`Level::Warn`].
#[macro_export]
#[doc(hidden)]
macro_rules! __log_warn {
    ($($message:tt)*) => { $crate::log::write($crate::log::Level::Warn, format_args!($($message)*)) };
}

/// Logs at [`Level::Error`].
#[macro_export]
#[doc(hidden)]
macro_rules! __log_error {
    ($($message:tt)*) => { $crate::log::write($crate::log::Level::Error, format_args!($($message)*)) };
}

/// Logs at [`Level::Critical`].
#[macro_export]
#[doc(hidden)]
macro_rules! __log_critical {
    ($($message:tt)*) => { $crate::log::write($crate::log::Level::Critical, format_args!($($message)*)) };
}

pub use crate::{
    __log_critical as critical, __log_debug as debug, __log_error as error, __log_info as info,
    __log_trace as trace, __log_warn as warn,
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, mpsc};

    /// Sends each line away.
    struct Lines(mpsc::Sender<String>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn levels_files_and_sinks() {
        // One test, because the logger is one.
        let (sender, lines) = mpsc::channel();
        to_writer(Lines(sender));
        let before = set_level(Level::Warn);
        info!("too low {}", 1);
        warn!("careful {}", 2);
        critical!("lost {}", 3);
        set_level(Level::Off);
        critical!("nobody hears");
        set_level(Level::Trace);
        let evaluated = Arc::new(AtomicU8::new(0));
        trace!("compiled out {}", evaluated.fetch_add(1, Ordering::Relaxed));
        debug!("compiled out {}", evaluated.fetch_add(1, Ordering::Relaxed));
        let expected = if cfg!(any(debug_assertions, feature = "debug-log")) { 2 } else { 0 };
        assert_eq!(evaluated.load(Ordering::Relaxed), expected);
        let path = std::env::temp_dir().join(format!("cuprum-log-{}", std::process::id()));
        to_file(&path).unwrap();
        error!("to the file");
        flush().unwrap();
        to_stderr();
        set_level(before);

        let lines: Vec<String> =
            lines.try_iter().filter(|l| l.contains("careful") || l.contains("lost")).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("[WARN    ][") && lines[0].ends_with("] careful 2\n"), "{lines:?}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("to the file"));
        std::fs::remove_file(&path).unwrap();
        assert!(to_file(Path::new("/nonexistent/log")).unwrap_err().to_string().contains("/nonexistent/log"));
    }

    #[test]
    fn names_of_levels() {
        for (name, level) in Level::NAMES {
            assert_eq!(name.to_lowercase().parse::<Level>().unwrap(), level);
            assert_eq!(Level::from_number(level as u8), level);
        }
        assert!("loud".parse::<Level>().unwrap_err().to_string().contains("'loud'"));
    }
}
