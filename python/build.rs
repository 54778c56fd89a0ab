//! Tells the linkers that want to know that Python's symbols come with the program that loads this library.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
