// Rows with flow indent.

#include "consumer/flow.h"

#include <algorithm>
#include <string_view>

#include "consumer/text.h"

namespace dt::consumer {
namespace {

constexpr std::uint32_t kStep = 2;
constexpr std::size_t kColumns = 41;
// Calls whose returns are not traced (or lost) must not push rows out of sight
// for good.
constexpr std::uint32_t kMaxIndent = 512;

bool is_end(std::string_view name, std::string_view end) {
  return name == end || (name.ends_with(end) && name[name.size() - end.size() - 1] == '-');
}

}  // namespace

FlowName flow_name(const record::ProbeNames& names, std::string function, std::string name) {
  FlowName out{FlowName::Kind::kOther, "| ", std::move(function), std::move(name)};
  const bool is_syscall = names.provider == "syscall";
  if (is_end(names.name, "entry")) {
    out.kind = FlowName::Kind::kEntry;
    out.arrow = is_syscall ? " => " : " -> ";
  } else if (is_end(names.name, "return")) {
    out.kind = FlowName::Kind::kReturn;
    out.arrow = is_syscall ? " <= " : " <- ";
  }
  return out;
}

void Flow::append_row(std::string& out, const record::Header& header, std::uint32_t probe,
                      const FlowName& name) {
  if (header.cpu >= cpus_.size()) {
    cpus_.resize(std::size_t{header.cpu} + 1);
  }
  Cpu& cpu = cpus_[header.cpu];
  // A further clause of the same firing is no further call.
  const bool again = cpu.probe == probe && cpu.epid != header.epid && cpu.epid != 0;
  cpu.epid = header.epid;
  cpu.probe = probe;
  const FlowName::Kind kind = again ? FlowName::Kind::kOther : name.kind;
  if (kind == FlowName::Kind::kReturn) {
    cpu.indent -= std::min(cpu.indent, kStep);
  }
  std::string text(cpu.indent, ' ');
  text += kind == FlowName::Kind::kOther ? "| " : name.arrow;
  text += name.function;  // shown
  if (kind == FlowName::Kind::kOther) {
    text += ':' + name.name;  // shown
  }
  append_padded(out, text, kColumns, true);
  out += ' ';
  if (kind == FlowName::Kind::kEntry) {
    cpu.indent = std::min(cpu.indent + kStep, kMaxIndent);
  }
}

}  // namespace dt::consumer
