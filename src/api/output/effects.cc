// The effects of actions on the run.

#include "api/output/effects.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "api/options/option_table.h"
#include "consumer/structured/csv.h"
#include "provider/kernel/syscall_table.h"
#include "runtime/command.h"
#include "support/fd.h"

namespace dt::api {

namespace {

struct Dress {
  std::string_view oformat;
  consumer::JsonDress::Form form;
};
constexpr Dress kDresses[] = {{"json", consumer::JsonDress::Form::kAsItIs},
                              {"json,pretty", consumer::JsonDress::Form::kPretty},
                              {"xml", consumer::JsonDress::Form::kXml},
                              {"xml,pretty", consumer::JsonDress::Form::kPrettyXml}};

const Dress* dress_of(std::string_view oformat) {
  const auto* const found = std::ranges::find(kDresses, oformat, &Dress::oformat);
  return found == std::end(kDresses) ? nullptr : found;
}

consumer::Form form_of(std::string_view oformat) {
  if (dress_of(oformat) != nullptr) return consumer::Form::kJson;
  if (oformat == "jsonl") return consumer::Form::kJsonLines;
  if (oformat == "csv") return consumer::Form::kCsv;
  return oformat.empty() ? consumer::Form::kText : consumer::Form::kPicture;
}

// JSON has escapes of its own. CSV has none: on a terminal it must not do what was traced. What
// `term` draws is for terminals, also where it is kept in a file first.
bool is_escaped(const Options& options, bool to_terminal) {
  const std::string& form = options.oformat;
  return form == "term" || (to_terminal && (form.empty() || form == "csv"));
}

}  // namespace

consumer::Options consumer_options(const Options& o, bool to_terminal) {
  consumer::Options out;
  out.form = form_of(o.oformat);
  if (const Dress* const dress = dress_of(o.oformat)) out.dress = dress->form;
  out.quiet = o.quiet;
  out.flow_indent = o.flowindent;
  out.bare = o.bare;
  out.stack_indent = o.stackindent;
  out.raw_bytes = o.rawbytes;
  out.agg_sort_key = o.aggsortkey;
  out.agg_sort_rev = o.aggsortrev;
  out.agg_sort_pos = o.aggsortpos;
  out.agg_sort_key_pos = o.aggsortkeypos;
  out.agg_zoom = o.aggzoom;
  out.speculation_bytes = o.specsize;
  out.agg_hist = o.agghist;
  out.agg_pack = o.aggpack;
  out.agg_nonzero = o.aggnonzero;
  out.refresh = o.refresh;
  out.agg_per_cpu = o.aggpercpu;
  out.utf8 = o.utf8;
  out.drop_tags = o.droptags;
  out.syscall_name = provider::syscall_name;
  out.to_terminal = is_escaped(o, to_terminal);
  out.exact_names = out.form != consumer::Form::kText && !out.to_terminal;
  return out;
}

std::string Effects::csv_header() const {
  struct stat status {};
  if (options_.oformat != "csv" || ::fstat(output_.descriptor(), &status) != 0 ||
      !S_ISREG(status.st_mode) || status.st_size == 0) {
    return {};
  }
  // By a name, as it may not have been opened for reading, and as its place stays where it is.
  const Fd file(
      ::open(fmt::format("/proc/self/fd/{}", output_.descriptor()).c_str(), O_RDONLY | O_CLOEXEC));
  consumer::LastHeader last;
  std::vector<char> part(64 << 10);
  ssize_t count = 0;
  while (file.valid() && (count = ::read(file.get(), part.data(), part.size())) > 0) {
    last.add({part.data(), static_cast<std::size_t>(count)});
  }
  return count == 0 ? last.text() : std::string();
}

void Effects::when_waiting(int wake_fd, std::function<bool()> give_up) {
  wake_fd_ = wake_fd;
  give_up_ = std::move(give_up);
}

Status Effects::set_option(std::string_view name, std::string_view value,
                           consumer::Options& options) {
  DT_TRY(set_dynamic_option(options_, name, value));
  options = consumer_options(options_, options.to_terminal);
  return {};
}

Status Effects::reopen(const std::string& path, consumer::Options& options) {
  if (path.empty()) {
    output_.redirect(Fd(), "");
    options.to_terminal = is_escaped(options_, to_terminal_);
    return {};
  }
  // Not blocking: a FIFO without a reader must be an error, not our end.
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
               0666));
  if (!fd.valid()) {
    return Error::of_code(fmt::format("failed to open '{}': {}", path, std::strerror(errno)),
                          errno);
  }
  output_.redirect(std::move(fd), path);
  options.to_terminal = is_escaped(options_, output_.is_terminal());
  return {};
}

Status Effects::truncate() { return output_.truncate(); }

Status Effects::run(const std::string& command) {
  // What a command prints is neither JSON nor CSV, and no part of a recording.
  const bool is_apart = !options_.oformat.empty() || options_.record == "-";
  const int output = is_apart ? STDERR_FILENO : output_.descriptor();
  return runtime::run_command(command, output, wake_fd_, give_up_);
}

}  // namespace dt::api
