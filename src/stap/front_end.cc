// See front_end.h.

#include "stap/front_end.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "front/absent_return.h"
#include "ir/function.h"
#include "ir/print.h"
#include "stap/events/absent_points.h"
#include "stap/events/accumulating.h"
#include "stap/events/origins.h"
#include "stap/events/plans.h"
#include "stap/events/sampling_timers.h"
#include "stap/events/settle.h"
#include "stap/meaning/callable.h"
#include "stap/meaning/contexts.h"
#include "stap/meaning/definitions.h"
#include "stap/meaning/handlers.h"
#include "stap/meaning/names.h"
#include "stap/meaning/own_tasks.h"
#include "stap/meaning/target_only.h"
#include "stap/meaning/types.h"
#include "stap/run.h"
#include "stap/syntax/lexer.h"
#include "stap/syntax/parser.h"
#include "stap/syntax/preprocess.h"
#include "stap/syntax/print.h"
#include "stap/syntax/similar.h"
#include "support/nearest.h"
#include "support/whole_number.h"

namespace dt::stap {
namespace {

// What conditions compare: %( kernel_v >= "5.15" %? ... %).
std::optional<std::string> condition_value(const Options& options, std::string_view word) {
  const std::string& release = options.kernel_release;
  if (word == "kernel_vr") return release;
  if (word == "kernel_v") return release.substr(0, release.find('-'));
  if (word == "arch") return "x86_64";
  if (word == "systemtap_v") return "5.0";
  if (word == "guru_mode") return options.is_guru ? "1" : "0";
  if (word == "systemtap_privilege") return "stapdev";
  // Scripts leave out what the runtime named "bpf" cannot do; this one can.
  if (word == "runtime") return "kernel";
  if (word.starts_with("CONFIG_")) return options.kernel_config(word);
  return std::nullopt;
}

class Stap final : public front::FrontEnd {
 public:
  explicit Stap(Options options) : options_(std::move(options)) {}

  std::optional<ir::Program> compile(const front::Compilation& of, front::Dump& dump) override {
    Messages messages(of.sources, of.diagnostics);
    if (!parse_all(of, messages)) return std::nullopt;
    if (dump.want_ast) dump.ast = print(program_.script);
    if (dump.ends_with_ast) return ir::Program();
    take_options();
    if (!set_globals(of) || !plan_handlers(of, messages)) return std::nullopt;
    if (options_.listing != Listing::kNothing) {
      dump.typed = left_out_text() + list(options_.listing, program_, *probes_);
      return ir::Program();
    }
    leave_out_ourselves();
    find_short_names();
    find_accumulations(program_);
    if (options_.tells_who_fires) ask_who_fires();
    if (options_.names_stacks) name_stacks();
    capture_ = std::make_unique<Capture>(program_, *probes_, of.world.types, messages);
    ir::Program out = capture_->make();
    if (of.diagnostics.any()) return std::nullopt;
    if (dump.want_typed) dump.typed = typed_text();
    if (dump.want_ir)
      dump.ir =
          left_out_text() + where_handlers_run(program_, of.sources) + ir::print(out, &of.sources);
    warn_of_unassigned(messages);
    look_at_returns(messages);
    if (options_.is_strict && !warnings_.empty()) return refuse_warnings(of.diagnostics);
    run_ = std::make_unique<Run>(program_, *capture_, of.sources, options_.target, warnings_,
                                 task_layout(of.world.types));
    return out;
  }

  front::Session* session() override { return run_.get(); }

 private:
  // Comments before what is listed or translated.
  std::string left_out_text() const {
    std::string out;
    for (const std::string& one : program_.left_out) out += fmt::format("; left out: {}\n", one);
    return out;
  }

  // What an outcome says of a firing.
  void ask_who_fires() {
    for (Handler& handler : program_.handlers) {
      if (handler.kind != HandlerKind::kEvent) continue;
      handler.contexts.insert({Fn::pid, Fn::tid, Fn::cpu, Fn::gettimeofday_ns});
    }
  }

  void name_stacks() {
    for (Handler& handler : program_.handlers) {
      if (!handler.contexts.contains(Fn::ubacktrace)) continue;
      handler.contexts.insert(Fn::pid);
      handler.names_code = true;
    }
  }

