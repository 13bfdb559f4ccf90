// Running a shell command.

#include "runtime/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "support/fd.h"
#include "support/open_files.h"

namespace dt::runtime {
namespace {

// How the command begins: our descriptors but the standard ones are closed on exec, no signal is
// blocked, and those that we handle do what they always do. By posix_spawn() and not by fork(),
// which would copy the page tables of this process; they are large when buffers are mapped.
class Start {
 public:
  explicit Start(int output) {
    ::posix_spawn_file_actions_init(&files_);
    if (output != STDOUT_FILENO) {
      ::posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    }
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t normal;
    ::sigemptyset(&normal);
    ::sigaddset(&normal, SIGPIPE);
    ::sigaddset(&normal, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&attributes_, &normal);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_ = {};
  posix_spawnattr_t attributes_ = {};
};

// A pidfd is readable when the process has ended, so one poll() waits for this and for a wake-up by
// another thread. The wait is also ended from time to time, as give_up() has no descriptor.
void wait_for_end(pid_t pid, int wake_fd, const std::function<bool()>& give_up) {
  constexpr int kLookAgainMs = 250;
  const Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  while (pidfd.valid()) {
    pollfd wait[] = {{pidfd.get(), POLLIN, 0}, {wake_fd, POLLIN, 0}};
    ::poll(wait, std::size(wait), kLookAgainMs);
    if (wait[0].revents != 0) {
      break;
    }
    if (give_up && give_up()) {
      ::kill(pid, SIGKILL);
    }
  }
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Status run_command(const std::string& command, int output, int wake_fd,
                   const std::function<bool()>& give_up) {
  const Start start(output);
  char shell[] = "sh";
  char option[] = "-c";
  std::string text = command;
  char* const arguments[] = {shell, option, text.data(), nullptr};
  pid_t pid = 0;
  int failed = 0;
  {
    const support::OpenFilesOfChild limit;
    failed = ::posix_spawn(&pid, "/bin/sh", start.files(), start.attributes(), arguments, environ);
  }
  if (failed != 0) {
    return support::system_error("failed to run /bin/sh", failed);
  }
  wait_for_end(pid, wake_fd, give_up);
  return {};
}

}  // namespace dt::runtime
