// See process.h.
//
// The start is a small protocol. The child asks to be traced and executes the
// program; the kernel stops it on its first instruction. If it cannot execute,
// it writes errno into a pipe that exec would have closed, and exits.

#include "runtime/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/entry_point.h"
#include "runtime/words.h"
#include "support/open_files.h"

namespace dt::runtime {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";
constexpr int kCannotExecute = 127;

Error cannot_execute(const std::string& name, int code) {
  return support::system_error(fmt::format("failed to execute {}", name), code);
}

// Why the child could not begin, as it writes it into the pipe: which step has failed, and errno.
struct Failure {
  int code = 0;
  bool is_untraced = false;  // the step before exec: we may not trace it
};

Error why_not_begun(const std::string& name, const Failure& failure) {
  if (!failure.is_untraced) return cannot_execute(name, failure.code);
  Error error = support::system_error(
      fmt::format("failed to execute {}: ptrace(PTRACE_TRACEME)", name), failure.code);
  error.remedy =
      "a policy (a container's seccomp filter, or kernel.yama.ptrace_scope = 3) forbids to trace "
      "what is started with -c; start it without dtrace, and use -p";
  return error;
}

int open_pidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// The process that the thread is of; 0 when there is none.
pid_t leader_of(pid_t thread) {
  std::ifstream status(fmt::format("/proc/{}/status", thread));
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("Tgid:")) return std::atoi(line.c_str() + std::strlen("Tgid:"));
  }
  return 0;
}

// Executes the program, in the child: only async-signal-safe calls from here on. Between fork() and
// exec() of a process with threads, locks of the C library may be held by threads that do not exist
// in the child, so that malloc() could wait for ever. Therefore everything that allocates was done
// before fork().
[[noreturn]] void execute(const char* file, char* const* words, char* const* environment,
                          pid_t parent, int output, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {  // it died before the line above
    ::_exit(kCannotExecute);
  }
  // What we block and ignore for ourselves is not the program's business.
  sigset_t none;
  sigemptyset(&none);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  support::restore_open_files();
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (output != STDOUT_FILENO) {
    ::dup2(output, STDOUT_FILENO);
  }
  Failure why{kernel::let_parent_trace_me(), true};
  if (why.code == 0) {
    ::execve(file, words, environment);
    why = {errno, false};
  }
  static_cast<void>(!::write(failure, &why, sizeof why));
  ::_exit(kCannotExecute);
}

// The texts as execve(2) takes them: pointers into `texts`, which must outlive the call, and a null
// pointer.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

// 0, or why the file cannot be executed.
int check_executable(const std::string& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) {
    return errno;
  }
  if (!S_ISREG(status.st_mode)) {
    return EACCES;
  }
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

}  // namespace

Result<std::string> find_executable(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) {
    const int code = check_executable(name);
    return code == 0 ? Result<std::string>(name) : Result<std::string>(cannot_execute(name, code));
  }
  // As execvp(3): a file that may not be executed is reported only when no
  // later directory has one that may.
  int worst = ENOENT;
  while (!name.empty()) {
    const std::size_t end = path.find(':');
    const std::string_view directory = path.substr(0, end);
    const std::string file = directory.empty() ? name : fmt::format("{}/{}", directory, name);
    const int code = check_executable(file);
    if (code == 0) {
      return file.find('/') == std::string::npos ? "./" + file : file;
    }
    worst = code == EACCES ? EACCES : worst;
    if (end == std::string_view::npos) {
      break;
    }
    path.remove_prefix(end + 1);
  }
  return cannot_execute(name, worst);
}

Result<Process> Process::start(std::string_view command, const Environment& environment, int output,
                               std::unique_ptr<kernel::Ptrace> ptrace) {
  DT_ASSIGN(std::vector<std::string> words, split_words(command));
  DT_ASSIGN(const std::string file,
            find_executable(words[0], environment.value("PATH").value_or(kDefaultPath)));
  std::vector<std::string> variables = environment.variables();
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> passed = pointers_to(variables);

  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return cannot_execute(words[0], errno);
  }
  const Fd failure(ends[0]);
  Fd child_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return cannot_execute(words[0], errno);
  }
  if (pid == 0) {
    execute(file.c_str(), arguments.data(), passed.data(), parent, output, child_end.get());
  }
  child_end.reset();
  Process process;  // from here on its destructor sees to the child
  process.pid_ = pid;
  process.is_ours_ = true;
  process.is_stopped_ = true;
  process.ptrace_ = std::move(ptrace);
  process.pidfd_ = Fd(open_pidfd(pid));
  if (!process.pidfd_.valid()) {
    return support::system_error("pidfd_open", errno);
  }
  DT_TRY(process.wait_for_exec(words[0], failure));
  return process;
}

