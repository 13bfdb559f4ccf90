// See argument_memory.h. The texts are those of strace.

#include "stap/events/argument_memory.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/futex.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>

#include "stap/events/call_values.h"

namespace dt::stap {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Text = std::optional<std::string>;
constexpr std::uint32_t kWordBytes = 8;

// How each kind is read: by words, and what is behind a shorter address apart.
template <std::size_t kCount>
constexpr std::array<MemoryPart, kCount> words() {
  std::array<MemoryPart, kCount> out = {};
  for (std::uint32_t i = 0; i < kCount; ++i) out[i] = {i * kWordBytes, kWordBytes};
  return out;
}
constexpr MemoryPart kAddressParts[] = {{0, 8},  {8, 8},  {16, 8},  {24, 4}, {28, 4}, {32, 8},
                                        {40, 8}, {48, 8}, {56, 8},  {64, 8}, {72, 8}, {80, 8},
                                        {88, 8}, {96, 8}, {104, 4}, {108, 2}};
constexpr MemoryPart kOptionParts[] = {{0, 4}, {4, 4}, {8, 8}};
constexpr MemoryPart kFourBytes[] = {{0, 4}}, kTwelveBytes[] = {{0, 8}, {8, 4}};
constexpr auto kOneWord = words<1>();
constexpr auto kTwoWords = words<2>();
constexpr auto kThreeWords = words<3>();
constexpr auto kFourWords = words<4>();
constexpr auto kSevenWords = words<7>();
constexpr auto kEightWords = words<8>();
constexpr auto kSixteenWords = words<16>();

template <typename T>
T number_at(Bytes bytes, std::size_t offset) {
  T out = {};
  if (offset + sizeof out <= bytes.size()) std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}
std::int64_t word(Bytes bytes, std::size_t number) {
  return number_at<std::int64_t>(bytes, number * sizeof(std::int64_t));
}
std::string address(std::uint64_t value) {
  return value == 0 ? "NULL" : fmt::format("{:#x}", value);
}

// Of a member of a structure, as of an argument.
std::string flags_text(std::string_view call, std::string_view member, std::uint64_t value) {
  return named_value(call, member, static_cast<std::int64_t>(value))
      .value_or(std::to_string(value));
}

// ---- Times ---------------------------------------------------------------------------

constexpr std::size_t kTimeBytes = 16;

std::string seconds_text(Bytes bytes, std::size_t offset, std::string_view unit) {
  return fmt::format("{{tv_sec={}, tv_{}={}}}", number_at<std::int64_t>(bytes, offset), unit,
                     number_at<std::uint64_t>(bytes, offset + sizeof(std::int64_t)));
}
Text timespec_text(const PointedArgument& of) { return seconds_text(of.bytes, 0, "nsec"); }
Text timeval_text(const PointedArgument& of) { return seconds_text(of.bytes, 0, "usec"); }
std::string interval_text(Bytes bytes, std::string_view unit) {
  return fmt::format("{{it_interval={}, it_value={}}}", seconds_text(bytes, 0, unit),
                     seconds_text(bytes, kTimeBytes, unit));
}
Text itimerspec_text(const PointedArgument& of) { return interval_text(of.bytes, "nsec"); }
Text itimerval_text(const PointedArgument& of) { return interval_text(of.bytes, "usec"); }

// Of futex(), only some operations have a limit of time there.
Text futex_time_text(const PointedArgument& of) {
  constexpr int kLockPi2 = 13;
  const std::int64_t command = of.before_that & FUTEX_CMD_MASK;
  const bool has_time = command == FUTEX_WAIT || command == FUTEX_LOCK_PI ||
                        command == FUTEX_WAIT_BITSET || command == FUTEX_WAIT_REQUEUE_PI ||
                        command == kLockPi2;
  return has_time ? timespec_text(of) : std::nullopt;
}

// " /* 2023-11-14T22:13:20.000000005+0000 */"; nothing for the first second.
std::string date_text(std::int64_t seconds, std::uint64_t fraction, std::uint64_t of_second) {
  if ((seconds == 0 && fraction == 0) || fraction >= of_second) return "";
  const time_t time = seconds;
  tm parts = {};
  char text[64] = "";
  if (::gmtime_r(&time, &parts) == nullptr ||
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts) == 0) {
    return "";
  }
  constexpr std::uint64_t kMicroseconds = 1'000'000;
  const std::string digits = fraction == 0                ? ""
                             : of_second == kMicroseconds ? fmt::format(".{:06}", fraction)
                                                          : fmt::format(".{:09}", fraction);
  return fmt::format(" /* {}{}+0000 */", text, digits);
}

