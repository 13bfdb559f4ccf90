#pragma once
// What descriptions of probes in processes mean: the name of a provider with the number of
// a process behind it, and an object that the process has mapped.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provider/mechanism/provider.h"
#include "symbol/process/objects.h"

namespace dt::provider {

// The process that the name means: 12 for "pid12" and the stem "pid".
std::optional<std::int32_t> process_of(std::string_view provider, std::string_view stem);
// Whether it may be the stem and a number, or a pattern of those; a pattern that does not begin
// with the stem ends with a number ("p*d1234").
bool may_be_numbered(std::string_view provider, std::string_view stem);

// The processes that there are and that a description's provider means, for providers whose
// probes do not follow children. One that is written out is settled first, and refused with its
// reason.
struct MeantProcesses {
  std::vector<std::int32_t> processes;
  bool is_pattern = false;
  std::optional<probe::Refusal> refusal;
};
MeantProcesses processes_meant(std::string_view provider, std::string_view stem,
                               const OfProcesses& of);

// Whether a description's module means the object: libc for libc.so.6, or a pattern.
bool is_meant(const symbol::ProcessObject& object, const std::string& module);

// Whether it is the path of a file, and so means that file and no other of its name.
bool names_file(std::string_view module);

// The refusal of a description that matches no object or function.
probe::Refusal no_match(const probe::Pattern& pattern, std::string hint);

}  // namespace dt::provider
