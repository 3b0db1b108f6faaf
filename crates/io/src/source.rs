//! The sources of a reader's bytes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bzip2::bufread::MultiBzDecoder;
use cuprum_column::{Context, Detail, Error, ErrorKind, HostUVec, Result};
use cuprum_runtime::parallel;
use flate2::bufread::MultiGzDecoder;
use liblzma::bufread::XzDecoder;

use crate::deflate::{self, Format};
use crate::progress::Progress;
use crate::remote::Remote;

/// The source of a reader.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// Bytes that were read from somewhere, by whose name messages call them. The ending of the name tells
    /// the compression, as that of a path does.
    Named(Arc<str>, Arc<[u8]>),
    /// A file that is elsewhere.
    Remote(Remote),
}

impl Source {
    /// The path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Bytes(_) | Self::Named(..) | Self::Remote(_) => None,
        }
    }
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<&str> for Source {
    fn from(path: &str) -> Self {
        Self::Path(path.into())
    }
}

impl From<&PathBuf> for Source {
    fn from(path: &PathBuf) -> Self {
        Self::Path(path.clone())
    }
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Self {
        Self::Path(path.to_path_buf())
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<&[u8]> for Source {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

/// The path or name, or "the input".
impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Bytes(_) => f.write_str("the input"),
            Self::Named(name, _) => f.write_str(name),
            Self::Remote(remote) => f.write_str(remote.name()),
        }
    }
}

/// Compression of a text file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// By the ending of the path: `.gz`, `.bz2`, `.xz`, `.zip`, else not compressed. Bytes in memory are taken as
    /// they are.
    #[default]
    Infer,
    /// Not compressed.
    None,
    /// gzip, of any number of members.
    Gzip,
    /// bzip2, of any number of streams.
    Bzip2,
    /// xz, of any number of streams.
    Xz,
    /// A zip archive with one member; for reading only.
    Zip,
}

impl Compression {
    /// The compression that [`Infer`](Self::Infer) stands for at `path`.
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for endings that name a
    /// compression that is not built in.
    pub fn of_path(self, path: &Path) -> Result<Self> {
        if self != Self::Infer {
            return Ok(self);
        }
        let lower = |text: &OsStr| text.to_string_lossy().to_ascii_lowercase();
        let mut ending = path.extension().map(lower);
        // An archive that is packed is an archive all the same.
        let inner = path.file_stem().and_then(|stem| Path::new(stem).extension()).map(lower);
        let packs = matches!(ending.as_deref(), Some("gz" | "bz2" | "xz"));
        if packs && inner.as_deref() == Some("tar") || ending.as_deref() == Some("tgz") {
            ending = Some("tar".to_owned());
        }
        match ending.as_deref() {
            Some("gz") => Ok(Self::Gzip),
            Some("bz2") => Ok(Self::Bzip2),
            Some("xz") => Ok(Self::Xz),
            Some("zip") => Ok(Self::Zip),
            Some(other @ ("zst" | "lz4" | "7z" | "tar")) => Err(Error::unsupported(format!(
                "{}: compression '.{other}' cannot be read or written; use gzip, bzip2, xz, zip or none, or pass \
                 `compression` if the name misleads",
                path.display()
            ))),
            _ => Ok(Self::None),
        }
    }
}

/// Zero bytes that follow a text, so that scanners may load words past its end.
pub(crate) const PADDING: usize = 64;

/// A whole text in memory, followed by [`PADDING`] zero bytes.
pub(crate) struct Text {
    bytes: HostUVec<u8>,
    len: usize,
}

impl Text {
    /// The number of bytes, without the padding.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes with the padding.
    pub(crate) fn padded(&self) -> &[u8] {
        &self.bytes
    }

    fn from_bytes(bytes: &[u8], ctx: &Context) -> Result<Self> {
        read_pieces(bytes.len(), ctx, |at, out| {
            out.copy_from_slice(&bytes[at..at + out.len()]);
            Ok(())
        })
    }

