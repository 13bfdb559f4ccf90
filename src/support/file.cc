// See file.h.

#include "support/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "support/whole_number.h"

namespace dt::support {

Result<std::string> read_file(const Fd& fd, const std::string& name) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return Error::of_code(fmt::format("failed to read {}: {}", name, std::strerror(errno)),
                            errno);
    }
    if (n == 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > kMaxFileBytes) {
      return Error::of(
          fmt::format("failed to read {}: a script may be {} bytes at most", name, kMaxFileBytes));
    }
  }
}

Result<std::string> read_file(const std::string& path) {
  Fd fd(path == "-" ? ::dup(0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    return Error::of_code(fmt::format("failed to open {}: {}", path, std::strerror(errno)), errno);
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return Error::of_code(fmt::format("failed to open {}: {}", path, std::strerror(EISDIR)),
                          EISDIR);
  }
  return read_file(fd, path);
}

std::string own_directory() {
  std::string path(PATH_MAX, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return path.substr(0, std::min(path.rfind('/'), path.size()));
}

bool is_directory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::int32_t> numbers_in(const std::string& directory) {
  std::vector<std::int32_t> out;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (const auto number = whole_number<std::int32_t>(name); number && *number >= 0) {
      out.push_back(*number);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool write_all(const Fd& fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace dt::support
