"""Labels of rows and of columns."""
