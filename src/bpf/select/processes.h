#pragma once
// Processes: what is found by following the task: its ancestors and arguments.

#include <cstdint>

#include "bpf/select/value.h"

namespace dt::bpf {

class Bytes;
class Emitter;
class Facts;
class Failures;
class Loads;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

class Processes {
 public:
  Processes(FunctionContext& f, Facts& facts, Failures& failures, Storage& storage, Values& values,
            Bytes& bytes, Loads& loads);

  void random(const ir::Inst& inst);
  void seen_number(const ir::Inst& inst);
  void progeny_of(const ir::Inst& inst);
  // The strings from mm->arg_start to mm->arg_end. Empty for a thread of the
  // kernel and where the memory is not there: like any built-in it cannot fault.
  void execargs(const ir::Inst& inst);

 private:
  void blank_nuls(Reg text, Reg length, std::uint32_t bytes);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Facts& facts_;
  Failures& failures_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
  Loads& loads_;
};

}  // namespace dt::bpf
