// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/pickle_heap.h"
#include "core/trace/trace_builder.h"

#include <span>
#include <string>

namespace vramscope::pickle {

/// A value as JSON text, to show what has no place of its own in a trace. Anything deeper or larger
/// than a setting can be is cut off as null. `builder` knows the texts and frames.
[[nodiscard]] std::string jsonText(const Heap &heap, const Value &value,
                                   const TraceBuilder &builder);

/// Alternating keys and values as a JSON object.
[[nodiscard]] std::string jsonText(const Heap &heap, std::span<const Value> pairs,
                                   const TraceBuilder &builder);

} // namespace vramscope::pickle
