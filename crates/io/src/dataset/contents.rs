//! The files of a data set as one table.

use arrow_schema::{DataType as ArrowType, Field, TimeUnit};
use cuprum_column::arrow::{self, ColumnMetadata};
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

use super::files::Dataset;
use super::read::{DatasetOptions, FileFacts, FileReader, FileRequest, FilesRead, read_files};
use super::unify::{FileColumn, no_common_type, unify};
use crate::{Content, NamedTable, Source, orc, parquet};

/// Files of Parquet, each read by [`parquet::read_parquet`].
#[derive(Clone, Debug)]
pub struct ParquetFiles {
    ctx: Context,
}

/// Files of ORC, each read by [`orc::read_orc`].
#[derive(Clone, Debug)]
pub struct OrcFiles {
    /// What timestamps are counted in.
    unit: TimeUnit,
    ctx: Context,
}

impl ParquetFiles {
    /// What a file says of itself; for readers that make other tables of [`Content`].
    pub fn facts_of(source: &Source) -> Result<FileFacts> {
        let metadata = parquet::read_metadata(source)?;
        let untyped = metadata.names.iter().zip(&metadata.types).filter(|(_, arrow)| *arrow == "Null");
        let untyped = untyped.map(|(name, _)| name.clone()).collect();
        Ok(FileFacts { num_rows: metadata.num_rows, untyped, names: metadata.names })
    }

    /// How a request is put to the reader of files.
    pub fn options_of(request: &FileRequest) -> parquet::ReadOptions {
        parquet::ReadOptions {
            columns: request.columns.clone(),
            row_groups: request.pieces.clone(),
            nrows: request.num_rows,
            skip_rows: request.skip_rows,
            filter: request.filter.clone(),
            first_row: request.first_row,
            ..parquet::ReadOptions::default()
        }
    }
}

impl OrcFiles {
    /// What a file says of itself; for readers that make other tables of [`Content`].
    pub fn facts_of(source: &Source, unit: TimeUnit, ctx: &Context) -> Result<FileFacts> {
        let options = orc::ReadOptions { num_rows: Some(0), unit, ..orc::ReadOptions::default() };
        let content = orc::read_orc(source, &options, ctx)?;
        let num_rows = content.rows.map_or(0, |rows| rows.total);
        Ok(FileFacts { num_rows, names: content.data.names, untyped: Vec::new() })
    }

    /// How a request is put to the reader of files.
    pub fn options_of(request: &FileRequest, unit: TimeUnit) -> orc::ReadOptions {
        orc::ReadOptions {
            columns: request.columns.clone(),
            stripes: request.pieces.clone(),
            skip_rows: request.skip_rows,
            num_rows: request.num_rows,
            filter: request.filter.clone(),
            unit,
        }
    }
}

impl FileReader for ParquetFiles {
    type Table = Content;

    fn read(&self, source: &Source, request: &FileRequest) -> Result<Content> {
        parquet::read_parquet(source, &Self::options_of(request), &self.ctx)
    }

    fn facts(&self, source: &Source) -> Result<FileFacts> {
        Self::facts_of(source)
    }

    fn num_rows(&self, content: &Content) -> usize {
        content.data.table.num_rows()
    }

    fn names(&self, content: &Content) -> Vec<String> {
        content.data.names.clone()
    }
}

impl FileReader for OrcFiles {
    type Table = Content;

    fn read(&self, source: &Source, request: &FileRequest) -> Result<Content> {
        orc::read_orc(source, &Self::options_of(request, self.unit), &self.ctx)
    }

    fn facts(&self, source: &Source) -> Result<FileFacts> {
        Self::facts_of(source, self.unit, &self.ctx)
    }

    fn num_rows(&self, content: &Content) -> usize {
        content.data.table.num_rows()
    }

    fn names(&self, content: &Content) -> Vec<String> {
        content.data.names.clone()
    }
}

