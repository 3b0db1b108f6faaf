//! Reading: every column chunk of every row group is decoded by a task of its own, straight into
//! its place where [`direct`] and [`nested`](super::nested) know how, else by the `parquet` crate.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::TimestampSecondType;
use arrow_schema::{DataType as ArrowType, Field, Schema, TimeUnit as ArrowUnit};
use cuprum_column::{
    Column, Context, DataType, Device, Error, ErrorKind, Result, Table, arrow, closest_name,
};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_runtime::parallel;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelectionPolicy,
};
use parquet::basic::Type;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::Length;

use super::direct::{self, Chunks, Make, ValueLayout};
use super::footer;
use super::group::Group;
use super::input::Input;
use super::nested::Shape;
use super::prune::{Leaf, Pruned};
use super::{Metadata, ReadOptions, categories, damaged, describe, enums, guarded, no_columns, zones};
use crate::filter::{Bound, BoundCondition, Filter, Kind};
use crate::progress::Progress;
use crate::{Content, FileRows, NamedTable, Source};

/// The most rows decoded into one array: bounds what a damaged row count can ask for.
const BATCH_ROWS: usize = 1 << 20;

/// A file whose footer has been read.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) input: Input,
    pub(super) reader: ArrowReaderMetadata,
}

impl Opened {
    fn new(source: &Source) -> Result<Self> {
        let input = Input::open(source)?;
        let metadata = Arc::new(footer::read(&input, source)?);
        let load = |options| guarded(source, || ArrowReaderMetadata::try_new(Arc::clone(&metadata), options));
        // An Arrow schema in the file that the decoder cannot follow is no reason to refuse the file.
        let reader = load(ArrowReaderOptions::new())
            .or_else(|_| load(ArrowReaderOptions::new().with_skip_arrow_metadata(true)))?;
        // Columns are found by their position, and the `parquet` crate leaves out what has nothing inside.
        let columns = metadata.file_metadata().schema().get_fields();
        let names = reader.schema().fields().iter().map(|field| field.name());
        if columns.len() != names.len() {
            let names = names.map(String::as_str).chain(std::iter::repeat(""));
            let mut both = columns.iter().map(|column| column.name()).zip(names);
            let name = both.find(|(own, name)| own != name).map_or("", |(own, _)| own);
            return Err(Error::unsupported(format!("{source}: column '{name}' has nothing inside")));
        }
        let with = |schema: Option<Schema>, reader: ArrowReaderMetadata| match schema {
            Some(schema) => guarded(source, || {
                let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
                ArrowReaderMetadata::try_new(Arc::clone(reader.metadata()), options)
            }),
            None => Ok(reader),
        };
        let reader = with(zones::restored(&reader), reader)?;
        let reader = with(enums::as_texts(reader.schema(), metadata.file_metadata().schema_descr()), reader)?;
        Ok(Self { source: source.clone(), input, reader })
    }

    /// The same file, strings decoded as `strings`, whatever they are in the file.
    fn with_plain_strings(&self, strings: &ArrowType) -> Result<ArrowReaderMetadata> {
        let schema = self.reader.schema();
        let mut changed = false;
        let fields: Vec<Arc<Field>> = schema
            .fields()
            .iter()
            .map(|field| {
                let text = match field.data_type() {
                    ArrowType::Dictionary(_, values) => is_text(values),
                    other => is_text(other),
                };
                if !text || field.data_type() == strings {
                    return Arc::clone(field);
                }
                changed = true;
                Arc::new(field.as_ref().clone().with_data_type(strings.clone()))
            })
            .collect();
        if !changed {
            return Ok(self.reader.clone());
        }
        let options = ArrowReaderOptions::new()
            .with_schema(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())));
        guarded(&self.source, || ArrowReaderMetadata::try_new(Arc::clone(self.reader.metadata()), options))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.reader.schema().fields().iter().map(|f| f.name().as_str())
    }

    pub(super) fn row_group_rows(&self) -> Result<Vec<usize>> {
        let groups = self.reader.metadata().row_groups();
        if let [group] = groups
            && group.num_rows() == 0
            && self.names().next().is_none()
        {
            return Ok(vec![no_columns::noted_rows(&self.key_values()).unwrap_or(0)]);
        }
        groups
            .iter()
            .map(|group| {
                usize::try_from(group.num_rows()).map_err(|_| {
                    Error::invalid_argument(format!(
                        "{}: a row group of {} rows",
                        self.source,
                        group.num_rows()
                    ))
                })
            })
            .collect()
    }

    pub(super) fn key_values(&self) -> Vec<(String, String)> {
        let pairs = self.reader.metadata().file_metadata().key_value_metadata();
        pairs
            .into_iter()
            .flatten()
            .filter(|pair| pair.key != "ARROW:schema")
            .map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default()))
            .collect()
    }

    fn positions(&self, columns: Option<&[String]>) -> Result<Vec<usize>> {
        let Some(columns) = columns else { return Ok((0..self.names().count()).collect()) };
        columns
            .iter()
            .map(|name| {
                self.names().position(|n| n == name).ok_or_else(|| {
                    let hint = if let Some(closest) = closest_name(name, self.names()) {
                        format!("; did you mean '{closest}'?")
                    } else {
                        let shown: Vec<String> = self.names().take(8).map(|n| format!("'{n}'")).collect();
                        let more = if self.names().count() > 8 { ", …" } else { "" };
                        format!("; there are {}{more}", shown.join(", "))
                    };
                    let source = &self.source;
                    Error::new(ErrorKind::KeyNotFound, format!("{source}: there is no column '{name}'{hint}"))
                })
            })
            .collect()
    }
}

