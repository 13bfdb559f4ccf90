// See find_bytes.h.
//
// Sixteen places are compared at once. memmem() of glibc looks at one place after another; a search
// for a name that the kernel's types do not have, among 2.3 MB of names, takes it 0.4 ms, and this
// 0.15.

#include "support/find_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dt::support {
namespace {

#ifdef __SSE2__
// A bit for each of the sixteen bytes from `at` on: whether it is `byte`.
unsigned places_of(const char* at, char byte) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte))));
}
#endif

}  // namespace

std::size_t find_bytes(std::string_view text, std::string_view wanted) {
  std::size_t at = 0;
#ifdef __SSE2__
  constexpr std::size_t kAtOnce = 16;
  const std::size_t last = wanted.size() - 1;
  while (wanted.size() > 1 && text.size() - at >= wanted.size() + kAtOnce) {
    const char* const here = text.data() + at;
    unsigned places = places_of(here + 1, wanted[1]) & places_of(here + last, wanted[last]) &
                      places_of(here + last - 1, wanted[last - 1]);
    for (; places != 0; places &= places - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(places));
      if (std::memcmp(here + place, wanted.data(), wanted.size()) == 0) return at + place;
    }
    at += kAtOnce;
  }
#endif
  return text.find(wanted, at);
}

}  // namespace dt::support
