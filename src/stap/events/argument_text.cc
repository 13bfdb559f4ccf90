// See argument_text.h.

#include "stap/events/argument_text.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/membarrier.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <csignal>
#include <iterator>

#include "stap/events/argument_memory.h"
#include "stap/events/call_values.h"
#include "stap/events/socket_names.h"
#include "stap/home/strings.h"

namespace dt::stap {
namespace {

struct Flag {
  unsigned long value;
  std::string_view name;
};
// In the order in which strace writes them. O_SYNC contains O_DSYNC, and O_TMPFILE O_DIRECTORY: the
// larger ones stand first.
constexpr Flag kOpenFlags[] = {
    {O_CREAT, "O_CREAT"},     {O_EXCL, "O_EXCL"},          {O_NOCTTY, "O_NOCTTY"},
    {O_TRUNC, "O_TRUNC"},     {O_APPEND, "O_APPEND"},      {O_NONBLOCK, "O_NONBLOCK"},
    {O_SYNC, "O_SYNC"},       {O_DSYNC, "O_DSYNC"},        {O_ASYNC, "O_ASYNC"},
    {040000, "O_DIRECT"},     {0100000, "O_LARGEFILE"},    {O_NOFOLLOW, "O_NOFOLLOW"},
    {01000000, "O_NOATIME"},  {O_CLOEXEC, "O_CLOEXEC"},    {010000000, "O_PATH"},
    {020200000, "O_TMPFILE"}, {O_DIRECTORY, "O_DIRECTORY"}};

std::string open_flags(std::int64_t value) {
  // The kernel takes an int.
  unsigned long rest = static_cast<std::uint32_t>(value);
  constexpr std::string_view kAccess[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
  std::string out(kAccess[rest & O_ACCMODE]);
  rest &= ~static_cast<unsigned long>(O_ACCMODE);
  for (const Flag& flag : kOpenFlags) {
    if ((rest & flag.value) != flag.value) continue;
    out += fmt::format("|{}", flag.name);
    rest &= ~flag.value;
  }
  return rest == 0 ? out : out + fmt::format("|{:#x}", rest);
}

bool is_open(const ProbeInfo& probe) {
  return probe.description.function == "open" || probe.description.function == "openat";
}

// 0644, 000
std::string mode_text(std::int64_t mode) {
  return mode == 0 ? "000" : fmt::format("{:#03o}", mode);
}

// Pointers, and what the kernel declares as a number: mmap(addr), brk(brk), clone(newsp).
bool is_address(const ProbeInfo::Argument& what) {
  constexpr std::string_view kNames[] = {"addr", "start", "brk", "new_addr", "newsp", "tls"};
  return what.type.find('*') != std::string::npos || what.type.starts_with("cap_user_") ||
         (what.type == "unsigned long" &&
          std::find(std::begin(kNames), std::end(kNames), what.name) != std::end(kNames));
}

// fcntl(): what the last argument is depends on the command; some have none.
bool has_no_argument(std::int64_t command) {
  constexpr int kWithout[] = {
      F_GETFD, F_GETFL, F_GETOWN, 1026 /* F_GETLEASE */, 1032 /* F_GETPIPE_SZ */,
      1034 /* F_GET_SEALS */};
  return std::find(std::begin(kWithout), std::end(kWithout), command) != std::end(kWithout);
}

std::optional<std::string> fcntl_argument(std::int64_t command, std::int64_t number) {
  if (command == F_SETFD && number == FD_CLOEXEC) return "FD_CLOEXEC";
  if (command == F_SETFL) return open_flags(number);
  constexpr std::int64_t kAddSeals = 1033;  // F_ADD_SEALS
  if (command == kAddSeals) return seals_text(number);
  const bool is_lock = command == F_GETLK || command == F_SETLK || command == F_SETLKW;
  if (is_lock) {
    return number == 0 ? "NULL" : fmt::format("{:#x}", static_cast<std::uint64_t>(number));
  }
  return std::nullopt;
}

// How many arguments prctl() has, by its option; with any other one, all are shown.
std::size_t count_of_prctl(std::int64_t option) {
  constexpr int kNone[] = {PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_GET_SECCOMP, PR_GET_SECUREBITS,
                           PR_GET_TIMERSLACK};
  constexpr int kOne[] = {
      PR_SET_PDEATHSIG,  PR_GET_PDEATHSIG,  PR_SET_DUMPABLE,        PR_SET_KEEPCAPS,
      PR_SET_NAME,       PR_GET_NAME,       PR_CAPBSET_READ,        PR_CAPBSET_DROP,
      PR_SET_SECUREBITS, PR_SET_TIMERSLACK, PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER,
      PR_GET_TID_ADDRESS};
  if (std::find(std::begin(kNone), std::end(kNone), option) != std::end(kNone)) return 1;
  if (std::find(std::begin(kOne), std::end(kOne), option) != std::end(kOne)) return 2;
  constexpr std::size_t kAll = 5;
  return kAll;
}

// Which arguments of futex() mean something for an operation: the first two always do.
enum FutexArgument : std::uint8_t {
  kValue = 1 << 2,
  kTimeout = 1 << 3,     // or a second value
  kSecondWord = 1 << 4,  // a second word
  kThird = 1 << 5,       // a third value, or bits
};
unsigned arguments_of_futex(std::int64_t operation) {
  constexpr int kLockPi2 = 13;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return kValue | kTimeout;
    case FUTEX_WAKE:
    case FUTEX_FD:
      return kValue;
    case FUTEX_WAIT_BITSET:
      return kValue | kTimeout | kThird;
    case FUTEX_WAKE_BITSET:
      return kValue | kThird;
    case FUTEX_LOCK_PI:
    case kLockPi2:
      return kTimeout;
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
      return 0;
    case FUTEX_REQUEUE:
    case FUTEX_WAIT_REQUEUE_PI:
      return kValue | kTimeout | kSecondWord;
    default:
      return kValue | kTimeout | kSecondWord | kThird;
  }
}
bool is_meaningless_of_futex(std::int64_t operation, std::size_t i) {
  constexpr std::size_t kAlways = 2;
  return i >= kAlways && (arguments_of_futex(operation) >> i & 1) == 0;
}

// What is not a word for its value: a count instead of the time limit, and bits.
std::optional<std::string> futex_argument(std::int64_t operation, std::string_view name,
                                          std::int64_t number) {
  if (name == "op") return futex_text(operation);
  const std::int64_t command = operation & FUTEX_CMD_MASK;
  const bool has_count = command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE ||
                         command == FUTEX_CMP_REQUEUE_PI || command == FUTEX_WAKE_OP;
  if (name == "utime" && has_count) return std::to_string(number);
  if (name != "val3") return std::nullopt;
  const auto bits = static_cast<std::uint32_t>(number);
  if (bits == UINT32_MAX) return "FUTEX_BITSET_MATCH_ANY";
  const bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  return has_bits ? std::optional(fmt::format("{:#x}", bits)) : std::nullopt;
}

// Whether another argument says that this one means nothing.
bool is_meaningless(const ProbeInfo& probe, std::size_t i,
                    const std::vector<RecordedArgument>& all) {
  const std::string_view call = probe.description.function, name = probe.arguments[i].name;
  if (i == 0) return false;
  // The mode of a file that is not made.
  if (is_open(probe) && name == "mode") {
    return (all[i - 1].number & (O_CREAT | (020200000 & ~O_DIRECTORY))) == 0;
  }
  if (call == "fcntl" && i == 2) return has_no_argument(all[1].number);
  if (call == "ioctl" && i == 2) {
    return all[1].number == FIOCLEX || all[1].number == FIONCLEX || all[1].number == TIOCNOTTY;
  }
  if ((call == "mknod" || call == "mknodat") && name == "dev") {
    return !S_ISCHR(all[i - 1].number) && !S_ISBLK(all[i - 1].number);
  }
  if (call == "mremap" && name == "new_addr") return (all[i - 1].number & MREMAP_FIXED) == 0;
  if (call == "futex") return is_meaningless_of_futex(all[1].number, i);
  // The high half of a position of 64 bits, which the low one has.
  if (name == "pos_h") return true;
  constexpr std::int64_t kHasCpu = 1;  // MEMBARRIER_CMD_FLAG_CPU
  if (call == "membarrier" && name == "cpu_id") return (all[i - 1].number & kHasCpu) == 0;
  if (call == "kcmp" && i > 2) {
    return all[2].number != KCMP_FILE && all[2].number != KCMP_EPOLL_TFD;
  }
  return call == "prctl" && i >= count_of_prctl(all[0].number);
}

// Of ioctl(): the address of what most requests are about, or a number.
std::string request_argument(std::int64_t request, std::uint64_t value) {
  const bool is_number = request == TIOCSCTTY || request == TCSBRK || request == TCXONC ||
                         request == TCFLSH ||
                         request_text(static_cast<std::uint64_t>(request)).starts_with("_IOC(");
  if (value == 0) return is_number ? "0" : "NULL";
  return fmt::format("{:#x}", value);
}

// What depends on another argument, or is of one call.
std::optional<std::string> special(std::string_view call, std::string_view name,
                                   std::int64_t number, std::size_t i,
                                   const std::vector<RecordedArgument>& all) {
  const auto bits = static_cast<std::uint64_t>(number);
  if (call == "ioctl" && name == "cmd") return request_text(bits);
  if (call == "ioctl" && name == "arg") return request_argument(all[1].number, bits);
  if (call == "fanotify_init" && name == "event_f_flags") return open_flags(number);
  if (call == "arch_prctl" && name == "arg2") {
    return number == 0 ? "NULL" : fmt::format("{:#x}", bits);
  }
  if (call == "mq_open" && name == "oflag") return open_flags(number);
  if (call == "open_by_handle_at" && name == "flags") return open_flags(number);
  if (call == "futex") return futex_argument(all[1].number, name, number);
  if (name == "pos_l") return std::to_string(number);
  if (name == "protocol" && call.starts_with("socket")) {
    return protocol_name(all[0].number, number);
  }
  if (name == "optname" && i > 0) return socket_option(all[i - 1].number, number);
  if (name == "dev" && call.starts_with("mknod")) {
    return fmt::format("makedev({:#x}, {:#x})", major(bits), minor(bits));
  }
  if (call == "prctl" && i == 1 && all[0].number == PR_SET_PDEATHSIG && number > 0 &&
      number < NSIG) {
    return name_of_signal(number);
  }
  return std::nullopt;
}

// Of an address, what it leads to.
std::optional<std::string> pointed_text(const ProbeInfo& probe, std::size_t i,
                                        const std::vector<RecordedArgument>& all) {
  if (all[i].number == 0) return std::nullopt;
  PointedArgument of;
  of.call = probe.description.function;
  of.argument = probe.arguments[i].name;
  if (i > 0) of.before = all[i - 1].number;
  if (i > 1) of.before_that = all[i - 2].number;
  if (i + 1 < all.size()) of.behind = typed(all[i + 1].number, probe.arguments[i + 1]);
  of.first = all.front().number;
  of.last = all.back().number;
  of.bytes = all[i].bytes;
  return memory_text(of);
}

std::string one(const ProbeInfo& probe, std::size_t i, const RecordedArgument& argument,
                const std::vector<RecordedArgument>& all) {
  const ProbeInfo::Argument& what = probe.arguments[i];
  const std::int64_t number = typed(argument.number, what);
  if (what.is_text) {
    if (number == 0) return "NULL";
    if (!argument.text) return fmt::format("{:#x}", static_cast<std::uint64_t>(number));
    std::string text = *argument.text;
    // A buffer is as long as the next argument says.
    const bool is_buffer = what.name == "buf" && i + 1 < all.size();
    const auto size = static_cast<std::uint64_t>(is_buffer ? all[i + 1].number : 0);
    if (is_buffer && text.size() > size) text.resize(static_cast<std::size_t>(size));
    return printable_text(text, true, SIZE_MAX);
  }
  if (auto text = pointed_text(probe, i, all)) return *text;
  if (what.name.ends_with("dfd") && number == AT_FDCWD) return "AT_FDCWD";
  if (auto text = special(probe.description.function, what.name, number, i, all)) return *text;
  if (is_open(probe) && what.name == "flags") return open_flags(number);
  if (auto name = named_value(probe.description.function, what.name, number)) return *name;
  if (probe.description.function == "fcntl" && what.name == "arg" && i > 0) {
    if (auto text = fcntl_argument(all[i - 1].number, number)) return *text;
  }
  if (what.name == "mask" && probe.description.function == "umask") return mode_text(number);
  const std::string& call = probe.description.function;
  const bool is_of_memory = call == "mbind" || call == "set_mempolicy";
  if (what.type == "umode_t" || (what.name == "mode" && !is_of_memory)) return mode_text(number);
  const auto bits = static_cast<std::uint64_t>(number);
  if (is_address(what)) return bits == 0 ? "NULL" : fmt::format("{:#x}", bits);
  if (what.name == "off" && bits != 0) return fmt::format("{:#x}", bits);
  // A descriptor and the number of a process may be -1, whatever their types are.
  const bool is_descriptor = what.name == "oldfd" || what.name == "newfd";
  if (is_descriptor || (what.name == "pid" && what.type == "long")) {
    return std::to_string(static_cast<std::int32_t>(number));
  }
  const bool is_unsigned =
      what.type == "size_t" || (what.type == "unsigned long" && what.name != "fd");
  return is_unsigned ? std::to_string(bits) : std::to_string(number);
}

}  // namespace

std::string argument_text(const ProbeInfo& probe, const std::vector<RecordedArgument>& arguments) {
  std::string out;
  for (std::size_t i = 0; i < probe.arguments.size() && i < arguments.size(); ++i) {
    if (is_meaningless(probe, i, arguments)) continue;
    out += (out.empty() ? "" : ", ") + one(probe, i, arguments[i], arguments);
  }
  return out;
}

std::string shown_text(const ProbeInfo& probe, std::size_t which,
                       const std::vector<RecordedArgument>& arguments) {
  return which < arguments.size() ? one(probe, which, arguments[which], arguments) : std::string();
}

std::string result_text(const ProbeInfo& probe, std::int64_t result) {
  constexpr std::int64_t kMostErrno = 4095;
  if (result < 0 && result >= -kMostErrno) {
    return fmt::format("{} ({})", result, errno_name(-result));
  }
  const std::string& name = probe.description.function;
  const bool is_address = name == "mmap" || name == "brk" || name == "mremap" || name == "shmat";
  return is_address ? fmt::format("{:#x}", static_cast<std::uint64_t>(result))
                    : std::to_string(result);
}

std::string parameter_text(const ProbeInfo& probe, const std::vector<RecordedArgument>& arguments) {
  std::string out;
  for (const std::string& name : probe.declared) {
    const auto which = static_cast<std::size_t>(EventProbes::argument(probe, name));
    const bool is_known = which < probe.arguments.size() && which < arguments.size();
    const auto number =
        is_known ? typed(arguments[which].number, probe.arguments[which]) : std::int64_t{0};
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name,
                       is_known ? fmt::format("{:#x}", static_cast<std::uint64_t>(number)) : "?");
  }
  if (!probe.declared.empty()) return out;
  for (std::size_t i = 0; i < probe.arguments.size() && i < arguments.size(); ++i) {
    const std::int64_t number = typed(arguments[i].number, probe.arguments[i]);
    const std::string& name = probe.arguments[i].name;
    out += fmt::format("{}{}={:#x}", out.empty() ? "" : " ",
                       name.empty() ? fmt::format("$arg{}", i + 1) : name,
                       static_cast<std::uint64_t>(number));
  }
  return out;
}

}  // namespace dt::stap
