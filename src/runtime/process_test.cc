// -c and -p.

#include "runtime/process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace dt::runtime {
namespace {

// Waits for the end with a bound.
std::optional<Process::End> end_of(Process& process) {
  pollfd state = {process.fd(), POLLIN, 0};
  ::poll(&state, 1, 10'000);
  return process.poll_end();
}

// A field of /proc/PID/status, "" when there is no such process.
std::string status_field(pid_t pid, const std::string& field) {
  std::FILE* const file = std::fopen(fmt::format("/proc/{}/status", pid).c_str(), "r");
  std::string found;
  std::array<char, 256> line = {};
  while (file != nullptr && std::fgets(line.data(), line.size(), file) != nullptr) {
    const std::string text = line.data();
    if (text.starts_with(field + ":\t")) {
      found = text.substr(field.size() + 2, text.size() - field.size() - 3);
    }
  }
  if (file != nullptr) {
    std::fclose(file);
  }
  return found;
}

class Directory {
 public:
  Directory() { EXPECT_NE(::mkdtemp(path_.data()), nullptr); }
  ~Directory() { EXPECT_EQ(std::system(("rm -rf " + path_).c_str()), 0); }
  std::string file(const std::string& name, const std::string& text, mode_t mode) const {
    const std::string path = path_ + "/" + name;
    std::FILE* const out = std::fopen(path.c_str(), "w");
    std::fputs(text.c_str(), out);
    std::fclose(out);
    ::chmod(path.c_str(), mode);
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/dt-process-XXXXXX";
};

TEST(Process, StandsAtItsFirstInstructionUntilResumed) {
  Process process = Process::start("true").value();
  EXPECT_EQ(status_field(process.pid(), "State"), "t (tracing stop)");
  EXPECT_EQ(status_field(process.pid(), "Name"), "true");  // exec has happened
  EXPECT_EQ(process.poll_end(), std::nullopt);
  ASSERT_TRUE(process.resume().ok());
  EXPECT_EQ(end_of(process), (Process::End{0, 0}));
  EXPECT_EQ(process.describe_end(), fmt::format("pid {} has exited", process.pid()));
}

TEST(Process, ReportsTheExitStatus) {
  Process process = Process::start("sh -c 'exit 3'").value();
  ASSERT_TRUE(process.resume().ok());
  EXPECT_EQ(end_of(process), (Process::End{3, 0}));
  EXPECT_EQ(process.describe_end(), fmt::format("pid {} exited with status 3", process.pid()));
}

TEST(Process, ReportsTheSignal) {
  Process process = Process::start("sh -c 'kill -9 $$'").value();
  ASSERT_TRUE(process.resume().ok());
  EXPECT_EQ(end_of(process), (Process::End{std::nullopt, SIGKILL}));
  EXPECT_EQ(process.describe_end(), fmt::format("pid {} terminated by SIGKILL", process.pid()));
}

TEST(Process, IsKilledWithItsObject) {
  pid_t pid = 0;
  {
    Process process = Process::start("sleep 100").value();
    pid = process.pid();
    ASSERT_TRUE(process.resume().ok());
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  {
    const Process never_resumed = Process::start("sleep 100").value();
    pid = never_resumed.pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Process, DiesWithUsWhateverWeDieOf) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t tracer = ::fork();
  if (tracer == 0) {
    Process process = Process::start("sleep 100").value();
    static_cast<void>(process.resume().ok());
    const pid_t pid = process.pid();
    static_cast<void>(!::write(ends[1], &pid, sizeof pid));
    ::pause();
  }
  pid_t pid = 0;
  ASSERT_EQ(::read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  Process child = Process::grab(pid).value();
  ::kill(tracer, SIGKILL);
  ::waitpid(tracer, nullptr, 0);
  EXPECT_NE(end_of(child), std::nullopt);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Process, StartsWithDefaultSignals) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  ::signal(SIGPIPE, SIG_IGN);
  const Process process = Process::start("sleep 100").value();
  ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(status_field(process.pid(), "SigBlk"), "0000000000000000");
  const std::uint64_t ignored =
      std::strtoull(status_field(process.pid(), "SigIgn").c_str(), nullptr, 16);
  EXPECT_EQ(ignored & (1ULL << (SIGPIPE - 1)), 0U);
}

TEST(Process, SaysWhyACommandCannotBeExecuted) {
  const Directory directory;
  const std::string data = directory.file("data", "no program\n", 0755);
  const std::string plain = directory.file("plain", "#!/bin/sh\n", 0644);
  const std::string orphan = directory.file("orphan", "#!/no/such/interpreter\n", 0755);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"no-such-command-of-any-kind x",
       "failed to execute no-such-command-of-any-kind: No such file or directory"},
      {"/no/such/file", "failed to execute /no/such/file: No such file or directory"},
      {directory.path(), fmt::format("failed to execute {}: Permission denied", directory.path())},
      {plain, fmt::format("failed to execute {}: Permission denied", plain)},
      {data, fmt::format("failed to execute {}: Exec format error", data)},
      {orphan, fmt::format("failed to execute {}: No such file or directory", orphan)},
      {"''", "failed to execute : No such file or directory"},
      {"'", "invalid command \"'\": a ' without its end"},
  };
  for (const auto& [command, text] : cases) {
    const auto process = Process::start(command);
    ASSERT_FALSE(process.ok()) << command;
    EXPECT_EQ(process.error().text, text);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

TEST(FindExecutable, SearchesThePathInOrder) {
  const Directory first;
  const Directory second;
  const std::string blocked = first.file("tool", "", 0644);
  const std::string good = second.file("tool", "", 0755);
  EXPECT_EQ(find_executable("tool", first.path() + ":" + second.path()).value(), good);
  EXPECT_EQ(find_executable("tool", "/no/such:" + second.path()).value(), good);
  EXPECT_EQ(find_executable(good, "").value(), good);
  EXPECT_EQ(find_executable("tool", first.path()).error().text,
            "failed to execute tool: Permission denied");
  EXPECT_EQ(find_executable("tool", "/no/such").error().text,
            "failed to execute tool: No such file or directory");
}

TEST(Process, GrabsARunningProcessAndSeesItsEnd) {
  Process started = Process::start("sleep 100").value();
  ASSERT_TRUE(started.resume().ok());
  Process grabbed = Process::grab(started.pid()).value();
  EXPECT_EQ(grabbed.poll_end(), std::nullopt);
  EXPECT_TRUE(grabbed.resume().ok());
  ::kill(started.pid(), SIGKILL);
  EXPECT_EQ(end_of(grabbed), Process::End{});
  EXPECT_EQ(grabbed.describe_end(), fmt::format("pid {} has exited", grabbed.pid()));
}

TEST(Process, SaysThatAPidDoesNotExist) {
  EXPECT_EQ(Process::grab(2'000'000'000).error().text,
            "failed to grab pid 2000000000: No such process");
  EXPECT_EQ(Process::grab(0).error().text, "failed to grab pid 0: No such process");
}

}  // namespace
}  // namespace dt::runtime
