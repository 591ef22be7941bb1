// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/pickle_heap.h"

#include <functional>
#include <string>
#include <string_view>

namespace vramscope::pickle {

/// A value as JSON text, for showing what has no place of its own in a trace. What is deeper or
/// larger than a setting can be is cut off as null.
[[nodiscard]] std::string jsonText(const Heap &heap, const Value &value,
                                   const std::function<std::string_view(StringId)> &text);

} // namespace vramscope::pickle
