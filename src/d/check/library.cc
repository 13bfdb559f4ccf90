// Finding the library file that defines a name, and loading it.

#include "d/check/library.h"

#include <algorithm>
#include <utility>

#include "d/syntax/lexer.h"
#include "d/syntax/parser.h"

namespace dt::d {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// The words outside of braces, and those of enumerations: whatever a file defines is among them.
// The libraries are some thousands of lines, of which most scripts use none. This scan costs a
// fraction of parsing, and finds too many words rather than too few: a file that is loaded in vain
// costs time, one that is not loaded would be an error.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::unordered_set<std::string_view> collect() {
    while (at_ < text_.size()) {
      step();
    }
    return std::move(words_);
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_ + 1);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void step() {
    const char c = text_[at_];
    if (c == '/' && at(at_ + 1) == '*') {
      ++at_;
      skip_to("*/");
    } else if ((c == '/' && at(at_ + 1) == '/') || c == '#') {
      skip_to("\n");
    } else if (c == '"' || c == '\'') {
      ++at_;
      while (at_ < text_.size() && text_[at_] != c) {
        at_ += text_[at_] == '\\' ? 2 : 1;
      }
      ++at_;
    } else if (is_name_start(c)) {
      word();
    } else {
      depth_ += c == '{' ? 1 : c == '}' && depth_ > 0 ? -1 : 0;
      enum_ = enum_ && c != ';' && depth_ > 0;
      enum_ = enum_ || (c == '{' && depth_ == 1 && enum_next_);
      enum_next_ = enum_next_ && c != '{' && c != ';';
      ++at_;
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (is_name(at(at_))) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (depth_ == 0 || enum_) {
      words_.insert(word);
    }
    enum_next_ = enum_next_ || word == "enum";
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool enum_next_ = false;  // an enum's { may come
  bool enum_ = false;       // within one
  std::unordered_set<std::string_view> words_;
};

}  // namespace

std::optional<Dependency> parse_dependency(std::string_view pragma) {
  constexpr std::string_view kDependsOn = "depends_on ";
  if (!pragma.starts_with(kDependsOn)) {
    return std::nullopt;
  }
  pragma.remove_prefix(kDependsOn.size());
  const std::size_t blank = pragma.find(' ');
  if (blank == std::string_view::npos) {
    return std::nullopt;
  }
  return Dependency{pragma.substr(0, blank), pragma.substr(blank + 1)};
}

void Libraries::index() {
  if (indexed_ || !world_.libraries) {
    return;
  }
  indexed_ = true;
  for (LibraryFile& file : world_.libraries()) {
    File& one = files_.emplace_back();
    one.path = std::move(file.path);
    one.text = std::move(file.text);
  }
}

// Most files do not have the name anywhere, which is found out sooner than their words. "*"
// is in all of them.
bool Libraries::defines(const File& file, std::string_view name) {
  if (name == "*") {
    return true;
  }
  if (file.text.find(name) == std::string::npos) {
    return false;
  }
  if (!file.words) {
    file.words = Words(file.text).collect();
  }
  return file.words->contains(name);
}

bool Libraries::load(std::string_view name, const Declare& declare) {
  index();
  bool any = false;
  for (File& file : files_) {
    if (file.state == State::kUnread && defines(file, name)) {
      // A name within a library may load another one: what that depends on is no circle.
      const std::vector<const File*> outer = std::exchange(chain_, {});
      load(file, declare);
      chain_ = outer;
      any = true;
    }
  }
  return any;
}

void Libraries::load(File& file, const Declare& declare) {
  file.state = State::kLoading;
  Source source(file.path, file.text);
  source.is_library = true;
  const std::uint32_t index = sources_.add(std::move(source));
  Diagnostics diagnostics;
  std::vector<bool> references;
  ParseContext context{sources_, diagnostics, world_, arena_, references};
  std::optional<Unit> unit = parse(index, front::Input::Spec::kProgram, context);
  if (unit && !unit->clauses.empty()) {
    diagnostics.error("D_SYNTAX", unit->clauses.front().span, "a library may not have clauses");
  }
  if (diagnostics.any()) {
    leave_out(file, diagnostics.all().front());
    return;
  }
  file.unit = std::move(*unit);
  chain_.push_back(&file);
  const bool has_all = depends(file, declare);
  chain_.pop_back();
  if (!has_all) {
    file.state = State::kLeftOut;
    return;
  }
  const std::vector<Diagnostic> errors = declare(file.unit);
  if (!errors.empty()) {
    leave_out(file, errors.front());
    return;
  }
  file.state = State::kLoaded;
}

// What the file depends on: libraries are loaded before it, and one that does not exist is a
// mistake. Without a module or a provider that it speaks of, the file is left out, silently, until
// a name of it is used.
bool Libraries::depends(File& file, const Declare& declare) {
  for (const Pragma& pragma : file.unit.pragmas) {
    const std::optional<Dependency> dependency = parse_dependency(pragma.text);
    if (!dependency) {
      continue;
    }
    bool found = false;
    if (dependency->kind == "library") {
      for (File& other : files_) {
        if (base_name(other.path) == dependency->name) {
          if (std::find(chain_.begin(), chain_.end(), &other) != chain_.end()) {
            leave_out(file, {"D_PRAGMA_DEPEND",
                             pragma.span,
                             fmt::format("libraries depend on each other in a circle: {} and {}",
                                         base_name(file.path), dependency->name),
                             {},
                             "",
                             ""});
            return false;
          }
          if (other.state == State::kUnread) {
            load(other, declare);
          }
          found = other.state != State::kLeftOut;
          break;
        }
      }
    } else if (dependency->kind == "module") {
      found = !world_.has_module || world_.has_module(dependency->name);
    } else {
      const auto pattern = probe::parse_pattern(std::string(dependency->name) + ":::");
      found = pattern && !world_.probes.match(*pattern).empty();
    }
    if (!found && dependency->kind == "library" && !has(dependency->name)) {
      const std::string lacks = fmt::format("the library {}", dependency->name);
      file.lacks = lacks + ", which is not there";
      leave_out(file, {"D_PRAGMA_DEPEND", pragma.span, lacks + " is not there", {}, "", ""});
      return false;
    }
    if (!found) {
      file.lacks = fmt::format("the {} {}, which is {}", dependency->kind, dependency->name,
                               dependency->kind == "library" ? "left out" : "not there");
      return false;
    }
  }
  return true;
}

void Libraries::leave_out(File& file, const Diagnostic& why) {
  file.state = State::kLeftOut;
  if (world_.library_left_out) world_.library_left_out(file.path, why, sources_);
}

bool Libraries::has(std::string_view name) {
  index();
  for (const File& file : files_) {
    if (base_name(file.path) == name) {
      return true;
    }
  }
  return false;
}

std::string Libraries::why_not(std::string_view name) const {
  for (const File& file : files_) {
    if (file.state == State::kLeftOut && defines(file, name)) {
      return file.lacks.empty()
                 ? fmt::format("the library {} is left out", file.path)
                 : fmt::format("the library {} may define it; it needs {}", file.path, file.lacks);
    }
  }
  return {};
}

}  // namespace dt::d