std::string dates_text(Bytes bytes, std::string_view unit, std::uint64_t of_second) {
  std::string out = "[";
  for (const std::size_t offset : {std::size_t{0}, kTimeBytes}) {
    const auto fraction = number_at<std::uint64_t>(bytes, offset + sizeof(std::int64_t));
    out += offset == 0 ? "" : ", ";
    if (unit == "nsec" && (fraction == UTIME_NOW || fraction == UTIME_OMIT)) {
      out += fraction == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT";
    } else {
      out += seconds_text(bytes, offset, unit) +
             date_text(number_at<std::int64_t>(bytes, offset), fraction, of_second);
    }
  }
  return out + "]";
}
Text timespecs_text(const PointedArgument& of) {
  return dates_text(of.bytes, "nsec", 1'000'000'000);
}
Text timevals_text(const PointedArgument& of) { return dates_text(of.bytes, "usec", 1'000'000); }
Text utimbuf_text(const PointedArgument& of) {
  const std::int64_t access = word(of.bytes, 0), change = word(of.bytes, 1);
  return fmt::format("{{actime={}{}, modtime={}{}}}", access, date_text(access, 0, 1), change,
                     date_text(change, 0, 1));
}

// ---- Signals ---------------------------------------------------------------------------

// USR1, RTMIN, RT_1
std::string short_signal(int number) {
  constexpr int kFirstRealTime = 32;
  if (number > kFirstRealTime) return fmt::format("RT_{}", number - kFirstRealTime);
  if (number == kFirstRealTime) return "RTMIN";
  if (number == SIGIO) return "IO";  // which has two names
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? name : std::to_string(number);
}

// Of a set of most signals, those that are not in it are named: ~[INT].
std::string signals(std::uint64_t set) {
  constexpr int kBits = 64;
  const bool is_most = __builtin_popcountll(set) >= kBits * 2 / 3;
  std::string out;
  for (int i = 0; i < kBits; ++i) {
    if (((set >> i & 1) != 0) == is_most) continue;
    out += (out.empty() ? "" : " ") + short_signal(i + 1);
  }
  return (is_most ? "~[" : "[") + out + "]";
}
// Their number of bytes stands behind them, or behind the next two arguments.
Text signals_text(const PointedArgument& of) {
  constexpr std::int64_t kSetBytes = 8;
  const bool is_next = of.call != "rt_sigprocmask" && of.call != "rt_sigtimedwait";
  if ((is_next ? of.behind : of.last) != kSetBytes) return std::nullopt;
  return signals(number_at<std::uint64_t>(of.bytes, 0));
}

Text action_text(const PointedArgument& of) {
  const std::int64_t handler = word(of.bytes, 0);
  const auto flags = static_cast<std::uint64_t>(word(of.bytes, 1));
  constexpr std::uint64_t kRestorer = 0x04000000;
  const std::string name = handler == 0    ? "SIG_DFL"
                           : handler == 1  ? "SIG_IGN"
                           : handler == -1 ? "SIG_ERR"
                                           : address(static_cast<std::uint64_t>(handler));
  std::string out = fmt::format("{{sa_handler={}, sa_mask={}, sa_flags={}", name,
                                signals(static_cast<std::uint64_t>(word(of.bytes, 3))),
                                flags_text("rt_sigaction", "sa_flags", flags));
  if ((flags & kRestorer) != 0) {
    out += ", sa_restorer=" + address(static_cast<std::uint64_t>(word(of.bytes, 2)));
  }
  return out + "}";
}

Text stack_text(const PointedArgument& of) {
  const auto flags = number_at<std::uint32_t>(of.bytes, 8);
  return fmt::format(
      "{{ss_sp={}, ss_flags={}, ss_size={}}}", address(number_at<std::uint64_t>(of.bytes, 0)),
      flags_text("sigaltstack", "ss_flags", flags), number_at<std::uint64_t>(of.bytes, 16));
}

// ---- Addresses of sockets -----------------------------------------------------------

constexpr std::size_t kWithoutScope = 24;  // bytes of an address of IPv6

// Bytes in quotes: "\0P\177".
std::string bytes_text(Bytes bytes) {
  std::string out = "\"";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = static_cast<char>(bytes[i]);
    constexpr std::string_view kSpecial = "\n\t\r\f\v\\\"", kLetters = "ntrfv\\\"";
    if (const std::size_t found = kSpecial.find(c); found != std::string_view::npos) {
      out += '\\';
      out += kLetters[found];
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      // All three digits only where another digit follows.
      const bool is_followed = i + 1 < bytes.size() && bytes[i + 1] >= '0' && bytes[i + 1] <= '9';
      out += is_followed ? fmt::format("\\{:03o}", bytes[i]) : fmt::format("\\{:o}", bytes[i]);
    }
  }
  return out + "\"";
}

