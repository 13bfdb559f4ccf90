// See process.h.

#include "page/process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "page/server.h"
#include "page/spawn.h"
#include "support/whole_number.h"

namespace dt::page {
namespace {

constexpr int kBacklog = 16;

struct Listening {
  Fd fd;
  int port = 0;  // 0: a path
};

Result<Listening> listen_at_port(int port) {
  Listening out;
  out.fd = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!out.fd.valid()) return refused("failed to make a socket");
  const int on = 1;
  ::setsockopt(out.fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(out.fd.get(), any, length) != 0 || ::listen(out.fd.get(), kBacklog) != 0 ||
      ::getsockname(out.fd.get(), any, &length) != 0) {
    return refused(fmt::format("failed to listen at 127.0.0.1:{}", port));
  }
  out.port = ntohs(address.sin_port);
  return out;
}

// Only its owner can connect. An existing file is replaced only if it is a socket that no process
// serves.
Result<Listening> listen_at_path(const std::string& path) {
  Listening out;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error::of(fmt::format("failed to listen at {}: the path is too long", path));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const auto* const any = reinterpret_cast<const sockaddr*>(&address);
  out.fd = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!out.fd.valid()) return refused("failed to make a socket");
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
    const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(probe.get(), any, sizeof address) != 0 && errno == ECONNREFUSED) {
      ::unlink(path.c_str());
    }
  }
  const mode_t before = ::umask(0177);
  const int bound = ::bind(out.fd.get(), any, sizeof address);
  const int error = errno;
  ::umask(before);
  errno = error;
  if (bound != 0 || ::listen(out.fd.get(), kBacklog) != 0) {
    return refused(fmt::format("failed to listen at {}", path));
  }
  return out;
}

Result<Listening> listen_at(const std::string& where) {
  if (where.find('/') != std::string::npos) return listen_at_path(where);
  const int port = support::whole_number<int>(where).value_or(0);
  constexpr int kMostPorts = 65535;
  if (!where.empty() && (port < 1 || port > kMostPorts)) {
    return Error::of(
        fmt::format("listen={} is neither a port nor a path", where),
        "the page is served to this machine only; for another one: ssh -L 8080:127.0.0.1:8080");
  }
  return listen_at_port(port);
}

Result<std::string> new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return refused("failed to get random bytes");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace

Result<std::unique_ptr<PageProcess>> PageProcess::start(const std::string& where,
                                                        const std::string& program) {
  DT_ASSIGN(const Listening listening, listen_at(where));
  DT_ASSIGN(const std::string token, new_token());
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return refused("failed to make a pair of sockets");
  }
  std::unique_ptr<PageProcess> out(new PageProcess());
  out->lines_ = Fd(pair[0]);
  const Fd other(pair[1]);
  if (listening.port == 0) out->path_ = where;
  out->pid_ = ::fork();
  if (out->pid_ < 0) return refused("failed to start the page process");
  if (out->pid_ == 0) {
    const int descriptors[] = {listening.fd.get(), other.get()};
    become("dtrace-page", descriptors, program.c_str());
  }
  ::fcntl(out->lines_.get(), F_SETFL, O_NONBLOCK);
  out->address_ = listening.port != 0
                      ? fmt::format("http://127.0.0.1:{}/#token={}", listening.port, token)
                      : fmt::format("{} (http://localhost:PORT/#token={} behind ssh -L PORT:{})",
                                    where, token, where);
  out->send(fmt::format("{} {}\n", token, listening.port));
  return out;
}

PageProcess::~PageProcess() {
  lines_ = Fd();  // its end
  if (!path_.empty()) ::unlink(path_.c_str());
  if (pid_ > 0) {
    ::kill(pid_, SIGTERM);  // it keeps nothing
    ::waitpid(pid_, nullptr, 0);
  }
}

void PageProcess::send(std::string_view lines) {
  if (!is_alive()) return;
  if (waiting_.size() - sent_ + lines.size() > kMostWaiting) {
    why_ = "the page does not keep up with what is traced, and is given up";
    waiting_.clear();
    sent_ = 0;
    lines_ = Fd();
    return;
  }
  waiting_.append(lines);
  constexpr std::size_t kAtOnce = 32 << 10;
  if (waiting_.size() - sent_ >= kAtOnce) flush();
}

// Each line behind kMetrics, which no view line begins with; one that is empty is the end.
void PageProcess::send_metrics(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.append(kMetrics).append(text.substr(0, end)).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  send(lines.append(kMetrics).append("\n"));
}

void PageProcess::flush() {
  while (is_alive() && sent_ < waiting_.size()) {
    const ssize_t count = ::send(lines_.get(), waiting_.data() + sent_, waiting_.size() - sent_,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) {
      why_ = "the page process has ended";
      break;
    }
    sent_ += static_cast<std::size_t>(count);
  }
  if (sent_ == waiting_.size()) {
    waiting_.clear();
    sent_ = 0;
  } else if (sent_ > kMostWaiting / 2) {
    waiting_.erase(0, sent_);
    sent_ = 0;
  }
}

}  // namespace dt::page
