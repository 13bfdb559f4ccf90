// See usdt_arguments.h.

#include "provider/user/usdt_arguments.h"

#include <fmt/core.h>

#include <string>
#include <utility>

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

// Whether the type is a whole number, which is the same everywhere. A struct of a program may have
// the name of one of the kernel's, so a pointer to it is shown as void *, which a script casts to
// the program's type; the kernel's type would show wrong members.
bool is_number(const std::string& base, const types::Catalog& types) {
  const auto found = types.find(types::Tag::kNone, base);
  return found && types.head(*found).kind == types::Kind::kInt;
}

// "struct request" as the program or the script has it; empty where neither does.
std::string scoped(const std::string& base, const std::string& process,
                   const types::Catalog& types) {
  types::Tag tag = types::Tag::kNone;
  std::string word, name = base;
  for (const auto& [text, of] : {std::pair{"struct ", types::Tag::kStruct},
                                 {"union ", types::Tag::kUnion},
                                 {"enum ", types::Tag::kEnum}}) {
    if (!base.starts_with(text)) continue;
    tag = of;
    word = text;
    name = base.substr(word.size());
  }
  for (const std::string& module : {process, std::string("D")}) {
    if (!module.empty() && types.find(tag, name, module)) return word + module + '`' + name;
  }
  return {};
}

// `process`: whose types are meant, "pid12`server"; empty: those of no process.
probe::Argument argument_of(const std::string& type, const UsdtOperand& operand,
                            const std::string& process, const types::Catalog& types) {
  const std::string base = base_of(type);
  const std::size_t star = type.find('*');
  if (star == type.npos) return {is_number(base, types) ? base : number_of(operand), false};
  if (base == "void" || is_number(base, types)) return {type, true};
  const std::string known = scoped(base, process, types);
  if (!known.empty()) return {known + ' ' + type.substr(star), true};
  probe::Argument unknown{"void *", true};
  unknown.declared = type;
  return unknown;
}

}  // namespace

std::vector<probe::Argument> usdt_arguments(const UsdtProbe& probe,
                                            const probe::Description& description,
                                            const types::Catalog& types) {
  std::vector<probe::Argument> passed;
  if (probe.declared && probe.declared->has_none) return passed;
  const bool is_file = description.module.starts_with('/');
  const std::string process = probe.pid != 0
                                  ? fmt::format("pid{}`{}", probe.pid, description.module)
                              : is_file ? fmt::format("pid*`{}", description.module)
                                        : "";
  for (std::size_t i = 0; i < probe.operands.size(); ++i) {
    const UsdtOperand& operand = probe.operands[i];
    const bool is_declared = probe.declared && i < probe.declared->arguments.size();
    passed.push_back(is_declared
                         ? argument_of(probe.declared->arguments[i], operand, process, types)
                         : probe::Argument{number_of(operand), false});
  }
  if (!probe.declared || probe.declared->translated.empty()) return passed;
  std::vector<probe::Argument> out;
  for (const auto& [source, type] : probe.declared->translated) {
    if (source >= passed.size()) return passed;
    probe::Argument one = argument_of(type, probe.operands[source], process, types);
    one.native = passed[source].type;
    one.userland = one.userland || passed[source].userland;
    one.source = source;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace dt::provider