/// The type of a column of an Arrow type; of a dictionary that of its values.
pub(super) fn stored_type(arrow: &ArrowType) -> Result<DataType> {
    match arrow {
        ArrowType::Dictionary(_, values) => stored_type(values),
        ArrowType::RunEndEncoded(_, values) => stored_type(values.data_type()),
        // The zone stands in the field.
        ArrowType::Timestamp(unit, _) => DataType::from_arrow(&ArrowType::Timestamp(*unit, None)),
        other => DataType::stored_as(other),
    }
}

fn is_text(arrow: &ArrowType) -> bool {
    matches!(arrow, ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View)
}

pub(super) fn metadata(source: &Source) -> Result<Metadata> {
    let file = Opened::new(source)?;
    let row_group_rows = file.row_group_rows()?;
    Ok(Metadata {
        num_rows: row_group_rows.iter().sum(),
        row_group_rows,
        names: file.names().map(str::to_string).collect(),
        types: file.reader.schema().fields().iter().map(|f| f.data_type().to_string()).collect(),
        metadata: file.key_values(),
        created_by: file.reader.metadata().file_metadata().created_by().map(str::to_string),
    })
}

fn groups(file: &Opened, options: &ReadOptions) -> Result<Vec<Group>> {
    let all = file.row_group_rows()?;
    let wanted = options.row_groups.clone().unwrap_or_else(|| (0..all.len()).collect());
    let mut left = options.nrows.unwrap_or(usize::MAX);
    let mut skip = options.skip_rows;
    let mut groups = Vec::new();
    for number in wanted {
        let Some(&total) = all.get(number) else {
            let n = all.len();
            return Err(Error::out_of_range(format!(
                "{}: `row_groups` has {number}, but the file has {n} row groups",
                file.source
            )));
        };
        let start = skip.min(total);
        skip -= start;
        let rows = (total - start).min(left);
        left -= rows;
        if rows > 0 {
            groups.push(Group { number, start, rows });
        }
    }
    Ok(groups)
}

/// The plan of reading a file.
pub(super) struct Plan {
    pub(super) file: Opened,
    /// The columns, and their types.
    pub(super) positions: Vec<usize>,
    pub(super) types: Vec<DataType>,
    pub(super) filter: Option<Bound>,
    /// The row groups that the filter leaves to be decoded.
    pub(super) groups: Vec<Group>,
}

impl Plan {
    pub(super) fn new(source: &Source, options: &ReadOptions) -> Result<Self> {
        let mut file = Opened::new(source)?;
        let positions = file.positions(options.columns.as_deref())?;
        let mut groups = groups(&file, options)?;
        let filter = options.filter.as_ref().map(|filter| file.bind(filter)).transpose()?;
        // All columns that are read have to be of types that there are.
        let types = positions.iter().map(|&i| file.stored(i)).collect::<Result<Vec<_>>>()?;
        if let Some(filter) = &filter {
            file.prune(filter, &mut groups);
        }
        Ok(Self { file, positions, types, filter, groups })
    }

