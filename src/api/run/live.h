#pragma once
// Stages 8-11: link, load, attach, go, consume, print; until something ends it.

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/input/handlers.h"
#include "api/input/interrupts.h"
#include "api/input/lookups.h"
#include "api/input/machine_numbers.h"
#include "api/input/watched.h"
#include "api/options/request.h"
#include "api/output/handler_output.h"
#include "api/output/values.h"
#include "api/run/run.h"
#include "consumer/time_order.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::consumer {
class Consumer;
class FileOutput;
}  // namespace dt::consumer

namespace dt::kernel {
class Kernel;
}  // namespace dt::kernel

namespace dt::runtime {
class Process;
class Session;
}  // namespace dt::runtime

namespace dt::symbol {
class Resolver;
}

namespace dt::api {

class Effects;
class ProcessNames;
class Renderings;
class Tape;
class VariablePictures;
struct Traced;
struct Compiled;

class Live final : public Run {
 public:
  // All references must outlive this.
  Live(Compiled& compiled, const Request& request, const Callbacks& callbacks,
       std::vector<runtime::Process>& processes, const Place& place);
  ~Live() override;
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  Status enable() override;
  Status go() override;
  Result<bool> poll(Clock::time_point deadline) override;
  Status hold(std::uint32_t most_ms) override;
  Status stop() override;
  int exit_status() const override { return status_; }

  Status watch(int fd, std::function<void()> ready) override;
  void interrupt(bool terminates) override;
  bool is_interrupted() const override { return interrupts_.any(); }
  void write_to(const Place& place) override;
  void print(std::string_view text) override;
  Status run_command(const std::string& command) override;
  Status read(std::uint32_t aggregation,
              const std::function<void(const dtrace::Row&)>& visit) override;
  const std::optional<Diagnostic>& rejected() const override { return rejected_; }

 private:
  // A message that no record says.
  void say(std::string text) const;
  Status enable_all();
  Status begin_tape();
  bool look_after_tape(Clock::time_point now);
  Status end_tape(Status stopped);
  Status stop_tracing();
  void make_consumer();
  void take(std::span<const std::uint8_t> bytes);
  Status take_in_order();
  Status complete_firings();
  // What is to be reported at a time before this one, in ns; kEndOfTime: all.
  static constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();
  void hand_over_before(std::int64_t time);
  Status check_interrupted();
  void check_processes();
  void update_numbers();
  Status report_drops();
  Traced traced() const;
  // What handlers have done.
  void hear(const front::Outcome& outcome);
  front::Session::Outlet make_outlet();
  bool tapes_records() const { return tape_ != nullptr && !handlers_.are_there(); }
  void refresh_when_due(Clock::time_point now);
  void make_variable_pictures();
  void watch_refreshes();
  void refreshed(std::int64_t time_ns);
  Status finish();
  Status print_rest(bool is_sound);
  void say_what_is_missing() const;
  void wait_as_asked();
  bool react();

  Compiled& compiled_;
  const Request& request_;
  const Callbacks& callbacks_;
  std::vector<runtime::Process>& processes_;
  kernel::Kernel& kernel_;
  std::unique_ptr<Tape> tape_;  // -x record
  std::unique_ptr<symbol::Resolver> resolver_;
  Watched watched_;
  Interrupts interrupts_;
  std::unique_ptr<consumer::FileOutput> output_;
  Place place_;
  Values values_;
  consumer::TimeOrder time_order_;  // -x temporal
  std::unique_ptr<Effects> effects_;
  std::unique_ptr<runtime::Session> session_;
  std::unique_ptr<ProcessNames> names_;   // once there is a session
  std::vector<MachineVariable> numbers_;  // which the program reads
  Handlers handlers_;
  HandlerOutput handler_output_;
  std::optional<Lookups> lookups_;  // once there are handlers
  std::unique_ptr<consumer::Consumer> consumer_;
  std::unique_ptr<Renderings> renderings_;       // null where there are handlers
  std::unique_ptr<VariablePictures> variables_;  // of handlers
  // When aggregations are read that no tick reads; a recording has moments of its own.
  Clock::time_point next_refresh_ = Clock::time_point::max();
  Clock::time_point next_drops_;
  std::size_t ended_ = 0;               // processes of -c and -p that have ended
  std::vector<bool> gone_;              // by process
  bool dumps_bytes_, dumps_records_;    // instead of consuming them
  std::optional<Diagnostic> rejected_;  // the place that the verifier refused
  enum class Stage : std::uint8_t {
    kNew,
    kEnabled,  // there are a session and a consumer
    kGoing,    // and readers of the output may be waited for
  };
  Stage stage_ = Stage::kNew;
  bool has_failed_ = false;  // something that was to be written is lost
  int status_ = 1;
};

}  // namespace dt::api