impl Dataset {
    /// Reads files of Parquet as one table: the rows of all below each other in the context's memory, the columns of all
    /// in the order in which they first come, the keys as last columns (`Int32` or `String`).
    ///
    /// A column that a file lacks is null there; one of several types becomes of the type that has the values of all,
    /// see [`unify`](super::unify()). Dictionaries keep the values of all files, where all files have one.
    /// Metadata are those of the first file that was read; which rows these are is not told.
    ///
    /// Fails as [`read_files`] and [`unify`](super::unify()), and as [`parquet::read_parquet`].
    ///
    /// ```
    /// use cuprum_column::{Column, Context, Table};
    /// use cuprum_io::dataset::{Dataset, DatasetOptions};
    /// use cuprum_io::parquet::{Condition, Filter, Operator, Value, WriteOptions, write_parquet};
    ///
    /// let (root, ctx) = (tempfile::tempdir().unwrap(), Context::current());
    /// for (year, distance) in [(2023, 5), (2024, 8)] {
    ///     let directory = root.path().join(format!("year={year}"));
    ///     std::fs::create_dir(&directory).unwrap();
    ///     let table = Table::new(vec![Column::from_slice(&[distance], &ctx)?])?;
    ///     let (names, path) = (["distance".to_owned()], directory.join("a.parquet"));
    ///     write_parquet(&table, &names, &path, &WriteOptions::default(), &ctx)?;
    /// }
    /// let recent = Filter::all([Condition::new("year", Operator::Greater, Value::Int(2023))]);
    /// let options = DatasetOptions { filter: Some(recent), ..DatasetOptions::default() };
    /// let trips = Dataset::open(root.path())?.read_parquet(&options, &ctx)?;
    /// assert_eq!(trips.data.names, ["distance", "year"]);
    /// assert_eq!(trips.data.table.columns()[0].view()?.values::<i32>()?, [8]);
    /// # Ok::<(), cuprum_column::Error>(())
    /// ```
    pub fn read_parquet(&self, options: &DatasetOptions, ctx: &Context) -> Result<Content> {
        self.one_table(options, &ParquetFiles { ctx: ctx.clone() }, ctx)
    }

    /// [`read_parquet`](Self::read_parquet) for files of ORC, whose timestamps are counted in `unit`. Fails as
    /// [`orc::read_orc`] besides.
    pub fn read_orc(&self, options: &DatasetOptions, unit: TimeUnit, ctx: &Context) -> Result<Content> {
        self.one_table(options, &OrcFiles { unit, ctx: ctx.clone() }, ctx)
    }

    fn one_table<R: FileReader<Table = Content>>(
        &self,
        options: &DatasetOptions,
        reader: &R,
        ctx: &Context,
    ) -> Result<Content> {
        let FilesRead { tables, rows, .. } = read_files(self, options, reader)?;
        let files: Vec<String> =
            rows.iter().map(|&(file, _)| self.parts()[file].source.to_string()).collect();
        let mut all = below_each_other(tables, &files, ctx)?;
        for key in self.keys() {
            all.data.names.push(key.name().to_owned());
            all.fields.push(key.field());
            all.dictionaries.push(None);
        }
        let total = all.data.table.num_rows();
        let mut columns = all.data.table.into_columns();
        for key in self.keys() {
            columns.push(key.column(&rows, ctx)?);
        }
        if let Some(wanted) = &options.columns {
            let position = |name: &String| {
                let found = all.data.names.iter().position(|own| own == name);
                found.ok_or_else(|| Error::key_not_found(format!("there is no column '{name}'")))
            };
            let places = wanted.iter().map(position).collect::<Result<Vec<_>>>()?;
            all.data.names = places.iter().map(|&i| all.data.names[i].clone()).collect();
            all.fields = places.iter().map(|&i| all.fields[i].clone()).collect();
            all.dictionaries = places.iter().map(|&i| all.dictionaries[i].clone()).collect();
            columns = places.iter().map(|&i| columns[i].clone()).collect();
        }
        all.data.table = Table::with_rows(columns, total)?;
        Ok(all)
    }
}

