#pragma once
// The types of a user program: struct a.out`point, struct libc.so.6`_IO_FILE.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "types/type.h"

namespace dt::symbol {
class Debuginfod;
}

namespace dt::types {

// The objects of processes. Those of the target: "a.out", the program, and its libraries by
// the name of their files; "libc" stands for "libc.so.6". A library that a program just
// started has not mapped yet is looked for where the dynamic linker would by default. Of any
// process: "pid12`libc.so.6", and "pid12" for the program and then whatever it has mapped;
// "pid" and "pid`libc.so.6" are those of the target; "pid*`/usr/bin/sort" is the file at that path.
// Their types are userland, and come from DWARF in the file or in a debug file (by build id,
// .gnu_debuglink or .gnu_debugaltlink; `servers` are asked last, and may be null), from CTF, or
// from BTF. Nothing is read before an object is named.
std::unique_ptr<Library> user_types(std::optional<std::int32_t> target,
                                    std::shared_ptr<symbol::Debuginfod> servers = nullptr);

// The types of one ELF file, as module `module`. A file without any is a source
// that has none, and says so. `root` is put before absolute paths: that of
// another mount namespace, or "".
std::unique_ptr<Source> elf_types(const std::string& module, const std::string& path,
                                  const std::string& real_path, const std::string& root,
                                  symbol::Debuginfod* servers = nullptr);

}  // namespace dt::types