    /// All rows.
    pub(super) fn read(mut self, ctx: &Context) -> Result<Content> {
        let groups = std::mem::take(&mut self.groups);
        let progress = Progress::new("read_parquet", self.file.source.path());
        let metadata = self.file.reader.metadata();
        let sizes = groups.iter().map(|group| metadata.row_group(group.number).compressed_size());
        progress.expect(sizes.map(|size| size.max(0) as usize).fold(0, usize::saturating_add));
        self.content(groups, &progress, ctx)
    }

    /// The rows of some groups. The host decodes; for a GPU, columns that are decoded are copied while others are.
    fn content(&self, mut groups: Vec<Group>, progress: &Progress, ctx: &Context) -> Result<Content> {
        let Self { file, positions, types, filter, .. } = self;
        let source = &file.source;
        let host = &if ctx.is_on_gpu() { Context::beside(Device::Cpu)? } else { ctx.clone() };
        let (columns, num_rows) = match filter {
            None => {
                let columns = file.columns(positions, types, &groups, progress, host, ctx)?;
                (columns, num_rows(source, &groups)?)
            }
            Some(filter) => file.filtered(filter, positions, types, &mut groups, progress, host)?,
        };
        let fields = file.reader.schema().fields();
        let names = positions.iter().map(|&i| fields[i].name().clone()).collect();
        let table = Table::with_rows(columns, num_rows)
            .map_err(|e| Error::invalid_argument(format!("{source}: the Parquet data is damaged: {e}")))?
            .to_device(ctx)?;
        let dictionaries =
            positions.iter().map(|&i| file.dictionary(i, &groups, host)).collect::<Result<_>>()?;
        let fields = positions.iter().map(|&i| fields[i].as_ref().clone()).collect();
        let data = NamedTable { names, table };
        let rows = if filter.is_some() {
            None
        } else {
            let read = groups.iter().map(|group| (group.number, group.wanted()));
            Some(FileRows::of_pieces(file.row_group_rows()?, read))
        };
        Ok(Content { data, fields, dictionaries, metadata: file.key_values(), rows })
    }

    /// Whether groups are left to be taken.
    pub(super) fn has_next(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The next rows that together have at most `limit` bytes, as far as the file tells; at least one, where
    /// there are any. Without a limit these are all.
    pub(super) fn next(&mut self, limit: Option<usize>, ctx: &Context) -> Result<Content> {
        let mut left = limit.unwrap_or(usize::MAX);
        let mut taken = Vec::new();
        while let Some(group) = self.groups.first_mut() {
            let bytes = self.file.bytes_of_row(group.number, &self.positions);
            // Bytes of a row are a fraction, counted in 256ths.
            let fits = match limit {
                None => group.rows,
                Some(_) => {
                    usize::try_from((left as u128 * 256) / u128::from(bytes.max(1))).unwrap_or(usize::MAX)
                }
            };
            if fits >= group.rows {
                left = left.saturating_sub((group.rows as u64).saturating_mul(bytes).div_ceil(256) as usize);
                taken.push(self.groups.remove(0));
                continue;
            }
            if fits == 0 && !taken.is_empty() {
                break;
            }
            taken.push(group.split(fits.max(1)));
            if group.rows == 0 {
                self.groups.remove(0);
            }
            break;
        }
        self.content(taken, &Progress::silent(), ctx)
    }
}

pub(super) fn num_rows(source: &Source, groups: &[Group]) -> Result<usize> {
    groups
        .iter()
        .try_fold(0usize, |sum, group| sum.checked_add(group.rows))
        .ok_or_else(|| Error::invalid_argument(format!("{source}: more rows than can be counted")))
}

impl Opened {
    /// The type of the column at `position`.
    pub(super) fn stored(&self, position: usize) -> Result<DataType> {
        let field = self.reader.schema().field(position);
        stored_type(field.data_type())
            .map_err(|e| e.context(format!("{}: column '{}'", self.source, field.name())))
    }

    /// The number among the columns that have values of the column at `position`: the first, of nested ones.
    pub(super) fn leaf(&self, position: usize) -> Option<usize> {
        let schema = self.reader.parquet_schema();
        (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == position)
    }

    /// The rows of a group.
    fn total_rows(&self, number: usize) -> usize {
        usize::try_from(self.reader.metadata().row_group(number).num_rows()).unwrap_or(0)
    }

