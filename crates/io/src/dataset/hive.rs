//! Names of directories that tell a key and its value, as Hive writes them: `year=2024`.

use cuprum_column::{Error, Result};

/// The value in the name of a directory of rows whose key is missing.
pub const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The keys that directories of these names tell, in their order: those of the form `name=value`. Names and values
/// are percent-decoded; the value of [`NULL`] is `None`. Of a name that occurs twice the last value counts.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for what is no UTF-8 when it is decoded.
///
/// ```
/// use cuprum_io::dataset::hive;
///
/// let keys = hive::parse(["trips", "year=2024", "city=S%C3%A3o%20Paulo", "line=__HIVE_DEFAULT_PARTITION__"])?;
/// let keys: Vec<_> = keys.iter().map(|(name, value)| (&**name, value.as_deref())).collect();
/// assert_eq!(keys, [("year", Some("2024")), ("city", Some("São Paulo")), ("line", None)]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn parse<'n>(directories: impl IntoIterator<Item = &'n str>) -> Result<Vec<(String, Option<String>)>> {
    let mut keys: Vec<(String, Option<String>)> = Vec::new();
    for directory in directories {
        let Some((name, value)) = directory.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            continue;
        };
        let name = decoded(name, directory)?;
        let value = if value == NULL { None } else { Some(decoded(value, directory)?) };
        match keys.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => keys.push((name, value)),
        }
    }
    Ok(keys)
}

/// The name of the directory of a key's value, such that [`parse`] finds both; all bytes but letters, digits and `_.-~`
/// of the value are percent-encoded, as pyarrow does.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a key whose name cannot be there as
/// it is: with `=`, `/`, `\` or what looks percent-encoded, empty, or one that makes a [hidden](super::is_hidden)
/// directory.
pub fn directory(name: &str, value: Option<&str>) -> Result<String> {
    let is_read_back = decoded(name, name).is_ok_and(|read| read == name);
    if name.is_empty() || name.contains(['=', '/', '\\', '\0']) || !is_read_back {
        return Err(Error::invalid_argument(format!(
            "`partition_cols`: {name:?} cannot be in the name of a directory"
        )));
    }
    if super::is_hidden(name) {
        return Err(Error::invalid_argument(format!(
            "`partition_cols`: the directories of the key {name:?} would be passed over by readers, as all whose names \
             begin with '_' or '.'"
        )));
    }
    let value = value.map_or_else(|| NULL.to_owned(), encoded);
    Ok(format!("{name}={value}"))
}

/// A value as it is in names; the text of [`NULL`] is not that of a missing value.
fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for (at, byte) in value.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte);
        if plain && !(at == 0 && value == NULL) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// A text without its percent-encoding; a `%` without two hexadecimal digits stays as it is.
fn decoded(text: &str, directory: &str) -> Result<String> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(plain).map_err(|e| {
        Error::invalid_argument(format!("the directory {directory:?} is no text when it is percent-decoded"))
            .with_source(e)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;
    use proptest::prelude::*;

    fn one(directory: &str) -> Option<(String, Option<String>)> {
        parse([directory]).unwrap().pop()
    }

    #[test]
    fn what_is_a_key() {
        let found = |name: &str, value: Option<&str>| Some((name.to_owned(), value.map(str::to_owned)));
        assert_eq!(one("k=1"), found("k", Some("1")));
        assert_eq!(one("k="), found("k", Some("")));
        assert_eq!(one("k=a=b"), found("k", Some("a=b")));
        assert_eq!(one("k=%zz%4"), found("k", Some("%zz%4")));
        assert_eq!(one("k%20=%25"), found("k ", Some("%")));
        assert_eq!(one("k=__HIVE_DEFAULT_PARTITION__"), found("k", None));
        assert_eq!(one("=1"), None);
        assert_eq!(one("plain"), None);
        let last = parse(["k=1", "a=2", "k=3"]).unwrap();
        assert_eq!(last, [found("k", Some("3")).unwrap(), found("a", Some("2")).unwrap()]);
    }

    #[test]
    fn what_is_no_text_or_no_name_is_refused() {
        assert_eq!(parse(["k=%ff"]).unwrap_err().kind(), ErrorKind::InvalidArgument);
        for name in ["", "a=b", "a/b", "a\\b", "a\0b", "50%25", "%c3", "_a", ".a"] {
            let error = directory(name, Some("1")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{name}");
            assert!(error.to_string().contains("`partition_cols`"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn keys_come_back(name in "[^=/\\\\\0%_.][^=/\\\\\0%]{0,8}%?", value in proptest::option::of(any::<String>())) {
            let made = directory(&name, value.as_deref()).unwrap();
            prop_assert!(!made.contains('/'));
            prop_assert_eq!(one(&made), Some((name, value)));
        }

        #[test]
        fn any_name_is_a_key_or_none(text in any::<String>()) {
            // It may be refused, and nothing else.
            let _ = parse([&*text]);
        }
    }

    #[test]
    fn bytes_have_two_digits() {
        assert_eq!(directory("k", Some("a\tb/é")).unwrap(), "k=a%09b%2F%C3%A9");
        assert_eq!(one("k=a%09b"), Some(("k".into(), Some("a\tb".into()))));
    }

    #[test]
    fn the_text_of_the_null_is_a_text() {
        assert_eq!(one(&directory("k", Some(NULL)).unwrap()), Some(("k".into(), Some(NULL.into()))));
    }
}
