#include "provider/kernel/kinst_probes.h"

#include <algorithm>

#include "support/check.h"
#include "support/nearest.h"
#include "support/whole_number.h"

namespace dt::provider {
namespace {

constexpr const char* kName = "kinst";

using Bodies = std::vector<std::shared_ptr<const KernelBody>>;

// What a description asks of a function.
struct Wanted {
  bool is_one = false;  // the instruction at `offset`; otherwise those that match
  std::uint64_t offset = 0;
  const std::string& name;

  bool has(std::uint32_t place) const {
    return is_one ? place == offset : probe::field_matches(name, fmt::format("{}", place));
  }
};

// "28" or "0x1c"; nothing when it is neither.
std::optional<std::uint64_t> parse_offset(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  return support::whole_number<std::uint64_t>(text, is_hex ? 16 : 10);
}

std::string shown(std::uint64_t offset) { return fmt::format("{} (0x{:x})", offset, offset); }

// The kernel says the address behind the first byte of an instruction, and looks there
// for how its frame is laid out. Behind a single byte that moves the stack pointer it
// is another one: push, pop, pushf, popf, ret, leave.
bool is_misread(const KernelBody& body, const machine::Instruction& one) {
  const std::uint8_t code = body.bytes[one.offset];
  return one.length == 1 && ((code >= 0x50 && code <= 0x5f) || code == 0x9c || code == 0x9d ||
                             code == 0xc3 || code == 0xc9);
}

// What is wrong with an offset that no body has an instruction at.
probe::Refusal misplaced(const KernelBody& body, std::uint64_t offset) {
  const auto& all = body.instructions;
  if (offset >= body.bytes.size() || all.empty()) {
    return {
        probe::Refusal::Code::kOutside,
        fmt::format("offset {} is outside of '{}', which has {} bytes", shown(offset), body.name,
                    body.bytes.size()),
        all.empty() ? "" : fmt::format("its last instruction is at {}", shown(all.back().offset))};
  }
  const auto after = std::upper_bound(
      all.begin(), all.end(), offset,
      [](std::uint64_t value, const machine::Instruction& one) { return value < one.offset; });
  const auto before = std::prev(after);
  std::string next;
  if (after != all.end()) next = fmt::format("; the next one begins at {}", shown(after->offset));
  return {probe::Refusal::Code::kInsideInstruction,
          fmt::format("offset {} of '{}' is inside of the instruction at {}{}", shown(offset),
                      body.name, shown(before->offset), next),
          ""};
}

probe::Refusal forbidden(const KernelBody& body, std::uint32_t offset, const std::string& why) {
  return {probe::Refusal::Code::kCannotProbe,
          fmt::format("no breakpoint may stand on the instruction at {} of '{}': {}", shown(offset),
                      body.name, why),
          ""};
}

}  // namespace

std::optional<probe::Refusal> KinstProbes::misses_function(const probe::Pattern& pattern) {
  if (!pattern.function.empty() && probe::is_literal(pattern.function)) return std::nullopt;
  return probe::Refusal{
      probe::Refusal::Code::kNeedsFunction,
      pattern.function.empty()
          ? std::string("a description of kinst must name a function")
          : fmt::format("a description of kinst must name one function, and '{}' is a pattern",
                        pattern.function),
      "", kName};
}

const KinstProbes::Answer& KinstProbes::ask(const probe::Pattern& pattern) {
  const std::string key = fmt::format("{}:{}:{}", pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  if (is_new) it->second = answer(pattern);
  return it->second;
}

const KinstProbe& KinstProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

std::string KinstProbes::remark(const probe::Description& description) const {
  const KinstProbe& probe = this->probe(description);
  return fmt::format("+0x{:x}  {}", probe.offset, code_->text(*probe.bodies.front(), probe.offset));
}

void KinstProbes::add(const std::shared_ptr<const KernelBody>& body,
                      const machine::Instruction& one, Answer& answer) {
  probe::Description description{kName, body->module, body->name, fmt::format("{}", one.offset)};
  KinstProbe& probe = probes_[probe::to_string(description)];
  probe.offset = one.offset;
  probe.has_stack = probe.has_stack && !is_misread(*body, one);
  const auto is_it = [&](const auto& known) { return known->address == body->address; };
  const bool is_known = std::any_of(probe.bodies.begin(), probe.bodies.end(), is_it);
  if (!is_known) probe.bodies.push_back(body);
  auto& probes = answer.probes;
  if (std::find(probes.begin(), probes.end(), description) == probes.end()) {
    probes.push_back(std::move(description));
  }
}

probe::Refusal KinstProbes::no_function(const probe::Pattern& pattern) const {
  const std::string near = code_->near(pattern.function);
  const std::string where =
      pattern.module.empty() ? "the kernel" : fmt::format("module '{}'", pattern.module);
  return {probe::Refusal::Code::kNoFunction,
          fmt::format("{} has no function '{}'", where, pattern.function),
          near == pattern.function ? std::string() : support::did_you_mean(near)};
}

KinstProbes::Answer KinstProbes::answer(const probe::Pattern& pattern) {
  Answer answer;
  answer.refusal = misses_function(pattern);
  if (answer.refusal) return answer;
  Wanted wanted = {.name = pattern.name};
  wanted.is_one = !pattern.name.empty() && probe::is_literal(pattern.name);
  const auto offset = wanted.is_one ? parse_offset(pattern.name) : 0;
  if (!offset) {
    answer.refusal = {probe::Refusal::Code::kNoName,
                      fmt::format("'{}' is not an offset: a probe of kinst is called by the place "
                                  "of its instruction in the function, such as 28 or 0x1c",
                                  pattern.name),
                      ""};
    return answer;
  }
  wanted.offset = *offset;
  const Result<Bodies> bodies = code_->named(pattern.function, [&](const std::string& module) {
    return probe::field_matches(pattern.module, module);
  });
  if (!bodies.ok()) {
    answer.refusal = {probe::Refusal::Code::kCannotProbe, bodies.error().text,
                      bodies.error().remedy};
    return answer;
  }
  for (const auto& body : *bodies) {
    for (const machine::Instruction& one : body->instructions) {
      if (!wanted.has(one.offset)) continue;
      const auto why = body->forbidden.find(one.offset);
      if (why == body->forbidden.end()) {
        add(body, one, answer);
      } else if (!answer.refusal) {
        answer.refusal = forbidden(*body, one.offset, why->second);
      }
    }
  }
  if (!answer.probes.empty()) {
    answer.refusal.reset();
  } else if (bodies->empty()) {
    answer.refusal = no_function(pattern);
  } else if (!answer.refusal && wanted.is_one) {
    answer.refusal = misplaced(*bodies->front(), wanted.offset);
  }
  return answer;
}

}  // namespace dt::provider
