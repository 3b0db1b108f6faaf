//! Frames from and to files.
//!
//! The host reads and writes files; what comes in goes to the chosen device in one copy.

mod dataset;
mod files;
mod stored_categories;
mod stored_frames;
mod stored_labels;

use std::path::Path;

use cuprum_column::{Column, Context, Device, Result, Table};
use cuprum_io::{Content, avro, csv, feather, json, orc, parquet};
use cuprum_runtime::spill;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::{Label, missing_among};
use crate::types::{Dtype, TypedColumn, late_rows, print_instants, print_periods, times_by_clock};

use stored_frames::FileContent;

pub use cuprum_io::avro::{
    Compression as AvroCompression, ReadOptions as AvroReadOptions, WriteOptions as AvroWriteOptions,
};
pub use cuprum_io::csv::{ColumnRef, Header};
pub use cuprum_io::dataset::{Dataset, DatasetOptions, Part as DatasetPart};
pub use cuprum_io::json::{ReadOptions as JsonReadOptions, WriteOptions as JsonWriteOptions};
pub use cuprum_io::orc::{
    Compression as OrcCompression, ReadOptions as OrcReadOptions, WriteOptions as OrcWriteOptions,
};
pub use cuprum_io::parquet::Compression;
pub use cuprum_io::source::Source;
pub use cuprum_io::{csv::ReadOptions as CsvReadOptions, csv::WriteOptions as CsvWriteOptions};
pub use cuprum_io::{
    feather::Compression as FeatherCompression, feather::WriteOptions as FeatherWriteOptions,
};
pub use cuprum_io::{
    parquet::Condition as ParquetCondition, parquet::Filter as ParquetFilter,
    parquet::Operator as ParquetOperator, parquet::Value as ParquetValue,
};
pub use cuprum_io::{
    parquet::ReadOptions as ParquetReadOptions, parquet::WriteOptions as ParquetWriteOptions,
};
pub use dataset::{
    DatasetReader, ParquetDatasetAppender, ParquetDatasetWriter, below_each_other, read_orc_dataset,
    read_parquet_dataset,
};
pub use files::{
    AvroReader, AvroWriter, CsvReader, CsvWriter, FeatherReader, FeatherWriter, JsonReader, OrcReader,
    OrcWriter, ParquetAppender, ParquetReader, ParquetWriter, read_avro, read_csv, read_feather, read_json,
    read_orc, read_parquet,
};

/// Reads a CSV file or text; see [`csv::read_csv`].
fn csv_frame(source: &Source, options: &csv::ReadOptions) -> Result<DataFrame> {
    let read = csv::read_csv(source, options, &Context::beside(Device::Cpu)?)?;
    let table = read.data.table.to_device(&Context::current())?;
    let index = Index::range(table.num_rows());
    let columns = table.into_columns().into_iter().zip(read.offsets).map(|(column, offset)| match offset {
        Some(minutes) => times_by_clock(column, minutes.into()),
        None => Ok(column.into()),
    });
    let labels = read.data.names.into_iter().map(Label::from).collect();
    DataFrame::from_parts(labels, columns.collect::<Result<Vec<_>>>()?, index)
}

/// Writes a frame as CSV, to `target` or as the text that is returned. The row labels come first
/// when `index` is true, under the names of their levels; hierarchical labels of columns are a line for
/// each level. Times of a zone have their offset. See [`csv::write_csv`].
fn csv_text(
    frame: &DataFrame,
    target: Option<&Path>,
    index: bool,
    options: &csv::WriteOptions,
) -> Result<Option<String>> {
    let mut columns = frame.columns().to_vec();
    if index {
        columns.splice(0..0, frame.index().columns()?);
    }
    let text = |column: &TypedColumn| match column.dtype() {
        Dtype::Datetime(kind) if kind.zone.is_some() => print_instants(column),
        _ => printable(column, "writing CSV"),
    };
    let table = Table::with_rows(columns.iter().map(text).collect::<Result<_>>()?, frame.num_rows())?;
    let header = csv_header(frame, index, &options.na_rep);
    csv::write_csv(&table.to_host()?, &header, target, options, &Context::beside(Device::Cpu)?)
}

/// The values of a column, those of categories too, as what is stored says them.
fn printable(column: &TypedColumn, operation: &str) -> Result<Column> {
    let values = column.decoded()?;
    match values.dtype() {
        Dtype::Date(_) => values.data().cloned(),
        Dtype::Period(_) => print_periods(&values),
        _ => values.values(operation).cloned(),
    }
}

