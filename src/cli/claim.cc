// The socket between who traces and who claims. Messages are packets: first one
// byte with two descriptors, 'a' or, when tracing is to end, 'e'; then a byte for
// each signal; back comes one byte, the exit status.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/anonymous.h"
#include "cli/report.h"
#include "support/signals.h"

namespace dt::cli {
namespace {

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error::of("the name of the socket is too long: " + path);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Fd make_socket() { return Fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)); }

std::string socket_of(const std::string& directory) { return directory + "/claim"; }

constexpr std::size_t kDescriptors = 2;
using Control = std::array<char, CMSG_SPACE(sizeof(int) * kDescriptors)>;

bool send_descriptors(const Fd& to, char how, const int (&fds)[kDescriptors]) {
  alignas(cmsghdr) Control control = {};
  iovec part = {&how, 1};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(header), fds, sizeof fds);
  return ::sendmsg(to.get(), &message, MSG_NOSIGNAL) == 1;
}

// What send_descriptors() sent; 0 when it is something else.
char receive_descriptors(const Fd& from, std::array<Fd, kDescriptors>& fds) {
  alignas(cmsghdr) Control control = {};
  char how = 0;
  iovec part = {&how, 1};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(from.get(), &message, MSG_CMSG_CLOEXEC) != 1) {
    return 0;
  }
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int) * kDescriptors)) {
    return 0;
  }
  int raw[kDescriptors];
  std::memcpy(raw, CMSG_DATA(header), sizeof raw);
  for (std::size_t i = 0; i < kDescriptors; ++i) {
    fds.at(i) = Fd(raw[i]);
  }
  return how;
}

}  // namespace

Result<Claim> Claim::create(const std::string& directory) {
  Claim claim;
  claim.path_ = socket_of(directory);
  DT_ASSIGN(const sockaddr_un address, address_of(claim.path_));
  const Fd other = make_socket();
  if (::connect(other.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return Error::of("an anonymous enabling is being traced already", "claim it with dtrace -a");
  }
  return claim;
}

// The socket has its name only when it listens: between bind() and listen() it would refuse a
// process that has waited for the name to appear.
Status Claim::listen() {
  const std::string unnamed = path_ + ".new";
  DT_ASSIGN(const sockaddr_un address, address_of(unnamed));
  ::unlink(unnamed.c_str());
  Fd listener = make_socket();
  const mode_t before = ::umask(0177);
  const bool is_bound =
      ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(listener.get(), 1) == 0 && ::rename(unnamed.c_str(), path_.c_str()) == 0;
  const int error = errno;
  ::umask(before);
  if (!is_bound) {
    return support::system_error("failed to listen on " + path_, error);
  }
  ::fcntl(listener.get(), F_SETFL, O_NONBLOCK);
  listener_ = std::move(listener);
  return {};
}

Claim::~Claim() {
  if (listener_.valid()) {
    ::unlink(path_.c_str());
  }
}

bool Claim::accept(int output) {
  Fd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!peer.valid()) {
    return false;
  }
  // One that says nothing must not stop us.
  constexpr timeval kPatience = {1, 0};
  ::setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  std::array<Fd, kDescriptors> fds;
  const char how = receive_descriptors(peer, fds);
  if (how != 'a' && how != 'e') {
    return false;
  }
  ::fcntl(peer.get(), F_SETFL, O_NONBLOCK);
  ::dup3(fds[0].get(), output, O_CLOEXEC);
  ::dup2(fds[0].get(), STDOUT_FILENO);
  ::dup2(fds[1].get(), STDERR_FILENO);
  ends_ = how == 'e';
  ::unlink(path_.c_str());
  listener_.reset();
  peer_ = std::move(peer);
  return true;
}

int Claim::take_signal() {
  unsigned char signal = 0;
  const ssize_t n = ::recv(peer_.get(), &signal, 1, 0);
  if (n < 0) {
    return errno == EAGAIN || errno == EINTR ? 0 : SIGTERM;
  }
  return n == 1 ? signal : SIGTERM;
}

void Claim::finish(int status) {
  if (peer_.valid()) {
    const auto byte = static_cast<unsigned char>(status);
    static_cast<void>(!::send(peer_.get(), &byte, 1, MSG_NOSIGNAL));
  }
}

int claim_anonymous(const CommandLine& line, bool ends) {
  const Fd output(line.output.empty() ? ::dup(STDOUT_FILENO)
                                      : ::open(line.output.c_str(),
                                               O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!output.valid()) {
    say(support::system_error(fmt::format("failed to open '{}'", line.output), errno).text);
    return kError;
  }
  Result<support::Signals> signals = support::Signals::create();
  const Result<sockaddr_un> address = address_of(socket_of(anonymous_directory()));
  if (!signals.ok() || !address.ok()) {
    say((signals.ok() ? address.error() : signals.error()).text);
    return kError;
  }
  const Fd socket = make_socket();
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    const bool is_forbidden = errno == EACCES;
    say(is_forbidden ? "failed to initialize dtrace: DTrace requires additional privileges"
                     : "could not enable tracing: No anonymous tracing state");
    if (!is_forbidden) {
      say_hint(
          "dtrace -A saves what is to be traced, and dtrace --anonymous, the service "
          "dtrace-anonymous of systemd, traces it");
    }
    return kError;
  }
  const int fds[kDescriptors] = {output.get(), STDERR_FILENO};
  bool is_there = send_descriptors(socket, ends ? 'e' : 'a', fds);
  while (is_there) {
    pollfd wait[] = {{socket.get(), POLLIN, 0}, {signals->fd(), POLLIN, 0}};
    ::poll(wait, std::size(wait), -1);
    while (const int signal = signals->take()) {
      const auto byte = static_cast<unsigned char>(signal);
      is_there = ::send(socket.get(), &byte, 1, MSG_NOSIGNAL) == 1 && is_there;
    }
    unsigned char status = 0;
    if (wait[0].revents != 0) {
      if (::recv(socket.get(), &status, 1, 0) == 1) {
        return status;
      }
      is_there = false;
    }
  }
  say("anonymous tracing has ended without an exit status");
  return kError;
}

}  // namespace dt::cli
