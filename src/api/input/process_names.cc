// See process_names.h.

#include "api/input/process_names.h"

#include <algorithm>
#include <utility>

#include "runtime/process.h"
#include "runtime/session.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {
namespace {

// When the processes of -c and -p are looked at for the names of their code: soon after they go on,
// as a command may execute another at once and map its libraries, and then less and less often.
constexpr std::chrono::milliseconds kFirstLook{2}, kLastLook{1000};

// How long the processes of the system may be looked at before records are read again.
constexpr std::chrono::milliseconds kSurvey{20};
// And when it is learnt at the latest what they do: files are opened before they are deleted, and
// tables for their stacks are made before there are any.
constexpr std::chrono::milliseconds kLearnEvery{100}, kLearnEveryForStacks{20};

}  // namespace

void ProcessNames::follow(const std::vector<int>& cpus) {
  open_events(cpus);
  for (const runtime::Process& process : processes_) {
    resolver_.hold_process(process.pid());  // the first event may end it
  }
}

void ProcessNames::open_events(const std::vector<int>& cpus) {
  auto opened = kernel::ProcessEvents::open(cpus);
  if (!opened.ok()) return;
  events_ = std::move(*opened);
  for (const int fd : events_->descriptors()) {
    if (!session_.watch(fd, [this] { learn(); }).ok()) {
      events_.reset();
      return;
    }
  }
  resolver_.follow_processes();
}

void ProcessNames::begin() {
  if (processes_.empty()) return;
  look_every_ = kFirstLook / 2;
  next_look_ = Clock::now();
  look();
}

void ProcessNames::learn() {
  if (events_ == nullptr) return;
  const auto learn_of = [this](const kernel::ProcessEvent& event) {
    resolver_.learn(event);
    if (event.kind == kernel::ProcessEvent::Kind::kMap) session_.expect_code(event);
  };
  if (events_->read(learn_of) > 0) {
    resolver_.doubt_processes();
    knows_all_ = false;
  }
  knows_all_ = knows_all_ || resolver_.survey(kSurvey);
}

void ProcessNames::learn_pending() {
  if (events_ != nullptr && events_->is_pending()) learn();
}

// What is not known of a process when it ends stays unknown.
void ProcessNames::look() {
  if (Clock::now() < next_look_) return;
  for (const runtime::Process& process : processes_) resolver_.note_process(process.pid());
  look_every_ = std::min<std::chrono::nanoseconds>(look_every_ * 2, kLastLook);
  next_look_ = Clock::now() + look_every_;
}

ProcessNames::Clock::time_point ProcessNames::next(Clock::time_point now) const {
  if (events_ == nullptr) return next_look_;
  if (!knows_all_) return now;
  return std::min(next_look_, now + (session_.unwinds() ? kLearnEveryForStacks : kLearnEvery));
}

}  // namespace dt::api
