#pragma once
// Run: the session of a checked script while it runs. It decides which handlers run when: at the
// begin, at the records of events, at timers, at files and at the end. A Machine runs them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/events/capture.h"
#include "stap/events/watched.h"
#include "stap/home/accumulated.h"
#include "stap/home/entry_values.h"
#include "stap/home/hit_times.h"
#include "stap/home/machine.h"
#include "stap/home/outcomes.h"
#include "stap/home/tasks.h"
#include "stap/meaning/program.h"
#include "stap/variable_outcomes.h"

namespace dt::stap {

class Run final : public front::Session {
 public:
  // All references must outlive this. `target` is the process of -c or -x, or 0. `warnings` are
  // reported when the run begins. Without `tasks`, handlers cannot walk over the kernel's tasks.
  Run(Program& program, const Capture& capture, const Sources& sources, std::int64_t target,
      std::vector<std::string> warnings, std::optional<TaskLayout> tasks = {});
  ~Run() override;

  bool names_code() const override;
  bool names_lines() const override;
  std::vector<Shown> shown() const override;
  std::vector<Variable> variables() const override { return watched_.variables; }
  std::vector<Keeper> keepers() const override { return watched_.keepers; }
  void look(const std::function<void()>& reads) override;
  void read(std::uint32_t variable, const VisitVariable& visit) override;
  void begin(Outlet outlet) override;
  void record(const front::Recorded& recorded) override;
  void caught_up() override;
  std::int64_t next_expiry_ns() const override;
  void expire(std::int64_t now_ns) override;
  void command_ended(int status, int signal) override;
  std::vector<File> files() const override;
  std::string directory() const override;
  std::optional<std::string> read_file(std::size_t file, const Asker& asker) override;
  bool write_file(std::size_t file, std::string_view text, const Asker& asker) override;
  bool wants_input() const override;
  void input(std::string_view text) override;
  bool has_ended() const override;
  void end() override;
  int exit_status() const override;

 private:
  struct Timer {
    Handler* handler;
    std::int64_t due_ns;  // CLOCK_MONOTONIC
  };
  // The handlers of one file; null: it may not be read, or not be written.
  struct FileHandlers {
    std::string path;
    Handler* read = nullptr;
    Handler* write = nullptr;
  };
  bool run(Handler& handler, const Firing* firing, Machine::Given* given = nullptr);
  bool run_session(Handler& handler, Machine::Given* given = nullptr);
  bool run_watched(Handler& handler, Machine::Given* given = nullptr);
  void run_all(HandlerKind kind);
  std::vector<FileHandlers> find_files() const;
  const Handler& entry_of(const Handler& handler) const;
  void fail(const std::string& error);
  void has_run_exec(const Handler& which);
  void warn_of_exec();
  static std::int64_t period(const Handler& handler);

  bool accumulates() const { return additions_ != nullptr; }
  void take();

  Program& program_;
  const Capture& capture_;
  const Sources& sources_;
  std::int64_t target_;
  std::vector<std::string> warnings_;
  std::optional<TaskLayout> tasks_;
  Outlet outlet_;
  Outcomes outcomes_{outlet_};
  std::unique_ptr<Machine> machine_;  // null: the run has not begun

  // What handlers in the kernel add to variables: meaning/accumulations.h. It is taken at most once
  // for each handler that runs here.
  std::unique_ptr<Additions> additions_;  // null: no handler runs in the kernel
  bool is_taken_ = false;                 // for the handler that runs now
  bool is_over_ = false;                  // no program adds any more, and all was taken
  bool is_at_home_ = false;               // handlers that began in the kernel go on here: until
                                          // caught_up()

  Watched watched_;                            // the variables that pictures show
  std::optional<VariableOutcomes> variables_;  // once the run has begun
  std::vector<Timer> timers_;
  std::vector<FileHandlers> files_;
  std::string line_;  // of the standard input, as far as it was read
  Firing firing_;     // of the record that was read last
  EntryValues entry_values_;
  HitTimes times_;
  std::int64_t errors_ = 0;
  bool has_failed_ = false;  // there were more errors than MAXERRORS: the run ends
  bool has_command_ended_ = false;
};

}  // namespace dt::stap
