// See argument_text.h.

#include "stap/events/argument_text.h"

#include <fcntl.h>
#include <fmt/core.h>

#include "stap/home/strings.h"

namespace dt::stap {
namespace {

struct Flag {
  unsigned long value;
  std::string_view name;
};
// O_SYNC contains O_DSYNC, and O_TMPFILE O_DIRECTORY: the larger ones stand first.
constexpr Flag kOpenFlags[] = {
    {O_APPEND, "O_APPEND"},     {O_ASYNC, "O_ASYNC"},     {O_CLOEXEC, "O_CLOEXEC"},
    {O_CREAT, "O_CREAT"},       {020200000, "O_TMPFILE"}, {O_DIRECTORY, "O_DIRECTORY"},
    {O_EXCL, "O_EXCL"},         {O_NOCTTY, "O_NOCTTY"},   {O_NOFOLLOW, "O_NOFOLLOW"},
    {O_NONBLOCK, "O_NONBLOCK"}, {O_SYNC, "O_SYNC"},       {O_DSYNC, "O_DSYNC"},
    {O_TRUNC, "O_TRUNC"},       {040000, "O_DIRECT"},     {0100000, "O_LARGEFILE"},
    {01000000, "O_NOATIME"},    {010000000, "O_PATH"}};

std::string open_flags(std::int64_t value) {
  auto rest = static_cast<unsigned long>(value);
  const unsigned long access = rest & O_ACCMODE;
  std::string out = access == O_RDONLY ? "O_RDONLY" : access == O_WRONLY ? "O_WRONLY" : "O_RDWR";
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

std::string one(const ProbeInfo& probe, std::size_t i, const RecordedArgument& argument,
                const std::vector<RecordedArgument>& all) {
  const ProbeInfo::Argument& what = probe.arguments[i];
  const std::int64_t number = typed(argument.number, what);
  if (what.is_text) {
    if (!argument.text) return fmt::format("{:#x}", static_cast<std::uint64_t>(number));
    std::string text = *argument.text;
    // A buffer is as long as the next argument says.
    const bool is_buffer = what.name == "buf" && i + 1 < all.size();
    const auto size = static_cast<std::uint64_t>(is_buffer ? all[i + 1].number : 0);
    if (is_buffer && text.size() > size) text.resize(static_cast<std::size_t>(size));
    return printable_text(text, true, SIZE_MAX);
  }
  if (what.name.ends_with("dfd") && number == AT_FDCWD) return "AT_FDCWD";
  if (is_open(probe) && what.name == "flags") return open_flags(number);
  if (what.type == "umode_t" || what.name == "mode") return fmt::format("{:#o}", number);
  if (what.type.find('*') != std::string::npos ||
      (what.type == "unsigned long" && what.name != "fd")) {
    const auto bits = static_cast<std::uint64_t>(number);
    return what.type.find('*') != std::string::npos ? fmt::format("{:#x}", bits)
                                                    : std::to_string(bits);
  }
  return std::to_string(number);
}

}  // namespace

std::string argument_text(const ProbeInfo& probe, const std::vector<RecordedArgument>& arguments) {
  std::string out;
  for (std::size_t i = 0; i < probe.arguments.size() && i < arguments.size(); ++i) {
    // The mode of a file that is not made means nothing.
    if (is_open(probe) && probe.arguments[i].name == "mode" && i > 0 &&
        (arguments[i - 1].number & (O_CREAT | (020200000 & ~O_DIRECTORY))) == 0) {
      continue;
    }
    out += (out.empty() ? "" : ", ") + one(probe, i, arguments[i], arguments);
  }
  return out;
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
  for (std::size_t i = 0; i < probe.arguments.size() && i < arguments.size(); ++i) {
    const std::int64_t number = typed(arguments[i].number, probe.arguments[i]);
    out += fmt::format("{}{}={:#x}", out.empty() ? "" : " ", probe.arguments[i].name,
                       static_cast<std::uint64_t>(number));
  }
  return out;
}

}  // namespace dt::stap
