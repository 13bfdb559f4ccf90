// The process that pushes. See push.h.
//
// It resolves the collector's name while it can still read files, gives up its rights, and then
// sends one message after the other. A collector that is away for a moment is tried again; after a
// message that was lost each of the next ones is tried once, so that the end of tracing does not
// wait for a collector that does not answer.

#include <fcntl.h>
#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "exports/push_url.h"
#include "page/push.h"
#include "page/rights.h"
#include "page/spawn.h"

namespace dt::page {
namespace {

using exports::PushUrl;

constexpr int kTries = 5;
constexpr std::chrono::milliseconds kFirstPause{100};  // doubled at each try
constexpr timeval kPeerPatience = {5, 0};              // of a connection, a write and a read

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

// Why it was not taken; nothing: it was.
struct Outcome {
  std::string why;
  bool may_help_again = true;
  bool is_taken() const { return why.empty(); }
};

class Pusher {
 public:
  explicit Pusher(PushUrl url) : url_(std::move(url)) {}

  // Empty, or why there is no such host.
  std::string resolve() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(url_.host.c_str(), url_.port.c_str(), &hints, &found);
    if (error != 0) return fmt::format("{}: {}", url_.host, ::gai_strerror(error));
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
      if (at->ai_addrlen > sizeof(sockaddr_storage)) continue;
      Address& address = addresses_.emplace_back();
      std::memcpy(&address.bytes, at->ai_addr, at->ai_addrlen);
      address.size = at->ai_addrlen;
    }
    ::freeaddrinfo(found);
    return "";
  }

  Outcome push(std::string_view message) {
    Outcome outcome;
    std::chrono::milliseconds pause = kFirstPause;
    const int tries = has_lost_ ? 1 : kTries;
    for (int i = 0; i < tries; ++i, pause *= 2) {
      if (i > 0) std::this_thread::sleep_for(pause);
      outcome = url_.kind == PushUrl::Kind::kOtlp ? post(message) : write_lines(message);
      if (outcome.is_taken() || !outcome.may_help_again) break;
    }
    has_lost_ = !outcome.is_taken();
    return outcome;
  }

 private:
  std::string connect() {
    std::string why = "no address";
    for (const Address& address : addresses_) {
      Fd fd(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (fd.valid()) {
        ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPeerPatience, sizeof kPeerPatience);
        ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &kPeerPatience, sizeof kPeerPatience);
        if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.bytes), address.size) ==
            0) {
          connection_ = std::move(fd);
          return "";
        }
      }
      why = std::strerror(errno == EINPROGRESS ? ETIMEDOUT : errno);
    }
    return why;
  }

  bool write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(connection_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  // Each request has a connection of its own.
  Outcome post(std::string_view message) {
    if (std::string why = connect(); !why.empty()) return {std::move(why)};
    const std::string host =
        url_.host.find(':') == std::string::npos ? url_.host : "[" + url_.host + "]";
    const std::string head = fmt::format(
        "POST {} HTTP/1.1\r\nHost: {}:{}\r\nUser-Agent: dtrace\r\nContent-Type: "
        "application/x-protobuf\r\n"
        "Content-Length: {}\r\nConnection: close\r\n\r\n",
        url_.path, host, url_.port, message.size());
    // A collector may refuse before it has read all.
    const bool is_written = write_all(head) && write_all(message);
    const int code = is_written ? 0 : errno;
    const Outcome answered = answer();
    connection_ = Fd();
    if (!is_written && answered.may_help_again && !answered.is_taken())
      return {std::strerror(code)};
    return answered;
  }

  // "HTTP/1.1 200 OK"
  Outcome answer() {
    std::string head;
    std::array<char, 512> bytes{};
    constexpr std::size_t kMostBytes = 8192;
    while (head.find("\r\n") == std::string::npos && head.size() < kMostBytes) {
      const ssize_t count = ::recv(connection_.get(), bytes.data(), bytes.size(), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return {errno == EAGAIN ? "no answer within 5 s" : std::strerror(errno)};
      if (count == 0) break;
      head.append(bytes.data(), static_cast<std::size_t>(count));
    }
    const std::string_view line =
        std::string_view(head).substr(0, std::min(head.find("\r\n"), head.size()));
    constexpr std::string_view kVersion = "HTTP/1.";
    constexpr std::size_t kCodeAt = 9, kCodeLength = 3;
    if (!line.starts_with(kVersion) || line.size() < kCodeAt + kCodeLength)
      return {"its answer is not HTTP", false};
    const std::string_view code = line.substr(kCodeAt, kCodeLength);
    if (code.starts_with('2')) return {};
    // 429 and 5xx are of the moment.
    return {fmt::format("it answers {}", code), code == "429" || code.starts_with('5')};
  }

  // The connection stays. What a collector that has gone has not taken of a message is sent again,
  // as the whole of it.
  Outcome write_lines(std::string_view message) {
    if (connection_.valid()) {
      char byte = 0;
      const ssize_t count = ::recv(connection_.get(), &byte, 1, MSG_DONTWAIT);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) connection_ = Fd();
    }
    if (!connection_.valid()) {
      if (std::string why = connect(); !why.empty()) return {std::move(why)};
    }
    if (write_all(message)) return {};
    const int code = errno;
    connection_ = Fd();
    return {std::strerror(code == EAGAIN ? ETIMEDOUT : code)};
  }

  PushUrl url_;
  std::vector<Address> addresses_;
  Fd connection_;
  bool has_lost_ = false;
};

bool read_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(fd, to, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void report(int fd, std::uint64_t taken, std::string_view why) {
  const std::string line =
      why.empty() ? fmt::format("{}\n", taken) : fmt::format("{} {}\n", taken, why);
  static_cast<void>(::send(fd, line.data(), line.size(), MSG_NOSIGNAL));
}

}  // namespace

int run_push_process() {
  constexpr int kPipe = kFirstDescriptor;
  // Ctrl-C is for dtrace, which then ends this.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  if (::fcntl(kPipe, F_GETFD) < 0) return 2;
  std::string text;
  for (char c = 0; read_all(kPipe, &c, 1) && c != '\n';) text += c;
  Result<PushUrl> url = exports::parse_push_url(text);
  if (!url.ok()) return 2;
  Pusher pusher(std::move(*url));
  std::string why;
  const auto refused = give_up_rights([&] { why = pusher.resolve(); });
  if (refused) why = "the process could not give up its rights: " + *refused;
  std::uint64_t taken = 0;
  std::uint32_t size = 0;
  std::string message;
  while (read_all(kPipe, reinterpret_cast<char*>(&size), sizeof size) &&
         size <= PushProcess::kMostWaiting) {
    message.resize(size);
    if (!read_all(kPipe, message.data(), message.size())) break;
    const Outcome outcome = why.empty() ? pusher.push(message) : Outcome{why, false};
    if (outcome.is_taken()) ++taken;
    report(kPipe, taken, outcome.why);
  }
  return 0;
}

}  // namespace dt::page