  bool parse_all(const front::Compilation& of, Messages& messages) {
    arguments_ = {options_.arguments, {}};
    if (options_.library) {
      if (const auto file = options_.library("index.txt")) index_ = read_index(file->text);
    }
    for (const LibraryFile& file : options_.macros) {
      if (!take_macros(of, file, messages)) return false;
    }
    for (const front::Input& input : of.inputs) {
      const std::vector<Token> tokens = tokens_of(of, input.source, arguments_, messages);
      if (tokens.empty()) return false;
      const bool is_right = parse(tokens, messages, program_.script, options_.is_guru);
      if (!say_if_empty(of, input.source, tokens) || !is_right) return false;
      names_arguments_ =
          names_arguments_ || std::any_of(tokens.begin(), tokens.end(), [](const Token& one) {
            return one.is_name() && (one.text == "argc" || one.text == "argv");
          });
    }
    call_for_texts(program_.script);
    name_own_tasks(program_.script);
    if (!parse_argument_variables(of, messages) || !parse_library(of, messages)) return false;
    for (std::size_t i = 1; i <= arguments_.words.size(); ++i) {
      if (!arguments_.used.contains(i)) {
        warnings_.push_back(fmt::format("unused command line option ${}/@{}", i, i));
      }
    }
    return true;
  }

  // False where nothing is left of a file, which is reported.
  static bool say_if_empty(const front::Compilation& of, std::uint32_t file,
                           const std::vector<Token>& tokens) {
    const bool is_empty = std::all_of(tokens.begin(), tokens.end(), [](const Token& one) {
      return one.kind == TokenKind::kEnd || one.kind == TokenKind::kBroken;
    });
    if (!is_empty) return true;
    Arguments none;
    const std::vector<Token> read = lex(of.sources, file, none);
    const bool is_broken = std::any_of(
        read.begin(), read.end(), [](const Token& one) { return one.kind == TokenKind::kBroken; });
    if (is_broken) return true;  // what is wrong with it is reported
    of.diagnostics.error("parse error", Span{file, 0, 0},
                         fmt::format("Input file '{}' is empty{}.", of.sources.at(file).name(),
                                     read.size() > 1 ? " after preprocessing" : ""));
    return false;
  }

  // What the options say of the program, and of the system around it.
  void take_options() {
    warnings_.insert(warnings_.end(), options_.warnings.begin(), options_.warnings.end());
    for (const std::string& one : options_.definitions) {
      std::string not_done = define(program_.limits, one);
      if (!not_done.empty()) warnings_.push_back(std::move(not_done));
    }
    const auto hz = options_.kernel_config ? options_.kernel_config("CONFIG_HZ") : std::nullopt;
    if (const auto rate = support::whole_number<std::int64_t>(hz.value_or("")); rate && *rate > 0) {
      constexpr std::int64_t kNsPerSecond = 1'000'000'000;
      program_.around.jiffy_ns = kNsPerSecond / *rate;
    }
    program_.limits.skips_bad_variables = options_.skips_bad_variables;
    program_.around.target = options_.target;
    program_.around.programs = options_.programs;
    for (const auto& [name, file] : index_) {
      if (name.find('.') != std::string::npos) program_.around.aliases.push_back(name);
    }
    program_.around.is_library_function = [this](const std::string& name) {
      return index_.contains(name);
    };
    program_.around.library_functions = [this] {
      std::vector<std::string> out;
      for (const auto& [name, file] : index_) {
        if (name.find('.') == std::string::npos && !name.starts_with('@')) out.push_back(name);
      }
      return out;
    };
    program_.is_timed = options_.is_timed;
    program_.module =
        options_.module.empty() ? fmt::format("stap_{}", ::getpid()) : options_.module;
    program_.prints_unread = options_.prints_unread;
    program_.pictures = options_.pictures;
    program_.is_listed = options_.listing == Listing::kVariables;
  }

  // From the tree to handlers whose names, types and reads of memory are known. False after an
  // error, which is reported.
  bool plan_handlers(const front::Compilation& of, Messages& messages) {
    // What is wrong with the points of one probe does not hide what is wrong with those of another.
    program_.around.call_names = [&of] { return call_names(of.world); };
    const bool has_points = make_handlers(program_, messages);
    sample_by_timers(program_);
    probes_ = std::make_unique<EventProbes>(of.world, options_.argument_names, options_.variables);
    if (!probes_->find(program_, messages) || !has_points) return false;
    if (!settle(program_, *probes_, of.world, messages)) return false;
    if (!resolve_names(program_, messages)) return false;
    probes_->move_to_resume(program_, messages);
    const auto provided = [this](const Handler& handler, const std::string& name) {
      return provided_type(handler, name);
    };
    if (!infer_types(program_, provided, messages)) {
      report_warnings(of, messages);
      return false;
    }
    if (!set_options(of)) return false;
    if (!Plans(program_, *probes_, of.world, messages).make()) return false;
    if (!find_origins(program_, messages)) return false;
    find_target_only(program_);
    if (program_.handlers.empty()) {
      of.diagnostics.error("semantic error", Span(), "semantic error: no probes found");
      return false;
    }
    return true;
  }

