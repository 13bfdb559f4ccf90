#pragma once
// Errors in the user's script: collected, then rendered as text that cli/ prints.
//
// A rendered diagnostic marks the narrowest text that is wrong:
//
//     agg.d:3:2: error: aggregation @a redefined [D_AGG_REDEF]
//     	@a = sum(1);
//     	^~
//
// The classical first line ("dtrace: failed to compile script ...") is made by
// headline().

#include <string>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace dt::support {

struct Note {
  Span span;
  std::string text;
};

struct Diagnostic {
  std::string tag;  // "D_SYNTAX", from diagnostics.def
  Span span;
  std::string text;
  std::vector<Note> notes;
  std::string hint;  // "did you mean 'execname'?"; may be empty
  // Where in a command-line program: "action list", "predicate" or "probe
  // description a:b:c:d". Such a text has no line worth naming, so the headline
  // says "in <region>: " instead of "line N: ".
  std::string region;
};

class Diagnostics {
 public:
  // DTrace stops at the first error; we go on, but not for ever: so many are
  // shown, and so many are looked for, to say how many there are.
  static constexpr std::size_t kMaxErrors = 20;
  static constexpr std::size_t kMaxCounted = 1000;

  // Returns the stored diagnostic so that notes and a hint can be added; the
  // reference is good until the next call.
  Diagnostic& error(std::string_view tag, Span span, std::string text);
  // Adds a note to what was reported since total() was `since`.
  void note_since(std::size_t since, Span span, const std::string& text);
  // Takes back what was reported since total() was `since`.
  std::vector<Diagnostic> take_since(std::size_t since);
  // The region of all errors that are reported from now on; see Diagnostic::region.
  void set_region(std::string region) { region_ = std::move(region); }
  bool any() const { return total_ > 0; }
  bool full() const { return total_ >= kMaxCounted; }
  std::size_t total() const { return total_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  Diagnostic overflow_;
  std::string region_;
  std::size_t total_ = 0;
};

// "[D_SYNTAX] line 7: syntax error near "}"" without the leading program name;
// the tag only with `tags`. A library, or a file that the script includes, is
// named: `"lib.d", line 7: `.
std::string headline(const Diagnostic& diagnostic, const Sources& sources, bool tags);

// The excerpt with the caret, the notes and the hint; ends with a newline.
std::string render(const Diagnostic& diagnostic, const Sources& sources);

}  // namespace dt::support

namespace dt {
using support::Diagnostic;
using support::Diagnostics;
}  // namespace dt
