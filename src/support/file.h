#pragma once
// Files that people name: scripts, libraries, what is saved. And directories of numbers, in /proc.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::support {

constexpr std::size_t kMaxFileBytes = 64UL << 20;

// The whole of a file, "-" being standard input; at most kMaxFileBytes.
Result<std::string> read_file(const std::string& path);
// What is left of an open one; errors call it `name`.
Result<std::string> read_file(const Fd& fd, const std::string& name);

bool is_directory(const std::string& path);
// The entries of a directory whose names are numbers, ascending: the processes in /proc, the
// threads in /proc/PID/task. None if the directory cannot be read; those read so far if it goes
// away.
std::vector<std::int32_t> numbers_in(const std::string& directory);
// Where the program that runs is; empty if the kernel does not tell.
std::string own_directory();

// False with the error in errno.
bool write_all(const Fd& fd, std::string_view bytes);

}  // namespace dt::support
