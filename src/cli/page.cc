// See page.h.

#include "cli/page.h"

#include <fmt/core.h>
#include <poll.h>

#include <cerrno>

#include "cli/own_program.h"
#include "support/signals.h"

namespace dt::cli {

dtrace::Status Page::open(dtrace::Tracer& tracer) {
  const std::string where = tracer.options().get("listen");
  if (where.empty()) {
    return {};
  }
  Result<std::unique_ptr<page::PageProcess>> started =
      page::PageProcess::start(where == "auto" ? "" : where, own_program());
  if (!started.ok()) {
    const Error& error = started.error();
    return dtrace::Error{error.text, error.code, error.remedy, "", ""};
  }
  process_ = std::move(*started);
  tracer.on_view_line([this](std::string_view line) {
    if (process_ != nullptr) {
      process_->send(line);
    }
  });
  tracer.on_metrics([this](std::string_view text) {
    if (process_ != nullptr) {
      process_->send_metrics(text);
    }
  });
  say_(fmt::format("the page is at {}", process_->address()));
  return {};
}

void Page::look() {
  if (process_ != nullptr && !process_->is_alive()) {
    say_(fmt::format("{}; tracing goes on", process_->why()));
    process_.reset();
  }
}

void Page::flush() {
  if (process_ == nullptr) {
    return;
  }
  process_->flush();
  look();
}

void Page::stay(dtrace::Tracer& tracer, const std::function<void()>& woken) {
  if (process_ == nullptr || tracer.is_terminated()) {
    return;
  }
  process_->flush();
  Result<support::Signals> signals = support::Signals::create();
  if (!signals.ok()) {
    return;
  }
  say_("tracing is over; the page stays until Ctrl-C");
  while (process_ != nullptr) {
    const bool waits = process_->has_waiting();
    pollfd polls[] = {{signals->fd(), POLLIN, 0},
                      {process_->fd(), static_cast<short>(POLLIN | (waits ? POLLOUT : 0)), 0}};
    if (::poll(polls, 2, -1) < 0 && errno != EINTR) {
      return;
    }
    woken();
    if (signals->take() != 0) {
      return;
    }
    // It never writes: what can be read is its end.
    if ((polls[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      say_("the page process has ended");
      return;
    }
    process_->flush();
    if (!process_->is_alive()) {
      return;
    }
  }
}

}  // namespace dt::cli
