// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/engines/sglang_values.h"

#include "core/base/exact.h"
#include "core/planner/settings.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr SglangRelease kSglangReleases[] = {
    {{0, 1, 0}, "0.1.0", true, false, "SGLang up to 0.4.3: server_args.py, by --tp alone"},
    {{0, 4, 4},
     "0.4.4",
     false,
     false,
     "SGLang 0.4.4 to 0.4.10: server_args.py; model_runner.py, profile_max_num_token"},
    {{0, 5, 0},
     "0.5.0",
     false,
     true,
     "SGLang 0.5: server_args.py; model_runner.py, profile_max_num_token"},
};

/// One row of SGLang's table, for GPUs of less than `below` MiB.
struct ByMemory
{
    std::int64_t below;
    std::int64_t chunkedPrefill;
    std::int64_t graphBatch;       ///< of fewer than four ranks
    std::int64_t graphBatchOfFour; ///< of four and more
};
constexpr std::int64_t kGibibyte = 1024; ///< in MiB
constexpr ByMemory kByMemory[] = {
    {20 * kGibibyte, 2048, 8, 8},    {35 * kGibibyte, 2048, 24, 80},
    {60 * kGibibyte, 4096, 32, 160}, {160 * kGibibyte, 8192, 256, 512},
    {INT64_MAX, 16384, 512, 512},
};
/// Where the memory is not known.
constexpr ByMemory kUnknown = {0, 4096, 160, 160};

/// Tokens of prefills that are captured as CUDA graphs: `step` apart from `first` on, up to `last`.
struct CapturedRange
{
    std::int64_t first, last, step;
};
constexpr CapturedRange kCaptured[] = {{4, 32, 4},      {48, 256, 16},     {288, 512, 32},
                                       {576, 1024, 64}, {1280, 4096, 256}, {4608, INT64_MAX, 512}};
/// Models with latent attention capture prefills of so many tokens at most.
constexpr std::int64_t kLatentCapture = 2048;

std::int64_t capturedPrefills(const Settings &s)
{
    const std::int64_t most = s.architecture.mla() ? std::min(kLatentCapture, s.chunkedPrefillSize)
                                                   : s.chunkedPrefillSize;
    std::int64_t sizes = 0;
    for (const CapturedRange &range : kCaptured)
        if (most >= range.first)
            sizes += (std::min(most, range.last) - range.first) / range.step + 1;
    return sizes;
}

double mebibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

double fractionByRanks(std::int64_t tensor)
{
    return tensor >= 16  ? 0.79
           : tensor >= 8 ? 0.81
           : tensor >= 4 ? 0.85
           : tensor >= 2 ? 0.87
                         : 0.88;
}

/// What speculation takes beside a model: its draft with its graphs.
double draftReserve(const Settings &s)
{
    switch (s.speculativeMethod) {
    case SpeculativeMethod::None:
    case SpeculativeMethod::Ngram:
        return 0;
    case SpeculativeMethod::DraftModel:
        return 6 * 1024;
    default:
        return 2 * 1024;
    }
}

} // namespace

const SglangRelease &sglangRelease(const Settings &s)
{
    return releaseOf(kSglangReleases, engineVersion(s.engineVersion));
}

SglangValues sglangValues(const Settings &s)
{
    const std::int64_t memory = s.capacity / kMiB;
    const ByMemory *row =
        s.capacity > 0
            ? std::ranges::find_if(kByMemory,
                                   [memory](const ByMemory &each) { return memory < each.below; })
            : &kUnknown;
    return {row->chunkedPrefill, s.tensor < 4 ? row->graphBatch : row->graphBatchOfFour};
}

Bytes sglangGraphBytes(const Settings &s)
{
    return (Exact(2) * s.graphMaxBatch * kMiB + Exact(8) * capturedPrefills(s) * kMiB).value();
}

double sglangFraction(const Settings &s)
{
    if (sglangRelease(s).fractionByRanks)
        return fractionByRanks(s.tensor);
    if (s.capacity <= 0)
        return 0.88;
    const double memory = mebibytes(s.capacity);
    const auto chunk = static_cast<double>(std::max<std::int64_t>(s.chunkedPrefillSize, 2048));
    double reserved = 512 + 1.5 * chunk + mebibytes(sglangGraphBytes(s)) +
                      static_cast<double>(s.tensor * s.pipeline) / 8 * 1024;
    if (memory > 60 * 1024)
        reserved = std::max(reserved, 10.0 * 1024);
    reserved += draftReserve(s);
    const double fraction = std::round((memory - reserved) / memory * 1000) / 1000;
    return std::clamp(fraction, 0.01, 1.0);
}

} // namespace vramscope
