// See push.h.

#include "cli/push.h"

#include <fmt/core.h>

#include "cli/own_program.h"

namespace dt::cli {

dtrace::Status Push::open(dtrace::Tracer& tracer) {
  url_ = tracer.options().get("push");
  if (url_.empty()) {
    return {};
  }
  Result<std::unique_ptr<page::PushProcess>> started =
      page::PushProcess::start(url_, own_program());
  if (!started.ok()) {
    const Error& error = started.error();
    return dtrace::Error{error.text, error.code, error.remedy, "", ""};
  }
  process_ = std::move(*started);
  tracer.on_push([this](std::string_view message) { process_->send(message); });
  return {};
}

void Push::look() {
  if (!has_said_ && !process_->why().empty()) {
    has_said_ = true;
    say_(fmt::format("push={}: {}; tracing goes on", url_, process_->why()));
  }
}

void Push::flush() {
  if (process_ == nullptr) {
    return;
  }
  process_->flush();
  look();
}

void Push::finish() {
  if (process_ == nullptr) {
    return;
  }
  constexpr std::chrono::seconds kMost{10};
  process_->finish(kMost);
  if (const std::uint64_t lost = process_->lost(); lost > 0) {
    say_(fmt::format("push={}: {} of {} messages were lost: {}", url_, lost,
                     lost + process_->taken(), process_->why()));
  }
  process_.reset();
}

}  // namespace dt::cli
