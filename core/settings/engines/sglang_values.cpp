// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/engines/sglang_values.h"

#include "core/base/exact.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

using Rule = SglangFraction;

// server_args.py and model_runner.py (profile_max_num_token) of the packages on PyPI.
constexpr SglangRelease kSglangReleases[] = {
    {{0, 1, 0}, "0.4.4", "", Rule::Ranks, 0.95, false, "SGLang up to 0.4.4: server_args.py"},
    {{0, 4, 5}, "0.4.5", "2025-04-07", Rule::Ranks, 0.9, false, "SGLang 0.4.5: server_args.py"},
    {{0, 4, 6},
     "0.4.6",
     "2025-04-27",
     Rule::RanksAndMemory,
     0.9,
     false,
     "SGLang 0.4.6.post5 and 0.4.7: server_args.py"},
    {{0, 4, 8},
     "0.4.8",
     "2025-06-24",
     Rule::Table,
     0.9,
     false,
     "SGLang 0.4.8 to 0.4.10: server_args.py; model_runner.py, profile_max_num_token"},
    {{0, 5, 0},
     "0.5.0",
     "2025-08-14",
     Rule::Table,
     0,
     true,
     "SGLang 0.5.0 to 0.5.2: server_args.py; model_runner.py, profile_max_num_token"},
    {{0, 5, 3},
     "0.5.3",
     "2025-10-06",
     Rule::Sum,
     0,
     true,
     "SGLang 0.5.3 to 0.5.9: server_args.py; model_runner.py, profile_max_num_token"},
    {{0, 5, 10},
     "0.5.10",
     "2026-04-05",
     Rule::SumWithPrefills,
     0,
     true,
     "SGLang 0.5.10: server_args.py; model_runner.py, profile_max_num_token"},
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
/// What releases up to 0.4.7 choose below and above so much memory.
constexpr std::int64_t kSmallMebibytes = 25'000;

/// MiB for the captured prefills of models with latent attention.
constexpr std::int64_t kLatentCapture = 1536;

/// MiB that are set aside for CUDA graphs of prefills.
std::int64_t prefillGraphs(const Settings &s)
{
    if (sglangRelease(s).fraction != Rule::SumWithPrefills)
        return 0;
    if (s.architecture.mla())
        return kLatentCapture;
    std::int64_t sizes = 0;
    for (const CapturedRange &range : kCaptured)
        if (s.sglang.chunkedPrefillSize >= range.first)
            sizes +=
                (std::min(s.sglang.chunkedPrefillSize, range.last) - range.first) / range.step + 1;
    return 8 * sizes;
}

double mebibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

double fractionByRanks(std::int64_t ranks)
{
    return ranks >= 16 ? 0.79 : ranks >= 8 ? 0.81 : ranks >= 4 ? 0.85 : ranks >= 2 ? 0.87 : 0.88;
}

/// MiB for what speculation takes beside a model: its draft with its graphs.
double draftReserve(const Settings &s, Rule rule)
{
    if (s.speculative.method == SpeculativeMethod::None)
        return 0;
    if (rule != Rule::Sum && rule != Rule::SumWithPrefills)
        return 2 * 1024;
    if (s.speculative.method == SpeculativeMethod::Ngram)
        return 0;
    if (s.speculative.method == SpeculativeMethod::DraftModel)
        return 6 * 1024;
    return rule == Rule::Sum ? 2 * 1024 : 4 * 1024;
}

/// Up to 80 GiB by the ranks; where there is more, at least 18 GiB stay free.
double fractionByRanksAndMemory(const Settings &s, double memory)
{
    constexpr double kRanksCount = 81920;
    const double byRanks =
        memory <= kRanksCount ? fractionByRanks(s.tensor * s.pipeline) : fractionByRanks(1);
    if (memory <= 96 * 1024)
        return byRanks;
    const double kept = 18 * 1024 + draftReserve(s, Rule::RanksAndMemory);
    return std::min(byRanks + 48 * 1024 * (1 - byRanks) / memory, (memory - kept) / memory);
}

/// MiB that the table of 0.4.8 to 0.5.2 keeps for activations and graphs.
double reserveByTable(const Settings &s, double memory)
{
    const auto ranks = static_cast<double>(s.tensor * s.pipeline);
    const double gibibytes = memory < 35 * 1024    ? 2.8 + ranks / 10
                             : memory < 90 * 1024  ? 9.5 + ranks / 2
                             : memory < 160 * 1024 ? 12 + ranks / 2
                                                   : 32;
    return gibibytes * 1024 + draftReserve(s, Rule::Table);
}

double reserveBySum(const Settings &s, double memory, Rule rule)
{
    const auto chunk =
        static_cast<double>(std::max<std::int64_t>(s.sglang.chunkedPrefillSize, 2048));
    double reserved = 512 + 1.5 * chunk + mebibytes(sglangGraphBytes(s)) +
                      static_cast<double>(s.tensor * s.pipeline) / 8 * 1024;
    if (memory > 60 * 1024)
        reserved = std::max(reserved, 10.0 * 1024);
    return reserved + draftReserve(s, rule);
}

/// Models that see keep room for images: adjust_mem_fraction_for_vlm, by the layers and the width
/// of the tower against those of ViT-L/14.
double imageFactor(const Settings &s, double ofRelease)
{
    if (s.towers.empty())
        return 1;
    if (ofRelease > 0)
        return ofRelease;
    if (s.towers.front().kind != TowerKind::Vision)
        return 1;
    constexpr double kUsual = 24.0 * 1024 * 1024;
    const Tower &tower = s.towers.front();
    const auto width = static_cast<double>(tower.width);
    const double complexity = static_cast<double>(tower.layers) * width * width / kUsual;
    return 0.95 * std::clamp(1 - 0.1 * (complexity - 1), 0.8, 1.05);
}

double fractionOf(const Settings &s, Rule rule)
{
    if (rule == Rule::Ranks)
        return fractionByRanks(s.tensor);
    if (s.capacity <= 0)
        return 0.88;
    const double memory = mebibytes(s.capacity);
    if (rule == Rule::RanksAndMemory)
        return fractionByRanksAndMemory(s, memory);
    const double reserved =
        rule == Rule::Table ? reserveByTable(s, memory) : reserveBySum(s, memory, rule);
    return std::round((memory - reserved) / memory * 1000) / 1000;
}

} // namespace

