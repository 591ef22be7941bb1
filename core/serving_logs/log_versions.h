// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"
#include "core/settings/engines/engine_version.h"

namespace vramscope {

/// A version against one at which something changed.
enum class LogAge { Before, AtLeast, Unknown };

/// Of vLLM, by the version that the log states, or else by its words. Builds from source state
/// versions such as 0.1.dev20058, which say nothing.
[[nodiscard]] LogAge vllmAge(const ServingLog &log, const EngineVersion &change);

} // namespace vramscope
