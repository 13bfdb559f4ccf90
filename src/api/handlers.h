#pragma once
// Handlers: the session of a language (front/session.h) as the loop of a run drives it. Without a
// session, nothing here does anything.

#include <chrono>

#include "front/session.h"

namespace dt::api {

class Handlers {
 public:
  using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC

  // Null: there is none; otherwise it outlives this.
  explicit Handlers(front::Session* session) : session_(session) {}

  bool are_there() const { return session_ != nullptr; }
  void begin(front::Session::Outlet outlet);
  bool have_ended() const { return session_ != nullptr && session_->has_ended(); }
  void caught_up();
  // When the next timer is due.
  Clock::time_point next() const;
  // Whether one was.
  bool expire(Clock::time_point now);
  void command_ended(int status, int signal);
  void end();
  int exit_status() const { return session_->exit_status(); }

 private:
  front::Session* session_;
};

}  // namespace dt::api
