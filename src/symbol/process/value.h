#pragma once
// What is known of an address: values that the rooms of symbol/ hand to each other.

#include <cstdint>
#include <functional>
#include <string>

namespace dt::symbol {

struct Symbol {
  std::string module;        // "vmlinux", a module's name, or an object's base name
  std::string name;          // empty when only the module is known
  std::uint64_t offset = 0;  // from the symbol's start (or the module's, without a name)
  // The line of a function that an interpreter runs (source_frame.h), in the file `module`; 0 if it
  // has none.
  std::uint32_t line = 0;
  std::uint64_t size = 0;  // of the symbol, in bytes; 0: it is not known
  std::string path = {};   // of the object's file; empty: the kernel's, or not known
};

// Where code comes from: a function that was inlined, or, without a name, the one that
// has the code.
struct SourceFrame {
  std::string function;
  std::string file;        // its path, as the compiler was given it; empty when it is not known
  std::uint32_t line = 0;  // of the code, or of the call of what was inlined; 0 without a file
};
// What to look up in the source: lines, and functions that were inlined.
struct SourceWish {
  bool lines = false, inlines = false;
  bool any() const { return lines || inlines; }
};

// Callbacks while a debug file is fetched from a server, which may take long.
struct ServerCallbacks {
  std::function<void(std::string)> say;  // progress, and what is wrong
  std::function<int()> interruptions;    // by the person, who does not want to wait
};

}  // namespace dt::symbol
