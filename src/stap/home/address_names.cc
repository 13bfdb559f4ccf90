// See address_names.h.

#include "stap/home/address_names.h"

#include <fmt/core.h>

#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "stap/meaning/contexts.h"

namespace dt::stap {
namespace {

std::vector<std::uint64_t> addresses_of(const std::string& text) {
  std::vector<std::uint64_t> out;
  const char* at = text.c_str();
  while (true) {
    char* end = nullptr;
    const std::uint64_t address = std::strtoull(at, &end, 0);
    if (end == at) return out;
    out.push_back(address);
    at = end;
  }
}

// "main+0x1a/0x20": without a size that is not known.
std::string place_in(const front::Session::Named& named) {
  const std::string size = named.size == 0 ? "" : fmt::format("/{:#x}", named.size);
  return fmt::format("{}+{:#x}{}", named.function, named.offset, size);
}

std::string module_of(const front::Session::Named& named, bool is_user) {
  return !is_user && named.module == "vmlinux" ? "kernel" : named.module;
}

// " [/usr/bin/sort]", " [kernel]"
std::string bracket(const front::Session::Named& named, bool is_user, bool has_offset) {
  const std::string module = named.path.empty() ? module_of(named, is_user) : named.path;
  if (module.empty()) return "";
  return has_offset ? fmt::format(" [{}+{:#x}]", module, named.offset)
                    : fmt::format(" [{}]", module);
}

}  // namespace

// What has no name is its address.
std::string AddressNames::name_of(std::uint64_t address, bool is_user, Shown shown) const {
  const std::optional<front::Session::Named> found = context_.named(address, is_user);
  const std::string number = fmt::format("{:#x}", address);
  if (!found) return shown == Shown::kModule ? "<unknown>" : number;
  if (shown == Shown::kModule) return module_of(*found, is_user);
  if (shown == Shown::kName) return found->function.empty() ? number : found->function;
  return found->function.empty() ? number + bracket(*found, is_user, true)
                                 : place_in(*found) + bracket(*found, is_user, false);
}

std::string AddressNames::frame_text(std::uint64_t address, bool is_user, bool is_return,
                                     Frames frames) const {
  const std::optional<front::Session::Named> found = context_.named(address, is_user);
  const bool has_name = found && !found->function.empty();
  if (frames == Frames::kBrief) {
    return has_name ? fmt::format("{}+{:#x}", found->function, found->offset)
                    : fmt::format("{:#x}", address);
  }
  const std::string module = found ? bracket(*found, is_user, !has_name) : "";
  if (!has_name) return fmt::format(" {:#x}{}", address, module);
  std::string where;
  if (frames == Frames::kWithLines && is_user) {
    if (const auto line = context_.line_of(address, is_return)) {
      where = fmt::format(" at {}:{}", line->file, line->line);
    }
  }
  return fmt::format(" {:#x} : {}{}{}", address, place_in(*found), where, module);
}

std::string AddressNames::lines_of(const std::string& addresses, bool is_user,
                                   Frames frames) const {
  std::string out;
  bool is_return = false;
  for (const std::uint64_t address : addresses_of(addresses)) {
    out += frame_text(address, is_user, is_return, frames) + "\n";
    is_return = true;
  }
  return out;
}

// symfileline(), usymline() and their like: the address where nothing is known of it, which is so
// for all of the kernel.
std::string AddressNames::source_text(Fn fn, std::uint64_t address) const {
  const bool is_user = info(fn).name.starts_with("u");
  const auto line = is_user ? context_.line_of(address, false) : std::nullopt;
  if (!line) return fmt::format("{:#x}", address);
  if (fn == Fn::usymfile) return line->file;
  return fn == Fn::usymline ? std::to_string(line->line)
                            : fmt::format("{}:{}", line->file, line->line);
}

std::string AddressNames::stack_text(bool is_user) const {
  return run_.firing == nullptr ? "" : context_.of(is_user ? Fn::ubacktrace : Fn::backtrace).text;
}

// stack(n), callers(n), caller() and their like; false: another function.
bool AddressNames::frame(Fn fn, const std::vector<Value>& arguments, Value& out) const {
  const bool is_program = is_of_programs(*run_.handler);
  const bool is_user = fn == Fn::ustack || fn == Fn::ucallers ||
                       (fn != Fn::stack && fn != Fn::callers && is_program);
  const auto frames = [&] { return addresses_of(stack_text(is_user)); };
  const auto at = [&](std::int64_t level) {
    const std::vector<std::uint64_t> all = frames();
    const auto which = static_cast<std::size_t>(level);
    return level >= 0 && which < all.size() ? static_cast<std::int64_t>(all[which]) : 0;
  };
  switch (fn) {
    case Fn::stack:
    case Fn::ustack:
      out.number = at(arguments[0].number);
      return true;
    case Fn::callers:
    case Fn::ucallers: {
      // The levels are counted behind the first one.
      std::int64_t left = arguments[0].number;
      for (const std::uint64_t address : frames()) {
        out.text += fmt::format("{}{:#x}", out.text.empty() ? "" : " ", address);
        if (left-- == 0) break;
      }
      return true;
    }
    case Fn::caller_addr:
      out.number = at(1);
      return true;
    case Fn::caller: {
      const auto address = static_cast<std::uint64_t>(at(1));
      out.text = fmt::format("{} {:#x}", name_of(address, is_user, Shown::kName), address);
      return true;
    }
    case Fn::addr:
      out.number = is_program ? at(0) : 0;
      if (run_.firing != nullptr && (run_.firing->kernel_place | run_.firing->user_place) != 0) {
        out.number = static_cast<std::int64_t>(
            run_.firing->kernel_place != 0 ? run_.firing->kernel_place : run_.firing->user_place);
      }
      return true;
    default:
      return false;
  }
}

AddressNames::Made AddressNames::compute(Fn fn, const std::vector<Value>& arguments) const {
  Made out;
  std::string& text = out.value.text;
  if (frame(fn, arguments, out.value)) return out;
  const auto address = arguments.empty() ? 0 : static_cast<std::uint64_t>(arguments[0].number);
  switch (fn) {
    case Fn::symname:
    case Fn::usymname:
      text = name_of(address, fn == Fn::usymname, Shown::kName);
      return out;
    case Fn::symdata:
    case Fn::usymdata:
      text = name_of(address, fn == Fn::usymdata, Shown::kData);
      return out;
    case Fn::modname:
      if (!context_.named(address, false)) {
        out.error = fmt::format("no module has the address {:#x}", address);
        return out;
      }
      text = name_of(address, false, Shown::kModule);
      return out;
    case Fn::umodname:
      text = name_of(address, true, Shown::kModule);
      return out;
    case Fn::symfile:
    case Fn::symline:
    case Fn::symfileline:
    case Fn::usymfile:
    case Fn::usymline:
    case Fn::usymfileline:
      text = source_text(fn, address);
      return out;
    default:
      break;
  }
  const std::string_view name = info(fn).name;
  const Frames frames = name.ends_with("_brief")      ? Frames::kBrief
                        : name.ends_with("_fileline") ? Frames::kWithLines
                                                      : Frames::kWhole;
  out.is_user = name.find("_u") != std::string_view::npos;
  out.addresses = !arguments.empty() ? arguments[0].text : stack_text(out.is_user);
  out.is_printed = info(fn).result != 's';
  text = lines_of(out.addresses, out.is_user, frames);
  return out;
}

// Of processes that have the same text, the first one counts: they are forks of one.
void NotedStacks::note(const std::string& text, const std::string& addresses, bool is_user) {
  constexpr std::size_t kMost = 1 << 18;
  if (!has_begun_ || run_.firing == nullptr || text.empty() || addresses.empty()) return;
  if (stacks_.size() >= kMost) {
    if (stacks_.contains(text) || std::exchange(has_said_, true)) return;
    return run_.surroundings.warn(
        fmt::format("WARNING: there are more than {} different stacks: later ones are texts, and "
                    "pictures do not have their frames",
                    kMost));
  }
  const auto [at, is_new] = stacks_.try_emplace(text);
  if (!is_new) return;
  at->second = {is_user, static_cast<std::int32_t>(context_.of(Fn::pid).number),
                addresses_of(addresses)};
}

const NotedStacks::Stack* NotedStacks::find(const std::string& text) const {
  const auto found = stacks_.find(text);
  return found == stacks_.end() ? nullptr : &found->second;
}

}  // namespace dt::stap