// If the program was executed, exec has closed the pipe's end in the child (O_CLOEXEC), and the
// stop is a SIGTRAP.
Status Process::wait_for_exec(const std::string& name, const Fd& failure) {
  using Stop = kernel::Ptrace::Stop;
  while (true) {
    DT_ASSIGN(const Stop stop, ptrace_->wait(std::array{pid_}));
    if (stop.kind == Stop::Kind::kEnd) {
      note_end(stop.status);
      Failure why;
      if (::read(failure.get(), &why, sizeof why) == sizeof why) {
        return why_not_begun(name, why);
      }
      return Error::of(fmt::format("failed to execute {}: {}", name, describe_end()));
    }
    if (stop.signal == SIGTRAP) {
      // Also when we are killed before resume().
      return ptrace_->watch(pid_, kernel::Ptrace::Watch::kDeath);
    }
    // A signal that came before exec: it is the child's to deal with.
    DT_TRY(ptrace_->go_on(pid_, stop.kind == Stop::Kind::kStopped ? 0 : stop.signal));
  }
}

// A pidfd names this process, even if its number is given to another one later.
Result<Process> Process::grab(pid_t pid) {
  Process process;
  process.pid_ = pid;
  process.pidfd_ = Fd(open_pidfd(pid));
  if (!process.pidfd_.valid()) {
    // EINVAL, and ENOENT from 6.16 on: a thread that is no process, or no possible number.
    const int code = errno == EINVAL || errno == ENOENT ? ESRCH : errno;
    const std::string failed = fmt::format("failed to grab pid {}", pid);
    const pid_t leader = leader_of(pid);
    if (leader > 0 && leader != pid) {
      return Error::of_code(fmt::format("{}: it is a thread of process {}", failed, leader), code);
    }
    return support::system_error(failed, code);
  }
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      is_ours_(other.is_ours_),
      is_stopped_(other.is_stopped_),
      is_at_entry_(other.is_at_entry_),
      threads_(std::move(other.threads_)),
      held_signal_(other.held_signal_),
      refusal_(std::move(other.refusal_)),
      ptrace_(std::move(other.ptrace_)),
      end_(other.end_) {}

Process::~Process() {
  if (pid_ > 0 && is_ours_ && !end_.has_value()) {
    kill();
  }
}

// Lets the threads of a stopped program run, untraced. A thread that has been killed is only waited
// for.
void Process::detach_threads() {
  for (const pid_t thread : threads_) {
    if (!ptrace_->detach(thread, 0).ok()) {
      static_cast<void>(ptrace_->wait(std::array{thread}));
    }
  }
  threads_.clear();
}

// SIGKILL ends a stopped process, too; other signals would wait for it to go on.
void Process::kill() {
  ::kill(pid_, SIGKILL);
  detach_threads();
  int status = 0;
  // Where it was traced, it may show a stop once more that it had come to before.
  while (::waitpid(pid_, &status, 0) < 0 ? errno == EINTR : WIFSTOPPED(status)) {
  }
  note_end(status);
}

Error Process::refuse_entry(Error why) {
  is_stopped_ = false;
  refusal_ = std::move(why);
  return *refusal_;
}

Status Process::run_to_entry(bool to_main) {
  if (refusal_) {
    return *refusal_;
  }
  if (!is_stopped_ || is_at_entry_) {
    return {};
  }
  Result<Arrival> arrival = run_to_entry_point(*ptrace_, pid_, to_main);
  if (!arrival.ok()) {
    end_ = End{std::nullopt, SIGKILL};
    return refuse_entry(std::move(arrival.error()));
  }
  if (arrival->ended) {
    note_end(*arrival->ended);
    return refuse_entry(Error::of_code(describe_end() + " before its program began", ESRCH));
  }
  is_at_entry_ = true;
  held_signal_ = arrival->held_signal;
  threads_ = std::move(arrival->threads);
  return {};
}

Status Process::resume() {
  if (!is_stopped_) {
    return {};
  }
  is_stopped_ = false;
  detach_threads();
  Status status = ptrace_->detach(pid_, held_signal_);
  if (status.ok() || status.error().code == ESRCH) {  // killed meanwhile: poll_end() says so
    return {};
  }
  return std::move(status.error()).with(fmt::format("failed to start pid {}", pid_));
}

void Process::note_end(int status) {
  end_ = WIFSIGNALED(status) ? End{std::nullopt, WTERMSIG(status)} : End{WEXITSTATUS(status), 0};
}

const std::optional<Process::End>& Process::poll_end() {
  if (end_.has_value()) {
    return end_;
  }
  if (is_ours_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_ && !WIFSTOPPED(status)) {
      note_end(status);
    }
  } else {
    pollfd state = {pidfd_.get(), POLLIN, 0};
    if (::poll(&state, 1, 0) == 1) {
      end_ = End{};
    }
  }
  return end_;
}

std::string Process::describe_end() const {
  if (end_.has_value() && end_->signal != 0) {
    const char* const name = ::sigabbrev_np(end_->signal);
    return name != nullptr ? fmt::format("pid {} terminated by SIG{}", pid_, name)
                           : fmt::format("pid {} terminated by signal {}", pid_, end_->signal);
  }
  if (end_.has_value() && end_->status.value_or(0) != 0) {
    return fmt::format("pid {} exited with status {}", pid_, *end_->status);
  }
  return fmt::format("pid {} has exited", pid_);
}

}  // namespace dt::runtime