// The caller has seen that there are as many bytes.
template <typename T>
T as(Bytes bytes) {
  T out = {};
  std::memcpy(&out, bytes.data(), std::min(sizeof out, bytes.size()));
  return out;
}

std::string inet_text(Bytes bytes) {
  const auto at = as<sockaddr_in>(bytes);
  std::array<char, INET_ADDRSTRLEN> text = {};
  ::inet_ntop(AF_INET, &at.sin_addr, text.data(), text.size());
  return fmt::format(", sin_port=htons({}), sin_addr=inet_addr(\"{}\")", ntohs(at.sin_port),
                     text.data());
}

std::string inet6_text(Bytes bytes) {
  const auto at = as<sockaddr_in6>(bytes);
  std::array<char, INET6_ADDRSTRLEN> text = {};
  ::inet_ntop(AF_INET6, &at.sin6_addr, text.data(), text.size());
  std::string out = fmt::format(
      ", sin6_port=htons({}), sin6_flowinfo=htonl({}), inet_pton(AF_INET6, \"{}\", &sin6_addr)",
      ntohs(at.sin6_port), ntohl(at.sin6_flowinfo), text.data());
  if (bytes.size() > kWithoutScope) out += fmt::format(", sin6_scope_id={}", at.sin6_scope_id);
  return out;
}

// A path ends with a NUL; a name that begins with one has as many bytes as the address.
std::string unix_text(Bytes path) {
  path = path.first(std::min(path.size(), sizeof(sockaddr_un::sun_path)));
  if (path.empty()) return "";
  if (path[0] == 0) return ", sun_path=@" + bytes_text(path.subspan(1));
  const auto end = std::find(path.begin(), path.end(), 0);
  return ", sun_path=" + bytes_text(path.first(static_cast<std::size_t>(end - path.begin())));
}

std::string netlink_text(Bytes bytes) {
  const auto at = as<sockaddr_nl>(bytes);
  std::string out = at.nl_pad != 0 ? fmt::format(", nl_pad={:#x}", at.nl_pad) : std::string();
  return out + fmt::format(", nl_pid={}, nl_groups={}", static_cast<std::int32_t>(at.nl_pid),
                           at.nl_groups == 0 ? "00000000" : fmt::format("{:#08x}", at.nl_groups));
}

