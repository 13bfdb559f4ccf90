// Machine: stacks, and the names of addresses.
//
// A stack is a text of its addresses, "0x1 0x2", as in SystemTap: so it can be kept in variables,
// be a key, and be named later, by print_stack().

#include <fmt/core.h>

#include <cstdlib>

#include "stap/home/machine.h"

namespace dt::stap {

// 'n': the name, or the address; 'd': name+0x5 [module]; 'm': the module.
std::string Machine::name_of(std::uint64_t address, bool is_user, char form) const {
  const auto pid = static_cast<std::int32_t>(context(Fn::pid).number);
  std::optional<front::Session::Named> named;
  if (is_user && surroundings_.user_name) named = surroundings_.user_name(pid, address);
  if (!is_user && surroundings_.kernel_name) named = surroundings_.kernel_name(address);
  const std::string number = fmt::format("{:#x}", address);
  if (!named) return form == 'm' ? "<unknown>" : number;
  const std::string module = !is_user && named->module == "vmlinux" ? "kernel" : named->module;
  if (form == 'm') return module;
  if (form == 'n') return named->function.empty() ? number : named->function;
  const std::string where = module.empty() ? "" : fmt::format(" [{}]", module);
  return named->function.empty() ? number + where
                                 : fmt::format("{}+{:#x}{}", named->function, named->offset, where);
}

std::string Machine::lines_of(const std::string& addresses, bool is_user) const {
  std::string out;
  const char* at = addresses.c_str();
  while (true) {
    char* end = nullptr;
    const std::uint64_t address = std::strtoull(at, &end, 0);
    if (end == at) break;
    at = end;
    out += fmt::format(" {:#x} : {}\n", address, name_of(address, is_user, 'd'));
  }
  return out;
}

bool Machine::symbols(Fn fn, const std::vector<Value>& arguments, Value& out) {
  const auto address = arguments.empty() ? 0 : static_cast<std::uint64_t>(arguments[0].number);
  switch (fn) {
    case Fn::symname:
    case Fn::usymname:
      out.text = name_of(address, fn == Fn::usymname, 'n');
      return true;
    case Fn::symdata:
    case Fn::usymdata:
      out.text = name_of(address, fn == Fn::usymdata, 'd');
      return true;
    case Fn::modname:
    case Fn::umodname:
      out.text = name_of(address, fn == Fn::umodname, 'm');
      return true;
    default:
      break;
  }
  const bool is_user = info(fn).name.find("_u") != std::string_view::npos;
  const std::string addresses = !arguments.empty()
                                    ? arguments[0].text
                                    : context(is_user ? Fn::ubacktrace : Fn::backtrace).text;
  out.text = lines_of(addresses, is_user);
  if (info(fn).result == 's') {
    cut(out.text);
  } else {
    write(out.text);
    out = {};
  }
  return true;
}

}  // namespace dt::stap
