// libdw_stacks: what libdw says of the stacks of stopped threads, for the tests
// that compare ustack() with it (tests/conformance/stack/tst.libdw.py).
//
// A server: it answers each line of standard input with one line.
//
//   PID TID                      the stack of a thread that is stopped (state T)
//   PID TID REGISTER*17          the stack that it has with these registers, in
//                                hexadecimal and in DWARF's order: rax rdx rcx rbx
//                                rsi rdi rbp rsp r8 ... r15 rip
//
// The second form is for breakpoints (uprobes). A signal that is sent from one
// waits until the instruction behind it has been carried out, so the thread stops
// one instruction later than the tracer looked; memory that matters to its
// callers is as it was. The answers:
//
//   exact|later PC SP ended|failed FRAME...
//   error TEXT
//
// "later" says that the registers given are not those of the thread. PC and SP
// are the thread's. "failed" is how libdw ends at a frame that it cannot unwind.
// A frame is the pc as dwfl_frame_pc() has it: of all but the first the return
// address, not reduced by one. Behind it stand "s" for a frame that a signal has
// interrupted, and "?" for code that no .eh_frame describes: from such a frame
// libdw goes on by .debug_frame or by the frame pointer. At most kMaxFrames.
//
// Modules are kept from one line to the next while the process is the same, and
// looked through again when its mapped files have changed.

#include <elfutils/libdwfl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t kMaxFrames = 1000;
constexpr std::size_t kRegisters =
    17;  // DWARF's numbers of x86-64; the last is the return address, rip

using Registers = std::array<Dwarf_Word, kRegisters>;

// What libdw asks for while it unwinds: it has no other way to the process.
struct Thread {
  pid_t pid = 0;
  pid_t tid = 0;
  Registers registers{};
};

struct DwflEnd {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};

Registers dwarf_order(const user_regs_struct& user) {
  return {user.rax, user.rdx, user.rcx, user.rbx, user.rsi, user.rdi, user.rbp, user.rsp, user.r8,
          user.r9,  user.r10, user.r11, user.r12, user.r13, user.r14, user.r15, user.rip};
}

// What a system call or the kernel's restarting of it may change is left out.
bool is_same_place(const Registers& a, const Registers& b) {
  for (const std::size_t number : {3U, 6U, 7U, 12U, 13U, 14U, 15U, 16U}) {
    if (a[number] != b[number]) return false;
  }
  return true;
}

// The thread stays stopped by its signal when it is let go.
std::optional<Registers> registers_of(pid_t tid) {
  if (ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) != 0) return std::nullopt;
  std::optional<Registers> result;
  user_regs_struct user;
  int status = 0;
  if (ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0 &&
      waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status) &&
      ptrace(PTRACE_GETREGS, tid, nullptr, &user) == 0) {
    result = dwarf_order(user);
  }
  const int saved = errno;
  ptrace(PTRACE_DETACH, tid, nullptr, nullptr);
  errno = saved;
  return result;
}

pid_t next_thread(Dwfl*, void* argument, void** thread_argument) {
  if (*thread_argument != nullptr) return 0;
  *thread_argument = argument;
  return static_cast<Thread*>(argument)->tid;
}

bool get_thread(Dwfl*, pid_t, void* argument, void** thread_argument) {
  *thread_argument = argument;
  return true;
}

bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
  iovec local{result, sizeof *result};
  iovec remote{reinterpret_cast<void*>(address), sizeof *result};
  return process_vm_readv(static_cast<Thread*>(argument)->pid, &local, 1, &remote, 1, 0) ==
         sizeof *result;
}

bool set_registers(Dwfl_Thread* thread, void* argument) {
  return dwfl_thread_state_registers(thread, 0, kRegisters,
                                     static_cast<Thread*>(argument)->registers.data());
}

constexpr Dwfl_Thread_Callbacks kThreadCallbacks{next_thread,   get_thread, read_memory,
                                                 set_registers, nullptr,    nullptr};

// No debug information is looked for: what it has beside .eh_frame describes no
// code of Debian's that .eh_frame does not.
int no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                  GElf_Word, char**) {
  return -1;
}

