//! Lines of a width.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use cuprum_elements::string_map as rows;

/// Every row in lines of at most `width` characters: the last white space at which a line fits becomes a line feed. A
/// word that is longer has a line of its own. All other white space becomes a space.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a width of 0.
///
/// ```
/// # use cuprum_text as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::strings::wrap::wrap;
///
/// let ctx = &Context::current();
/// let texts = Column::from_strs(&["the quick brown fox jumped"], ctx)?;
/// assert_eq!(wrap(&texts, 10, ctx)?.get(0)?.as_str(), Some("the quick\nbrown fox\njumped"));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn wrap(column: &Column, width: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.wrap");
    check_device!(ctx, [column]);
    if width == 0 {
        return Err(Error::invalid_argument("`width` is 0; lines have at least one character"));
    }
    if ctx.is_on_gpu() {
        return cuda::wrap::wrap(column, width, ctx);
    }
    let is_space = |c: char| c <= ' ';
    rows::map_text(column, ctx, |row, out| {
        let mut used = 0;
        for (k, word) in row.split(is_space).enumerate() {
            let length = word.chars().count();
            if k > 0 {
                // The word and the space before it.
                let is_new = used + 1 + length > width;
                out.push(if is_new { '\n' } else { ' ' });
                used = if is_new { 0 } else { used + 1 };
            }
            out.push_str(word);
            used += length;
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Only white space has changed; a line is too long only where it has no space.
        #[test]
        fn lines_fit(text in "[aé \t]{0,40}", width in 1usize..9) {
            let ctx = &Context::current();
            let column = Column::from_strs(&[text.as_str()], ctx).unwrap();
            let found = wrap(&column, width, ctx).unwrap().get(0).unwrap();
            let found = found.as_str().unwrap();
            prop_assert_eq!(found.replace('\n', " "), text.replace('\t', " "));
            for line in found.split('\n') {
                prop_assert!(line.chars().count() <= width || !line.contains(' '));
            }
        }
    }

    #[test]
    fn widths_that_are_none() {
        let ctx = &Context::current();
        let column = Column::from_strs(&["a"], ctx).unwrap();
        assert!(wrap(&column, 0, ctx).is_err());
    }
}
