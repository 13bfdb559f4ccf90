#pragma once
// Flow indent (-F): rows that show calls by indentation.
//
//     CPU FUNCTION
//       0  => ioctl
//       0    -> ioctl_fn
//       0     | ioctl_fn:probe
//       0    <- ioctl_fn
//       0  <= ioctl
//
// Indentation is per CPU: what one CPU enters, another does not leave.

#include <cstdint>
#include <string>
#include <vector>

#include "record/schema.h"
#include "record/wire.h"

namespace dt::consumer {

// How a probe appears in flow: known once per enabled probe.
struct FlowName {
  enum class Kind : std::uint8_t { kEntry, kReturn, kOther };
  Kind kind = Kind::kOther;
  const char* arrow = "| ";
  std::string function;  // escaped, as the row shows them
  std::string name;
};

// Probes called entry or return, or ending so, are the two ends of a call.
FlowName flow_name(const record::ProbeNames& names, std::string function, std::string name);

class Flow {
 public:
  // Appends "%3d %-41s " for a record and moves the indentation.
  void append_row(std::string& out, const record::Header& header, std::uint32_t probe,
                  const FlowName& name);

 private:
  struct Cpu {
    std::uint32_t indent = 0;
    std::uint32_t epid = 0;  // of the latest record
    std::uint32_t probe = 0;
  };
  std::vector<Cpu> cpus_;
};

}  // namespace dt::consumer
