//! The closest name, for a "did you mean" in an error message.

/// The candidate that is most likely meant by `name`; `None` where nothing is near.
///
/// Names that differ only in case or in surrounding blanks are nearest; else the one with the
/// smallest edit distance (Damerau, restricted: an insertion, deletion, replacement or swap of
/// neighbours costs 1), if it is at most a third of the longer name, rounded up. The first of
/// equals wins. Looks at no more than 10 000 candidates and at no name longer than 256 characters.
///
/// ```
/// # use cuprum_column::closest_name;
/// let columns = ["price", "quantity", "Date"];
/// assert_eq!(closest_name("pirce", columns), Some("price"));
/// assert_eq!(closest_name("date", columns), Some("Date"));
/// assert_eq!(closest_name("colour", columns), None);
/// ```
pub fn closest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 256;
    const MOST: usize = 10_000;
    let wanted: Vec<char> = name.chars().take(LONGEST + 1).collect();
    let folded = name.trim().to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MOST) {
        if candidate.trim().to_lowercase() == folded {
            return Some(candidate);
        }
        let chars: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        if wanted.len() > LONGEST || chars.len() > LONGEST {
            continue;
        }
        let allowed = wanted.len().max(chars.len()).div_ceil(3);
        let distance = edit_distance(&wanted, &chars);
        if distance <= allowed
            && distance < wanted.len().max(chars.len())
            && best.is_none_or(|(d, _)| distance < d)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    // Three rows of the usual table: two above for the swaps, one above, the current one.
    let mut above2: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(above2[j - 2] + 1);
            }
            row.push(least);
        }
        above2 = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d =
            |a: &str, b: &str| edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("größe", "grosse", 3),
        ] {
            assert_eq!(d(a, b), expected, "{a} {b}");
            assert_eq!(d(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn nearest_first_and_nothing_when_far() {
        assert_eq!(closest_name("colum_b", ["column_a", "column_b"]), Some("column_b"));
        assert_eq!(closest_name("ab", ["aa", "bb"]), Some("aa"));
        assert_eq!(closest_name(" Total ", ["totals", "TOTAL"]), Some("TOTAL"));
        assert_eq!(closest_name("x", ["y"]), None);
        assert_eq!(closest_name("", ["a"]), None);
        assert_eq!(closest_name("a", []), None);
        assert_eq!(closest_name(&"a".repeat(1000), ["b"]), None);
    }
}