/// The rows of files, which messages call by the names, with the columns of all.
fn below_each_other(mut tables: Vec<Content>, files: &[String], ctx: &Context) -> Result<Content> {
    if tables.len() == 1 {
        return Ok(tables.remove(0));
    }
    let lengths: Vec<usize> = tables.iter().map(|table| table.data.table.num_rows()).collect();
    let mut names: Vec<String> = Vec::new();
    for (table, file) in tables.iter().zip(files) {
        let own = &table.data.names;
        if let Some(twice) = own.iter().enumerate().find_map(|(i, n)| own[..i].contains(n).then_some(n)) {
            return Err(Error::invalid_argument(format!("{file} has several columns called '{twice}'")));
        }
        names.extend(own.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    }
    let (mut fields, mut dictionaries, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for name in &names {
        let places = tables.iter().map(|table| table.data.names.iter().position(|own| own == name));
        let places: Vec<Option<usize>> = places.collect();
        let (field, dictionary, column) = one_column(name, &tables, &places, files, &lengths, ctx)?;
        fields.push(field);
        dictionaries.push(dictionary);
        columns.push(column);
    }
    let total = lengths.iter().sum();
    let metadata = tables.into_iter().next().map(|first| first.metadata).unwrap_or_default();
    let data = NamedTable { names, table: Table::with_rows(columns, total)? };
    Ok(Content { data, fields, dictionaries, metadata, rows: None })
}

/// A column of all files: what Arrow says of it, its dictionary and its values. `places` has where it is in each file.
fn one_column(
    name: &str,
    tables: &[Content],
    places: &[Option<usize>],
    files: &[String],
    lengths: &[usize],
    ctx: &Context,
) -> Result<(Field, Option<Column>, Column)> {
    let having = || tables.iter().zip(places).zip(files).filter_map(|((t, at), f)| at.map(|at| (t, at, f)));
    let what = format!("column '{name}'");
    let own: Vec<FileColumn<'_>> = having()
        .map(|(table, at, file)| FileColumn {
            file,
            type_name: table.fields[at].data_type().to_string(),
            values: table.data.table.columns()[at].clone(),
            metadata: values_of(&table.fields[at]),
        })
        .collect();
    let unified = unify(&own, &what, ctx)?;
    let own_fields: Vec<&Field> = having().map(|(table, at, _)| &table.fields[at]).collect();
    let own_dictionaries: Option<Vec<&Column>> =
        having().map(|(table, at, _)| table.dictionaries[at].as_ref()).collect();
    let dictionary = own_dictionaries.filter(|own| !own.is_empty());
    let is_ordered = |field: &&Field| field.dict_is_ordered() == Some(true);
    let field = if own_fields.iter().all(|field| field.data_type() == own_fields[0].data_type()) {
        own_fields[0].clone()
    } else {
        arrow::field(&unified.columns[0], &unified.metadata)?.with_name(name)
    };
    let dictionary = match dictionary {
        Some(all) => {
            let is_same = |other: &&Column| arrow::are_equal(all[0], other);
            let mut same = true;
            for other in &all[1..] {
                same = same && is_same(other)?;
            }
            if same {
                Some(all[0].clone())
            } else if own_fields.iter().any(is_ordered) {
                let text = |at: usize| (own[at].type_name.as_str(), own[at].file);
                return Err(no_common_type(
                    &format!("{what}, whose values have an order,"),
                    text(1),
                    text(0),
                ));
            } else {
                let values = concatenate(&all, ctx)?;
                let rows = distinct_rows(&Table::new(vec![values.clone()])?, Keep::First, true, ctx)?;
                Some(gather_column(&values, &rows, OutOfBoundsPolicy::Check, ctx)?)
            }
        }
        None => None,
    };
    let mut columns = unified.columns.into_iter();
    let like = columns.as_slice()[0].clone();
    let all = places.iter().zip(lengths).map(|(at, &rows)| match at.and_then(|_| columns.next()) {
        Some(column) => Ok(column),
        None => Column::nulls_like(&like, rows, ctx),
    });
    let all = all.collect::<Result<Vec<_>>>()?;
    let column = concatenate(&all.iter().collect::<Vec<_>>(), ctx).map_err(|e| e.context(what))?;
    Ok((field, dictionary, column))
}

/// What Arrow knows of the values of a column: of those of a dictionary where it is one, which are read as such.
fn values_of(field: &Field) -> ColumnMetadata {
    match field.data_type() {
        ArrowType::Dictionary(_, values) => {
            ColumnMetadata::from(&Field::new(field.name(), values.as_ref().clone(), true))
        }
        _ => ColumnMetadata::from(field),
    }
}
