// See signals.h.

#include "support/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace dt::support {

namespace {

constexpr int kEnds[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

Result<Signals> Signals::create() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kEnds) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) {
      sigaddset(&set, signal);
    }
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  Signals signals;
  Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.valid()) {
    return system_error("signalfd", errno);
  }
  if (::sigprocmask(SIG_BLOCK, &set, &signals.before_) != 0) {
    return system_error("sigprocmask", errno);
  }
  signals.fd_ = std::move(fd);
  return signals;
}

Signals::~Signals() {
  if (fd_.valid()) {
    while (take() != 0) {
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
}

int Signals::take() {
  signalfd_siginfo info = {};
  return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                              : 0;
}

void ignore_ends() {
  for (const int signal : kEnds) {
    ::signal(signal, SIG_IGN);
  }
}

}  // namespace dt::support
