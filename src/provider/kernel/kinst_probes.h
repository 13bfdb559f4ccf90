#pragma once
// The probes of kinst: which of them a description denotes, where they stand, and
// what is wrong when there are none.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "probe/probe.h"
#include "provider/mechanism/kernel_code.h"

namespace dt::provider {

// An instruction; several functions of one name in a module make one probe.
struct KinstProbe {
  std::uint32_t offset = 0;
  // Whether the kernel finds the callers from there.
  bool has_stack = true;
  std::vector<std::shared_ptr<const KernelBody>> bodies;
};

class KinstProbes {
 public:
  explicit KinstProbes(std::unique_ptr<KernelCode> code) : code_(std::move(code)) {}

  // What is wrong with a description whatever the kernel can do.
  static std::optional<probe::Refusal> misses_function(const probe::Pattern& pattern);

  struct Answer {
    std::vector<probe::Description> probes;
    std::optional<probe::Refusal> refusal;  // when there are none
  };
  // The same whenever it is asked.
  const Answer& ask(const probe::Pattern& pattern);
  const KinstProbe& probe(const probe::Description& description) const;
  // "+0x1c  mov %rdi, %rbx".
  std::string remark(const probe::Description& description) const;

 private:
  Answer answer(const probe::Pattern& pattern);
  probe::Refusal no_function(const probe::Pattern& pattern) const;
  void add(const std::shared_ptr<const KernelBody>& body, const machine::Instruction& one,
           Answer& answer);

  std::unique_ptr<KernelCode> code_;
  std::unordered_map<std::string, Answer> answers_;     // by description
  std::unordered_map<std::string, KinstProbe> probes_;  // likewise
};

}  // namespace dt::provider
