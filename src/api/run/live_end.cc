// How tracing ends: what was recorded is taken, END runs, and what is left to say is printed. See
// live.h.

#include <fmt/core.h>

#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "api/input/process_names.h"
#include "api/options/time_text.h"
#include "api/output/renderings.h"
#include "api/output/variable_pictures.h"
#include "api/run/compile.h"
#include "api/run/live.h"
#include "api/run/tape.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "consumer/structured/json_lines.h"
#include "dtrace/tracer.h"
#include "runtime/session.h"

namespace dt::api {

Status Live::stop() { return end_tape(stop_tracing()); }

Status Live::stop_tracing() {
  callbacks_.begin("stop");
  const Status finished = finish();
  callbacks_.begin("end");
  if (output_->error()) {
    return *output_->error();
  }
  DT_TRY(finished);
  if (session_->aborted()) {
    return Error::of("processing aborted: Abort due to systemic unresponsiveness");
  }
  const bool has_failed = has_failed_ || consumer_->has_failed();
  status_ = has_failed              ? kFailed
            : handlers_.are_there() ? handlers_.exit_status()
                                    : process_status(session_->exit_status().value_or(0));
  return {};
}

// Aggregations, views and the end of a recording.
Status Live::print_rest(bool is_sound) {
  watched_.take();
  // A request to end that comes while they are printed is one to stop that.
  const bool is_impatient = interrupts_.is_repeated();
  interrupts_.begin_results();
  const auto status = [&] {
    if (!is_sound || consumer_->has_failed()) return kFailed;
    const int of_records = process_status(session_->exit_status().value_or(0));
    return of_records == 0 && handlers_.are_there() ? handlers_.exit_status() : of_records;
  };
  const std::int64_t end_ns = now_ns();
  if (tape_ != nullptr) {
    tape_->finish(status(), !is_impatient, end_ns);
  }
  DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
  if (renderings_ != nullptr && !is_impatient) {
    DT_TRY(renderings_->print_aggregations(counters, end_ns));
  }
  const bool is_cut = is_impatient || consumer_->has_given_up();
  if (renderings_ != nullptr && !is_cut) {
    DT_TRY(renderings_->finish_views(counters, end_ns, status()));
  }
  if (is_cut && !compiled_.plan.schema.aggregations.empty()) say(interrupts_.discarded());
  consumer_->print_end(status());
  if (handlers_.are_there()) {
    const Traced traced = this->traced();
    Shown run{traced.title, traced.host, dtrace::kernel_release(), traced.start_ns, end_ns,
              counters,     status()};
    run.are_hints_checked = true;
    run.has_page = variables_ != nullptr;
    if (variables_ != nullptr && !is_cut) DT_TRY(variables_->finish(run, place_));
    DT_TRY(handler_output_.end(std::move(run), place_));
  }
  return {};
}

// Of the names and stacks that have been printed.
void Live::say_what_is_missing() const {
  if (const std::string notice = resolver_->take_notice(); !notice.empty()) {
    say(notice);
  }
  if (const std::string notice = resolver_->source_notice(); !notice.empty()) {
    say(notice);
  }
  std::istringstream notices(resolver_->jit_notice());
  for (std::string notice; std::getline(notices, notice);) say(std::move(notice));
  if (session_->lacks_stack_memory()) {
    say("user stacks may be cut short in large programs and libraries: too little memory was left "
        "for their unwind tables");
  }
  if (const std::uint64_t cut = session_->cut_stacks(); cut > 0) {
    say(fmt::format(
        "{} user stack{} cut short: code had just been loaded, and its unwind table was "
        "not read yet",
        cut, cut == 1 ? " is" : "s are"));
  }
}

// Nothing is read from the kernel behind report_drops(), so the drops that are reported are all of
// them, and come before the aggregations that they concern.
Status Live::finish() {
  const bool text = !dumps(compiled_.options, "raw") && !dumps(compiled_.options, "records");
  if (interrupts_.any() && text) {
    if (compiled_.options.oformat.empty() && !handlers_.are_there()) {
      output_->write("\n");
    }
    if (tape_ != nullptr) {
      tape_->interrupted();
    }
  }
  const auto visit = [this](std::span<const std::uint8_t> record) { take(record); };
  names_->learn();
  update_numbers();
  bool is_first = true;
  const Status stopped = session_->stop([&](std::span<const std::uint8_t> record) {
    if (std::exchange(is_first, false)) {
      callbacks_.stand_aside();
    }
    take(record);
  });
  callbacks_.stand_aside();
  names_->learn();
  while (session_->consume(visit) > 0) {
  }
  hand_over_before(kEndOfTime);
  DT_TRY(consumer_->complete_firings([] { return Status(); }));
  handlers_.end();
  Status reported = report_drops();
  if (text) {
    DT_TRY(print_rest(stopped.ok() && reported.ok()));
  }
  output_->flush();
  say_what_is_missing();
  return stopped.ok() ? std::move(reported) : stopped;
}

Status Live::report_drops() {
  DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
  consumer_->report_drops(counters);
  if (renderings_ != nullptr) renderings_->drops(counters);
  return {};
}

}  // namespace dt::api
