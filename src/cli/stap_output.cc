// See stap_output.h.

#include "cli/stap_output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace dt::cli {
namespace {

// %Y and others of strftime(3); a name without % stays.
std::string with_time(const std::string& name) {
  if (name.find('%') == std::string::npos) return name;
  const std::time_t now = std::time(nullptr);
  tm local = {};
  ::localtime_r(&now, &local);
  std::array<char, 4096> out{};
  const std::size_t size = std::strftime(out.data(), out.size(), name.c_str(), &local);
  return size == 0 ? name : std::string(out.data(), size);
}

}  // namespace

std::string StapOutput::open(const std::string& name, std::int64_t megabytes, std::int64_t files) {
  constexpr std::int64_t kMegabyte = 1 << 20;
  most_bytes_ = name.empty() ? 0 : megabytes * kMegabyte;
  most_files_ = files;
  name_ = name.empty() ? "<stdout>" : with_time(name);
  if (is_series()) return open_next();
  fd_ = Fd(name.empty() ? ::dup(STDOUT_FILENO)
                        : ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  return fd_.valid() ? std::string()
                     : fmt::format("cannot open '{}': {}", name_, std::strerror(errno));
}

// FILE.0, FILE.1, ...; of N files the oldest one goes.
std::string StapOutput::open_next() {
  const std::string name = fmt::format("{}.{}", name_, number_);
  fd_ = Fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd_.valid()) return fmt::format("cannot open '{}': {}", name, std::strerror(errno));
  if (most_files_ > 0 && number_ >= most_files_) {
    ::unlink(fmt::format("{}.{}", name_, number_ - most_files_).c_str());
  }
  ++number_;
  written_ = 0;
  return {};
}

// A line is not divided: the file goes on to the end of the line that passes its size.
std::string StapOutput::write(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    const bool is_whole = line.ends_with('\n');
    text.remove_prefix(line.size());
    written_ += static_cast<std::int64_t>(line.size());
    while (!line.empty()) {
      const ssize_t done = ::write(fd_.get(), line.data(), line.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return fmt::format("cannot write '{}': {}", name_, std::strerror(errno));
      line.remove_prefix(static_cast<std::size_t>(done));
    }
    if (is_whole && written_ >= most_bytes_) {
      if (std::string wrong = open_next(); !wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace dt::cli
