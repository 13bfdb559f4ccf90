// -x record: what a live run does for its recording. See live.h and tape.h.

#include <fmt/core.h>

#include <string>
#include <utility>

#include "api/compile.h"
#include "api/live.h"
#include "api/tape.h"
#include "consumer/consumer.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {

void Live::say(std::string text) const {
  if (tape_ != nullptr) {
    tape_->message(text);
  }
  told_.say(std::move(text));
}

// The resolver is that of the tape from here on, so nothing refers to it yet.
Status Live::begin_tape() {
  const Options& options = compiled_.options;
  if (options.record.empty()) {
    return {};
  }
  if (options.dump == "raw" || options.dump == "records") {
    return Error::of(
        fmt::format("-x dump={} shows records in the place of consuming them: there "
                    "is nothing to record",
                    options.dump));
  }
  DT_ASSIGN(tape_, Tape::open(compiled_, request_));
  resolver_ = tape_->resolver(std::move(resolver_));
  return {};
}

// False when there is nothing left to write to.
bool Live::look_after_tape(Clock::time_point now) {
  const Error* const error = tape_->look(now);
  if (error == nullptr) {
    return true;
  }
  has_failed_ = true;
  told_.say(fmt::format("{}: the recording ends here", error->text));
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
    told_.say(fmt::format("{}: the recording is not whole", error->text));
    status_ = kFailed;
  }
  return stopped;
}

}  // namespace dt::api
