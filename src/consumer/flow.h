#pragma once
// Flow indent (-F): rows that show calls by indentation.
//
//     CPU FUNCTION
//       0  => ioctl
//       0   | ioctl:entry
//       0    -> ioctl_fn
//       0     | ioctl_fn:probe
//       0    <- ioctl_fn
//       0   | ioctl:return
//       0  <= ioctl
//
// Indentation is per CPU: what one CPU enters, another does not leave.
//
// Where several clauses of a probe make rows, the first of an entry and the last of a return have
// the arrow, so that what all of them print stands within the call. Whether a row of a return is
// the last one is known with the next record of its CPU. Until then, the row stays on the page with
// its arrow, which that record takes away. A page that is full is written all the same.

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/output/page.h"
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
  // Appends "%-41s " for a record and moves the indentation. `has_others`: other clauses of the
  // probe may make rows, too.
  void append_row(Page& page, const record::Header& header, std::uint32_t probe,
                  const FlowName& name, bool has_others);

  // Whether a row on the page may lose its arrow: then the page should stay.
  bool is_waiting(const Page& page) const { return open_ > 0 && page.handed_over == waits_on_; }
  // Until everything is consumed that was recorded before, the rows that are open now may lose
  // their arrows; settle() then closes these. Rows that were opened in the meantime stay open.
  void expect_settling();
  void settle();

 private:
  struct Cpu {
    std::uint32_t indent = 0;
    std::uint32_t epid = 0;  // of the latest record
    std::uint32_t probe = 0;
    // The row of a return that is on the page, if it is the latest of this CPU.
    bool is_open = false;
    bool is_settling = false;
    std::size_t at = 0, length = 0;  // its place in the text of the page
    std::uint32_t indent_before = 0;
  };
  void close_all();
  void take_arrow(Page& page, Cpu& cpu, const FlowName& name);

  std::vector<Cpu> cpus_;
  std::uint32_t open_ = 0;      // how many CPUs have an open row
  std::uint64_t waits_on_ = 0;  // Page::handed_over
};

}  // namespace dt::consumer
