// Where the running kernel comes in: everything else is given a kernel, so that it can
// be run on one that is made of memory.

#include "api/tracer_state.h"
#include "kernel/features.h"

namespace dtrace {
namespace {

std::unique_ptr<dt::kernel::Kernel> running_kernel() { return dt::kernel::linux_kernel(); }

}  // namespace

Tracer::Tracer(Options options) : state_(std::make_unique<State>(running_kernel())) {
  state_->request.options = options.state_->values;
  state_->options = std::move(options);
}

std::vector<Feature> kernel_features() {
  const std::unique_ptr<dt::kernel::Kernel> kernel = running_kernel();
  std::vector<Feature> features;
  for (const dt::kernel::FeatureReport& report : dt::kernel::try_all_features(*kernel)) {
    features.push_back(
        {report.name, report.present, report.required, report.reason, report.purpose});
  }
  return features;
}

std::string kernel_release() { return running_kernel()->release(); }

unsigned kernel_cpus() { return running_kernel()->possible_cpus(); }

}  // namespace dtrace
