#pragma once
// What the handlers of a session have done (front/outcome.h), in the form of the output: text,
// lines of JSON, or nothing. Made while tracing and of a recording.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/options/request.h"
#include "api/output/handler_tables.h"
#include "consumer/output/output.h"
#include "consumer/structured/drops.h"
#include "front/outcome.h"
#include "support/result.h"

namespace dt::api {

// An error where handlers do nothing that the form of output or a callback shows.
Status check_handler_output(const Options& options, const Callbacks& callbacks);

class HandlerOutput {
 public:
  // A line of JSON has about so much of a text, and the next line more of it: a recording that is
  // not ours may have a text without end.
  static constexpr std::size_t kMostText = std::size_t{64} << 20;

  // All must outlive this.
  HandlerOutput(const Options& options, const Callbacks& callbacks)
      : options_(options), callbacks_(callbacks) {}

  // Before the first outcome, and again when the output is another one.
  void write_to(consumer::FileOutput& output) { output_ = &output; }
  void take(const front::Outcome& outcome);
  // All counters of losses, since the start.
  void drops(std::span<const std::uint64_t> counters);
  // Behind the last outcome.
  Status end(Shown run, const Place& place);

 private:
  bool is_text() const { return options_.oformat.empty(); }
  bool is_lines() const { return options_.oformat == "jsonl"; }
  // At the end of a run whose pictures were not made while it ran.
  bool keeps_variables() const;
  void write_line(const front::Outcome& outcome);

  const Options& options_;
  const Callbacks& callbacks_;
  consumer::FileOutput* output_ = nullptr;
  front::Outcome text_;  // of which not all is there
  consumer::Drops drops_;
  std::vector<front::Outcome> variables_;  // where they become tables
};

}  // namespace dt::api