  ConditionValue condition_values() const {
    return [this](std::string_view word) { return condition_value(options_, word); };
  }

  bool take_macros(const front::Compilation& of, const LibraryFile& file, Messages& messages) {
    Source source(file.path, file.text);
    source.is_library = true;
    Arguments none;
    const std::vector<Token> tokens = lex(of.sources, of.sources.add(std::move(source)), none);
    return read_macros(tokens, condition_values(), macros_, messages);
  }

  // Those of a file behind the preprocessor; the library has files of macros, of which a run reads
  // those that a file names. Empty after an error, which is reported.
  std::vector<Token> tokens_of(const front::Compilation& of, std::uint32_t source,
                               Arguments& arguments, Messages& messages) {
    std::vector<Token> tokens = lex(of.sources, source, arguments);
    for (const Token& one : tokens) {
      if (!one.is_name() || one.text[0] != '@' || macros_.contains(one.text)) continue;
      const auto found = index_.find(one.text);
      if (found == index_.end()) continue;
      const auto file = options_.library(found->second + ".stpm");
      if (file && !take_macros(of, *file, messages)) return {};
    }
    return preprocess(std::move(tokens), condition_values(), macros_, messages);
  }

  // The files that the script needs, and those that these need.
  bool parse_library(const front::Compilation& of, Messages& messages) {
    std::set<std::string> had;
    while (options_.library) {
      Script files;
      bool has_more = false;
      for (const std::string& name : wanted_files()) {
        if (!had.insert(name).second) continue;
        std::optional<LibraryFile> file = options_.library(name);
        if (!file) continue;
        Source source(std::move(file->path), std::move(file->text));
        source.is_library = true;
        Arguments none;
        const std::vector<Token> tokens =
            tokens_of(of, of.sources.add(std::move(source)), none, messages);
        if (tokens.empty() || !parse(tokens, messages, files, true)) return false;
        has_more = true;
      }
      if (!has_more) break;
      take(files);
    }
    return true;
  }

  // For a dump all of them.
  std::vector<std::string> wanted_files() const {
    const bool is_dump =
        options_.listing == Listing::kAliases || options_.listing == Listing::kFunctions;
    if (!is_dump) {
      std::vector<std::string> names = library_names(program_.script, index_);
      names.insert(names.end(), options_.always.begin(), options_.always.end());
      return names;
    }
    std::set<std::string> all;
    for (const auto& [name, file] : index_) all.insert(file);
    return {all.begin(), all.end()};
  }

  void take(Script& files) {
    Script& all = program_.script;
    for (auto& one : files.functions) {
      one->is_library = true;
      all.functions.push_back(std::move(one));
    }
    for (auto& one : files.aliases) {
      one->is_library = true;
      all.aliases.push_back(std::move(one));
    }
    for (auto& one : files.probes) {
      one->is_library = true;
      all.probes.push_back(std::move(one));
    }
    for (auto& one : files.globals) {
      one->is_library = true;
      all.globals.push_back(std::move(one));
    }
  }

  // -G name=value
  bool set_globals(const front::Compilation& of) {
    for (const std::string& one : options_.globals) {
      const std::size_t equals = one.find('=');
      const std::string name = one.substr(0, equals);
      Symbol* found = nullptr;
      for (const auto& symbol : program_.script.globals) {
        if (symbol->name == name) found = symbol.get();
      }
      if (found == nullptr || equals == std::string::npos) {
        of.diagnostics.error("semantic error", Span(),
                             fmt::format("semantic error: -G {}: no such global variable", name));
        return false;
      }
      found->option = one.substr(equals + 1);
      found->is_set_by_option = true;
      found->option_type =
          support::whole_number<std::int64_t>(found->option) ? Type::kLong : Type::kString;
    }
    return true;
  }

