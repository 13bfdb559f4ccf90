// See handlers.h.

#include "api/handlers.h"

#include <utility>

namespace dt::api {

void Handlers::begin(front::Session::Outlet outlet) {
  if (session_ != nullptr) {
    session_->begin(std::move(outlet));
  }
}

void Handlers::caught_up() {
  if (session_ != nullptr) {
    session_->caught_up();
  }
}

Handlers::Clock::time_point Handlers::next() const {
  const std::int64_t due =
      session_ == nullptr ? front::Session::kNever : session_->next_expiry_ns();
  return due == front::Session::kNever ? Clock::time_point::max()
                                       : Clock::time_point(std::chrono::nanoseconds(due));
}

bool Handlers::expire(Clock::time_point now) {
  if (session_ == nullptr || now < next()) {
    return false;
  }
  session_->expire(now.time_since_epoch().count());
  return true;
}

void Handlers::command_ended(int status, int signal) {
  if (session_ != nullptr) {
    session_->command_ended(status, signal);
  }
}

void Handlers::end() {
  if (session_ != nullptr) {
    session_->end();
  }
}

}  // namespace dt::api
