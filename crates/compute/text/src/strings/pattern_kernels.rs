//! The kernels that a pattern goes to.

use cuprum_column::{Column, Context, Result};

use super::automaton::Automata;
use super::cuda::groups::{Compiled, can_run};
use super::pattern::{self, Anchor};

/// The result of a pattern on a GPU: by its automata, or by its program where these are too large or do not decide all
/// rows. `None` on the CPU, and where there is no program either.
pub(super) fn by_kernels<R>(
    column: &Column,
    (pattern, case_sensitive, anchor): (&str, bool, Anchor),
    ctx: &Context,
    by_automata: impl FnOnce(&Column, &Automata, &Context) -> Result<Option<R>>,
    by_program: impl FnOnce(&Column, Compiled<'_>, &Context) -> Result<R>,
) -> Result<Option<R>> {
    if !ctx.is_on_gpu() {
        return Ok(None);
    }
    let pattern = pattern::compiled(pattern, case_sensitive, anchor)?;
    let automata = pattern.automata();
    if let Some(automata) = &automata
        && let Some(result) = by_automata(column, automata, ctx)?
    {
        return Ok(Some(result));
    }
    let Some(program) = pattern.program().filter(|_| can_run(column)) else {
        return Ok(None);
    };
    let compiled = Compiled { program: &program, automata: automata.as_deref() };
    by_program(column, compiled, ctx).map(Some)
}