  // A value of -G is of the type that the script gives its variable.
  bool set_options(const front::Compilation& of) {
    for (const auto& symbol : program_.script.globals) {
      if (!symbol->is_set_by_option) continue;
      const bool is_long = symbol->type == Type::kLong && !symbol->is_array;
      const auto value =
          is_long ? support::whole_number<std::int64_t>(symbol->option) : std::nullopt;
      if (is_long ? !value : symbol->type != Type::kString || symbol->is_array) {
        of.diagnostics.error(
            "semantic error", symbol->span,
            fmt::format("semantic error: -G {}={}: the variable is {}", symbol->name,
                        symbol->option,
                        symbol->is_array ? "an array"
                                         : fmt::format("of type {}", type_name(symbol->type))));
        return false;
      }
      symbol->initial = std::make_unique<Expr>();
      symbol->initial->kind = is_long ? ExprKind::kNumber : ExprKind::kString;
      symbol->initial->number = value.value_or(0);
      symbol->initial->text = symbol->option;
    }
    return true;
  }

  // This process reads records by system calls. If their firings counted, each would make one more
  // record to read: hundreds a second.
  void leave_out_ourselves() {
    if (program_.names_itself) return;
    for (Handler& handler : program_.handlers) {
      for (Event& event : handler.events) {
        if (is_syscall(event.kind)) event.whose.except = ::getpid();
      }
    }
  }

  // In the kernel, probefunc() has a bounded length, and is the name of the probe.
  void find_short_names() {
    const std::size_t most = std::min<std::size_t>(
        ir::builtin_type(ir::Builtin::kProbefunc).size,
        static_cast<std::size_t>(std::max<std::int64_t>(program_.limits.max_string_length, 0)));
    for (Handler& handler : program_.handlers) {
      handler.has_short_names =
          std::all_of(handler.events.begin(), handler.events.end(), [&](const Event& event) {
            const auto& probes = probes_->of(event);
            return std::all_of(probes.begin(), probes.end(), [&](const ProbeInfo& probe) {
              const std::string& name = probe.description.function;
              const bool is_name_of_probe =
                  name == (event.function.empty() ? source_name(probe) : event.function);
              return is_name_of_probe && name.size() < most;
            });
          });
    }
  }

  // Of what the point gives, or its entry has kept.
  Type provided_type(const Handler& handler, const std::string& name) const {
    if (handler.entry < 0 || !name.starts_with(kEntryPrefix)) {
      return probes_->provided(handler, name);
    }
    for (const auto& local : program_.handlers[static_cast<std::size_t>(handler.entry)].locals) {
      if (local->name == name) return local->type;
    }
    return Type::kUnknown;
  }

  // argc, argv[1], ...: the arguments, where the script names them and has no such variables.
  bool parse_argument_variables(const front::Compilation& of, Messages& messages) {
    const Script& script = program_.script;
    const bool is_own = std::any_of(script.globals.begin(), script.globals.end(), [](auto& one) {
      return one->name == "argc" || one->name == "argv";
    });
    if (!names_arguments_ || is_own) return true;
    std::string text = fmt::format("global argc = {}\nglobal argv[{}]\n", options_.arguments.size(),
                                   std::max<std::size_t>(options_.arguments.size(), 1));
    text += "probe begin(-9223372036854775807) {\n";
    for (std::size_t i = 1; i <= options_.arguments.size(); ++i) {
      text += fmt::format("  argv[{0}] = @{0}\n", i);
    }
    text += options_.arguments.empty() ? "  argv[0] = \"\"\n  delete argv\n}\n" : "}\n";
    Source source("argv.stp", std::move(text));
    source.is_library = true;
    Script made;
    const std::vector<Token> tokens =
        lex(of.sources, of.sources.add(std::move(source)), arguments_);
    if (!parse(tokens, messages, made, true)) return false;
    take(made);
    return true;
  }

  // A variable without a value may be why a script is refused.
  void report_warnings(const front::Compilation& of, Messages& messages) {
    warn_of_unassigned(messages);
    for (const std::string& one : warnings_) {
      // The error has the same hint.
      of.diagnostics.error("warning", Span(),
                           fmt::format("WARNING: {}\n", one.substr(0, one.find("\nhint: "))));
    }
  }

  // Each point of a probe has a handler of its own, in which the same is wrong.
  void warn(std::string text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) {
      warnings_.push_back(std::move(text));
    }
  }

  void warn_of_unassigned(Messages& messages) {
    for (const auto& [text, span] : program_.warnings) {
      warn(messages.warning(text, span));
    }
    for (const Handler& handler : program_.handlers) {
      for (const auto& local : handler.locals) {
        if (!local->is_read || local->is_written) continue;
        if (provided_type(handler, local->name) != Type::kUnknown) continue;
        const std::string hint = hint_of_variable(program_, local->name, fires_at_returns(handler));
        warn(messages.warning(hint.empty()
                                  ? never_assigned(handler, *local)
                                  : fmt::format("never-assigned local variable '{}'", local->name),
                              local->span, hint));
      }
    }
  }

