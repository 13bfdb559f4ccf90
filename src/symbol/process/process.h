#pragma once
// What /proc says of one process: its mappings, and the map file of a JIT.

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::symbol {

struct Mapping {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t device = 0, inode = 0;
  std::string path;  // as in /proc/PID/maps; empty when anonymous
  // Which file had the inode, and which content of it, where the kernel said so when
  // it was mapped; 0 where it was read in /proc later.
  std::uint64_t generation = 0;
  std::uint32_t edition = 0;

  bool operator==(const Mapping&) const = default;
};

// The executable mappings in the text of /proc/PID/maps, ascending.
std::vector<Mapping> parse_maps(std::string_view text);

constexpr std::size_t kMaxMapsBytes = 64U << 20;  // of a /proc/PID/maps that are read

// The same of a process, whose "maps" in /proc this is the path of; empty when it cannot be read.
std::vector<Mapping> read_mappings(const std::string& path);

// The last one that begins at or below the address, of those that ascend; nullptr
// when there is none.
template <typename T>
const T* last_from(const std::vector<T>& sorted, std::uint64_t address) {
  const auto after =
      std::upper_bound(sorted.begin(), sorted.end(), address,
                       [](std::uint64_t value, const T& item) { return value < item.begin; });
  return after == sorted.begin() ? nullptr : &*std::prev(after);
}

// Whether it is code of a file, which may be no more where the path says.
bool is_file(const Mapping& mapping);
// Whether a path in /proc/PID/maps is that of a file that has been deleted.
bool is_deleted(std::string_view path);

// "libc.so.6" for "/lib/x86_64-linux-gnu/libc.so.6 (deleted)".
std::string object_name(std::string_view path);

// Entries of a perf map ("<hex start> <hex size> <name>"), ascending.
struct JitSymbol {
  std::uint64_t begin = 0, size = 0;
  std::string name;
};
std::vector<JitSymbol> parse_perf_map(std::string_view text);
// The module of functions that are named by such a map.
inline constexpr std::string_view kJitModule = "[jit]";

// Reads at most `limit` bytes; empty when the file cannot be read.
std::string read_file(const std::string& path, std::size_t limit);
// The same for a file that others can write: it must be regular (a FIFO would
// block us), no symbolic link, and belong to `owner` or root.
std::string read_owned_file(const std::string& path, uid_t owner, std::size_t limit);

// Tells one life of a process id from another: the start time and the inode of
// the executable, which exec changes. Empty when there is no such process.
std::string process_identity(std::int32_t pid);

}  // namespace dt::symbol
