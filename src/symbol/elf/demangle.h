#pragma once
// What people call a function, from what linkers call it.

#include <string>
#include <string_view>
#include <vector>

namespace dt::symbol {

// "std::vector<int>::push_back(int&&)" for "_ZN...", "alloc::vec::Vec<u8>::push" for a
// name of Rust of either kind, else the name itself.
std::string demangle(const char* name);

// The names under which the source knows the function of a symbol, the shortest first: "push_back",
// "vector<int>::push_back", "std::vector<int>::push_back", without parameters, and "work" for
// "work.isra.0", a copy that the compiler has made. Behind each that ends in arguments of a
// template, "max<int>", stands the name without them.
std::vector<std::string> source_names(std::string_view symbol);
// What the debugging information calls it: the first of them.
std::string source_name(std::string_view symbol);
// Where the suffix of a copy begins that the compiler has made of a function: ".isra.0" in
// "work.isra.0".
std::size_t copy_suffix(std::string_view symbol);  // npos: it is no copy

}  // namespace dt::symbol
