#pragma once
// Handlers: the session of a language (front/session.h) as the loop of a run drives it. Without a
// session, nothing here does anything.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "api/input/typed_input.h"
#include "front/session.h"
#include "kernel/served_files.h"
#include "support/result.h"

namespace dt::api {

class Handlers {
 public:
  using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC

  // Null: there is none; otherwise it outlives this.
  explicit Handlers(front::Session* session) : session_(session) {}

  bool are_there() const { return session_ != nullptr; }
  // Makes the files of the session, and begins to read the standard input if the session wants it.
  // `watch` is called with each descriptor that the run has to wait for.
  Status open(const std::function<Status(int descriptor)>& watch);
  void begin(front::Session::Outlet outlet);
  // Answers the processes that read and write its files. True if one did.
  bool serve();
  // Gives it what was typed; as serve().
  bool take_input();
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
  std::unique_ptr<kernel::ServedFiles> files_;
  std::optional<TypedInput> input_;
  bool is_serving_ = false;
};

}  // namespace dt::api
