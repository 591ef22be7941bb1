// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/settings/engines/engine_version.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace vramscope {

struct Settings;

/// What the static fraction follows where nobody states it: the tensor-parallel ranks; all ranks,
/// and the GPU's memory above 96 GiB; a table by the GPU's memory; a sum for activations, ranks and
/// CUDA graphs of decoding; such a sum with the graphs of prefills.
enum class SglangFraction { Ranks, RanksAndMemory, Table, Sum, SumWithPrefills };

/// How releases of SGLang from `since` on plan their memory.
struct SglangRelease
{
    EngineVersion since;
    std::string_view name;
    std::string_view date; ///< of its package on PyPI: "2025-10-06"
    SglangFraction fraction = SglangFraction::Ranks;
    double imageFactor = 0;   ///< of the fraction, for models that see; 0: by the size of the tower
    bool windowPools = false; ///< layers that look back over a window have a pool of their own
    std::string_view source;
};

/// All that are told apart, the oldest first.
[[nodiscard]] std::span<const SglangRelease> sglangReleases();

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

/// mem_fraction_static where none is stated, as the release chooses it: since 0.5.3 from
/// chunkedPrefillSize and cudaGraphMaxBs of the settings what is left after a reserve for
/// activations and graphs, to three digits; less for models with a vision tower.
[[nodiscard]] double sglangFraction(const Settings &settings);

/// SGLang's swa_full_tokens_ratio of compressed attention (DeepSeek V4), where none is stated; its
/// hook for these models also sets the page and the most requests. deepseek_v4_hook.py.
inline constexpr double kCompressedWindowRatio = 0.1;
inline constexpr std::int64_t kCompressedPage = 256;
inline constexpr std::int64_t kCompressedRequests = 256;

/// What SGLang sets aside for CUDA graphs: 2 MiB a captured sequence and, since 0.5.10, 8 MiB a
/// captured size of prefill, or 1.5 GiB for all of those where attention is latent.
[[nodiscard]] Bytes sglangGraphBytes(const Settings &settings);

} // namespace vramscope