    /// The 256ths of bytes that a row of a group has in these columns, not packed.
    fn bytes_of_row(&self, number: usize, positions: &[usize]) -> u64 {
        let (schema, group) = (self.reader.parquet_schema(), self.reader.metadata().row_group(number));
        let leaves =
            (0..schema.num_columns()).filter(|&l| positions.contains(&schema.get_column_root_idx(l)));
        let rows = self.total_rows(number).max(1) as u64;
        leaves
            .map(|leaf| {
                let chunk = group.column(leaf);
                let encoded = chunk.unencoded_byte_array_data_bytes().unwrap_or(chunk.uncompressed_size());
                let encoded = u64::try_from(encoded).unwrap_or(0).saturating_mul(256) / rows;
                // Codes of a dictionary are shorter than what they stand for.
                let width = match schema.column(leaf).physical_type() {
                    Type::BOOLEAN => 1,
                    Type::INT32 | Type::FLOAT => 4,
                    Type::INT64 | Type::DOUBLE | Type::INT96 | Type::BYTE_ARRAY => 8,
                    Type::FIXED_LEN_BYTE_ARRAY => schema.column(leaf).type_length().max(0) as u64,
                };
                encoded.max(width * 256)
            })
            .fold(0, u64::saturating_add)
    }

    fn bind(&self, filter: &Filter) -> Result<Bound> {
        let position = |name: &str| {
            let found = self.positions(Some(&[name.to_owned()]));
            found.map(|positions| positions[0]).map_err(|e| e.context("`filters`"))
        };
        let field = |position: usize| {
            let data_type = self.stored(position).map_err(|e| e.context("`filters`"))?;
            Ok((self.reader.schema().field(position).clone(), data_type))
        };
        Bound::new(filter, position, field)
    }

    /// Takes away the groups, and the rows of them, in which nothing can meet the filter.
    fn prune(&mut self, filter: &Bound, groups: &mut Vec<Group>) {
        let leaf = |condition: &BoundCondition| {
            let arrow = self.reader.schema().field(condition.column).data_type();
            let kind = Kind::of(arrow, self.stored(condition.column).ok()?)?;
            Leaf::of(self.reader.parquet_schema(), self.leaf(condition.column)?, kind, arrow)
        };
        let leaves = filter.0.iter().map(|all| all.iter().map(leaf).collect::<Vec<_>>());
        let leaves: Vec<Vec<Option<Leaf>>> = leaves.collect();
        // A decoder of statistics that panics says nothing.
        let keeps = |decide: &dyn Fn() -> bool| guarded(&self.source, || Ok(decide())).unwrap_or(true);
        let (input, source) = (&self.input, &self.source);
        let metadata = Arc::clone(self.reader.metadata());
        let pruned = Pruned { input, metadata: &metadata, filter, leaves: &leaves };
        groups.retain(|group| keeps(&|| pruned.group(group.number)));
        groups.retain(|group| keeps(&|| pruned.bloom(group.number)));
        let has_index = |group: &Group| {
            let numbers = leaves.iter().flatten().flatten();
            numbers.into_iter().any(|leaf| {
                metadata.row_group(group.number).column(leaf.number).column_index_offset().is_some()
            })
        };
        if !groups.iter().any(has_index) {
            return;
        }
        let indexed = guarded(source, || {
            let owned = ParquetMetaData::clone(&metadata);
            let mut reader = ParquetMetaDataReader::new_with_metadata(owned)
                .with_page_index_policy(PageIndexPolicy::Optional);
            reader.read_page_indexes(input)?;
            reader.finish()
        });
        // A file whose page index is damaged is read without it.
        let Ok(indexed) = indexed else { return };
        let pruned = Pruned { input, metadata: &indexed, filter, leaves: &leaves };
        let all = std::mem::take(groups);
        let rows = |groups: &[Group]| groups.iter().map(|group| group.rows).fold(0, usize::saturating_add);
        for group in &all {
            match guarded(source, || Ok(pruned.pages(group.number))).unwrap_or(None) {
                Some(runs) => groups.extend(group.within(runs)),
                None => groups.push(*group),
            }
        }
        if rows(groups) < rows(&all) {
            let schema = Arc::clone(self.reader.schema());
            let options = ArrowReaderOptions::new().with_schema(schema);
            // Without the index, pages are passed over one by one.
            if let Ok(reader) = guarded(source, || ArrowReaderMetadata::try_new(Arc::new(indexed), options)) {
                self.reader = reader;
            }
        }
    }

