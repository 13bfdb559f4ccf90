// The effects of actions on the run.

#include "api/effects.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "api/option_table.h"
#include "exports/picture.h"
#include "provider/kernel/syscall_table.h"
#include "runtime/command.h"

namespace dt::api {

consumer::Options consumer_options(const Options& o, bool to_terminal) {
  consumer::Options out;
  out.form = o.oformat.empty()                  ? consumer::Form::kText
             : exports::find_picture(o.oformat) ? consumer::Form::kPicture
             : o.oformat == "json"              ? consumer::Form::kJson
                                                : consumer::Form::kJsonLines;
  out.quiet = o.quiet;
  out.flow_indent = o.flowindent;
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
  out.agg_per_cpu = o.aggpercpu;
  out.utf8 = o.utf8;
  out.drop_tags = o.droptags;
  out.syscall_name = provider::syscall_name;
  // JSON is exact, and has escapes of its own.
  out.to_terminal = to_terminal && o.oformat.empty();
  out.exact_names = !o.oformat.empty();
  return out;
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
    options.to_terminal = to_terminal_ && options_.oformat.empty();
    return {};
  }
  // Not blocking: a FIFO that nobody reads must be an error, not our end.
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
               0666));
  if (!fd.valid()) {
    return Error::of_code(fmt::format("failed to open '{}': {}", path, std::strerror(errno)),
                          errno);
  }
  output_.redirect(std::move(fd), path);
  options.to_terminal = output_.is_terminal() && options_.oformat.empty();
  return {};
}

Status Effects::truncate() { return output_.truncate(); }

Status Effects::run(const std::string& command) {
  // What a command prints is no JSON.
  const int output = options_.oformat.empty() ? output_.descriptor() : STDERR_FILENO;
  return runtime::run_command(command, output, wake_fd_, give_up_);
}

}  // namespace dt::api
