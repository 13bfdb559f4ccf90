// See load_programs.h.

#include "api/run/load_programs.h"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "bpf/program/generate.h"
#include "enabling/plan.h"
#include "kernel/verifier_log.h"
#include "provider/mechanism/provider.h"
#include "runtime/argument_programs.h"
#include "runtime/follow.h"
#include "runtime/link.h"
#include "runtime/on_cpu_clock.h"
#include "runtime/session.h"

namespace dt::api {
namespace {

// Those that note what the script's programs read: the time on a CPU, forks, arguments.
Status load_helpers(const Compiled& compiled, runtime::Session& session) {
  if (compiled.on_cpu_clock) {
    DT_TRY(session.load(runtime::on_cpu_clock(*compiled.on_cpu_clock)));
  }
  if (compiled.follow) {
    DT_ASSIGN(const runtime::Load follow, runtime::follow_forks(*compiled.follow, *compiled.types));
    DT_TRY(session.load(follow));
  }
  if (!compiled.arguments.empty()) {
    DT_ASSIGN(const std::vector<runtime::Load> loads,
              runtime::note_arguments(compiled.arguments, *compiled.types));
    for (const runtime::Load& load : loads) DT_TRY(session.load(load));
  }
  return {};
}

}  // namespace

Status load_programs(const Compiled& compiled, runtime::Session& session,
                     const std::function<Status(std::size_t number, std::size_t of)>& before_each,
                     std::optional<Diagnostic>& rejected) {
  DT_TRY(load_helpers(compiled, session));
  for (std::size_t i = 0; i < compiled.objects.size(); ++i) {
    const bpf::Object& object = compiled.objects[i];
    const enabling::ProgramPlan& plan = compiled.plan.programs[i];
    DT_TRY(before_each(session.loaded() + 1, compiled.objects.size()));
    const provider::Provider& provider = compiled.probes->of_program(object.program);
    runtime::Load load;
    load.object = &object;
    DT_ASSIGN(load.spec, provider.program_spec(object.program));
    load.role = provider.role(object.program);
    load.runs_under_locks = provider.runs_under_locks(object.program);
    load.turn = provider.turn(object.program);
    load.attach = [&provider, &plan](const Fd& fd, kernel::Kernel& kernel) {
      return provider.attach(plan.program, plan.probes, fd, kernel);
    };
    Status status = session.load(load);
    if (!status.ok()) {
      Error error = std::move(status.error());
      const std::string function = kernel::forbidden_function(error.log);
      if (const auto span = runtime::rejected_at(object, error.log)) {
        rejected = Diagnostic{"",
                              *span,
                              function.empty() ? "the kernel's verifier refuses the code of this"
                                               : "this needs " + function + "()",
                              {},
                              "",
                              ""};
      }
      // It is no matter of the code: another kernel would take it.
      if (!function.empty()) {
        error.text = fmt::format("{}: this kernel does not let BPF programs call {}() there",
                                 provider.source(object.program), function);
      }
      return error;
    }
  }
  return {};
}

}  // namespace dt::api
