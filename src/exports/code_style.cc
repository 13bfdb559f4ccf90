#include "exports/code_style.h"

namespace dt::exports {

const CodeStyle& style_of(view::Code code) {
  static constexpr CodeStyle kKey{"k", 238, ""}, kUser{"u", 94, ""},
      kInlined{"i", 101, "; inlined"}, kInterpreted{"p", 64, "; interpreted"},
      kJit{"j", 29, "; JIT"}, kKernel{"s", 52, ""};
  switch (code) {
    case view::Code::kKey:
      return kKey;
    case view::Code::kUser:
      return kUser;
    case view::Code::kInlined:
      return kInlined;
    case view::Code::kInterpreted:
      return kInterpreted;
    case view::Code::kJit:
      return kJit;
    case view::Code::kKernel:
      return kKernel;
  }
  return kKey;
}

}  // namespace dt::exports
