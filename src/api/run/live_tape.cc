// -x record and -x oformat=chrome and similar: what a live run does for its recording, and for
// what is made of its moments. See live.h and tape.h.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "api/options/time_text.h"
#include "api/output/pictures.h"
#include "api/output/renderings.h"
#include "api/output/variable_pictures.h"
#include "api/output/views.h"
#include "api/run/compile.h"
#include "api/run/live.h"
#include "api/run/tape.h"
#include "consumer/consumer.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {

void Live::say(std::string text) const {
  if (tape_ != nullptr) {
    tape_->message(text);
  }
  callbacks_.say(std::move(text));
}

// The resolver is that of the tape from here on, so nothing refers to it yet.
Status Live::begin_tape() {
  const Options& options = compiled_.options;
  if (options.record.empty()) {
    if (options.recordsize == 0) return {};
    return Error::of("recordsize says how much of a recording is kept, and there is none",
                     "-x record=FILE");
  }
  if (dumps(options, "raw") || dumps(options, "records")) {
    return Error::of(
        fmt::format("-x dump={} shows records in the place of consuming them: there "
                    "is nothing to record",
                    options.dump));
  }
  DT_ASSIGN(tape_, Tape::open(compiled_, request_));
  if (!handlers_.are_there()) resolver_ = tape_->resolver(std::move(resolver_));
  return {};
}

Traced Live::traced() const {
  return {title_of(request_),
          callbacks_,
          compiled_.options,
          compiled_.plan.schema,
          compiled_.sources,
          compiled_.views,
          tape_ != nullptr ? tape_->start_ns() : now_ns(),
          host_name()};
}

// What is wrong with -x view was found when the script was compiled.
void Live::make_variable_pictures() {
  variables_.reset();
  const Options& options = compiled_.options;
  if (!are_live(options) && !wants_views(options, callbacks_)) return;
  const Traced traced = this->traced();
  variables_ =
      std::make_unique<VariablePictures>(*compiled_.front_end->session(), options, callbacks_,
                                         line_head(traced.title, traced.start_ns), *output_);
  next_refresh_ = Clock::now() + std::chrono::nanoseconds(options.aggrate_ns);
}

void Live::watch_refreshes() {
  if (!renderings_->wants_refresh()) return;
  if (tape_ != nullptr) {
    tape_->when_refreshed([this](std::int64_t time_ns) { refreshed(time_ns); });
  } else {
    next_refresh_ = Clock::now() + std::chrono::nanoseconds(compiled_.options.aggrate_ns);
  }
}

void Live::refreshed(std::int64_t time_ns) {
  if (variables_ != nullptr) variables_->refresh();
  if (renderings_ != nullptr) renderings_->refresh(time_ns);
  output_->flush();
}

// Reading takes at most a tenth of the time.
void Live::refresh_when_due(Clock::time_point now) {
  if (now < next_refresh_) {
    return;
  }
  constexpr int kTimes = 10;
  refreshed(now_ns());
  const std::chrono::nanoseconds rate(compiled_.options.aggrate_ns);
  next_refresh_ = now + std::max<Clock::duration>(rate, kTimes * (Clock::now() - now));
}

// False when there is nothing left to write to.
bool Live::look_after_tape(Clock::time_point now) {
  const Error* const error = tape_->look(now);
  if (error == nullptr) {
    return true;
  }
  has_failed_ = true;
  callbacks_.say(fmt::format("{}: the recording ends here", error->text));
  return !tape_->is_only_output();
}

// With its last chunk a recording says that it is whole.
Status Live::end_tape(Status stopped) {
  if (tape_ == nullptr) {
    return stopped;
  }
  if (!stopped.ok()) {
    tape_->message(stopped.error().text);
  }
  tape_->end(status_);
  if (const Error* const error = tape_->take_error()) {
    callbacks_.say(fmt::format("{}: the recording is not whole", error->text));
    status_ = kFailed;
  }
  return stopped;
}

}  // namespace dt::api
