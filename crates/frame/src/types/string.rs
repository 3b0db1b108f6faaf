//! Text.

use cuprum_column::{Column, Context, DataType, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::{self, Aggregation};
use cuprum_compute::strings;

use super::{Dtype, TypeRules};

/// UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text;

impl TypeRules for Text {
    fn name(&self) -> String {
        "str".into()
    }

    fn storage(&self) -> DataType {
        DataType::String
    }

    fn common(&self, _: &Dtype) -> Option<Dtype> {
        None
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            // One behind the other.
            Aggregation::Sum => Ok(Dtype::plain(DataType::String)),
            Aggregation::Any | Aggregation::All => Ok(Dtype::plain(DataType::Bool8)),
            Aggregation::Count | Aggregation::Size => Ok(Dtype::plain(DataType::Int64)),
            _ => how.result_type(DataType::String).map(Dtype::plain),
        }
    }
}

/// Whether texts are not empty; missing where they are.
pub(crate) fn are_not_empty(texts: &Column, ctx: &Context) -> Result<Column> {
    let lengths = strings::attributes::count_bytes(texts, ctx)?;
    binary_operation(
        &lengths,
        &Scalar::new(lengths.data_type(), Value::Int(0))?,
        BinaryOperator::Greater,
        ctx,
    )
}

/// The result of [`reduce`](cuprum_compute::reduce::reduce) for texts: the sum is one behind the other, and a
/// text is true that is not empty.
pub(super) fn reduce_texts(texts: &Column, how: Aggregation, ctx: &Context) -> Result<Scalar> {
    match how {
        Aggregation::Sum => strings::combine::join(texts, "", None, ctx),
        Aggregation::Any | Aggregation::All => reduce::reduce(&are_not_empty(texts, ctx)?, how, ctx),
        _ => reduce::reduce(texts, how, ctx),
    }
}