std::span<const SglangRelease> sglangReleases()
{
    return kSglangReleases;
}

const SglangRelease &sglangRelease(const Settings &s)
{
    return releaseOf(kSglangReleases, engineVersion(s.engineVersion));
}

SglangValues sglangValues(const Settings &s)
{
    const std::int64_t memory = s.capacity / kMiB;
    const Rule rule = sglangRelease(s).fraction;
    if (rule == Rule::Ranks || rule == Rule::RanksAndMemory) {
        const bool isSmall = s.capacity > 0 && memory < kSmallMebibytes;
        return {isSmall ? 2048 : 8192, !isSmall ? 160 : s.tensor < 4 ? 8 : 80};
    }
    const ByMemory *row =
        s.capacity > 0
            ? std::ranges::find_if(kByMemory,
                                   [memory](const ByMemory &each) { return memory < each.below; })
            : &kUnknown;
    return {row->chunkedPrefill, s.tensor < 4 ? row->graphBatch : row->graphBatchOfFour};
}

Bytes sglangGraphBytes(const Settings &s)
{
    return ((Exact(2) * s.sglang.cudaGraphMaxBs + prefillGraphs(s)) * kMiB).value();
}

double sglangFraction(const Settings &s)
{
    const SglangRelease &release = sglangRelease(s);
    const double fraction = fractionOf(s, release.fraction) * imageFactor(s, release.imageFactor);
    return std::clamp(fraction, 0.01, 1.0);
}

} // namespace vramscope
