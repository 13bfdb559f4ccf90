#pragma once
// What this kernel can do, found by trying: its version number does not tell, because
// distributions backport features and policies forbid them. Everything that is tried is gone
// again when the function returns. For --self-test and -v; the normal path
// tries single features only, where a choice depends on it.

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace dt::kernel {

enum class Feature : std::uint8_t {
  kArrayMaps,
  kRingBuffer,
  kTaskStorage,
  kHash,
  kBatches,
  kMapMemory,
  kGracePeriod,
  kRawTracepoint,
  kCpuClock,
  kProgramRun,
  kAtomics,
  kCpuV4,
  kLoop,
  kCurrentTaskBtf,
  kTaskRegisters,
  kStacks,
  kKernelBtf,
  kWriteUser,
  kUserProbes,
  kUprobeEvent,
  kFentry,
  kKprobeMulti,
  kKprobe,
  kNetfilter,
  kLast = kNetfilter,
};

struct FeatureReport {
  Feature feature = Feature::kArrayMaps;
  std::string name;       // "ring buffer"
  std::string purpose;    // what is lost without it
  bool required = false;  // nothing can be traced without it
  bool present = false;
  std::string reason;  // why it is missing
};

// The error says why it is missing.
Status try_feature(Kernel& kernel, Feature feature);

// All of them, in the order of the enum.
std::vector<FeatureReport> try_all_features(Kernel& kernel);

}  // namespace dt::kernel
