#include "exports/picture.h"

namespace dt::exports {

Draw find_picture(std::string_view format) {
  if (format == "folded") return folded;
  if (format == "svg") return svg;
  if (format == "speedscope") return speedscope;
  return nullptr;
}

}  // namespace dt::exports