constexpr Dwfl_Callbacks kCallbacks{dwfl_linux_proc_find_elf, no_debug_file, nullptr, nullptr};

// The mapped files of a process. Other mappings come and go all the time.
std::string mapped_files(pid_t pid) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::string result;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('/') != std::string::npos) result += line + '\n';
  }
  return result;
}

class Process {
 public:
  // A reason, or nothing.
  std::string look_at(pid_t pid) {
    std::string files = mapped_files(pid);
    if (files.empty()) return "there is no such process";
    if (thread_.pid == pid && files == files_) return "";
    const bool is_new = thread_.pid != pid;
    if (is_new) dwfl_.reset(dwfl_begin(&kCallbacks));
    thread_.pid = 0;
    if (dwfl_ == nullptr) return dwfl_errmsg(-1);
    dwfl_report_begin(dwfl_.get());
    if (const int error = dwfl_linux_proc_report(dwfl_.get(), pid); error != 0) {
      return error > 0 ? std::strerror(error) : dwfl_errmsg(-1);
    }
    if (dwfl_report_end(dwfl_.get(), nullptr, nullptr) != 0) return dwfl_errmsg(-1);
    if (is_new && !dwfl_attach_state(dwfl_.get(), nullptr, pid, &kThreadCallbacks, &thread_)) {
      return dwfl_errmsg(-1);
    }
    thread_.pid = pid;
    files_ = std::move(files);
    return "";
  }

  // "ended|failed FRAME..."
  std::string stack(pid_t tid, const Registers& registers) {
    thread_.tid = tid;
    thread_.registers = registers;
    frames_.clear();
    count_ = 0;
    const int result = dwfl_getthread_frames(dwfl_.get(), tid, add_frame, this);
    return (result < 0 ? "failed" : "ended") + frames_;
  }

 private:
  static int add_frame(Dwfl_Frame* state, void* argument) {
    auto& process = *static_cast<Process*>(argument);
    Dwarf_Addr pc = 0;
    bool is_activation = false;
    if (!dwfl_frame_pc(state, &pc, &is_activation)) return DWARF_CB_ABORT;
    const bool is_first = process.count_ == 0;
    char text[32];
    std::snprintf(text, sizeof text, " %llx%s%s", static_cast<unsigned long long>(pc),
                  is_activation && !is_first ? "s" : "",
                  process.is_described(is_activation ? pc : pc - 1) ? "" : "?");
    process.frames_ += text;
    return ++process.count_ < kMaxFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
  }

  bool is_described(Dwarf_Addr pc) const {
    Dwfl_Module* module = dwfl_addrmodule(dwfl_.get(), pc);
    Dwarf_Addr bias = 0;
    Dwarf_CFI* cfi = module == nullptr ? nullptr : dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame* frame = nullptr;
    if (cfi == nullptr || dwarf_cfi_addrframe(cfi, pc - bias, &frame) != 0) return false;
    std::free(frame);
    return true;
  }

  std::unique_ptr<Dwfl, DwflEnd> dwfl_;
  std::string files_;
  Thread thread_;
  std::string frames_;
  std::size_t count_ = 0;
};

std::string answer(Process& process, const std::string& line) {
  std::istringstream words(line);
  pid_t pid = 0;
  pid_t tid = 0;
  if (!(words >> pid >> tid)) return "error no PID TID";
  Registers given{};
  std::size_t count = 0;
  words >> std::hex;
  while (count < kRegisters && words >> given[count]) ++count;
  if (count != 0 && count != kRegisters) return "error too few registers";
  const std::optional<Registers> stopped = registers_of(tid);
  if (!stopped) return std::string("error ptrace: ") + std::strerror(errno);
  if (const std::string reason = process.look_at(pid); !reason.empty()) return "error " + reason;
  const bool is_exact = count == 0 || is_same_place(given, *stopped);
  std::ostringstream result;
  result << (is_exact ? "exact " : "later ") << std::hex << (*stopped)[16] << ' ' << (*stopped)[7]
         << ' ' << process.stack(tid, count == 0 ? *stopped : given);
  return result.str();
}

}  // namespace

int main() {
  Process process;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(process, line) << std::endl;
  return 0;
}
