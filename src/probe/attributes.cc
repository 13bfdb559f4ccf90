// Stability: how far a script may rely on a name.

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

}  // namespace dt::probe