std::string vsock_text(Bytes bytes) {
  const auto at = as<sockaddr_vm>(bytes);
  const std::string cid = at.svm_cid == VMADDR_CID_ANY          ? "VMADDR_CID_ANY"
                          : at.svm_cid == VMADDR_CID_HYPERVISOR ? "VMADDR_CID_HYPERVISOR"
                          : at.svm_cid == VMADDR_CID_LOCAL      ? "VMADDR_CID_LOCAL"
                          : at.svm_cid == VMADDR_CID_HOST       ? "VMADDR_CID_HOST"
                                                                : fmt::format("{:#x}", at.svm_cid);
  const std::string port =
      at.svm_port == VMADDR_PORT_ANY ? "VMADDR_PORT_ANY" : fmt::format("{:#x}", at.svm_port);
  return fmt::format(", svm_cid={}, svm_port={}, svm_flags={}", cid, port,
                     at.svm_flags == 0 ? "0" : fmt::format("{:#x}", at.svm_flags));
}

struct Family {
  sa_family_t family;
  std::size_t least, most;  // bytes of an address
  std::string (*text)(Bytes);
};
constexpr std::size_t kFamilyBytes = sizeof(sa_family_t);
constexpr Family kFamilies[] = {
    {AF_INET, sizeof(sockaddr_in), sizeof(sockaddr_in), inet_text},
    {AF_INET6, kWithoutScope, sizeof(sockaddr_in6), inet6_text},
    {AF_NETLINK, sizeof(sockaddr_nl), sizeof(sockaddr_nl), netlink_text},
    {AF_VSOCK, sizeof(sockaddr_vm), sizeof(sockaddr_vm), vsock_text},
};

// {sa_family=AF_INET, sin_port=htons(80), ...}; `length`: as the call has it.
Text socket_address_text(Bytes bytes, std::int64_t length) {
  // A longer one than the kernel knows is shown as far as it is an address.
  constexpr std::int64_t kMost = sizeof(sockaddr_storage);
  if (length < static_cast<std::int64_t>(kFamilyBytes) || bytes.size() < kFamilyBytes) return {};
  const auto wanted = static_cast<std::size_t>(std::min(length, kMost));
  const auto family = as<sa_family_t>(bytes);
  const auto name = named_value("socket", "family", family);
  const std::string out =
      "{sa_family=" + (name ? *name : fmt::format("{:#x} /* AF_??? */", family));
  if (wanted == kFamilyBytes) return out + "}";
  if (family == AF_UNIX) {
    const Bytes there = bytes.first(std::min(bytes.size(), wanted));
    const Bytes path = there.subspan(kFamilyBytes);
    if (there.size() < std::min(wanted, sizeof(sockaddr_un))) return std::nullopt;
    return out + unix_text(path) + "}";
  }
  for (const Family& one : kFamilies) {
    if (one.family != family || wanted < one.least) continue;
    const std::size_t needed = std::min(wanted, one.most);
    if (bytes.size() < needed) return std::nullopt;
    return out + one.text(bytes.first(needed)) + "}";
  }
  if (bytes.size() < wanted) return std::nullopt;
  return out + ", sa_data=" + bytes_text(bytes.first(wanted).subspan(kFamilyBytes)) + "}";
}

// ---- Files and sockets ---------------------------------------------------------------

Text address_text(const PointedArgument& of) {
  return socket_address_text(of.bytes, static_cast<std::int32_t>(of.behind));
}

// SO_REUSEADDR, [1]
Text option_text(const PointedArgument& of) {
  const std::int64_t length = static_cast<std::int32_t>(of.behind), level = of.before_that;
  constexpr std::int64_t kInt = 4, kLinger = 8, kTcp = 6, kCongestion = 13;
  if (length < 0) return std::nullopt;
  const bool is_text = (level == SOL_SOCKET && of.before == SO_BINDTODEVICE) ||
                       (level == kTcp && of.before == kCongestion);
  if (is_text) {
    if (of.bytes.size() < static_cast<std::size_t>(length)) return std::nullopt;
    const Bytes text = of.bytes.first(static_cast<std::size_t>(length));
    const auto end = std::find(text.begin(), text.end(), 0);
    return bytes_text(text.first(static_cast<std::size_t>(end - text.begin())));
  }
  if (level == SOL_SOCKET && of.before == SO_LINGER) {
    if (length < kLinger || of.bytes.size() < kLinger) return std::nullopt;
    return fmt::format("{{l_onoff={}, l_linger={}}}", number_at<std::int32_t>(of.bytes, 0),
                       number_at<std::int32_t>(of.bytes, kInt));
  }
  if (length != kInt || of.bytes.size() < kInt) return std::nullopt;
  return fmt::format("[{}]", number_at<std::int32_t>(of.bytes, 0));
}

