//! [`StructLayout`]: a struct that Rust and kernels share, as Rust lays it out.

/// A struct as Rust lays it out; the compiler of a kernel that takes one compares it with its own.
#[derive(Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Its name in both languages.
    pub name: &'static str,
    /// Its size.
    pub bytes: usize,
    /// Its alignment.
    pub alignment: usize,
    /// Its fields in order.
    pub fields: &'static [StructField],
}

/// A field of a [`StructLayout`].
#[derive(Debug, PartialEq, Eq)]
pub struct StructField {
    /// Its name in both languages.
    pub name: &'static str,
    /// Its type, as kernels call it.
    pub type_name: &'static str,
}

impl StructLayout {
    /// Assertions in C++ that fail where a kernel's struct of this name looks otherwise. There is no
    /// padding, so names and types in order, and the size, settle the layout.
    pub(super) fn assertions(&self) -> String {
        let Self { name, bytes, alignment, fields } = self;
        let mut text = format!(
            "static_assert(sizeof({name}) == {bytes} && alignof({name}) == {alignment}, \
             \"{name} has {bytes} bytes, aligned to {alignment}, in Rust\");\n"
        );
        // Filled in order with 1, 2, …, each field knows its place.
        let numbers = fields.iter().zip(1..);
        let numbers: Vec<_> = numbers.map(|(field, i)| format!("{}({i})", field.type_name)).collect();
        let filled = format!("{name}{{{}}}", numbers.join(", "));
        for (StructField { name: field, type_name }, i) in fields.iter().zip(1..) {
            text += &format!(
                "static_assert(IS_SAME<decltype({name}::{field}), {type_name}> && {filled}.{field} == {i}, \
                 \"field {i} of {name} is {type_name} {field} in Rust\");\n"
            );
        }
        text
    }
}
