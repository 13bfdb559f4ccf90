// How tracing ends: what was recorded is taken, END runs, and what is left to say is printed. See
// live.h.

#include <fmt/core.h>

#include <limits>
#include <utility>

#include "api/compile.h"
#include "api/export.h"
#include "api/live.h"
#include "api/pictures.h"
#include "api/process_names.h"
#include "api/samples.h"
#include "api/tape.h"
#include "api/time_text.h"
#include "api/variable_pictures.h"
#include "api/views.h"
#include "consumer/consumer.h"
#include "consumer/json_lines.h"
#include "consumer/output.h"
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
  const bool is_impatient = interrupts_ > 1;
  answered_ = interrupts_;
  const auto status = [&] {
    if (!is_sound || consumer_->has_failed()) return kFailed;
    const int of_records = process_status(session_->exit_status().value_or(0));
    return of_records == 0 && handlers_.are_there() ? handlers_.exit_status() : of_records;
  };
  const std::int64_t end_ns = now_ns();
  if (tape_ != nullptr) {
    tape_->finish(status(), !is_impatient, end_ns);
  }
  if (!is_impatient && !handlers_.are_there()) {
    DT_TRY(print_aggregations(end_ns));
  }
  const bool is_cut = is_impatient || consumer_->has_given_up();
  if (views_ != nullptr && !is_cut) {
    DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
    DT_TRY(views_->finish(*consumer_, end_ns, counters, status(), place_));
  }
  if (is_cut && !compiled_.plan.schema.aggregations.empty()) {
    say(fmt::format("interrupted{}: aggregations that were not printed yet are discarded",
                    interrupts_ > 1 ? " twice" : ""));
  }
  consumer_->print_end(status());
  if (handlers_.are_there()) {
    DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
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
  if (interrupts_ > 0 && text) {
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

// As the form of the output has it.
Status Live::print_aggregations(std::int64_t time_ns) {
  DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
  if (is_samples(compiled_.options)) {
    output_->write(missing_samples(counters));
  }
  if (export_ != nullptr) {
    return export_->finish(*consumer_, *output_, {counters, time_ns, place_});
  }
  if (pictures_ == nullptr) {
    consumer_->print_aggregations();
    return {};
  }
  return pictures_->draw(*consumer_, *output_, {counters, time_ns, place_});
}

Status Live::report_drops() {
  DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
  consumer_->report_drops(counters);
  if (views_ != nullptr) views_->drops(counters);
  return {};
}

}  // namespace dt::api
