#pragma once
// ProbeNames: the number and the names of the probe that fired.

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
class Facts;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

class ProbeNames {
 public:
  ProbeNames(FunctionContext& f, Facts& facts, Storage& storage, Values& values);

  void probe_id(const ir::Inst& inst);
  void probe_name(const ir::Inst& inst);
  // What a record has for probeprov: the probe's id, or record::kOfProcess and the process.
  Reg provider_number();

 private:
  void provider_of_process(const ir::Inst& inst);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Facts& facts_;
  Storage& storage_;
  Values& values_;
};

}  // namespace dt::bpf