    /// Fetches the column chunks of a remote file that are about to be decoded.
    fn fetch(&self, positions: &[usize], groups: &[Group], host: &Context) -> Result<()> {
        let Input::Remote(pieces) = &self.input else { return Ok(()) };
        pieces.fetch(&self.places(positions, groups)?, host)
    }

    /// The bytes of the file that column chunks have, each once.
    pub(super) fn places(&self, positions: &[usize], groups: &[Group]) -> Result<Vec<Range<u64>>> {
        let schema = self.reader.parquet_schema();
        let mut places = Vec::new();
        for same in groups.chunk_by(|a, b| a.number == b.number) {
            let group = self.reader.metadata().row_group(same[0].number);
            for leaf in
                (0..schema.num_columns()).filter(|&l| positions.contains(&schema.get_column_root_idx(l)))
            {
                let column = group.column(leaf);
                let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
                let (Ok(start), Ok(len)) = (u64::try_from(start), u64::try_from(column.compressed_size()))
                else {
                    let error = damaged("column start and length should not be negative");
                    let name = self.reader.schema().field(schema.get_column_root_idx(leaf)).name();
                    return Err(describe(&self.source, error)
                        .context(format!("row group {}", same[0].number))
                        .context(format!("column '{name}'")));
                };
                let end = start.saturating_add(len).min(self.input.len());
                places.push(start.min(end)..end);
            }
        }
        places.sort_unstable_by_key(|place| (place.start, place.end));
        places.dedup();
        Ok(places)
    }

    /// Columns in the groups, on the device of `ctx`; the host decodes.
    fn columns(
        &self,
        positions: &[usize],
        types: &[DataType],
        groups: &[Group],
        progress: &Progress,
        host: &Context,
        ctx: &Context,
    ) -> Result<Vec<Column>> {
        num_rows(&self.source, groups)?;
        self.fetch(positions, groups, host)?;
        parallel::map_items(positions.iter().zip(types), host, |(&position, &data_type)| {
            let name = self.reader.schema().field(position).name();
            self.column(position, data_type, groups, progress, host, ctx)
                .and_then(|column| column.to_device(ctx))
                .map_err(|e| e.context(format!("column '{name}'")))
        })
    }

