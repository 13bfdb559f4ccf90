#include "support/source.h"

#include <algorithm>

#include "support/check.h"

namespace dt::support {

Span join(Span a, Span b) {
  if (a.source != b.source) {
    return a;
  }
  return Span{a.source, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') {
      line_starts_.push_back(i + 1);
    }
  }
}

std::string_view Source::line_text(std::uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) {
    return {};
  }
  const std::uint32_t begin = line_starts_[line - 1];
  std::size_t end = text_.find('\n', begin);
  if (end == std::string::npos) {
    end = text_.size();
  }
  return std::string_view(text_).substr(begin, end - begin);
}

Location Source::physical(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto index = static_cast<std::uint32_t>(after - line_starts_.begin());
  return Location{name_, index, offset - line_starts_[index - 1] + 1};
}

Location Source::locate(std::uint32_t offset) const {
  Location place = physical(offset);
  const auto after =
      std::upper_bound(markers_.begin(), markers_.end(), place.line,
                       [](std::uint32_t line, const Marker& m) { return line < m.physical_line; });
  if (after != markers_.begin()) {
    const Marker& marker = *std::prev(after);
    place.line = marker.line + (place.line - marker.physical_line);
    place.file = marker.file;
  }
  return place;
}

void Source::add_marker(std::uint32_t offset, std::uint32_t line, std::string file) {
  markers_.push_back(Marker{physical(offset).line + 1, line, std::move(file)});
}

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

Source& Sources::at(std::uint32_t index) {
  DT_CHECK(index < sources_.size());
  return sources_[index];
}

const Source& Sources::at(std::uint32_t index) const {
  DT_CHECK(index < sources_.size());
  return sources_[index];
}

std::string_view Sources::text(Span span) const {
  const std::string_view whole = at(span.source).text();
  return whole.substr(span.begin, span.end - span.begin);
}

}  // namespace dt::support
