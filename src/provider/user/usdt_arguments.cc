// See usdt_arguments.h.

#include "provider/user/usdt_arguments.h"

#include <algorithm>

namespace dt::provider {
namespace {

using symbol::UsdtOperand;

std::string number_of(const UsdtOperand& operand) {
  return fmt::format("{}int{}_t", operand.is_signed ? "" : "u", operand.size * 8);
}

// The words before the stars, without those that change nothing for a reader.
std::string base_of(const std::string& type) {
  std::string base = type.substr(0, type.find('*'));
  for (const std::string_view word : {"const ", "volatile "}) {
    if (base.starts_with(word)) base.erase(0, word.size());
  }
  return base.substr(0, base.find_last_not_of(' ') + 1);
}

// So a pointer to it is shown as void *, which a script casts to the program's type; the kernel's
// type of the same name would show wrong members.
//
// A struct of this name is the program's, not the kernel's; a whole number is what it
// is anywhere.
bool is_number(const std::string& base, const types::Catalog& types) {
  const auto found = types.find(types::Tag::kNone, base);
  return found && types.head(*found).kind == types::Kind::kInt;
}

probe::Argument argument_of(const std::string& type, const UsdtOperand& operand,
                            const types::Catalog& types) {
  const std::string base = base_of(type);
  const bool is_pointer = type.find('*') != type.npos;
  if (is_pointer) {
    const bool is_known = base == "void" || is_number(base, types);
    return {is_known ? type : "void *", true};
  }
  return {is_number(base, types) ? base : number_of(operand), false};
}

}  // namespace

std::vector<probe::Argument> usdt_arguments(const UsdtProbe& probe, const types::Catalog& types) {
  std::vector<probe::Argument> passed;
  for (std::size_t i = 0; i < probe.operands.size(); ++i) {
    const UsdtOperand& operand = probe.operands[i];
    const bool is_declared = probe.declared && i < probe.declared->arguments.size();
    passed.push_back(is_declared ? argument_of(probe.declared->arguments[i], operand, types)
                                 : probe::Argument{number_of(operand), false});
  }
  if (!probe.declared || probe.declared->translated.empty()) return passed;
  std::vector<probe::Argument> out;
  for (const auto& [source, type] : probe.declared->translated) {
    if (source >= passed.size()) return passed;
    probe::Argument one = argument_of(type, probe.operands[source], types);
    one.native = passed[source].type;
    one.userland = one.userland || passed[source].userland;
    one.source = source;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace dt::provider
