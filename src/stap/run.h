#pragma once
// Run: a checked script while it runs: begin, events, timers, end.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/events/capture.h"
#include "stap/events/watched.h"
#include "stap/home/accumulated.h"
#include "stap/home/machine.h"
#include "stap/home/tasks.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class Run final : public front::Session {
 public:
  // All must outlive this. `warnings` are reported when the run begins.
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
    std::int64_t due_ns;
  };

  // What a handler has taken, for -t.
  struct Taken {
    std::int64_t hits = 0, least = 0, most = 0, sum = 0;
  };

  // The handlers of one file; null: it is not read, or not written.
  struct FileHandlers {
    std::string path;
    Handler* read = nullptr;
    Handler* write = nullptr;
  };

  bool run(Handler& handler, const Firing* firing, Machine::Given* given = nullptr);
  bool run_session(Handler& handler, Machine::Given* given = nullptr);
  bool run_kept(Handler& handler, Machine::Given* given = nullptr);
  std::vector<FileHandlers> find_files() const;
  void fail(const std::string& error);
  bool accumulates() const { return additions_ != nullptr; }
  void take();
  void keep(Handler& handler);
  void has_run_exec(const Handler& which);
  bool restore(Handler& handler);
  void report_times();
  void warn_of_exec();
  void run_all(HandlerKind kind);
  void say(const std::string& message);
  void print(std::string_view text);
  void write_printed(bool goes_on = false);
  void write_variables();
  front::OutcomeValue outcome_value(const Value& value, Type type) const;
  front::Outcome outcome_of(const Symbol& symbol, const std::vector<Value>& keys,
                            const Value& value, const Statistics& statistics) const;
  front::Origin origin() const;
  bool tells() const { return static_cast<bool>(outlet_.tell); }
  void tell(front::Outcome::Kind kind, std::string text, bool goes_on = false);
  void add_histograms(const Symbol& symbol, const Statistics& statistics, front::Outcome& to) const;
  static std::int64_t period(const Handler& handler);

  Program& program_;
  const Capture& capture_;
  const Sources& sources_;
  std::int64_t target_;
  std::vector<std::string> warnings_;
  std::optional<TaskLayout> tasks_;
  // Where outcomes are told: what the handler that runs has printed, and the handler; or none.
  std::string printed_;
  bool is_part_told_ = false;                        // of the text whose rest printed_ is
  std::vector<front::OutcomeHistogram> histograms_;  // in it
  const Handler* handler_ = nullptr;
  const Firing* of_ = nullptr;      // null: a handler of the session
  const Firing* caller_ = nullptr;  // who reads or writes a file
  bool is_living_ = false;          // the firing was made at home
  Outlet outlet_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Additions> additions_;  // null: nothing accumulates in the kernel
  bool is_taken_ = false;                 // for the handler that runs
  bool is_over_ = false;                  // and all was taken
  Watched watched_;                       // what pictures show
  bool is_at_home_ = false;               // handlers go on at home until release()
  std::vector<Timer> timers_;
  std::vector<FileHandlers> files_;
  std::string line_;  // of the input, which has not ended yet
  Firing firing_;
  // What handlers at entries have kept: by the handler and the thread, of nested calls the
  // innermost last.
  struct Kept {
    std::vector<Value> values;
    std::vector<std::string> faults;
  };
  std::map<std::pair<const Handler*, std::int64_t>, std::vector<Kept>> kept_;
  std::int64_t errors_ = 0, skipped_ = 0;
  std::map<const Handler*, Taken> taken_;
  bool has_command_ended_ = false;
  bool has_failed_ = false;  // more errors than MAXERRORS
};

}  // namespace dt::stap