// The arrays behind the address are as long as the next argument says.
template <typename Element>
Text array_text(const PointedArgument& of, std::size_t bytes, const Element& element) {
  constexpr std::size_t kReadBytes = kEightWords.size() * kWordBytes;
  const std::uint64_t most = kReadBytes / bytes;
  const auto count = static_cast<std::uint64_t>(of.behind);
  std::string out = "[";
  for (std::uint64_t i = 0; i < std::min(count, most); ++i) {
    if ((i + 1) * bytes > of.bytes.size()) return std::nullopt;
    out += (i == 0 ? "" : ", ") + element(of.bytes.subspan(i * bytes, bytes));
  }
  return out + (count > most ? ", ...]" : "]");
}
Text polls_text(const PointedArgument& of) {
  return array_text(of, sizeof(pollfd), [](Bytes one) {
    const auto poll = number_at<pollfd>(one, 0);
    if (poll.fd < 0) return fmt::format("{{fd={}}}", poll.fd);
    const auto events = static_cast<std::uint16_t>(poll.events);
    return fmt::format("{{fd={}, events={}}}", poll.fd, flags_text("poll", "events", events));
  });
}
Text vectors_text(const PointedArgument& of) {
  return array_text(of, sizeof(iovec), [](Bytes one) {
    return fmt::format("{{iov_base={}, iov_len={}}}", address(number_at<std::uint64_t>(one, 0)),
                       number_at<std::uint64_t>(one, sizeof(std::uint64_t)));
  });
}

Text event_text(const PointedArgument& of) {
  if (of.before_that == EPOLL_CTL_DEL) return std::nullopt;
  const auto events = number_at<std::uint32_t>(of.bytes, 0);
  const auto data = number_at<std::uint64_t>(of.bytes, sizeof events);
  return fmt::format("{{events={}, data={{u32={}, u64={}}}}}",
                     flags_text("epoll_ctl", "events", events), static_cast<std::uint32_t>(data),
                     data);
}

Text message_text(const PointedArgument& of) {
  const auto field = [&](std::size_t number) {
    return static_cast<std::uint64_t>(word(of.bytes, number));
  };
  constexpr std::size_t kControl = 4, kControlBytes = 5, kFlagsAt = 48;
  std::string out =
      fmt::format("{{msg_name={}, msg_namelen={}, msg_iov={}, msg_iovlen={}", address(field(0)),
                  number_at<std::int32_t>(of.bytes, 8), address(field(2)), field(3));
  if (field(kControlBytes) != 0) out += ", msg_control=" + address(field(kControl));
  return out +
         fmt::format(", msg_controllen={}, msg_flags={}}}", field(kControlBytes),
                     flags_text("sendmsg", "flags", number_at<std::uint32_t>(of.bytes, kFlagsAt)));
}

Text lock_text(const PointedArgument& of) {
  const bool is_set = of.before == F_SETLK || of.before == F_SETLKW || of.before == F_OFD_SETLK ||
                      of.before == F_OFD_SETLKW;
  if (!is_set) return std::nullopt;
  const auto kind = number_at<std::uint16_t>(of.bytes, 0),
             whence = number_at<std::uint16_t>(of.bytes, 2);
  constexpr std::string_view kLockTypes[] = {"F_RDLCK", "F_WRLCK", "F_UNLCK"};
  const std::string name = kind < std::size(kLockTypes) ? std::string(kLockTypes[kind])
                                                        : fmt::format("{:#x} /* F_??? */", kind);
  const auto from = named_value("lseek", "whence", whence);
  return fmt::format("{{l_type={}, l_whence={}, l_start={}, l_len={}}}", name,
                     from ? *from : fmt::format("{:#x} /* SEEK_??? */", whence), word(of.bytes, 1),
                     word(of.bytes, 2));
}

