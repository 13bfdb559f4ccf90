#include "support/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::support {
namespace {

constexpr std::uint32_t kMaxExcerptBytes = 200;  // a 10 MB line is not quoted whole

// A terminal must not be driven by the text of a script.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t' || (byte >= 0x20 && byte != 0x7f)) {
      out += c;
    } else {
      out += '?';
    }
  }
  return out;
}

std::string place(const Sources& sources, Span span) {
  const Location at = sources.locate(span);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

// The source line with the span underlined; empty when there is nothing to show.
std::string excerpt(const Sources& sources, Span span) {
  const Source& source = sources.at(span.source);
  const Location at = source.physical(span.begin);
  std::string_view line = source.line_text(at.line);
  std::uint32_t column = at.column - 1;
  if (line.size() > kMaxExcerptBytes) {
    const std::uint32_t start = column > kMaxExcerptBytes / 2 ? column - kMaxExcerptBytes / 2 : 0;
    line = line.substr(start, kMaxExcerptBytes);
    column -= start;
  }
  if (line.empty()) {
    return {};
  }
  const std::uint32_t length = span.end > span.begin ? span.end - span.begin : 1;
  std::string under;
  for (std::uint32_t i = 0; i < column && i < line.size(); ++i) {
    under += line[i] == '\t' ? '\t' : ' ';
  }
  under += '^';
  for (std::uint32_t i = 1; i < length && column + i < line.size(); ++i) {
    under += '~';
  }
  return fmt::format("{}\n{}\n", printable(line), under);
}

}  // namespace

Diagnostic& Diagnostics::error(std::string_view tag, Span span, std::string text) {
  ++total_;
  if (all_.size() >= kMaxErrors) {
    overflow_ = Diagnostic{};
    return overflow_;
  }
  all_.push_back(Diagnostic{std::string(tag), span, std::move(text), {}, "", region_});
  return all_.back();
}

void Diagnostics::note_since(std::size_t since, Span span, const std::string& text) {
  for (std::size_t i = since; i < all_.size(); ++i) {
    all_[i].notes.push_back({span, text});
  }
}

std::vector<Diagnostic> Diagnostics::take_since(std::size_t since) {
  std::vector<Diagnostic> out;
  if (since < all_.size()) {
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(since);
    out.assign(std::make_move_iterator(from), std::make_move_iterator(all_.end()));
    all_.erase(from, all_.end());
  }
  total_ = since;
  return out;
}

std::string headline(const Diagnostic& diagnostic, const Sources& sources, bool tags) {
  std::string out;
  if (tags && !diagnostic.tag.empty()) {
    out += fmt::format("[{}] ", diagnostic.tag);
  }
  if (diagnostic.span.source >= sources.size()) {
    return out + diagnostic.text;
  }
  const Source& source = sources.at(diagnostic.span.source);
  if (source.from_command_line) {
    if (!diagnostic.region.empty()) {
      out += fmt::format("in {}: ", diagnostic.region);
    }
  } else {
    const Location at = sources.locate(diagnostic.span);
    if (source.is_library || at.file != source.name()) {
      out += fmt::format("\"{}\", ", at.file);
    }
    out += fmt::format("line {}: ", at.line);
  }
  return out + diagnostic.text;
}

std::string render(const Diagnostic& diagnostic, const Sources& sources) {
  if (diagnostic.span.source >= sources.size()) {
    return {};
  }
  std::string out = fmt::format("{}: error: {}", place(sources, diagnostic.span), diagnostic.text);
  if (!diagnostic.tag.empty()) {
    out += fmt::format(" [{}]", diagnostic.tag);
  }
  out += '\n';
  out += excerpt(sources, diagnostic.span);
  for (const Note& note : diagnostic.notes) {
    out += fmt::format("{}: note: {}\n", place(sources, note.span), note.text);
    out += excerpt(sources, note.span);
  }
  if (!diagnostic.hint.empty()) {
    out += fmt::format("hint: {}\n", diagnostic.hint);
  }
  return out;
}

}  // namespace dt::support
