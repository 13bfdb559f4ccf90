#pragma once
// ProbeNames: the number and the names of the probe that fired.

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class ProbeNames : SelectionPart {
 public:
  explicit ProbeNames(const Core& core) : SelectionPart(core) {}

  void probe_id(const ir::Inst& inst);
  void probe_name(const ir::Inst& inst);
  // What a record has for probeprov: the probe's id, or record::kOfProcess and the process.
  Reg provider_number();

 private:
  void provider_of_process(const ir::Inst& inst);
};

}  // namespace dt::bpf