// ---- Sets and limits -----------------------------------------------------------------

// [0 2]: the numbers of the bits that are set.
Text bits_text(Bytes bytes, std::size_t bits) {
  constexpr std::size_t kOfByte = 8;
  std::string out;
  for (std::size_t i = 0; i < bits; ++i) {
    if (i / kOfByte >= bytes.size()) return std::nullopt;
    if ((bytes[i / kOfByte] >> i % kOfByte & 1) == 0) continue;
    out += fmt::format("{}{}", out.empty() ? "" : " ", i);
  }
  return "[" + out + "]";
}
Text descriptors_text(const PointedArgument& of) {
  const std::int64_t count = static_cast<std::int32_t>(of.first);
  return count > 0 ? bits_text(of.bytes, static_cast<std::size_t>(count)) : std::nullopt;
}
// What is longer than that is not looked at.
Text cpus_text(const PointedArgument& of) {
  constexpr std::size_t kMost = 128, kOfByte = 8;
  const auto bytes = static_cast<std::size_t>(static_cast<std::uint32_t>(of.before));
  return bytes <= kMost ? bits_text(of.bytes, bytes * kOfByte) : std::nullopt;
}

std::string limit(std::uint64_t value) {
  constexpr std::uint64_t kUnit = 1024;
  if (value == UINT64_MAX) return "RLIM64_INFINITY";
  return value > kUnit && value % kUnit == 0 ? fmt::format("{}*1024", value / kUnit)
                                             : std::to_string(value);
}
Text limits_text(const PointedArgument& of) {
  return fmt::format("{{rlim_cur={}, rlim_max={}}}", limit(number_at<std::uint64_t>(of.bytes, 0)),
                     limit(number_at<std::uint64_t>(of.bytes, sizeof(std::uint64_t))));
}
Text priority_text(const PointedArgument& of) {
  return fmt::format("[{}]", number_at<std::int32_t>(of.bytes, 0));
}

// ---- Which ---------------------------------------------------------------------------

