// See outcomes.h.

#include "stap/home/outcomes.h"

#include <cstdint>
#include <utility>

#include "support/clock.h"

namespace dt::stap {

void Outcomes::enter(const Handler& handler, const Firing* firing, const Firing* caller) {
  handler_ = &handler;
  firing_ = firing;
  caller_ = caller;
}

void Outcomes::leave() {
  handler_ = nullptr;
  firing_ = caller_ = nullptr;
}

// A file has its reader or writer instead of a firing: it is known which process that is, but not
// on which CPU it runs. Likewise a process that existed when the run began.
front::Origin Outcomes::origin() const {
  front::Origin out;
  if (handler_ != nullptr) out.point = firing_ != nullptr ? firing_->point : handler_->text;
  const Firing* const process = firing_ != nullptr ? firing_ : caller_;
  const auto number = [&](Fn fn) { return process->contexts[static_cast<std::size_t>(fn)].number; };
  if (process != nullptr) {
    out.pid = number(Fn::pid);
    out.tid = number(Fn::tid);
    if (!process->is_now) out.cpu = number(Fn::cpu);
    if (process == firing_) out.time_ns = number(Fn::gettimeofday_ns);
  }
  if (out.time_ns == 0) out.time_ns = support::now_ns(CLOCK_REALTIME);
  return out;
}

void Outcomes::tell(front::Outcome::Kind kind, std::string text, bool goes_on) {
  front::Outcome made;
  made.kind = kind;
  made.by = origin();
  made.text = std::move(text);
  made.goes_on = goes_on;
  if (kind == front::Outcome::Kind::kText) made.histograms = std::exchange(histograms_, {});
  outlet_.tell(made);
}

void Outcomes::tell_command(const std::string& command) {
  tell(front::Outcome::Kind::kCommand, command);
}

void Outcomes::say(const std::string& message) {
  if (!tells()) return outlet_.warn(message);
  flush();
  tell(front::Outcome::Kind::kMessage, message);
}

// A long text becomes several outcomes, so that no more than a part is kept in memory.
void Outcomes::print(std::string_view text) {
  constexpr std::size_t kPartBytes = 1 << 20;
  if (!tells()) return outlet_.write(text);
  printed_ += text;
  if (printed_.size() >= kPartBytes) write_printed(false);
}

// If all parts of a text have become outcomes before, an empty outcome marks its end. Otherwise the
// next handler's text would continue it.
void Outcomes::write_printed(bool is_whole) {
  if (printed_.empty() && !is_part_told_) return;
  is_part_told_ = !is_whole;
  tell(front::Outcome::Kind::kText, std::exchange(printed_, {}), !is_whole);
}

}  // namespace dt::stap
