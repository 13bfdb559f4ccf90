#pragma once
// FakePtrace: programs made of memory and of stops that a test has thought of.
// The calls are recorded, and any of them can be made to fail.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel/ptrace.h"

namespace dt::kernel {

class FakePtrace : public Ptrace {
 public:
  // ---- what a test says and asks --------------------------------------------

  // What a process is seen to do next, and where it then is.
  struct Event {
    Stop stop;
    std::uint64_t at = 0;          // 0: where it was
    std::function<void()> before;  // what else has happened until then
  };
  // Whose memory it is: threads and children of vfork() share it.
  using Memory = std::map<std::uint64_t, std::uint8_t>;
  struct Process {
    std::shared_ptr<Memory> memory = std::make_shared<Memory>();
    std::deque<Event> events;
    std::string auxv;
    std::uint64_t program_counter = 0;
    bool is_traced = true;
  };
  std::map<pid_t, Process> processes;
  // Bytes that cannot be written, whose page it is not possible to copy.
  std::vector<std::uint64_t> fixed;
  // The nth call from 1, 0 = none, fails with `code`. With ESRCH its process or thread has been
  // killed.
  void fail(std::size_t nth, int code);
  std::deque<Event> after_failure;  // what its process then does, instead of being killed
  std::vector<std::string> calls;   // "wait 7", "go_on 7 with 15", "write 7 0x1000=cc", ...

  // ---- Ptrace ------------------------------------------------------------------

  Status watch(pid_t pid, Watch watch) override;
  Result<Stop> wait(std::span<const pid_t> all) override;  // of the first that does something
  Status go_on(pid_t pid, int signal) override;
  Status detach(pid_t pid, int signal) override;
  Status stop(pid_t pid, pid_t thread) override;
  void kill(pid_t pid) override;
  Result<std::string> auxv(pid_t pid) override;
  Result<std::uint8_t> read(pid_t pid, std::uint64_t address) override;
  Status write(pid_t pid, std::uint64_t address, std::uint8_t byte) override;
  Result<std::uint64_t> program_counter(pid_t pid) override;
  Status set_program_counter(pid_t pid, std::uint64_t address) override;

 private:
  Status enter(pid_t pid, std::string call);

  std::size_t fail_at_ = 0;
  int code_ = 0;
};

}  // namespace dt::kernel
