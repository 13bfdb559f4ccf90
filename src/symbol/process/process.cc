// Reading /proc/PID.

#include "symbol/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

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

}  // namespace dt::symbol
