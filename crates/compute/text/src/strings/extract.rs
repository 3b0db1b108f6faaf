//! The groups of a regular expression as columns.

use cuprum_column::{Column, Context, Error, Result, StringBuilder};
use cuprum_runtime::backend::{check_device, host_only};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;

use super::cuda::groups;
use super::pattern::{self, Anchor};
use super::pattern_kernels::by_kernels;
use cuprum_elements::string_map::SHORT_MORSEL;

/// One column for every group of `pattern`, in order: what the group has in the first match in the
/// row; null where the row does not match or the group takes no part.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a pattern without
/// groups.
pub fn extract(column: &Column, pattern: &str, case_sensitive: bool, ctx: &Context) -> Result<Vec<Column>> {
    func_range!(c"strings.extract");
    check_device!(ctx, [column]);
    let regex = pattern::compile(pattern, case_sensitive, Anchor::Anywhere)?;
    let groups = regex.captures_len() - 1;
    if groups == 0 {
        return Err(Error::invalid_argument(format!("`pattern` {pattern:?} contains no capture groups")));
    }
    let asked = (pattern, case_sensitive, Anchor::Anywhere);
    if let Some(columns) = by_kernels(column, asked, ctx, |_, _, _| Ok(None), groups::extract)? {
        return Ok(columns);
    }
    host_only!(ctx, [column], extract(&column, pattern, case_sensitive));
    let column = column.view()?;
    let view = column.strings()?;
    let morsels = parallel::map_ranges(view.len(), SHORT_MORSEL, ctx, |range| {
        let regex = regex.clone();
        let mut locations = regex.capture_locations();
        let mut builders: Vec<StringBuilder> =
            (0..groups).map(|_| StringBuilder::with_capacity(range.len(), 0)).collect();
        for i in range {
            let row = view.get_opt(i);
            let found = row.and_then(|row| regex.captures_read(&mut locations, row)).is_some();
            for (group, builder) in builders.iter_mut().enumerate() {
                let place = if found { locations.get(group + 1) } else { None };
                builder.push_opt(row.zip(place).map(|(row, (from, to))| &row[from..to]));
            }
        }
        Ok(builders)
    })?;
    let mut columns: Vec<Vec<StringBuilder>> = (0..groups).map(|_| Vec::new()).collect();
    for builders in morsels {
        for (column, builder) in columns.iter_mut().zip(builders) {
            column.push(builder);
        }
    }
    columns.into_iter().map(|parts| StringBuilder::finish_all(parts, ctx)).collect()
}

/// The names of the groups of `pattern`, in order; `None` for those without one.
pub fn group_names(pattern: &str) -> Result<Vec<Option<String>>> {
    let regex = pattern::compile(pattern, true, Anchor::Anywhere)?;
    Ok(regex.capture_names().skip(1).map(|name| name.map(String::from)).collect())
}
