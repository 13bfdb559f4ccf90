#pragma once
// dtrace -r: a recording is given to a consumer as it was given to that of its run, so that
// output is made of it in any form, elsewhere and without rights.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/input/interrupts.h"
#include "api/input/watched.h"
#include "api/output/handler_output.h"
#include "api/output/values.h"
#include "api/run/replayed_part.h"
#include "api/run/run.h"
#include "recording/names.h"
#include "recording/program.h"
#include "recording/reader.h"
#include "recording/reads.h"
#include "support/fd.h"

namespace dt::consumer {
class Consumer;
class FileOutput;
struct FiringId;
}  // namespace dt::consumer

namespace dt::api {

class Pictures;
class Renderings;
class ReplayEffects;
struct Compiled;

// A recording that is being read.
struct Recording {
  std::string name;
  Fd fd;
  std::unique_ptr<recording::Reader> reader;
  recording::Program program;  // but for the schema, which is that of `compiled`
  // While the next bytes are waited for: false ends the reading.
  std::function<bool()> wait;
  bool is_interrupted = false;
};
// Opens a recording ("-": standard input) and reads its program into `compiled`.
Result<std::unique_ptr<Recording>> open_recording(const std::string& name, Compiled& compiled);

class Replay final : public Run {
 public:
  // All references must outlive this.
  Replay(Compiled& compiled, std::unique_ptr<Recording> recording, const Request& request,
         const Callbacks& callbacks, const Place& place);
  ~Replay() override;

  Status enable() override { return {}; }
  Status go() override;
  Result<bool> poll(Clock::time_point deadline) override;
  Status hold(std::uint32_t) override { return {}; }
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
  // Whether all of it could be read.
  bool is_whole() const { return !has_failed_; }
  // Null: the form of the output is no picture.
  const Pictures* pictures() const;

 private:
  void make_consumer();
  bool wait_for_bytes();
  Status take(const support::Tagged& entry);
  Status take_outcome(std::string_view payload);
  // Whether the recording is that of a language whose handlers run at home.
  bool has_handlers() const { return !recording_->program.head.language.empty(); }
  Status finish(std::string_view payload);
  Status print_results(std::int64_t time_ns, int status, bool prints);
  void take_drops(std::string_view payload);
  void begin_segment();
  void refresh(std::string_view payload);
  void take_end(std::string_view payload);
  void consume(std::uint64_t firing, std::string_view bytes);
  void end_early(const std::string& why);
  bool is_sound() const;

  Compiled& compiled_;
  std::unique_ptr<Recording> recording_;
  const Request& request_;
  const Callbacks& callbacks_;
  std::unique_ptr<consumer::FileOutput> output_;
  bool to_terminal_ = false;
  Place place_;
  Values values_;
  recording::KnownNames names_;
  recording::KnownReads reads_;
  std::unique_ptr<ReplayEffects> effects_;
  std::unique_ptr<consumer::Consumer> consumer_;
  std::unique_ptr<Renderings> renderings_;  // null where handlers run at home
  HandlerOutput handler_output_;
  Watched watched_;
  std::vector<std::uint64_t> drops_;
  std::uint64_t records_ = 0;
  ReplayedPart part_;
  Interrupts interrupts_;
  bool is_over_ = false;
  bool is_finished_ = false;  // aggregations are printed
  bool has_failed_ = false;
  int status_ = kFailed;
  std::optional<Diagnostic> rejected_;
};

}  // namespace dt::api