    /// The rows of columns that meet a filter, and how many they are. The columns that are compared are decoded
    /// first, and of the others only around the rows that are left; `groups` are these at the end.
    fn filtered(
        &self,
        filter: &Bound,
        positions: &[usize],
        types: &[DataType],
        groups: &mut Vec<Group>,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<(Vec<Column>, usize)> {
        let compared = filter.columns();
        let compared_types = compared.iter().map(|&i| self.stored(i)).collect::<Result<Vec<_>>>()?;
        let read = self.columns(&compared, &compared_types, groups, progress, ctx, ctx)?;
        let rows = num_rows(&self.source, groups)?;
        if let Some(short) = read.iter().find(|column| column.len() != rows) {
            let found = short.len();
            return Err(Error::invalid_argument(format!(
                "{}: the Parquet data is damaged: {found} of {rows} rows",
                self.source
            )));
        }
        let at = |position: usize| compared.binary_search(&position).ok();
        // Every column that is compared has been read.
        let mask = filter.mask(rows, |position| &read[at(position).unwrap_or(0)], ctx)?;
        let read = Table::with_rows(read, rows)?;
        let read = apply_boolean_mask(&read, &mask, ctx)?;
        let of_groups = {
            let view = mask.view()?;
            let meets = view.values::<u8>()?;
            let mut first = 0;
            let places = groups.iter().map(|group| {
                first += group.rows;
                (group, &meets[first - group.rows..first])
            });
            parallel::map_items(places, ctx, |(group, meets)| Ok(group.meeting(meets)))?
        };
        let (mut left, mut masks, mut first) = (Vec::new(), Vec::new(), 0);
        for (group, parts) in groups.iter().zip(of_groups) {
            for part in parts {
                masks.push(mask.slice(first + (part.start - group.start), part.rows)?);
                left.push(part);
            }
            first += group.rows;
        }
        *groups = left;
        let others = positions.iter().zip(types).filter(|(position, _)| at(**position).is_none());
        let (others, other_types): (Vec<usize>, Vec<DataType>) = others.unzip();
        let other = self.columns(&others, &other_types, groups, progress, ctx, ctx)?;
        let other = Table::with_rows(other, num_rows(&self.source, groups)?).map_err(|e| {
            Error::invalid_argument(format!("{}: the Parquet data is damaged: {e}", self.source))
        })?;
        let other = if masks.is_empty() {
            other
        } else if other.num_rows() == rows {
            apply_boolean_mask(&other, &mask, ctx)?
        } else {
            let mask = concatenate(&masks.iter().collect::<Vec<_>>(), ctx)?;
            apply_boolean_mask(&other, &mask, ctx)?
        };
        let mut other = other.into_columns().into_iter();
        let column = |&position: &usize| match at(position) {
            Some(at) => read.column(at).cloned(),
            None => other.next().ok_or_else(|| Error::logic("a column is missing")),
        };
        Ok((positions.iter().map(column).collect::<Result<_>>()?, read.num_rows()))
    }

    /// The column at `position` in the groups, on the host or on the device of `ctx`.
    pub(super) fn column(
        &self,
        position: usize,
        data_type: DataType,
        groups: &[Group],
        progress: &Progress,
        host: &Context,
        ctx: &Context,
    ) -> Result<Column> {
        if groups.is_empty() {
            let empty = arrow_array::new_empty_array(self.reader.schema().field(position).data_type());
            return Ok(if data_type.is_nested() {
                arrow::from_arrow(&empty, host)?
            } else {
                Column::empty(data_type)
            });
        }
        if let ArrowType::Dictionary(_, values) = self.reader.schema().field(position).data_type()
            && **values == ArrowType::Null
        {
            // A dictionary of no values, which the `parquet` crate does not read: nothing is in the rows.
            return Column::nulls(data_type, groups.iter().map(|group| group.rows).sum(), host);
        }
        if let Some(leaf) = self.leaf(position) {
            let (source, input, metadata) = (&self.source, &self.input, self.reader.metadata());
            let chunks = Chunks { source, input, metadata, groups, leaf, around: None, progress, host };
            let column = match self.layout(position, leaf, data_type) {
                Some(layout) => Some(direct::Whole(&chunks, ctx).make(layout, data_type, None)),
                None => self.shape(position, leaf).map(|shape| shape.column(&chunks)),
            };
            match column {
                Some(Err(error)) if error.kind() == ErrorKind::Unsupported => {}
                Some(result) => return result,
                None => {}
            }
        }
        let pieces = parallel::map_ranges(groups.len(), 1, host, |range| {
            let group = &groups[range.start];
            self.decode(position, group, host).map_err(|e| e.context(format!("row group {}", group.number)))
        })?;
        let parts: Vec<&Column> = pieces.iter().flatten().collect();
        let (found, wanted): (usize, usize) =
            (parts.iter().map(|part| part.len()).sum(), groups.iter().map(|group| group.rows).sum());
        if found != wanted {
            return Err(Error::unsupported(format!("{found} of {wanted} rows can be decoded")));
        }
        concatenate(&parts, host)
    }

    /// The values of the dictionary that the column at `position` is, in their order: those of all groups, if
    /// these have the same.
    pub(super) fn dictionary(
        &self,
        position: usize,
        groups: &[Group],
        ctx: &Context,
    ) -> Result<Option<Column>> {
        let ArrowType::Dictionary(_, values) = self.reader.schema().field(position).data_type() else {
            return Ok(None);
        };
        let metadata = self.reader.metadata();
        let leaf = self.leaf(position);
        let created_by = metadata.file_metadata().created_by();
        let Some(leaf) = leaf.filter(|_| categories::keeps_order(created_by, values)) else {
            return Ok(None);
        };
        let mut dictionary: Option<Column> = None;
        for same in groups.chunk_by(|a, b| a.number == b.number) {
            let group = metadata.row_group(same[0].number);
            let read =
                guarded(&self.source, || categories::dictionary(&self.input, group, leaf, values, ctx));
            // Dictionaries that are not understood here are read as values all the same.
            let Ok(Some(Ok(own))) = read else { return Ok(None) };
            match &dictionary {
                Some(first) if !arrow::are_equal(first, &own)? => return Ok(None),
                Some(_) => {}
                None => dictionary = Some(own),
            }
        }
        Ok(dictionary)
    }

    /// The layout in which [`direct`] reads the column at `position` of `leaf`; `None` where it cannot.
    pub(super) fn layout(&self, position: usize, leaf: usize, data_type: DataType) -> Option<ValueLayout> {
        let column = self.reader.parquet_schema().column(leaf);
        let nested =
            column.path().parts().len() > 1 || column.max_rep_level() > 0 || column.max_def_level() > 1;
        let physical = column.physical_type();
        let arrow = self.reader.schema().field(position).data_type();
        if nested || (physical == Type::INT32 && *arrow == ArrowType::Date64) {
            return None;
        }
        ValueLayout::of(physical, column.type_length(), data_type)
    }

    /// The tree of the column at `position`, whose first leaf is `leaf`; `None` where
    /// [`nested`](super::nested) cannot read it.
    fn shape(&self, position: usize, leaf: usize) -> Option<Shape> {
        let column = self.reader.parquet_schema().root_schema().get_fields().get(position)?;
        let arrow = self.reader.schema().field(position).data_type();
        arrow.is_nested().then(|| Shape::of(column, arrow, leaf))?
    }

    /// One column of one row group, in pieces, by the `parquet` crate.
    fn decode(&self, position: usize, group: &Group, ctx: &Context) -> Result<Vec<Column>> {
        let small = self.with_plain_strings(&ArrowType::Utf8)?;
        let arrays = match self.arrays(&small, position, group) {
            // More than 2 GiB of text in one array: once more, with wide offsets.
            Err(error) if is_text(small.schema().field(position).data_type()) => {
                let large = self.with_plain_strings(&ArrowType::LargeUtf8)?;
                self.arrays(&large, position, group).map_err(|_| error)?
            }
            arrays => arrays?,
        };
        self.check_int96(position, group)?;
        let column = |array: &ArrayRef| match array.data_type() {
            ArrowType::Dictionary(_, values) => {
                let values = arrow_cast::cast(array, values);
                arrow::from_arrow(&values.map_err(|e| Error::unsupported(e.to_string()).with_source(e))?, ctx)
            }
            _ => arrow::from_arrow(array, ctx),
        };
        arrays.iter().map(column).collect()
    }

    /// Fails with `Overflow` where an `INT96` column has times outside of what nanoseconds hold, which the
    /// `parquet` crate makes other times of.
    fn check_int96(&self, position: usize, group: &Group) -> Result<()> {
        let (parquet, arrow) = (self.reader.parquet_schema(), self.reader.schema());
        let is_int96 = (0..parquet.num_columns()).any(|leaf| {
            parquet.get_column_root_idx(leaf) == position
                && parquet.column(leaf).physical_type() == Type::INT96
        });
        let ArrowType::Timestamp(ArrowUnit::Nanosecond, zone) = arrow.field(position).data_type() else {
            return Ok(());
        };
        if !is_int96 {
            return Ok(());
        }
        let seconds = ArrowType::Timestamp(ArrowUnit::Second, zone.clone());
        let mut fields: Vec<Arc<Field>> = arrow.fields().iter().cloned().collect();
        fields[position] = Arc::new(fields[position].as_ref().clone().with_data_type(seconds));
        let options = ArrowReaderOptions::new()
            .with_schema(Arc::new(Schema::new_with_metadata(fields, arrow.metadata().clone())));
        let reader = guarded(&self.source, || {
            ArrowReaderMetadata::try_new(Arc::clone(self.reader.metadata()), options)
        })?;
        for array in self.arrays(&reader, position, group)? {
            let seconds = array.as_primitive::<TimestampSecondType>();
            let outside = |second: &i64| second.checked_mul(1_000_000_000).is_none();
            if let Some(second) = seconds.iter().flatten().find(outside) {
                return Err(Error::overflow(format!(
                    "INT96 has the time {second} s from 1970, which does not fit nanoseconds"
                )));
            }
        }
        Ok(())
    }

    /// The arrays of one column in one row group.
    fn arrays(&self, reader: &ArrowReaderMetadata, position: usize, group: &Group) -> Result<Vec<ArrayRef>> {
        guarded(&self.source, || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.input.clone(), reader.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), [position]);
            builder
                .with_projection(mask)
                .with_row_groups(vec![group.number])
                .with_batch_size(group.rows.min(BATCH_ROWS))
                // With the page index, pages without rows that are wanted are not read.
                .with_row_selection_policy(RowSelectionPolicy::Selectors)
                .with_offset(group.start)
                .with_limit(group.rows)
                .build()?
                .map(|batch| Ok(Arc::clone(batch?.column(0))))
                .collect::<Result<_, parquet::errors::ParquetError>>()
        })
    }
}
