#include "exports/picture.h"

#include <algorithm>

namespace dt::exports {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {{"folded", folded},
                                        {"pprof", pprof, true, true},
                                        {"speedscope", speedscope, false, true, true},
                                        {"svg", svg}};
  return kFormats;
}

const Format* find_picture(std::string_view name) {
  const auto found =
      std::ranges::find_if(formats(), [&](const Format& one) { return one.name == name; });
  return found == formats().end() ? nullptr : &*found;
}

}  // namespace dt::exports
