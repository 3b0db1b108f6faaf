//! Dtypes and Arrow's types, both ways.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field as ArrowField};
use cuprum_column::arrow::{self, ArrowArray, ColumnMetadata};
use cuprum_column::{Column, Context, DataType, Device, Result, Scalar, Table, Value};
use cuprum_compute::replace;

use super::{Binary, Categorical, Datetime, Decimal, Dtype, Field, List, Struct, TypedColumn};
impl Dtype {
    /// What values of an Arrow type mean. Categories are not known from a type: a dictionary means its
    /// values here, see [`TypedColumn::from_arrow`].
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for types that have no column.
    pub fn from_arrow(arrow: &ArrowType) -> Result<Self> {
        let list = |inner: &ArrowField| Ok(Self::List(List::of(Self::from_arrow(inner.data_type())?)));
        match arrow {
            ArrowType::Binary | ArrowType::LargeBinary | ArrowType::FixedSizeBinary(_) => {
                Ok(Self::Binary(Binary))
            }
            ArrowType::List(inner)
            | ArrowType::LargeList(inner)
            | ArrowType::ListView(inner)
            | ArrowType::LargeListView(inner)
            | ArrowType::FixedSizeList(inner, _)
            | ArrowType::Map(inner, _) => list(inner),
            ArrowType::Struct(fields) => {
                let field = |field: &Arc<ArrowField>| {
                    Ok(Field { name: field.name().clone(), dtype: Self::from_arrow(field.data_type())? })
                };
                Ok(Self::Struct(Struct::of(fields.iter().map(field).collect::<Result<Vec<_>>>()?)))
            }
            ArrowType::Dictionary(_, values) => Self::from_arrow(values),
            ArrowType::RunEndEncoded(_, values) => Self::from_arrow(values.data_type()),
            ArrowType::Timestamp(_, Some(zone)) => {
                let DataType::Timestamp(unit) = Self::stored(arrow)? else { unreachable!("timestamps") };
                Ok(Self::Datetime(Datetime { unit, zone: Some(Arc::clone(zone)) }))
            }
            ArrowType::Decimal32(precision, _)
            | ArrowType::Decimal64(precision, _)
            | ArrowType::Decimal128(precision, _) => {
                let storage = Self::stored(arrow)?;
                let decimal = Decimal::of(storage).and_then(|d| d.with_precision(*precision));
                Ok(decimal.map_or_else(|| Self::plain(storage), Self::Decimal))
            }
            other => Ok(Self::plain(Self::stored(other)?)),
        }
    }

    /// The Arrow type that values are exported as; a dictionary of its values for categories.
    pub fn to_arrow(&self) -> Result<ArrowType> {
        TypedColumn::nulls(self, 0, &Context::beside(Device::Cpu)?)?
            .arrow_field("")
            .map(|field| field.data_type().clone())
    }

    fn stored(arrow: &ArrowType) -> Result<DataType> {
        match arrow {
            ArrowType::Timestamp(unit, _) => DataType::from_arrow(&ArrowType::Timestamp(*unit, None)),
            other => DataType::from_arrow(other),
        }
    }

    /// What Arrow's type of a column needs to know beyond its storage.
    pub fn metadata(&self, name: &str) -> ColumnMetadata {
        let mut metadata = ColumnMetadata::named(name);
        match self {
            Self::Datetime(Datetime { zone, .. }) => metadata.timezone = zone.as_deref().map(str::to_owned),
            Self::Decimal(decimal) => metadata.precision = Some(decimal.precision()),
            Self::Binary(_) => metadata.binary = true,
            Self::Categorical(kind) => metadata.ordered = kind.categories().is_ordered(),
            Self::List(list) => metadata.children = vec![list.element().metadata("item")],
            Self::Struct(fields) => {
                metadata.children = fields.fields().iter().map(|f| f.dtype.metadata(&f.name)).collect();
            }
            _ => {}
        }
        metadata
    }
}

/// Columns as a structure of structs, one field for each, called by `names`.
///
/// Fails where a name cannot be written, see [`cuprum_column::arrow::export_table`].
pub fn export_table(
    columns: &[TypedColumn],
    names: &[String],
    rows: usize,
) -> Result<(ArrowField, ArrowArray)> {
    let metadata: Vec<_> = columns.iter().zip(names).map(|(c, name)| c.dtype().metadata(name)).collect();
    let data = columns.iter().map(TypedColumn::exported).collect::<Result<_>>()?;
    arrow::export_table(&Table::with_rows(data, rows)?, &metadata)
}

impl TypedColumn {
    /// The column as it is exported, in host memory: categories as a dictionary of their order.
    pub fn exported(&self) -> Result<Column> {
        let data = self.data()?.to_host()?;
        let Dtype::Categorical(kind) = self.dtype() else { return Ok(data) };
        let ctx = data.context()?;
        let unsigned = match data.data_type() {
            DataType::Int8 => DataType::UInt8,
            DataType::Int16 => DataType::UInt16,
            _ => DataType::UInt32,
        };
        let mask = data.copy_mask(&ctx)?;
        let codes = data.with_mask(None, &ctx)?.bit_cast(unsigned)?;
        // What is under a null may be anything, but no index that is not there.
        let last = Scalar::new(unsigned, Value::UInt(kind.categories().len().saturating_sub(1) as u64))?;
        let codes = replace::clamp(&codes, None, Some(&last), &ctx)?;
        Column::dictionary(codes, kind.categories().values().to_host()?, mask)
    }

    /// The column as it is exported, in the memory of its device.
    pub fn exported_in_place(&self) -> Result<Column> {
        match self.dtype() {
            Dtype::Categorical(_) => self.exported()?.to_device(&self.context()?),
            _ => self.data().cloned(),
        }
    }

    /// The column's Arrow field, under a name.
    pub fn arrow_field(&self, name: &str) -> Result<ArrowField> {
        arrow::field(&self.exported()?, &self.dtype().metadata(name))
    }

    /// The column as a structure of the C data interface and the field that describes it.
    pub fn export_array(&self, name: &str) -> Result<(ArrowField, ArrowArray)> {
        let (data, metadata) = (self.exported()?, self.dtype().metadata(name));
        Ok((arrow::field(&data, &metadata)?, arrow::export_array(&data, &metadata)?))
    }

    /// A column that was imported from an Arrow array of type `arrow`.
    pub fn from_arrow(arrow: &ArrowType, data: Column) -> Result<Self> {
        if matches!(arrow, ArrowType::Dictionary(..)) && data.data_type() != DataType::Dictionary32 {
            // Values of a dictionary that were decoded.
            return Categorical::encode_distinct(&data, false);
        }
        if data.data_type() == DataType::Dictionary32 {
            return Ok(Self::from(data));
        }
        Self::new(Dtype::from_arrow(arrow)?, data)
    }
}
