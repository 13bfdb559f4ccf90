#pragma once
// Source texts and places in them.
//
// A Span is a half-open range of bytes [begin, end) in one source; it is what
// tokens, tree nodes, IR instructions and fault sites carry, so that anything
// that goes wrong later is shown on the line that the person wrote.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::support {

struct Span {
  std::uint32_t source = 0;  // index into Sources, 0 is the first
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

// From the first byte of `a` to the last of `b`; both in one source.
Span join(Span a, Span b);

struct Location {
  std::string file;          // as the person named it, or a marker's name
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in bytes
};

class Source {
 public:
  // `name` is what messages show: "x.d", or the text given to -n.
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  // True for text from the command line (-n, -P, ...): such a source has no
  // file name in messages.
  bool from_command_line = false;
  // True for a library file: DTrace quotes its name in messages.
  bool is_library = false;
  // True for what -C made of a program.
  bool is_preprocessed = false;

  // The text of line `line` (from 1, physical), without its newline.
  std::string_view line_text(std::uint32_t line) const;
  // Physical place, no markers applied.
  Location physical(std::uint32_t offset) const;
  // Logical place: preprocessor line markers are honoured.
  Location locate(std::uint32_t offset) const;
  // Whether the place is in a file that the preprocessor included.
  bool is_included(std::uint32_t offset) const {
    return is_preprocessed && locate(offset).file != name_;
  }
  // Records `# line "file"`: the line after `offset` is `line` of `file`.
  void add_marker(std::uint32_t offset, std::uint32_t line, std::string file);
  // The same by the number of the physical line; markers come in the order of theirs.
  void set_marker(std::uint32_t physical_line, std::uint32_t line, std::string file) {
    markers_.push_back(Marker{physical_line, line, std::move(file)});
  }
  // Calls each(physical line, line, file).
  template <typename Each>
  void each_marker(const Each& each) const {
    for (const Marker& marker : markers_) each(marker.physical_line, marker.line, marker.file);
  }

 private:
  struct Marker {
    std::uint32_t physical_line;  // the first physical line it speaks of
    std::uint32_t line;
    std::string file;
  };
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Marker> markers_;
};

// All sources of one run; indices and references stay valid.
class Sources {
 public:
  std::uint32_t add(Source source);
  Source& at(std::uint32_t index);
  const Source& at(std::uint32_t index) const;
  std::size_t size() const { return sources_.size(); }
  Location locate(Span span) const { return at(span.source).locate(span.begin); }
  std::string_view text(Span span) const;

 private:
  std::deque<Source> sources_;
};

}  // namespace dt::support

namespace dt {
using support::Source;
using support::Sources;
using support::Span;
}  // namespace dt
