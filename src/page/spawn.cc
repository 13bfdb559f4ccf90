// See spawn.h.

#include "page/spawn.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace dt::page {

Error refused(const std::string& what) {
  return Error::of_code(fmt::format("{}: {}", what, std::strerror(errno)), errno);
}

void become(const char* name, std::span<const int> descriptors, const char* program) {
  // Away from their places first.
  constexpr int kAway = 10;
  std::array<int, 4> away{};
  int count = 0;
  for (const int fd : descriptors)
    away.at(static_cast<std::size_t>(count++)) = ::fcntl(fd, F_DUPFD, kAway);
  for (int i = 0; i < count; ++i)
    ::dup2(away.at(static_cast<std::size_t>(i)), kFirstDescriptor + i);
  ::close_range(static_cast<unsigned>(kFirstDescriptor + count), ~0U, 0);
  // A reader of dtrace's output waits until it is closed: the helper must not hold it open.
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::close(null);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::string own_name = name;
  char* const arguments[] = {own_name.data(), nullptr};
  ::execv(program, arguments);
  ::_exit(127);
}

}  // namespace dt::page
