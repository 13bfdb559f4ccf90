#pragma once
// Effects: what a clause does to others: signals, waiting, the end of tracing, the ids of
// speculations.

#include "bpf/select/value.h"

namespace dt::bpf {

class Bytes;
class Emitter;
class Failures;
class Values;
struct FunctionContext;
struct Unit;

class Effects {
 public:
  Effects(FunctionContext& f, Failures& failures, Values& values, Bytes& bytes);

  void signal(const ir::Inst& inst);
  void chill(const ir::Inst& inst);
  void exit(const ir::Inst& inst);
  void begin_speculation(const ir::Inst& inst);
  void speculation_in_use(const ir::Inst& inst);
  void end_speculation(const ir::Inst& inst);
  void fault(const ir::Inst& inst);

 private:
  Unit& unit_;
  Emitter& e_;
  Failures& failures_;
  Values& values_;
  Bytes& bytes_;
};

}  // namespace dt::bpf
