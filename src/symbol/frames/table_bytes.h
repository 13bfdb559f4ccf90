#pragma once
// A FrameTable as bytes, and back.

#include <optional>
#include <string>
#include <string_view>

#include "symbol/frames/frame_table.h"

namespace dt::symbol {

std::string table_bytes(const FrameTable& table);
// nullopt when the bytes are not those of a whole table.
std::optional<FrameTable> frames_of(std::string_view bytes);

}  // namespace dt::symbol