  // With what it may have been meant to be: a variable of the handler, or a global one.
  std::string never_assigned(const Handler& handler, const Symbol& local) const {
    // Of a script with thousands of such variables, each would be compared with each.
    constexpr std::size_t kMost = 500;
    std::vector<std::string_view> names;
    for (const auto& one : handler.locals) {
      if (one.get() != &local && handler.locals.size() <= kMost) names.push_back(one->name);
    }
    std::vector<std::string_view> globals;
    for (const auto& one : program_.script.globals) {
      if (!one->is_library) globals.push_back(one->name);
    }
    const std::string near = support::nearest(local.name, globals);
    if (!near.empty()) names.push_back(near);
    return fmt::format("never-assigned local variable '{}'{}", local.name,
                       similar(local.name, std::move(names)));
  }

  // Returns that never fire, and handlers of execve(), which that of -c does not reach.
  void look_at_returns(Messages& messages) {
    for (Handler& handler : program_.handlers) {
      std::set<std::string> calls;
      bool is_return = !handler.events.empty(), is_call = is_return;
      for (const Event& event : handler.events) {
        is_return = is_return && event.kind == EventKind::kSyscallReturn;
        is_call = is_call && is_syscall(event.kind);
        for (const ProbeInfo& probe : probes_->of(event)) calls.insert(probe.description.function);
      }
      handler.awaits_exec = is_call && !handler.is_entry && !handler.accumulates &&
                            !calls.empty() && std::all_of(calls.begin(), calls.end(), is_exec);
      if (!is_return || handler.is_entry || calls.size() != 1 || !handler.alias.empty()) continue;
      const std::string why = front::why_no_return(*calls.begin());
      if (why.empty()) continue;
      warn(messages.warning(why, handler.span));
    }
  }

  // -W. All together: they have no places of their own any more.
  std::optional<ir::Program> refuse_warnings(Diagnostics& out) const {
    std::string text;
    for (const std::string& one : warnings_) text += fmt::format("WARNING: {}\n", one);
    out.error("semantic error", Span(), text + "ERROR: a warning is an error with -W");
    return std::nullopt;
  }

  static bool is_exec(const std::string& call) { return call == "execve" || call == "execveat"; }

  // -p2
  std::string typed_text() const {
    std::string out;
    bool has_globals = false;
    for (const auto& symbol : program_.script.globals) {
      if (symbol->is_library) continue;
      if (!std::exchange(has_globals, true)) out += "# globals\n";
      out += fmt::format("{}:{}", symbol->name, type_name(symbol->type));
      for (std::size_t i = 0; i < symbol->keys.size(); ++i) {
        out += fmt::format("{}{}", i == 0 ? " [" : ", ", type_name(symbol->keys[i]));
      }
      out += symbol->keys.empty() ? "\n" : "]\n";
    }
    bool has_heading = false;
    for (const auto& function : program_.script.functions) {
      if (!function->is_used) continue;
      out += std::exchange(has_heading, true) ? "" : "# functions\n";
      out += fmt::format("{}:{} (", function->name, type_name(function->result));
      for (std::size_t i = 0; i < function->parameters.size(); ++i) {
        out += fmt::format("{}{}:{}", i == 0 ? "" : ", ", function->parameters[i].text,
                           type_name(function->locals[i]->type));
      }
      out += ")\n";
    }
    out += "# probes\n";
    for (const Handler& handler : program_.handlers) {
      if (handler.is_entry) continue;
      out += handler.text + "\n";
      for (const auto& local : handler.locals) {
        out += fmt::format("  {}:{}\n", local->name, type_name(local->type));
      }
    }
    return out;
  }

  Options options_;
  LibraryIndex index_;
  Arguments arguments_;
  Macros macros_;                 // of the library
  bool names_arguments_ = false;  // argc or argv
  Program program_;
  std::vector<std::string> warnings_;
  std::unique_ptr<EventProbes> probes_;
  std::unique_ptr<Capture> capture_;
  std::unique_ptr<Run> run_;
};

}  // namespace

std::unique_ptr<front::FrontEnd> make_front_end(Options options) {
  return std::make_unique<Stap>(std::move(options));
}

}  // namespace dt::stap
