// Stability: how far a script may rely on a name.

#include <algorithm>

#include "probe/probe.h"

namespace dt::probe {

const char* to_string(Stability stability) {
  switch (stability) {
    case Stability::kInternal:
      return "Internal";
    case Stability::kPrivate:
      return "Private";
    case Stability::kObsolete:
      return "Obsolete";
    case Stability::kExternal:
      return "External";
    case Stability::kUnstable:
      return "Unstable";
    case Stability::kEvolving:
      return "Evolving";
    case Stability::kStable:
      return "Stable";
    case Stability::kStandard:
      return "Standard";
  }
  return "Unknown";
}

const char* to_string(DependencyClass dependency) {
  switch (dependency) {
    case DependencyClass::kUnknown:
      return "Unknown";
    case DependencyClass::kCpu:
      return "CPU";
    case DependencyClass::kPlatform:
      return "Platform";
    case DependencyClass::kGroup:
      return "Group";
    case DependencyClass::kIsa:
      return "ISA";
    case DependencyClass::kCommon:
      return "Common";
  }
  return "Unknown";
}

std::string to_string(const Attributes& attributes) {
  return std::string(to_string(attributes.name)) + '/' + to_string(attributes.data) + '/' +
         to_string(attributes.dependency);
}

namespace {

// The value whose name is `text`, of an enumeration that ends with `last`.
template <typename T>
bool parse_part(std::string_view text, T last, T& out) {
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) {
    if (text == to_string(static_cast<T>(i))) {
      out = static_cast<T>(i);
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<Attributes> parse_attributes(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t second = first == text.npos ? text.npos : text.find('/', first + 1);
  Attributes out;
  if (second == text.npos || !parse_part(text.substr(0, first), Stability::kStandard, out.name) ||
      !parse_part(text.substr(first + 1, second - first - 1), Stability::kStandard, out.data) ||
      !parse_part(text.substr(second + 1), DependencyClass::kCommon, out.dependency)) {
    return std::nullopt;
  }
  return out;
}

Attributes least(const Attributes& a, const Attributes& b) {
  return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

bool at_least(const Attributes& a, const Attributes& b) {
  return a.name >= b.name && a.data >= b.data && a.dependency >= b.dependency;
}

}  // namespace dt::probe
