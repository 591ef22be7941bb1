// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <array>
#include <string_view>

namespace vramscope {

/// Major, minor and patch; zeros for what is not there.
using LogVersion = std::array<int, 3>;

/// The numbers of "0.9.1" or "v0.21.0rc1", as far as they go.
[[nodiscard]] LogVersion logVersion(std::string_view text);

/// A version against one at which something changed.
enum class LogAge { Before, AtLeast, Unknown };

/// Of vLLM, by the version that the log states, or else by its words. Builds from source state
/// versions such as 0.1.dev20058, which say nothing.
[[nodiscard]] LogAge vllmAge(const ServingLog &log, const LogVersion &change);

} // namespace vramscope
