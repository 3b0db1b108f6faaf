//! Finding values: membership.
