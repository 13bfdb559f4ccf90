#pragma once
// What actions do to this run besides printing: setopt(), freopen(),
// ftruncate() and system().

#include <functional>
#include <string>

#include "api/input/machine_numbers.h"
#include "api/options/options.h"
#include "consumer/effects.h"
#include "consumer/output/options.h"
#include "consumer/output/output.h"

namespace dt::api {

// The consumer's view of the options.
consumer::Options consumer_options(const Options& options, bool to_terminal);

class Effects final : public consumer::Effects {
 public:
  // `options` change as setopt() says. `give_up` tells whether a command of
  // system() is to be killed; it is asked when `wake_fd` becomes readable.
  Effects(Options& options, consumer::FileOutput& output, bool to_terminal)
      : options_(options), output_(output), to_terminal_(to_terminal) {}

  bool is_to_terminal() const { return to_terminal_; }
  // The last header of the file to which CSV is appended; empty if the file has no table.
  std::string csv_header() const;
  void when_waiting(int wake_fd, std::function<bool()> give_up);

  Status set_option(std::string_view name, std::string_view value,
                    consumer::Options& options) override;
  Status reopen(const std::string& path, consumer::Options& options) override;
  std::size_t columns() override { return terminal_columns(output_.descriptor()); }
  bool is_at_start() override { return output_.is_at_start(); }
  Status truncate() override;
  Status run(const std::string& command) override;

 private:
  Options& options_;
  consumer::FileOutput& output_;
  bool to_terminal_;  // the output that there was at first
  int wake_fd_ = -1;
  std::function<bool()> give_up_;
};

}  // namespace dt::api
