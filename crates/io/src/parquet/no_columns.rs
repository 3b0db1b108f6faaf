//! Rows without columns: Parquet has none, so that pandas and pyarrow write a file of no rows. Where row labels are a
//! range, a note of pandas tells how many there were.

use serde_json::Value;

/// The number of row labels in pandas' note in this metadata; `None` where they are no range.
pub(super) fn noted_rows(metadata: &[(String, String)]) -> Option<usize> {
    let (_, note) = metadata.iter().find(|(key, _)| key == "pandas")?;
    let note: Value = serde_json::from_str(note).ok()?;
    let [range] = &note.get("index_columns")?.as_array()?[..] else { return None };
    let number = |key| Some(i128::from(range.get(key)?.as_i64()?));
    let (start, stop, step) = (number("start")?, number("stop")?, number("step")?);
    let rows = (stop - start + step - step.signum()).checked_div(step)?;
    isize::try_from(rows.max(0)).ok().map(isize::cast_unsigned)
}

#[cfg(test)]
mod tests {
    use super::noted_rows;

    #[test]
    fn ranges_have_as_many_rows_as_labels() {
        let rows =
            |levels: &str| noted_rows(&[("pandas".to_owned(), format!("{{\"index_columns\": {levels}}}"))]);
        let range = |start: i64, stop: i64, step: i64| {
            rows(&format!(r#"[{{"kind": "range", "start": {start}, "stop": {stop}, "step": {step}}}]"#))
        };
        assert_eq!(range(0, 5, 1), Some(5));
        assert_eq!(range(3, 20, 4), Some(5));
        assert_eq!(range(5, 0, -2), Some(3));
        assert_eq!(range(5, 0, 1), Some(0));
        assert_eq!(range(0, 5, 0), None);
        assert_eq!(range(i64::MIN, i64::MAX, 1), None);
        assert_eq!(rows(r#"["a"]"#), None);
        assert_eq!(rows("[]"), None);
        assert_eq!(noted_rows(&[]), None);
    }
}
