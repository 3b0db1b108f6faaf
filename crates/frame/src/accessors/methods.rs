//! Methods of an accessor, of a table of its functions.

/// A method for each function of a table, which gives the series that the function makes.
macro_rules! series_methods {
    ($of:ty; $($(#[$doc:meta])* $method:ident($($parameter:ident: $type:ty),*) $function:expr;)*) => {
        impl $of {$(
            $(#[$doc])*
            #[allow(clippy::len_without_is_empty)] // a series
            pub fn $method(&self, $($parameter: $type),*) -> Result<Series> {
                self.call(&$function)
            }
        )*}
    };
}

pub(super) use series_methods;
