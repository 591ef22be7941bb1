// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"

#include "core/base/format.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>
#include <vector>

namespace vramscope {

namespace {

constexpr auto kGenerations = std::to_array<std::string_view>(
    {"Kepler", "Maxwell",   "Pascal", "Volta",  "Turing",  "Ampere",        "Ada",
     "Hopper", "Blackwell", "Rubin",  "GCN",    "CDNA",    "CDNA 2",        "CDNA 3",
     "CDNA 4", "CDNA 5",    "RDNA 2", "RDNA 3", "RDNA 4",  "Apple silicon", "Xe",
     "Gaudi",  "Ascend",    "MUSA",   "TPU",    "Trainium"});
static_assert(kGenerations.size() == static_cast<std::size_t>(GpuGeneration::Trainium) + 1);

constexpr auto kMemories = std::to_array<std::string_view>({"", "pool", "share of pool"});
static_assert(kMemories.size() == static_cast<std::size_t>(DeviceMemory::ShareOfPool) + 1);

constexpr std::string_view kUnreported = "reported capacity not known";

template<typename Choice>
Choice choiceOf(std::span<const std::string_view> names, std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    assert(found != names.end());
    return static_cast<Choice>(found - names.begin());
}

/// The fraction of its size that `like` reports, for another size; rounded down.
Bytes scaledTo(std::int64_t gigabytes, const GpuPreset &like)
{
    return like.capacity * gigabytes / like.gigabytes;
}

std::vector<GpuPreset> readPresets()
{
    std::vector<GpuPreset> presets;
    readShippedTable("gpus/gpus.csv", [&](const auto &cell) {
        presets.push_back({.name = cell("name"),
                           .title = cell("title"),
                           .generation = choiceOf<GpuGeneration>(kGenerations, cell("generation")),
                           .gigabytes = numberIn(cell("gigabytes")),
                           .capacity = numberIn(cell("capacity")),
                           .like = cell("like"),
                           .memoryBandwidth = numberIn(cell("memory_bandwidth")),
                           .hostLink = numberIn(cell("host_link")),
                           .source = cell("source"),
                           .bf16Flops = numberIn(cell("bf16_flops")),
                           .driverTotal = numberIn(cell("driver_total")),
                           .memory = choiceOf<DeviceMemory>(kMemories, cell("memory")),
                           .otherName = cell("other_name")});
    });
    for (GpuPreset &gpu : presets) {
        if (gpu.like.empty())
            continue;
        const auto like = std::ranges::find(presets, gpu.like, &GpuPreset::name);
        assert(like != presets.end() && like->like.empty());
        gpu.capacity = scaledTo(gpu.gigabytes, *like);
        gpu.source = gpu.capacity > 0
                         ? "no report known: scaled from " + like->title + " to " +
                               std::to_string(gpu.gigabytes) + " GB (" + gpu.source + ')'
                         : std::string(kUnreported) + " (" + gpu.source + ')';
    }
    return presets;
}

constexpr std::int64_t kLargestCard = 1'000'000; // GB: beyond it products may overflow

/// Whether it is NVIDIA's or AMD's, with memory of its own, and has today's drivers: NVIDIA's no
/// longer support Volta and older.
bool isPresentCard(const GpuPreset &gpu)
{
    const bool isCard =
        atLeast(gpu.generation, GpuGeneration::Turing) || gpu.vendor() == GpuVendor::Amd;
    return isCard && gpu.capacity > 0 && !gpu.unified() && !isSlice(gpu);
}

using PresetsByName = std::unordered_map<std::string_view, const GpuPreset *>;

PresetsByName presetsByName()
{
    PresetsByName all;
    for (const GpuPreset &gpu : gpuPresets()) {
        all.try_emplace(gpu.name, &gpu);
        if (!gpu.otherName.empty())
            all.try_emplace(gpu.otherName, &gpu);
    }
    return all;
}

} // namespace

std::string_view vendorName(GpuVendor vendor)
{
    constexpr auto kNames = std::to_array<std::string_view>(
        {"NVIDIA", "AMD", "Apple", "Intel", "Huawei", "Moore Threads", "Google", "Amazon"});
    return kNames[static_cast<std::size_t>(vendor)];
}

std::string_view generationName(GpuGeneration generation)
{
    return kGenerations[static_cast<std::size_t>(generation)];
}

std::span<const GpuPreset> gpuPresets()
{
    static const std::vector<GpuPreset> presets = readPresets();
    return presets;
}

bool isDatacenterBlackwell(const GpuPreset &gpu)
{
    constexpr Bytes kStacked = 4'000'000'000'000; // cards with GDDR7 reach 1.8 TB/s
    return gpu.generation == GpuGeneration::Blackwell && gpu.memoryBandwidth >= kStacked;
}

bool isSlice(const GpuPreset &gpu)
{
    return gpu.name.find("-mig-") != gpu.name.npos;
}

const GpuPreset *findGpuPreset(std::string_view name)
{
    static const PresetsByName presets = presetsByName();
    const auto found = presets.find(name);
    return found == presets.end() ? nullptr : found->second;
}

std::string gpuTitle(const GpuPreset *gpu, std::int64_t gigabytes)
{
    return gpu ? gpu->title : "GPU of " + formatCount(gigabytes) + " GB";
}

Bytes usualCapacity(std::int64_t gigabytes)
{
    if (gigabytes <= 0 || gigabytes > kLargestCard)
        return 0;
    std::vector<Bytes> ofTheSize;
    std::vector<Bytes> scaled;
    for (const GpuPreset &gpu : gpuPresets()) {
        if (!isPresentCard(gpu))
            continue;
        if (gpu.gigabytes == gigabytes)
            ofTheSize.push_back(gpu.capacity);
        scaled.push_back(scaledTo(gigabytes, gpu));
    }
    std::vector<Bytes> &all = ofTheSize.empty() ? scaled : ofTheSize;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
    std::ranges::nth_element(all, middle);
    return *middle;
}

} // namespace vramscope