    /// The text of gzip, bzip2 or xz bytes.
    fn from_packed(source: &Source, compression: Compression, packed: &[u8], ctx: &Context) -> Result<Self> {
        if compression == Compression::Gzip
            && let Some(len) = deflate::gzip_len(packed)
        {
            let mut bytes = HostUVec::<u8>::uninit(len + PADDING, ctx)?;
            let (text, padding) = bytes.split_at_mut(len);
            if deflate::unpack(Format::Gzip, packed, text) {
                padding.fill(MaybeUninit::new(0));
                // SAFETY: what was unpacked fills the text, and the padding was written.
                return Ok(Self { bytes: unsafe { bytes.assume_init() }, len });
            }
        }
        // Several members, or damage, of which this tells more.
        Self::from_bytes(&unpack(source, compression, packed)?, ctx)
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A text of `len` bytes whose pieces are filled in parallel by `fill(position, piece)`.
fn read_pieces(
    len: usize,
    ctx: &Context,
    fill: impl Fn(usize, &mut [u8]) -> Result<()> + Sync,
) -> Result<Text> {
    const PIECE: usize = 512 << 10;
    let mut bytes = HostUVec::<u8>::uninit(len + PADDING, ctx)?;
    bytes[len..].fill(MaybeUninit::new(0));
    parallel::map_items(bytes[..len].chunks_mut(PIECE).enumerate(), ctx, |(i, piece)| {
        // Zeroing first costs little: the piece is then in the cache.
        piece.fill(MaybeUninit::new(0));
        // SAFETY: the piece has just been written whole.
        fill(i * PIECE, unsafe { piece.assume_init_mut() })
    })?;
    // SAFETY: the pieces cover the text and were zeroed before they were filled; the padding was
    // written above.
    Ok(Text { bytes: unsafe { bytes.assume_init() }, len })
}

/// All bytes of a source, as they are. Those of a file are read by all threads.
pub(crate) fn whole(source: &Source, ctx: &Context) -> Result<bytes::Bytes> {
    let path = match source {
        Source::Bytes(bytes) | Source::Named(_, bytes) => {
            return Ok(bytes::Bytes::from_owner(Arc::clone(bytes)));
        }
        Source::Remote(remote) => return remote.whole(),
        Source::Path(path) => path,
    };
    let io_error = |e| Error::io(path, e);
    let file = File::open(path).map_err(io_error)?;
    let metadata = file.metadata().map_err(io_error)?;
    if metadata.is_dir() {
        return Err(io_error(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    if metadata.is_file() && metadata.len() > 0 {
        let text = read_file(path, &file, metadata.len(), None, &Progress::silent(), ctx)?;
        return Ok(bytes::Bytes::from_owner(text));
    }
    // Pipes and the files of /proc do not know their length.
    let mut bytes = Vec::new();
    (&file).read_to_end(&mut bytes).map_err(io_error)?;
    Ok(bytes.into())
}

/// The first `limit` bytes of a file of `len`.
fn read_file(
    path: &Path,
    file: &File,
    len: u64,
    limit: Option<usize>,
    progress: &Progress,
    ctx: &Context,
) -> Result<Text> {
    let len = usize::try_from(len)
        .map_err(|_| Error::overflow(format!("{} is too long for memory", path.display())))?;
    let wanted = limit.map_or(len, |limit| limit.min(len));
    progress.expect(wanted);
    read_pieces(wanted, ctx, |at, out| {
        read_at(file, at as u64, out).map_err(|e| Error::io(path, e))?;
        progress.advance(out.len() / 2);
        Ok(())
    })
}

/// The first `limit` bytes or more of a text that is not compressed or packed by gzip (all of it without a limit, and of
/// others), and whether that is the whole. For `progress` this is half of what is to be done with the text.
pub(crate) fn load(
    source: &Source,
    compression: Compression,
    limit: Option<usize>,
    progress: &Progress,
    ctx: &Context,
) -> Result<(Text, bool)> {
    // Only plain files can be watched while they are read.
    let loaded = |text: Text| {
        progress.expect(text.len());
        progress.advance(text.len() / 2);
        Ok((text, true))
    };
    if let Some(limit) = limit
        && let Some((start, is_whole)) = start_of_gzip(source, compression, limit)?
    {
        return Ok((Text::from_bytes(&start, ctx)?, is_whole));
    }
    let path = match source {
        Source::Bytes(bytes) | Source::Named(_, bytes) => {
            let compression = match source {
                Source::Named(name, _) => compression.of_path(Path::new(&**name))?,
                _ => compression,
            };
            let text = match compression {
                Compression::Infer | Compression::None => Text::from_bytes(bytes, ctx)?,
                Compression::Zip => Text::from_bytes(&unzip(source, bytes)?, ctx)?,
                packed => Text::from_packed(source, packed, bytes, ctx)?,
            };
            return loaded(text);
        }
        Source::Remote(remote) => {
            let whole = Source::Named(remote.name().into(), Arc::from(&remote.whole()?[..]));
            return load(&whole, compression, limit, progress, ctx);
        }
        Source::Path(path) => path,
    };
    let io_error = |e| Error::io(path, e);
    let file = File::open(path).map_err(io_error)?;
    let metadata = file.metadata().map_err(io_error)?;
    if metadata.is_dir() {
        return Err(io_error(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    match compression.of_path(path)? {
        Compression::Gzip if metadata.is_file() && metadata.len() > 0 => {
            let packed = read_file(path, &file, metadata.len(), None, &Progress::silent(), ctx)?;
            loaded(Text::from_packed(source, Compression::Gzip, &packed, ctx)?)
        }
        packed @ (Compression::Gzip | Compression::Bzip2 | Compression::Xz) => {
            loaded(Text::from_bytes(&unpack(source, packed, BufReader::new(file))?, ctx)?)
        }
        Compression::Zip => {
            let (archive, _) = load(source, Compression::None, None, &Progress::silent(), ctx)?;
            loaded(Text::from_bytes(&unzip(source, &archive)?, ctx)?)
        }
        _ if metadata.is_file() && metadata.len() > 0 => {
            let text = read_file(path, &file, metadata.len(), limit, progress, ctx)?;
            let is_whole = text.len() as u64 == metadata.len();
            Ok((text, is_whole))
        }
        // Pipes and the files of /proc do not know their length.
        _ => {
            let mut bytes = Vec::new();
            (&file).read_to_end(&mut bytes).map_err(io_error)?;
            loaded(Text::from_bytes(&bytes, ctx)?)
        }
    }
}

/// The first `limit` bytes of a text that is packed by gzip or one more, all of it if there are fewer, and whether that is
/// all; `None` of other texts, of those that are damaged before, and of more than is unpacked at once in less time.
fn start_of_gzip(source: &Source, compression: Compression, limit: usize) -> Result<Option<(Vec<u8>, bool)>> {
    const MOST: usize = 16 << 20;
    if limit > MOST {
        return Ok(None);
    }
    let packed: Box<dyn BufRead> = match source {
        Source::Bytes(bytes) if compression == Compression::Gzip => Box::new(&bytes[..]),
        Source::Named(name, bytes) if compression.of_path(Path::new(&**name))? == Compression::Gzip => {
            Box::new(&bytes[..])
        }
        // Opening a pipe takes what is in it from whoever opens it next.
        Source::Path(path) if compression.of_path(path)? == Compression::Gzip && path.is_file() => {
            Box::new(BufReader::new(File::open(path).map_err(|e| Error::io(path, e))?))
        }
        _ => return Ok(None),
    };
    let mut start = Vec::new();
    let read = MultiGzDecoder::new(packed).take(limit as u64 + 1).read_to_end(&mut start);
    let is_whole = start.len() <= limit;
    Ok(read.is_ok().then_some((start, is_whole)))
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, at: u64, out: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, at: u64, out: &mut [u8]) -> std::io::Result<()> {
    let mut done = 0;
    while done < out.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut out[done..], at + done as u64)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            n => done += n,
        }
    }
    Ok(())
}

/// The bytes of streams of gzip, bzip2 or xz.
fn unpack(source: &Source, compression: Compression, packed: impl BufRead) -> Result<Vec<u8>> {
    use std::io::ErrorKind as Io;
    let mut bytes = Vec::new();
    let (name, read) = match compression {
        Compression::Bzip2 => ("bzip2", MultiBzDecoder::new(packed).read_to_end(&mut bytes)),
        Compression::Xz => ("xz", XzDecoder::new_multi_decoder(packed).read_to_end(&mut bytes)),
        _ => ("gzip", MultiGzDecoder::new(packed).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(e) if e.kind() == Io::UnexpectedEof => Err(Error::invalid_argument(format!(
            "{source}: the {name} data is truncated: it ends after {} decompressed bytes",
            bytes.len()
        ))
        .with_detail(Detail::DamagedCompression)),
        Err(e) if matches!(e.kind(), Io::InvalidInput | Io::InvalidData | Io::Other) => {
            let error = Error::invalid_argument(if bytes.is_empty() {
                format!("{source} is not {name} data: {e}")
            } else {
                format!("{source}: the {name} data is damaged after {} decompressed bytes: {e}", bytes.len())
            });
            Err(error.with_detail(Detail::DamagedCompression))
        }
        Err(e) if e.kind() == Io::OutOfMemory => Err(Error::new(
            ErrorKind::OutOfMemory,
            format!("{source}: the {name} data has more than {} bytes, which do not fit memory", bytes.len()),
        )),
        Err(e) => Err(Error::io(Path::new(&source.to_string()), e)),
    }
}

fn unzip(source: &Source, archive: &[u8]) -> Result<Vec<u8>> {
    crate::zip::only_member(archive).map_err(|e| Error::invalid_argument(format!("{source}: {e}")))
}
