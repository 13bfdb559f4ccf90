// See handlers.h.

#include "api/input/handlers.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::api {

Status Handlers::open(const std::function<Status(int descriptor)>& watch) {
  if (session_ == nullptr) return {};
  std::vector<kernel::ServedFile> files;
  for (const front::Session::File& one : session_->files()) {
    const std::size_t number = files.size();
    kernel::ServedFile made;
    made.path = one.path;
    made.mode = one.mode;
    made.most_bytes = one.most_bytes;
    if (one.is_read) {
      made.read = [this, number](const kernel::Asker& asker) {
        return session_->read_file(number, {asker.tid, asker.uid, asker.gid});
      };
    }
    if (one.is_written) {
      made.write = [this, number](std::string_view text, const kernel::Asker& asker) {
        return session_->write_file(number, text, {asker.tid, asker.uid, asker.gid});
      };
    }
    files.push_back(std::move(made));
  }
  if (!files.empty()) {
    DT_ASSIGN(files_, kernel::ServedFiles::mount(session_->directory(), std::move(files)));
    DT_TRY(watch(files_->descriptor()));
  }
  if (session_->wants_input()) {
    input_.emplace();
    if (input_->can_be_watched()) DT_TRY(watch(input_->descriptor()));
  }
  return {};
}

// Not from within itself: a command of system() that a handler of a file runs may read a file. Also
// when the run is about to end: a program that has no answer would not end.
bool Handlers::serve() {
  if (files_ == nullptr || std::exchange(is_serving_, true)) return false;
  const bool has_served = files_->serve();
  is_serving_ = false;
  return has_served;
}

bool Handlers::take_input() {
  if (!input_ || have_ended()) return false;
  const std::string text = input_->read();
  if (text.empty()) return false;
  session_->input(text);
  return true;
}

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

// Programs that wait at a file get an error before the handlers of the end run.
void Handlers::end() {
  files_.reset();
  input_.reset();
  if (session_ != nullptr) {
    session_->end();
  }
}

}  // namespace dt::api
