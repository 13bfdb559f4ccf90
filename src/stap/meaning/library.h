#pragma once
// The library: aliases of probes and functions, written in the language (lib/stap/).

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/tree.h"

namespace dt::stap {

// A file of the library by its name: scheduler.stp has the aliases scheduler.*. index.txt says in
// which file each function and alias is, a line "NAME FILE"; so a run reads only what it needs.
struct LibraryFile {
  std::string path, text;
};
using Library = std::function<std::optional<LibraryFile>(std::string_view name)>;

// The file of each function and alias.
using LibraryIndex = std::map<std::string, std::string, std::less<>>;
LibraryIndex read_index(std::string_view text);

// The names of the files that a script may need: those of the families of its probe points, and
// those of the functions that it calls and that are neither its own nor in functions.def.
std::vector<std::string> library_names(const Script& script, const LibraryIndex& index);

// uaddr_af, uaddr_ip and uaddr_ip_port are parts of the address that a program passes to connect()
// or bind(), and args are the arguments of execve(). Where a script has no variables of these
// names, they become calls of functions of the library.
void call_for_texts(Script& script);

}  // namespace dt::stap
