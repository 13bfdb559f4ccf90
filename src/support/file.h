#pragma once
// Files that people name: scripts, libraries, what is saved.

#include <cstddef>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dt::support {

constexpr std::size_t kMaxFileBytes = 64UL << 20;

// The whole of a file, "-" being standard input; at most kMaxFileBytes.
Result<std::string> read_file(const std::string& path);
// What is left of an open one; errors call it `name`.
Result<std::string> read_file(const Fd& fd, const std::string& name);

bool is_directory(const std::string& path);
// Where the program that runs is; empty if the kernel does not tell.
std::string own_directory();

// False with the error in errno.
bool write_all(const Fd& fd, std::string_view bytes);

}  // namespace dt::support
