#pragma once
// What tests of api/ may do with a Tracer beside its interface: give it another kernel, and
// languages that are not built in.

#include <memory>
#include <utility>

#include "api/language/language.h"
#include "api/run/live.h"
#include "api/tracer_state.h"
#include "kernel/kernel.h"

namespace dtrace {

struct TracerInTest {
  // Before anything else is done with the tracer.
  static void run_on(Tracer& tracer, std::unique_ptr<dt::kernel::Kernel> kernel) {
    tracer.state_ = std::make_unique<Tracer::State>(std::move(kernel));
  }
  static void add_language(Tracer& tracer, dt::api::Language language) {
    tracer.state_->compiled.languages.push_back(std::move(language));
  }
  static const dt::api::Compiled& compiled(const Tracer& tracer) { return tracer.state_->compiled; }
  // What the programs, maps and links hang on.
  static void end_session(Tracer& tracer) { tracer.state_->live.reset(); }
};

}  // namespace dtrace
