// Rows with flow indent.

#include "consumer/flow.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "consumer/value/text.h"

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

void append_place(std::string& out, std::uint32_t indent, FlowName::Kind kind,
                  const FlowName& name) {
  std::string text(indent, ' ');
  text += kind == FlowName::Kind::kOther ? "| " : name.arrow;
  text += name.function;  // shown
  if (kind == FlowName::Kind::kOther) {
    text += ':' + name.name;  // shown
  }
  append_padded(out, text, kColumns, true);
  out += ' ';
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

void Flow::close_all() {
  for (Cpu& cpu : cpus_) cpu.is_open = false;
  open_ = 0;
}

void Flow::expect_settling() {
  for (Cpu& cpu : cpus_) cpu.is_settling = cpu.is_open;
}

void Flow::settle() {
  for (Cpu& cpu : cpus_) {
    if (cpu.is_open && cpu.is_settling) {
      cpu.is_open = false;
      --open_;
    }
  }
}

void Flow::append_row(Page& page, const record::Header& header, std::uint32_t probe,
                      const FlowName& name, bool has_others) {
  if (open_ > 0 && !is_waiting(page)) close_all();
  if (header.cpu >= cpus_.size()) {
    cpus_.resize(std::size_t{header.cpu} + 1);
  }
  Cpu& cpu = cpus_[header.cpu];
  // A further clause of the same firing is no further call. Clauses run in the order of their
  // numbers, so an earlier one belongs to the next firing: a call of the function by itself.
  const bool again = cpu.probe == probe && cpu.epid < header.epid && cpu.epid != 0;
  const bool was_open = std::exchange(cpu.is_open, false);
  if (was_open) {
    --open_;
    if (again) take_arrow(page, cpu, name);
  }
  cpu.epid = header.epid;
  cpu.probe = probe;
  const FlowName::Kind kind = again && !was_open ? FlowName::Kind::kOther : name.kind;
  if (kind == FlowName::Kind::kReturn) {
    cpu.indent_before = cpu.indent;
    cpu.indent -= std::min(cpu.indent, kStep);
  }
  cpu.at = page.text.size();
  append_place(page.text, cpu.indent, kind, name);
  if (kind == FlowName::Kind::kReturn && has_others) {
    cpu.length = page.text.size() - cpu.at;
    cpu.is_open = true;
    cpu.is_settling = false;
    ++open_;
    waits_on_ = page.handed_over;
  }
  if (kind == FlowName::Kind::kEntry) {
    cpu.indent = std::min(cpu.indent + kStep, kMaxIndent);
  }
}

// The row before was not the last one of its firing.
void Flow::take_arrow(Page& page, Cpu& cpu, const FlowName& name) {
  std::string text;
  append_place(text, cpu.indent_before, FlowName::Kind::kOther, name);
  page.text.replace(cpu.at, cpu.length, text);
  for (Cpu& other : cpus_) {
    if (other.at > cpu.at) other.at += text.size() - cpu.length;
  }
  cpu.indent = cpu.indent_before;
}

}  // namespace dt::consumer
