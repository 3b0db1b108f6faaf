//! Checks of columns whose parts come from elsewhere.

use cuprum_runtime::error::ResultExt;
use cuprum_runtime::parallel;
use cuprum_runtime::{Buffer, Context, Device, Error, Result};

use crate::column::Column;
use crate::types::DataType;

/// The deepest nesting of columns; beyond, walking them could run out of stack.
pub const MAX_DEPTH: usize = 64;

impl Column {
    /// Checks everything that reading the column relies on, down to the innermost child: sizes of
    /// buffers, the number and types of children, offsets that do not decrease and stay inside what they
    /// point to, UTF-8, indices below the number of keys. Memory on a GPU is copied to be checked.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) and names the part.
    pub fn validate(&self) -> Result<()> {
        self.validate_within(MAX_DEPTH)
    }

    fn validate_within(&self, depth: usize) -> Result<()> {
        if depth == 0 {
            return Err(Error::logic(format!("the column is nested deeper than {MAX_DEPTH} levels")));
        }
        for (i, child) in self.children().iter().enumerate() {
            child
                .validate_within(depth - 1)
                .context(|| format!("child {i} of a {} column", self.data_type()))?;
        }
        self.validate_level()
    }

    /// [`validate`](Self::validate) of the column alone, taking its children as valid.
    pub(crate) fn validate_level(&self) -> Result<()> {
        let (end, data_type) = (self.offset() + self.len(), self.data_type());
        if let Some(mask) = self.mask()
            && mask.len() < end.div_ceil(8)
        {
            return Err(Error::logic(format!("the mask has {} bytes for {end} rows", mask.len())));
        }
        let children = self.children().len();
        let expect_children = |expected: usize| {
            if children == expected {
                return Ok(());
            }
            Err(Error::logic(format!("a {data_type} column has {children} children, not {expected}")))
        };
        if let Some(size) = data_type.size() {
            let bytes = self.data().map_or(0, Buffer::len);
            if bytes / size < end {
                return Err(Error::logic(format!(
                    "the data has {bytes} bytes; {end} elements of {data_type} take {size} each"
                )));
            }
            return expect_children(0);
        }
        match data_type {
            DataType::String => {
                if !(self.is_empty() && children == 0) {
                    expect_children(1)?;
                }
                let chars = self.data().map_or(0, Buffer::len);
                self.validate_offsets(chars, "characters")?;
                self.validate_text()
            }
            DataType::List => {
                expect_children(2)?;
                self.validate_offsets(self.children()[1].len(), "elements")
            }
            DataType::Struct => match self.children().iter().position(|field| field.len() < end) {
                Some(i) => Err(Error::logic(format!(
                    "field {i} has {} rows, the structs are {end}",
                    self.children()[i].len()
                ))),
                None => Ok(()),
            },
            DataType::Dictionary32 => {
                expect_children(2)?;
                self.validate_indices()
            }
            _ => expect_children(0),
        }
    }

    pub(crate) fn validate_offsets(&self, target: usize, what: &str) -> Result<()> {
        let Some(child) = self.offsets_child() else {
            return if self.is_empty() {
                Ok(())
            } else {
                Err(Error::logic(format!("{} rows have no offsets", self.len())))
            };
        };
        let end = self.offset() + self.len();
        if child.len() <= end {
            return Err(Error::logic(format!("{end} rows have {} offsets, not {}", child.len(), end + 1)));
        }
        if child.has_nulls() {
            return Err(Error::logic("offsets have nulls"));
        }
        if self.is_empty() {
            return Ok(());
        }
        let rows = child.slice(self.offset(), self.len() + 1)?.to_host()?;
        let first_bad = |low: &dyn Fn(usize) -> i64| {
            (0..self.len()).find(|&i| low(i) > low(i + 1)).map(|i| (i, low(i), low(i + 1)))
        };
        let view = rows.view()?;
        let (bad, first, last) = match rows.data_type() {
            DataType::Int32 => {
                let o = view.values::<i32>()?;
                (first_bad(&|i| i64::from(o[i])), i64::from(o[0]), i64::from(o[o.len() - 1]))
            }
            DataType::Int64 => {
                let o = view.values::<i64>()?;
                (first_bad(&|i| o[i]), o[0], o[o.len() - 1])
            }
            other => return Err(Error::logic(format!("offsets are {other}, not int32 or int64"))),
        };
        if let Some((row, from, to)) = bad {
            return Err(Error::logic(format!("the offsets of row {row} decrease from {from} to {to}")));
        }
        if first < 0 || usize::try_from(last).is_ok_and(|last| last > target) {
            return Err(Error::logic(format!(
                "offsets from {first} to {last} leave the {target} {what} there are"
            )));
        }
        Ok(())
    }

    pub(crate) fn validate_text(&self) -> Result<()> {
        let host;
        let column = if self.device() == Device::Cpu {
            self
        } else {
            host = self.to_host()?;
            &host
        };
        let view = column.view()?;
        let (offsets, chars) = (view.offsets()?, view.bytes()?);
        let bad = parallel::map_morsels(column.len(), &Context::current(), |rows| {
            // All at once is fastest. Errors are looked for row by row: also a null row is read as text by
            // callers that do not ask for its validity.
            let all = offsets.range(rows.start).start..offsets.range(rows.end - 1).end;
            if let Ok(text) = std::str::from_utf8(&chars[all.clone()])
                && rows.clone().all(|i| text.is_char_boundary(offsets.range(i).start - all.start))
            {
                return Ok(None);
            }
            Ok(rows.clone().find(|&i| std::str::from_utf8(&chars[offsets.range(i)]).is_err()))
        })?;
        match bad.into_iter().flatten().next() {
            Some(row) => Err(Error::logic(format!("the text of row {row} is not UTF-8"))),
            None => Ok(()),
        }
    }

    pub(crate) fn validate_indices(&self) -> Result<()> {
        let (indices, keys) = (&self.children()[0], self.children()[1].len());
        if !indices.data_type().is_unsigned_integer() {
            return Err(Error::logic(format!("indices are {}, not unsigned integers", indices.data_type())));
        }
        if indices.len() < self.offset() + self.len() {
            return Err(Error::logic(format!(
                "{} indices for {} rows",
                indices.len(),
                self.offset() + self.len()
            )));
        }
        if indices.has_nulls() {
            return Err(Error::logic("indices have nulls; they belong to the dictionary column"));
        }
        let host = self.to_host()?;
        let (indices, view) = (host.indices()?, host.view()?);
        let (indices, validity) = (indices.view()?, view.validity());
        let bad = crate::dispatch_storage!(indices.data_type(), T => {
            use crate::stored::Native;
            let values = indices.values::<T>()?;
            let beyond = |i: usize| values[i].as_i64() as u64 >= keys as u64;
            let bad = parallel::map_morsels(values.len(), &Context::current(), |mut rows| {
                Ok(rows.find(|&i| beyond(i) && validity.is_none_or(|bits| bits.get(i))))
            })?;
            bad.into_iter().flatten().next().map(|row| (row, values[row].as_i64() as u64))
        }, else => None);
        match bad {
            Some((row, index)) => {
                Err(Error::logic(format!("index {index} at row {row} is beyond the {keys} keys")))
            }
            None => Ok(()),
        }
    }
}