/// The header as pandas writes it: of hierarchical labels one line for each level, behind its name, and then
/// the names of the row labels if they have any. A missing label is `na_rep`, or `nan` or `NaT` as a part of others.
fn csv_header(frame: &DataFrame, index: bool, na_rep: &str) -> Vec<Vec<String>> {
    let text = |name: &Option<Label>| name.as_ref().map_or_else(String::new, ToString::to_string);
    let rows: Vec<String> = if index { frame.index().names().iter().map(text).collect() } else { vec![] };
    let depth = frame.accessor().num_levels();
    if depth == 1 {
        let name = |label: &Label| if label.is_missing() { na_rep.to_owned() } else { label.to_string() };
        return vec![rows.into_iter().chain(frame.labels().iter().map(name)).collect()];
    }
    let part = |label: &Label, level: usize| match label.parts().get(level) {
        Some(part) if part.is_missing() => {
            missing_among(frame.labels().iter().filter_map(|label| label.parts().get(level))).to_owned()
        }
        Some(part) => part.to_string(),
        None if level > 0 && label.parts().len() == 1 => label.to_string(),
        None => String::new(),
    };
    let names = frame.accessor().level_names();
    let line = |level| {
        let name = names.get(level).map_or_else(String::new, text);
        let before = (0..rows.len()).map(move |i| if i == 0 { name.clone() } else { String::new() });
        before.chain(frame.labels().iter().map(|label| part(label, level))).collect()
    };
    let mut header: Vec<Vec<String>> = (0..depth).map(line).collect();
    if rows.iter().any(|name| !name.is_empty()) {
        header.push(rows.into_iter().chain(frame.labels().iter().map(|_| String::new())).collect());
    }
    header
}

/// Reads a Parquet file; see [`parquet::read_parquet`]. On the CPU, columns that `may_be_late` are decoded when somebody
/// reads them, except of few rows and where a filter says which rows.
fn parquet_frame(source: &Source, options: &parquet::ReadOptions, may_be_late: bool) -> Result<DataFrame> {
    let ctx = Context::current();
    let may_be_late = may_be_late && !ctx.is_on_gpu() && spill::budget(Device::Cpu).is_none();
    let labels = options.pandas_metadata.then_some(options.first_row);
    stored_frames::read(options.columns.as_deref(), labels, |columns| {
        let options = parquet::ReadOptions { columns: columns.map(<[_]>::to_vec), ..options.clone() };
        let file = parquet::OpenedFile::new(source, &options)?;
        if may_be_late && !file.is_filtered() && file.num_rows() >= late_rows() {
            FileContent::encoded(file.read_encoded(&ctx)?, &ctx)
        } else {
            FileContent::new(file.read(&ctx)?)
        }
    })
}

/// Writes a frame as Parquet; see [`parquet::write_parquet`].
fn parquet_file(frame: &DataFrame, path: &Path, index: bool, options: &parquet::WriteOptions) -> Result<()> {
    let stored = stored_frames::of(frame, index, "Parquet")?;
    let mut options = options.clone();
    options.metadata.push(stored.metadata);
    parquet::write_parquet_with(
        &stored.table,
        &stored.columns,
        path,
        &options,
        &Context::beside(Device::Cpu)?,
    )
}

/// Writes a frame below others of a Parquet file, which the first one begins; see [`parquet::ChunkedWriter`].
fn parquet_rows(
    frame: &DataFrame,
    path: &Path,
    index: bool,
    options: &parquet::WriteOptions,
    writer: &mut Option<parquet::ChunkedWriter>,
) -> Result<()> {
    let stored = stored_frames::of(frame, index, "Parquet")?;
    let writer = match writer {
        Some(writer) => writer,
        none => {
            let mut options = options.clone();
            options.metadata.push(stored.metadata);
            none.insert(parquet::ChunkedWriter::new(path, &options, &Context::beside(Device::Cpu)?))
        }
    };
    writer.write(&stored.table, &stored.columns)
}

/// Reads an Arrow IPC file or stream; see [`feather::read_feather`].
fn feather_frame(source: &Source, options: &feather::ReadOptions) -> Result<DataFrame> {
    let ctx = Context::current();
    stored_frames::read(options.columns.as_deref(), Some(0), |columns| {
        let options = feather::ReadOptions { columns: columns.map(<[_]>::to_vec) };
        FileContent::new(feather::read_feather(source, &options, &ctx)?)
    })
}

