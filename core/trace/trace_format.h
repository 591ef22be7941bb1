// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <string_view>

namespace vramscope {

/// Trace::format() of recordings with sizes but without addresses and segments: those are made up.
inline constexpr std::string_view kAllocationPlot = "pytorch-allocation-plot";

/// Trace::producer() of recordings by torch_npu, and the bytes that its allocator adds to every
/// request before rounding up.
inline constexpr std::string_view kAscendProducer = "torch_npu (Ascend)";
inline constexpr Bytes kAscendPadding = 32;

/// The key of a snapshot that no GPU ran, and its Trace::producer().
inline constexpr std::string_view kRehearsedKey = "rehearsed";
inline constexpr std::string_view kRehearsedProducer = "Rehearsed, not recorded";

} // namespace vramscope
