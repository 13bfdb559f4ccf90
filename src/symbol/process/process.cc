// Reading /proc/PID.

#include "symbol/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "support/fd.h"
#include "support/text.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxMappings = 262144;
constexpr std::size_t kMaxJitSymbols = 4'000'000;
constexpr std::size_t kMaxJitName = 4096;
constexpr std::string_view kDeleted = " (deleted)";

bool take_number(std::string_view& text, int base, std::uint64_t& out) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (result.ec != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return true;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

// A line of /proc/PID/maps (proc(5)): "begin-end perms offset major:minor inode   path". The path
// begins after blanks and may contain any character but a newline, so it is the rest of the line.
// Only executable mappings are kept: addresses of code are all that is looked up.
bool parse_mapping(std::string_view line, Mapping& out) {
  std::uint64_t major_number = 0;
  std::uint64_t minor_number = 0;
  if (!take_number(line, 16, out.begin) || !take_char(line, '-') ||
      !take_number(line, 16, out.end) || !take_char(line, ' ') || line.size() < 5) {
    return false;
  }
  const bool executable = line[2] == 'x';
  line.remove_prefix(5);
  if (!executable || !take_number(line, 16, out.file_offset) || !take_char(line, ' ') ||
      !take_number(line, 16, major_number) || !take_char(line, ':') ||
      !take_number(line, 16, minor_number) || !take_char(line, ' ') ||
      !take_number(line, 10, out.inode)) {
    return false;
  }
  out.device = makedev(static_cast<unsigned>(major_number), static_cast<unsigned>(minor_number));
  skip_blanks(line);
  out.path = line;
  return out.begin < out.end;
}

std::string read_all(int fd, std::size_t limit) {
  std::string text;
  char buffer[65536];
  while (text.size() < limit) {
    const ssize_t got = ::read(fd, buffer, std::min(sizeof buffer, limit - text.size()));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::vector<Mapping> parse_maps(std::string_view text) {
  std::vector<Mapping> mappings;
  while (!text.empty() && mappings.size() < kMaxMappings) {
    Mapping mapping;
    if (parse_mapping(support::take(text, '\n'), mapping)) {
      mappings.push_back(std::move(mapping));
    }
  }
  std::sort(mappings.begin(), mappings.end(),
            [](const Mapping& a, const Mapping& b) { return a.begin < b.begin; });
  return mappings;
}

bool is_file(const Mapping& mapping) { return mapping.inode != 0 && mapping.path.starts_with('/'); }

bool is_deleted(std::string_view path) { return path.ends_with(kDeleted); }

std::string object_name(std::string_view path) {
  constexpr std::string_view kInMemory = "/memfd:";
  if (is_deleted(path)) {
    path.remove_suffix(kDeleted.size());
    // A colon would end the field of a description.
    if (path.starts_with(kInMemory)) path.remove_prefix(kInMemory.size());
  }
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::vector<JitSymbol> parse_perf_map(std::string_view text) {
  std::vector<JitSymbol> symbols;
  while (!text.empty() && symbols.size() < kMaxJitSymbols) {
    std::string_view line = support::take(text, '\n');
    JitSymbol symbol;
    // Node writes plain numbers, OpenJDK 0x before both.
    const auto take_hex = [&line](std::uint64_t& number) {
      if (line.starts_with("0x")) {
        line.remove_prefix(2);
      }
      return take_number(line, 16, number);
    };
    if (!take_hex(symbol.begin) || !take_char(line, ' ') || !take_hex(symbol.size) ||
        !take_char(line, ' ') || line.empty() || symbol.size == 0 ||
        symbol.begin + symbol.size < symbol.begin) {
      continue;
    }
    symbol.name = line.substr(0, kMaxJitName);
    symbols.push_back(std::move(symbol));
  }
  // A JIT compiler appends a line to /tmp/perf-PID.map for each function that it compiles, and
  // reuses the addresses of functions that it has freed. Of several lines with one address, the
  // last line names the present function; the sort is stable, so it is kept.
  std::stable_sort(symbols.begin(), symbols.end(),
                   [](const JitSymbol& a, const JitSymbol& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (JitSymbol& symbol : symbols) {
    if (kept > 0 && symbols[kept - 1].begin == symbol.begin) {
      symbols[kept - 1] = std::move(symbol);
    } else {
      if (&symbols[kept] != &symbol) {
        symbols[kept] = std::move(symbol);
      }
      ++kept;
    }
  }
  symbols.resize(kept);
  return symbols;
}

std::string read_file(const std::string& path, std::size_t limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd.valid() ? read_all(fd.get(), limit) : std::string();
}

std::string read_owned_file(const std::string& path, uid_t owner, std::size_t limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      (status.st_uid != owner && status.st_uid != 0)) {
    return {};
  }
  return read_all(fd.get(), limit);
}

std::string process_identity(std::int32_t pid) {
  const std::string stat = read_file(fmt::format("/proc/{}/stat", pid), 4096);
  // The command's name may hold anything, so fields count from its last ')'.
  const std::size_t close = stat.rfind(')');
  if (close == std::string::npos) {
    return {};
  }
  std::string_view rest = std::string_view(stat).substr(close + 1);
  std::string_view start;
  for (int field = 3; field <= 22; ++field) {
    skip_blanks(rest);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    start = rest.substr(0, end);
    rest.remove_prefix(end);
  }
  struct stat executable {};
  ::stat(fmt::format("/proc/{}/exe", pid).c_str(), &executable);
  return fmt::format("{} {}:{}", start, executable.st_dev, executable.st_ino);
}

namespace {

// The text of /proc/PID/maps has a line for each mapping, of which four of five are not executable,
// and to make a line takes the kernel about a microsecond; a script with stacks asks for all
// processes. Since Linux 6.11, an ioctl on the same file gives one mapping, the next executable one
// if that is asked for (PROCMAP_QUERY, include/uapi/linux/fs.h, which is newer than the headers
// that this is compiled with). What it gives is what the text says, but for the page of vsyscall,
// which is not in the list of any process.
struct ProcmapQuery {
  std::uint64_t size, flags, address;                   // asked
  std::uint64_t begin, end, access, page_size, offset;  // answered
  std::uint64_t inode;
  std::uint32_t device_major, device_minor;
  // Asked: the sizes of the buffers at `name` and `build_id`. Answered: how many bytes the kernel
  // has written there; of the name, with its NUL.
  std::uint32_t name_bytes, build_id_bytes;
  std::uint64_t name, build_id;
};
static_assert(sizeof(ProcmapQuery) == 104);

constexpr unsigned long kQuery = _IOWR('f', 17, ProcmapQuery);
constexpr std::uint64_t kQueryExecutable = 0x04, kQueryNext = 0x10;
constexpr std::uint64_t kVsyscall = 0xffffffffff600000;

// In the text, a newline of a path is "\012".
std::string as_in_text(const char* name) {
  std::string text;
  for (; *name != '\0'; ++name) {
    if (*name == '\n') {
      text += "\\012";
    } else {
      text += *name;
    }
  }
  return text;
}

// The page at the end of all addresses, where old programs called the kernel. It is the same for
// all processes, and there or not since the start of the kernel.
const std::vector<Mapping>& vsyscall_page() {
  static const std::vector<Mapping> page = [] {
    std::vector<Mapping> found = parse_maps(read_file("/proc/self/maps", kMaxMapsBytes));
    std::erase_if(found, [](const Mapping& mapping) { return mapping.begin != kVsyscall; });
    return found;
  }();
  return page;
}

// nullopt: the kernel cannot be asked so, or a path is longer than it tells.
std::optional<std::vector<Mapping>> query_mappings(int fd) {
  std::vector<Mapping> mappings;
  char name[PATH_MAX];
  std::uint64_t address = 0;
  while (mappings.size() < kMaxMappings) {
    name[0] = '\0';
    ProcmapQuery query = {};
    query.size = sizeof query;
    query.flags = kQueryExecutable | kQueryNext;
    query.address = address;
    query.name = reinterpret_cast<std::uintptr_t>(name);
    query.name_bytes = sizeof name;
    if (::ioctl(fd, kQuery, &query) != 0) {
      if (errno == EINTR) continue;
      if (errno != ENOENT) return std::nullopt;
      mappings.insert(mappings.end(), vsyscall_page().begin(), vsyscall_page().end());
      return mappings;
    }
    Mapping mapping;
    mapping.begin = query.begin;
    mapping.end = query.end;
    mapping.file_offset = query.offset;
    mapping.device = makedev(query.device_major, query.device_minor);
    mapping.inode = query.inode;
    if (query.name_bytes > 0) mapping.path = as_in_text(name);
    mappings.push_back(std::move(mapping));
    address = query.end;
  }
  return mappings;
}

}  // namespace

std::vector<Mapping> read_mappings(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return {};
  if (auto mappings = query_mappings(fd.get())) return std::move(*mappings);
  return parse_maps(read_file(path, kMaxMapsBytes));
}

}  // namespace dt::symbol
