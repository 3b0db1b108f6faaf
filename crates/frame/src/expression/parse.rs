//! Formulas in texts, as pandas' `query` and `eval` take them: Python's syntax.
//!
//! Names are columns (else levels of the row labels, else `index`), also between backticks; `@name` is a
//! variable. There are numbers, texts, lists, `+ - * / // % ** ^`, comparisons (also several in a row, `in` and
//! `not in`), `and or not`, for which `& | ~` stand, with the precedence that pandas gives them: `&` and `|` bind as loosely as
//! `and` and `or`. Functions and methods are those of [`methods`](super::methods). A text of several lines assigns
//! in each of them.

use cuprum_column::{Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::unary::UnaryOperator;

use super::methods::{self, Argument};
use super::tokens::{Kind, Token, tokens, unsupported, wrong};
use super::{Exact, Expr, Node};
use crate::label::Label;

/// A statement of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The column that the value is assigned to.
    pub target: Option<Label>,
    /// The value.
    pub expression: Expr,
}

/// The greatest depth of parentheses and signs: reading them uses the stack.
const DEPTH: usize = 100;

/// The statements of a text, at least one.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a text that is no expression
/// and with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for one of Python's that means nothing
/// here; both show the place.
pub fn parse(text: &str) -> Result<Vec<Statement>> {
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, depth: 0 };
    let mut statements = Vec::new();
    loop {
        while parser.eat_line() {}
        if parser.peek() == &Kind::End {
            break;
        }
        statements.push(parser.statement()?);
    }
    if statements.is_empty() {
        return Err(wrong(text, 0, "an empty text is no expression"));
    }
    Ok(statements)
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> &Kind {
        &self.token().kind
    }

    fn at(&self) -> usize {
        self.token().at
    }

    fn take(&mut self) -> Token {
        let token = self.token().clone();
        self.next += 1;
        token
    }

    fn eat_line(&mut self) -> bool {
        let line = self.peek() == &Kind::Line;
        self.next += usize::from(line);
        line
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Kind::Sign(s) if *s == sign);
        self.next += usize::from(found);
        found
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Name(name) if name == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) {
            return Ok(());
        }
        if self.is_word("for") {
            return Err(self.not_here("a comprehension"));
        }
        Err(wrong(self.text, self.at(), format!("expected '{sign}'")))
    }

    fn not_here(&self, what: &str) -> Error {
        self.refuse(self.at(), what)
    }

    fn refuse(&self, at: usize, what: &str) -> Error {
        let what = format!(
            "an expression consists of columns, @variables, constants, operators, functions and methods that it \
             knows; {what} does not: compute it before and name it with @"
        );
        unsupported(self.text, at, what)
    }

    fn statement(&mut self) -> Result<Statement> {
        let start = self.next;
        let target = match self.take().kind {
            Kind::Name(name) | Kind::Quoted(name) if self.eat("=") => Some(Label::from(name)),
            _ => {
                self.next = start;
                None
            }
        };
        let expression = self.expression()?;
        if !matches!(self.peek(), Kind::Line | Kind::End) {
            if self.is_word("if") || self.is_word("for") {
                return Err(self.not_here("what goes on so"));
            }
            let what = format!("{:?} is neither one expression nor `name = expression`", self.text.trim());
            return Err(wrong(self.text, self.at(), what));
        }
        Ok(Statement { target, expression })
    }

    /// `f`, one level deeper.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return Err(wrong(self.text, self.at(), format!("more than {DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn expression(&mut self) -> Result<Expr> {
        self.deeper(Self::or)
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        while self.eat_word("or") || self.eat("|") {
            left = left.operate(BinaryOperator::Or, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.not()?;
        while self.eat_word("and") || self.eat("&") {
            left = left.operate(BinaryOperator::And, self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr> {
        if self.eat_word("not") {
            return self.deeper(|parser| Ok(!parser.not()?));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expr> {
        let mut left = self.xor()?;
        let mut all: Option<Expr> = None;
        while let Some(comparison) = self.comparison_operator()? {
            let right = self.xor()?;
            let one = comparison.apply(&left, &right);
            all = Some(match all {
                Some(all) => all & one,
                None => one,
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn comparison_operator(&mut self) -> Result<Option<Comparison>> {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let operator = match self.peek() {
            Kind::Sign("==") => Comparison::Operator(Equal),
            Kind::Sign("!=") => Comparison::Operator(NotEqual),
            Kind::Sign("<") => Comparison::Operator(Less),
            Kind::Sign("<=") => Comparison::Operator(LessEqual),
            Kind::Sign(">") => Comparison::Operator(Greater),
            Kind::Sign(">=") => Comparison::Operator(GreaterEqual),
            Kind::Name(word) if word == "in" => Comparison::In,
            Kind::Name(word) if word == "not" => {
                let at = self.at();
                self.next += 1;
                if !self.is_word("in") {
                    return Err(wrong(self.text, at, "expected `not in`"));
                }
                Comparison::NotIn
            }
            Kind::Name(word) if word == "is" => {
                return Err(unsupported(self.text, self.at(), "`is` compares no columns: use =="));
            }
            _ => return Ok(None),
        };
        self.next += 1;
        Ok(Some(operator))
    }

    fn xor(&mut self) -> Result<Expr> {
        let mut left = self.sum()?;
        loop {
            if self.eat("^") {
                left = left.operate(BinaryOperator::Xor, self.sum()?);
            } else if matches!(self.peek(), Kind::Sign("<<" | ">>")) {
                return Err(self.not_here("shifting bits"));
            } else {
                return Ok(left);
            }
        }
    }

    fn sum(&mut self) -> Result<Expr> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Kind::Sign("+") => BinaryOperator::Add,
                Kind::Sign("-") => BinaryOperator::Sub,
                _ => return Ok(left),
            };
            self.next += 1;
            left = left.operate(op, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expr> {
        let mut left = self.factor()?;
        loop {
            let op = match self.peek() {
                Kind::Sign("*") => BinaryOperator::Mul,
                Kind::Sign("/") => BinaryOperator::TrueDiv,
                Kind::Sign("//") => BinaryOperator::FloorDiv,
                Kind::Sign("%") => BinaryOperator::Mod,
                _ => return Ok(left),
            };
            self.next += 1;
            left = left.operate(op, self.factor()?);
        }
    }

    fn factor(&mut self) -> Result<Expr> {
        let sign = match self.peek() {
            Kind::Sign(sign @ ("+" | "-" | "~")) => *sign,
            _ => return self.power(),
        };
        self.next += 1;
        let operand = self.deeper(Self::factor)?;
        Ok(match (sign, operand.node()) {
            ("+", _) => operand,
            ("~", _) => !operand,
            (_, Node::Literal(value)) => match super::rules::negated(&value.0, false) {
                Some(negated) => Expr::new(Node::Literal(Exact(negated))),
                None => -operand,
            },
            _ => -operand,
        })
    }

    fn power(&mut self) -> Result<Expr> {
        let base = self.postfix()?;
        if self.eat("**") {
            return Ok(base.pow(self.deeper(Self::factor)?));
        }
        Ok(base)
    }

    fn postfix(&mut self) -> Result<Expr> {
        let start = self.at();
        let mut value = self.atom()?;
        loop {
            if self.eat(".") {
                let Kind::Name(mut name) = self.take().kind else {
                    return Err(wrong(self.text, start, "a name follows a point"));
                };
                if name == "str" && self.eat("[") {
                    value = self.subscript(&value, start)?;
                    continue;
                }
                if matches!(name.as_str(), "str" | "dt") && self.eat(".") {
                    let Kind::Name(method) = self.take().kind else {
                        return Err(wrong(self.text, start, "a name follows a point"));
                    };
                    name = format!("{name}.{method}");
                }
                let arguments = if self.eat("(") { Some(self.arguments()?) } else { None };
                let written = &self.text[start..self.tokens[self.next - 1].end];
                let known = methods::method(&value, &name, arguments.as_deref());
                value = match known.map_err(|e| unsupported_at(self.text, start, e))? {
                    Some(value) => value,
                    None => return Err(self.refuse(start, &format!("{written:?}"))),
                };
            } else if matches!(self.peek(), Kind::Sign("(" | "[" | "{")) {
                return Err(self.refuse(start, &format!("{:?}", self.written_call(start))));
            } else {
                return Ok(value);
            }
        }
    }

    /// `value.str[position]` or `value.str[start:stop:step]`, behind the bracket.
    fn subscript(&mut self, value: &Expr, start: usize) -> Result<Expr> {
        let (mut places, mut colons) = (Vec::new(), 0);
        while !self.eat("]") {
            if self.eat(":") {
                colons += 1;
                continue;
            }
            let name = match colons {
                _ if places.iter().any(|(at, _)| *at == colons) => {
                    return Err(wrong(self.text, self.at(), "expected ']'"));
                }
                0 => "start",
                1 => "stop",
                2 => "step",
                _ => return Err(wrong(self.text, self.at(), "a slice has three parts at most")),
            };
            let value = self.deeper(Self::factor)?;
            places.push((colons, Argument { name: Some(name.to_owned()), value }));
        }
        let mut arguments: Vec<Argument> = places.into_iter().map(|(_, place)| place).collect();
        let method = match (colons, &mut arguments[..]) {
            (0, [place]) => {
                place.name = None;
                "str.get"
            }
            (0, _) => return Err(wrong(self.text, self.at(), "a position is missing")),
            _ => "str.slice",
        };
        let known = methods::method(value, method, Some(&arguments));
        Ok(known.map_err(|error| unsupported_at(self.text, start, error))?.expect("both are methods"))
    }

    /// The text of a call or an index, up to its closing parenthesis.
    fn written_call(&self, start: usize) -> &str {
        let mut depth = 0;
        for token in &self.tokens[self.next.min(self.tokens.len())..] {
            match token.kind {
                Kind::Sign("(" | "[" | "{") => depth += 1,
                Kind::Sign(")" | "]" | "}") if depth == 1 => return &self.text[start..token.end],
                Kind::Sign(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
        }
        &self.text[start..]
    }

    fn arguments(&mut self) -> Result<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.eat(")") {
            let start = self.next;
            let name = match self.take().kind {
                Kind::Name(name) if self.eat("=") => Some(name),
                _ => {
                    self.next = start;
                    None
                }
            };
            arguments.push(Argument { name, value: self.expression()? });
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    fn atom(&mut self) -> Result<Expr> {
        let token = self.take();
        let literal = |value: Scalar| Ok(Expr::new(Node::Literal(Exact(value))));
        match token.kind {
            Kind::Number(value) => literal(value),
            Kind::Text(mut text) => {
                while let Kind::Text(more) = self.peek() {
                    text.push_str(more);
                    self.next += 1;
                }
                literal(Scalar::from(text))
            }
            Kind::Quoted(name) => Ok(Expr::new(Node::Name(name.as_str().into()))),
            Kind::Variable(name) => Ok(super::variable(&name)),
            Kind::Name(name) => self.named(name, token.at),
            Kind::Sign("(") => {
                if self.eat(")") {
                    return Ok(Expr::new(Node::List([].into())));
                }
                let first = self.expression()?;
                if self.peek() == &Kind::Sign(",") {
                    return self.list(vec![first], ")");
                }
                self.expect(")")?;
                Ok(first)
            }
            Kind::Sign("[") => self.list(Vec::new(), "]"),
            Kind::Sign("{") => Err(self.refuse(token.at, "a dict or a set")),
            Kind::End | Kind::Line => Err(wrong(self.text, token.at, "the expression ends too early")),
            Kind::Sign(sign) => Err(wrong(self.text, token.at, format!("unexpected '{sign}'"))),
        }
    }

    /// The rest of a list, whose first elements were read.
    fn list(&mut self, mut elements: Vec<Expr>, end: &str) -> Result<Expr> {
        loop {
            if !elements.is_empty() && !self.eat(",") {
                self.expect(end)?;
                break;
            }
            if self.eat(end) {
                break;
            }
            elements.push(self.expression()?);
        }
        Ok(Expr::new(Node::List(elements.into())))
    }

    fn named(&mut self, name: String, at: usize) -> Result<Expr> {
        let literal = |value: Scalar| Ok(Expr::new(Node::Literal(Exact(value))));
        match name.as_str() {
            "True" => return literal(Scalar::from(true)),
            "False" => return literal(Scalar::from(false)),
            "None" => return literal(Scalar::null(cuprum_column::DataType::Float64)),
            "lambda" | "yield" | "await" => return Err(self.refuse(at, &name)),
            "and" | "or" | "in" | "is" | "if" | "else" | "for" | "not" => {
                return Err(wrong(self.text, at, format!("unexpected '{name}'")));
            }
            _ => {}
        }
        if !self.eat("(") {
            return Ok(Expr::new(Node::Name(name.as_str().into())));
        }
        let opened = self.next - 1;
        let known = match self.arguments() {
            Ok(arguments) => methods::function(&name, &arguments),
            Err(e) if methods::is_function(&name) => return Err(e),
            Err(_) => Ok(None),
        };
        if let Some(value) = known.map_err(|e| unsupported_at(self.text, at, e))? {
            return Ok(value);
        }
        self.next = opened;
        Err(self.refuse(at, &format!("{:?}", self.written_call(at))))
    }
}

fn unsupported_at(text: &str, at: usize, error: Error) -> Error {
    unsupported(text, at, error.message())
}

enum Comparison {
    Operator(BinaryOperator),
    In,
    NotIn,
}

impl Comparison {
    /// Beside a list, `==` and `!=` ask for its elements, on either side.
    fn apply(&self, left: &Expr, right: &Expr) -> Expr {
        let list = |e: &Expr| matches!(e.node(), Node::List(_));
        let (value, sought) = if list(left) && !list(right) { (right, left) } else { (left, right) };
        let found = || Expr::new(Node::IsIn(value.clone(), sought.clone()));
        let missing = || found().unary(UnaryOperator::Not);
        match self {
            Self::In => found(),
            Self::NotIn => missing(),
            Self::Operator(BinaryOperator::Equal) if list(sought) => found(),
            Self::Operator(BinaryOperator::NotEqual) if list(sought) => missing(),
            Self::Operator(op) => left.operate(*op, right),
        }
    }
}
