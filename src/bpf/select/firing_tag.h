#pragma once
// FiringTag: the number of this firing as it stands in the tag of a record. What records first
// takes it, so that a firing which records nothing pays nothing.

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
struct FunctionContext;

class FiringTag {
 public:
  explicit FiringTag(FunctionContext& f);

  // A part of a program finds the number in the frame, which main has taken.
  void begin(Reg frame);
  Reg firing_number();

 private:
  FunctionContext& f_;
  Emitter& e_;
  Reg frame_;
  Reg number_;  // 0 until the firing is given one
};

}  // namespace dt::bpf
