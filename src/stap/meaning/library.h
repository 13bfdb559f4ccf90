#pragma once
// The library: aliases of probes and functions, written in the language (lib/stap/).

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/tree.h"

namespace dt::stap {

// A file of the library by its name: scheduler.stp has the aliases scheduler.*, functions.stp
// the functions.
struct LibraryFile {
  std::string path, text;
};
using Library = std::function<std::optional<LibraryFile>(std::string_view name)>;

// The names of the files that a script may need: those of the families of its probe points, and
// that of the functions if it calls one that is neither its own nor in functions.def.
std::vector<std::string> library_names(const Script& script);

}  // namespace dt::stap
