//! Just enough of the zip format to read an archive with one member.
//!
//! After PKWARE's APPNOTE 6.3: the end-of-central-directory record is looked for from the end, the
//! first central directory entry gives method, sizes and checksum, the local header the start of
//! the data. Stored and deflated members; no encryption, no archives over 4 GiB.

use crate::deflate::{self, Format};

/// The content of the only member of `archive`; the error says what is wrong.
pub(crate) fn only_member(archive: &[u8]) -> Result<Vec<u8>, String> {
    const END: [u8; 4] = *b"PK\x05\x06";
    const ENTRY: [u8; 4] = *b"PK\x01\x02";
    const LOCAL: [u8; 4] = *b"PK\x03\x04";
    if !archive.starts_with(b"PK") {
        return Err("it is not a zip archive".into());
    }
    let tail = archive.len().saturating_sub(22 + 0xFFFF);
    let end = memchr::memmem::rfind(&archive[tail..], &END)
        .map(|at| tail + at)
        .ok_or("the zip archive is truncated: its directory is missing")?;
    // The length of the comment, the last field of the record, must be there too.
    short(archive, end + 20)?;
    let members = short(archive, end + 10)?;
    let mut entry = long(archive, end + 16)?;
    if entry == u32::MAX as usize || members == 0xFFFF {
        return Err("zip archives over 4 GiB are not supported".into());
    }
    // Directories and macOS' resource forks do not count.
    let mut found = None;
    let mut names = Vec::new();
    for _ in 0..members {
        if archive.get(entry..entry.saturating_add(4)) != Some(&ENTRY[..]) {
            return Err("the directory of the zip archive is damaged".into());
        }
        let name_len = short(archive, entry + 28)?;
        let name = archive.get(entry + 46..entry + 46 + name_len).ok_or(DAMAGED)?;
        if !name.ends_with(b"/") && !name.starts_with(b"__MACOSX/") {
            names.push(String::from_utf8_lossy(name).into_owned());
            found = Some(entry);
        }
        entry += 46 + name_len + short(archive, entry + 30)? + short(archive, entry + 32)?;
    }
    let entry = match (found, names.len()) {
        (Some(entry), 1) => entry,
        (_, 0) => return Err("the zip archive has no members".into()),
        (_, n) => {
            names.truncate(4);
            return Err(format!("the zip archive has {n} members ({}, …), expected one", names.join(", ")));
        }
    };
    let (flags, method) = (short(archive, entry + 8)?, short(archive, entry + 10)?);
    let checksum = long(archive, entry + 16)? as u32;
    let (packed, size) = (long(archive, entry + 20)?, long(archive, entry + 24)?);
    let local = long(archive, entry + 42)?;
    if flags & 1 != 0 {
        return Err("the zip archive is encrypted".into());
    }
    if [packed, size, local].contains(&(u32::MAX as usize)) {
        return Err("zip members over 4 GiB are not supported".into());
    }
    if archive.get(local..local.saturating_add(4)) != Some(&LOCAL[..]) {
        return Err(DAMAGED.into());
    }
    let start = local + 30 + short(archive, local + 26)? + short(archive, local + 28)?;
    let data = archive.get(start..start.saturating_add(packed)).ok_or("the zip archive is truncated")?;
    let content = match method {
        0 => data.to_vec(),
        8 => {
            let mut content = Vec::new();
            if !deflate::can_have(packed, size) {
                return Err(format!("{DAMAGED}: {packed} packed bytes cannot be {size} bytes"));
            }
            content.try_reserve_exact(size).map_err(|_| format!("{size} bytes do not fit memory"))?;
            if !deflate::unpack(Format::Raw, data, &mut content.spare_capacity_mut()[..size]) {
                return Err(format!("{DAMAGED}: its member does not unpack to {size} bytes"));
            }
            // SAFETY: so many were written.
            unsafe { content.set_len(size) };
            content
        }
        _ => {
            return Err(format!(
                "the zip member is compressed by method {method}; only deflate is supported"
            ));
        }
    };
    let mut actual = flate2::Crc::new();
    actual.update(&content);
    if content.len() != size || actual.sum() != checksum {
        return Err(format!("{DAMAGED}: size or checksum of its member do not match"));
    }
    Ok(content)
}

const DAMAGED: &str = "the zip archive is damaged";

fn short(bytes: &[u8], at: usize) -> Result<usize, String> {
    let two = bytes.get(at..at.saturating_add(2)).ok_or(DAMAGED)?;
    Ok(usize::from(u16::from_le_bytes([two[0], two[1]])))
}

fn long(bytes: &[u8], at: usize) -> Result<usize, String> {
    Ok(short(bytes, at)? | short(bytes, at.saturating_add(2))? << 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in members {
            let local = out.len() as u32;
            let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            packer.write_all(content).unwrap();
            let packed = packer.finish().unwrap();
            let mut crc = flate2::Crc::new();
            crc.update(content);
            let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
            for n in [crc.sum(), packed.len() as u32, content.len() as u32] {
                common.extend(n.to_le_bytes());
            }
            common.extend((name.len() as u16).to_le_bytes());
            common.extend([0, 0]);
            out.extend(b"PK\x03\x04");
            out.extend(&common);
            out.extend(name.as_bytes());
            out.extend(&packed);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(&common);
            directory.extend([0; 10]);
            directory.extend(local.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (at, count) = (out.len() as u32, members.len() as u16);
        out.extend(&directory);
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend(count.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend((directory.len() as u32).to_le_bytes());
        out.extend(at.to_le_bytes());
        out.extend([0, 0]);
        out
    }

    #[test]
    fn one_member_and_nothing_else() {
        let text = b"a,b\n1,2\n".repeat(100);
        let good = archive(&[("dir/", b""), ("flights.csv", &text), ("__MACOSX/x", b"y")]);
        assert_eq!(only_member(&good).unwrap(), text);
        assert!(only_member(&archive(&[("a", b"1"), ("b", b"2")])).unwrap_err().contains("2 members (a, b"));
        assert!(only_member(&archive(&[])).unwrap_err().contains("no members"));
        assert!(only_member(b"a,b\n").unwrap_err().contains("not a zip"));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let good = archive(&[("flights.csv", &b"some text, some more"[..])]);
        for len in 0..good.len() {
            assert!(only_member(&good[..len]).is_err(), "{len}");
        }
        for at in 0..good.len() {
            for flip in [1u8, 0x80, 0xFF] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                if let Ok(content) = only_member(&bad) {
                    assert_eq!(content, b"some text, some more");
                }
            }
        }
    }
}
