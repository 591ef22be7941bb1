// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/planner/engines/engine_version.h"

#include <cstdint>
#include <string_view>

namespace vramscope {

struct Settings;

/// How releases of SGLang from `since` on plan their memory.
struct SglangRelease
{
    EngineVersion since;
    std::string_view name;
    bool fractionByRanks = false; ///< the static fraction follows the tensor-parallel ranks alone
    bool windowPools = true;      ///< layers that look back over a window have a pool of their own
    std::string_view source;
};

/// The newest release that was looked at: what a plan without a version is planned for.
inline constexpr std::string_view kNewestSglang = "0.5.10";

/// The release that the settings name.
[[nodiscard]] const SglangRelease &sglangRelease(const Settings &settings);

/// What SGLang chooses by the memory of the GPU where the command line is silent: server_args.py,
/// _handle_gpu_memory_settings.
struct SglangValues
{
    std::int64_t chunkedPrefill = 0; ///< tokens
    std::int64_t graphBatch = 0;     ///< sequences
};
[[nodiscard]] SglangValues sglangValues(const Settings &settings);

/// mem_fraction_static where none is stated, from chunkedPrefillSize and graphMaxBatch of the
/// settings: what is left after a reserve for activations and graphs, to three digits.
[[nodiscard]] double sglangFraction(const Settings &settings);

/// What SGLang sets aside for CUDA graphs: 2 MiB a captured sequence and 8 MiB a captured size of
/// prefill.
[[nodiscard]] Bytes sglangGraphBytes(const Settings &settings);

} // namespace vramscope
