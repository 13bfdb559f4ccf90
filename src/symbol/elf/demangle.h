#pragma once
// What people call a function, from what linkers call it.

#include <string>

namespace dt::symbol {

// "std::vector<int>::push_back(int&&)" for "_ZN...", "alloc::vec::Vec<u8>::push" for a
// name of Rust of either kind, else the name itself.
std::string demangle(const char* name);

}  // namespace dt::symbol