/// Writes a frame as an Arrow IPC file or stream; see [`feather::write_feather`].
fn feather_file(frame: &DataFrame, path: &Path, index: bool, options: &feather::WriteOptions) -> Result<()> {
    let stored = stored_frames::of(frame, index, "Feather")?;
    let mut options = options.clone();
    options.metadata.push(stored.metadata);
    feather::write_feather(&stored.table, &stored.columns, path, &options, &Context::beside(Device::Cpu)?)
}

/// Reads Avro, with the row labels that Cuprum wrote; see [`avro::read_avro`].
fn avro_frame(source: &Source, options: &avro::ReadOptions) -> Result<DataFrame> {
    let ctx = Context::current();
    stored_frames::read(options.columns.as_deref(), Some(0), |columns| {
        let options = avro::ReadOptions { columns: columns.map(<[_]>::to_vec), ..options.clone() };
        FileContent::new(avro::read_avro(source, &options, &ctx)?)
    })
}

/// Writes a frame as Avro; see [`avro::write_avro`].
fn avro_file(frame: &DataFrame, path: &Path, index: bool, options: &avro::WriteOptions) -> Result<()> {
    let stored = stored_frames::of(frame, index, "Avro")?;
    let mut options = options.clone();
    options.metadata.push(stored.metadata);
    avro::write_avro(&stored.table, &stored.columns, path, &options, &Context::beside(Device::Cpu)?)
}

/// Reads ORC, with the row labels that Cuprum or cuDF wrote; see [`orc::read_orc`].
fn orc_frame(source: &Source, options: &orc::ReadOptions) -> Result<DataFrame> {
    let ctx = Context::current();
    stored_frames::read(options.columns.as_deref(), Some(0), |columns| {
        let options = orc::ReadOptions { columns: columns.map(<[_]>::to_vec), ..options.clone() };
        FileContent::new(orc::read_orc(source, &options, &ctx)?)
    })
}

/// Writes a frame as ORC; see [`orc::write_orc`].
fn orc_file(frame: &DataFrame, path: &Path, index: bool, options: &orc::WriteOptions) -> Result<()> {
    let stored = stored_frames::of(frame, index, "ORC")?;
    let mut options = options.clone();
    options.metadata.push(stored.metadata);
    orc::write_orc(&stored.table, &stored.columns, path, &options, &Context::beside(Device::Cpu)?)
}

/// Writes the rows of a frame as JSON records, without row labels; see [`json::write_json`].
fn json_text(
    frame: &DataFrame,
    target: Option<&Path>,
    options: &json::WriteOptions,
) -> Result<Option<String>> {
    let columns =
        frame.columns().iter().map(|column| printable(column, "writing JSON")).collect::<Result<_>>()?;
    let names: Vec<String> = frame.labels().iter().map(ToString::to_string).collect();
    let table = Table::with_rows(columns, frame.num_rows())?;
    json::write_json(&table.to_host()?, &names, target, options, &Context::beside(Device::Cpu)?)
}

/// Reads JSON; see [`json::read_json`]. Columns without names are numbered; labels are as the text has them.
fn json_frame(source: &Source, options: &json::ReadOptions) -> Result<DataFrame> {
    let read = json::read_json(source, options, &Context::beside(Device::Cpu)?)?;
    let content = FileContent::new(read.content)?;
    let rows = content.num_rows;
    let (mut labels, columns) = stored_frames::typed_columns(content)?;
    if matches!(options.layout, json::Layout::Series | json::Layout::SplitSeries) {
        labels = vec![Label::Missing; columns.len()];
    } else if read.numbered {
        labels = (0..columns.len() as i64).map(Label::Int).collect();
    }
    let one =
        |content: Content| Ok(stored_frames::typed_columns(FileContent::new(content)?)?.1.swap_remove(0));
    if let Some(names) = read.names {
        let names: TypedColumn = one(names)?;
        for (row, label) in labels.iter_mut().enumerate().take(names.len()) {
            *label = Label::from_scalar(&names.get(row)?)?;
        }
    }
    let index = match read.index {
        Some(index) => Index::from_columns(vec![one(index)?], vec![None])?,
        None => Index::range(rows),
    };
    DataFrame::from_parts(labels, columns, index)
}