struct Kind {
  std::string_view call, argument;
  Text (*text)(const PointedArgument& of);
  std::span<const MemoryPart> parts;
  bool is_written = false;  // by the kernel, before the call returns
};
constexpr Kind kKinds[] = {
    {"connect", "uservaddr", address_text, kAddressParts},
    {"bind", "umyaddr", address_text, kAddressParts},
    {"sendto", "addr", address_text, kAddressParts},
    {"setsockopt", "optval", option_text, kOptionParts},
    {"sendmsg", "msg", message_text, kSevenWords},
    {"nanosleep", "rqtp", timespec_text, kTwoWords},
    {"clock_nanosleep", "rqtp", timespec_text, kTwoWords},
    {"clock_settime", "tp", timespec_text, kTwoWords},
    {"ppoll", "tsp", timespec_text, kTwoWords, true},
    {"pselect6", "tsp", timespec_text, kTwoWords, true},
    {"rt_sigtimedwait", "uts", timespec_text, kTwoWords},
    {"futex", "utime", futex_time_text, kTwoWords},
    {"mq_timedsend", "u_abs_timeout", timespec_text, kTwoWords},
    {"mq_timedreceive", "u_abs_timeout", timespec_text, kTwoWords},
    {"semtimedop", "timeout", timespec_text, kTwoWords},
    {"recvmmsg", "timeout", timespec_text, kTwoWords, true},
    {"epoll_pwait2", "timeout", timespec_text, kTwoWords},
    {"io_getevents", "timeout", timespec_text, kTwoWords},
    {"settimeofday", "tv", timeval_text, kTwoWords},
    {"select", "tvp", timeval_text, kTwoWords, true},
    {"timer_settime", "new_setting", itimerspec_text, kFourWords},
    {"timerfd_settime", "utmr", itimerspec_text, kFourWords},
    {"setitimer", "value", itimerval_text, kFourWords},
    {"utimensat", "utimes", timespecs_text, kFourWords},
    {"utimes", "utimes", timevals_text, kFourWords},
    {"futimesat", "utimes", timevals_text, kFourWords},
    {"utime", "times", utimbuf_text, kTwoWords},
    {"setrlimit", "rlim", limits_text, kTwoWords},
    {"prlimit64", "new_rlim", limits_text, kTwoWords},
    {"rt_sigprocmask", "nset", signals_text, kOneWord},
    {"rt_sigsuspend", "unewset", signals_text, kOneWord},
    {"rt_sigtimedwait", "uthese", signals_text, kOneWord},
    {"signalfd", "user_mask", signals_text, kOneWord},
    {"signalfd4", "user_mask", signals_text, kOneWord},
    {"ppoll", "sigmask", signals_text, kOneWord},
    {"epoll_pwait", "sigmask", signals_text, kOneWord},
    {"epoll_pwait2", "sigmask", signals_text, kOneWord},
    {"rt_sigaction", "act", action_text, kFourWords},
    {"sigaltstack", "uss", stack_text, kThreeWords},
    {"epoll_ctl", "event", event_text, kTwelveBytes},
    {"poll", "ufds", polls_text, kEightWords},
    {"ppoll", "ufds", polls_text, kEightWords},
    {"readv", "vec", vectors_text, kEightWords},
    {"writev", "vec", vectors_text, kEightWords},
    {"preadv", "vec", vectors_text, kEightWords},
    {"pwritev", "vec", vectors_text, kEightWords},
    {"preadv2", "vec", vectors_text, kEightWords},
    {"pwritev2", "vec", vectors_text, kEightWords},
    {"vmsplice", "uiov", vectors_text, kEightWords},
    {"process_vm_readv", "lvec", vectors_text, kEightWords},
    {"process_vm_readv", "rvec", vectors_text, kEightWords},
    {"process_vm_writev", "lvec", vectors_text, kEightWords},
    {"process_vm_writev", "rvec", vectors_text, kEightWords},
    {"select", "inp", descriptors_text, kTwoWords, true},
    {"select", "outp", descriptors_text, kTwoWords, true},
    {"select", "exp", descriptors_text, kTwoWords, true},
    {"pselect6", "inp", descriptors_text, kTwoWords, true},
    {"pselect6", "outp", descriptors_text, kTwoWords, true},
    {"pselect6", "exp", descriptors_text, kTwoWords, true},
    {"fcntl", "arg", lock_text, kThreeWords},
    {"sched_setscheduler", "param", priority_text, kFourBytes},
    {"sched_setparam", "param", priority_text, kFourBytes},
    {"sched_setaffinity", "user_mask_ptr", cpus_text, kSixteenWords},
};

const Kind* kind_of(std::string_view call, std::string_view argument) {
  for (const Kind& one : kKinds) {
    if (one.call == call && one.argument == argument) return &one;
  }
  return nullptr;
}

}  // namespace

std::span<const MemoryPart> memory_of(std::string_view call, std::string_view argument,
                                      bool is_return) {
  const Kind* const kind = kind_of(call, argument);
  if (kind == nullptr || (is_return && kind->is_written)) return {};
  return kind->parts;
}

std::optional<std::string> memory_text(const PointedArgument& of) {
  const Kind* const kind = kind_of(of.call, of.argument);
  if (kind == nullptr) return std::nullopt;
  // A structure is there as a whole, or it is not shown; these look at how much there is.
  constexpr Text (*kOfAnyLength[])(const PointedArgument&) = {
      address_text, option_text, polls_text, vectors_text, descriptors_text, cpus_text};
  const bool is_of_any_length = std::find(std::begin(kOfAnyLength), std::end(kOfAnyLength),
                                          kind->text) != std::end(kOfAnyLength);
  const MemoryPart& last = kind->parts.back();
  const bool is_whole = is_of_any_length || of.bytes.size() >= last.offset + last.bytes;
  return is_whole ? kind->text(of) : std::nullopt;
}

}  // namespace dt::stap
