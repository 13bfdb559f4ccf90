#pragma once
// Link: a generated object and the maps of this run -> instructions that the
// kernel loads; and back from the verifier's complaint to the script.

#include <linux/bpf.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bpf/asm/object.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::runtime {

// The descriptor of a map, -1 when there is none of that kind.
using FindMap = std::function<int(const bpf::MapRef&)>;

Result<std::vector<bpf_insn>> link(const bpf::Object& object, const FindMap& find);

// The place in the script of the instruction that the verifier refused,
// `log` being Error::log.
std::optional<Span> rejected_at(const bpf::Object& object, const std::string& log);

}  // namespace dt::runtime
