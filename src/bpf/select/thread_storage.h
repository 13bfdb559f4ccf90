#pragma once
// ThreadStorage: the thread-local storage of the thread.

#include <vector>

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
class Facts;
struct FunctionContext;

class ThreadStorage {
 public:
  ThreadStorage(FunctionContext& f, Facts& facts);

  // Finds this thread's storage: its address or 0 in tls_. With `create` only
  // when there was no memory for it is it 0.
  void need_tls(bool create);
  void begin();
  Reg reg() const { return tls_; }  // its address, or 0

 private:
  FunctionContext& f_;
  Emitter& e_;
  Facts& facts_;
  Reg tls_;
  std::vector<ir::BlockId> tls_points_;
};

}  // namespace dt::bpf
