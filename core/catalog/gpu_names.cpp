// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpu_names.h"

#include "core/base/nearest.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace vramscope {

namespace {

struct GpuFamily
{
    std::string_view words;
    std::string_view gpu;
};

/// Words that fit several GPUs, with the one that most people have, and nicknames.
constexpr std::array<GpuFamily, 24> kFamilies{{
    {"h100", "h100-sxm-80gb"},
    {"a100", "a100-sxm-80gb"},
    {"a100-80", "a100-sxm-80gb"},
    {"a100-80gb", "a100-sxm-80gb"},
    {"a100-40", "a100-sxm-40gb"},
    {"a100-40gb", "a100-sxm-40gb"},
    {"a100-pcie", "a100-pcie-80gb"},
    {"a100-sxm", "a100-sxm-80gb"},
    {"v100", "v100-sxm-16gb"},
    {"v100-16gb", "v100-sxm-16gb"},
    {"v100-32gb", "v100-sxm-32gb"},
    {"gh200", "gh200-96gb"},
    {"rtx-5060-ti", "rtx-5060-ti-16gb"},
    {"5060-ti", "rtx-5060-ti-16gb"},
    {"rtx-pro-6000", "rtx-pro-6000-96gb"},
    {"mi300", "mi300x-192gb"},
    {"mi250", "mi250x-gcd-64gb"},
    {"mi325", "mi325x-256gb"},
    {"mi350", "mi350x-288gb"},
    {"mi355", "mi355x-288gb"},
    {"dgx-spark", "gb10-128gb"},
    {"strix-halo", "strix-halo-128gb"},
    {"jetson-orin", "jetson-orin-64gb"},
    {"jetson-thor", "jetson-thor-128gb"},
}};

/// What people leave out in front of a number: "RTX 4090" is a 4090.
constexpr std::array<std::string_view, 5> kBrands = {"rtx-", "rx-", "arc-", "apple-", "ascend-"};

/// A slice of another GPU.
bool isSlice(const GpuPreset &gpu)
{
    return gpu.name.find("-mig-") != gpu.name.npos;
}

/// "80gb", the end of a name.
bool isCapacity(std::string_view part)
{
    return part.ends_with("gb") && part.size() > 2 &&
           std::all_of(part.begin(), part.end() - 2, isDigit);
}

/// The name of a GPU, and that without its brand where it says enough: "6000" or "16gb" does not.
std::vector<std::string_view> namesOf(const GpuPreset &gpu)
{
    const std::string_view name = gpu.name;
    std::vector<std::string_view> names{name};
    for (const std::string_view brand : kBrands) {
        if (name.starts_with(brand) && !name.starts_with("rtx-6000") &&
            !isCapacity(name.substr(brand.size())))
            names.push_back(name.substr(brand.size()));
    }
    return names;
}

bool hasDigit(std::string_view text)
{
    return std::ranges::any_of(text, isDigit);
}

/// A name of a GPU without its size, which stands for it before others that begin so: "rtx-3080" is
/// no rtx-3080-ti. Nothing where there is none, or several that kFamilies decides between.
std::string_view withoutSize(std::string_view name)
{
    const std::size_t last = name.rfind('-');
    if (last == name.npos || !isCapacity(name.substr(last + 1)))
        return {};
    const std::string_view rest = name.substr(0, last);
    return hasDigit(rest) &&
                   std::ranges::find(kFamilies, rest, &GpuFamily::words) == kFamilies.end()
               ? rest
               : std::string_view();
}

/// A name and its beginnings that could stand for it: "h200-sxm-141gb", "h200-sxm", "h200". What
/// has no digit is a word of the language, such as "max".
std::vector<std::string> beginningsOf(std::string_view name)
{
    std::vector<std::string> all;
    for (std::size_t end = name.size(); end != name.npos; end = name.rfind('-', end - 1)) {
        const std::string_view beginning = name.substr(0, end);
        if (hasDigit(beginning))
            all.emplace_back(beginning);
    }
    return all;
}

using GpuIndex = std::unordered_map<std::string, NamedGpu>;

/// Beginnings that several GPUs have are left to kFamilies.
void addBeginnings(GpuIndex &index)
{
    std::unordered_map<std::string, NamedGpu> found;
    for (const GpuPreset &gpu : gpuPresets()) {
        if (isSlice(gpu))
            continue;
        for (const std::string_view name : namesOf(gpu)) {
            for (const std::string &beginning : beginningsOf(name)) {
                const auto [at, isNew] = found.try_emplace(nameKey(beginning), NamedGpu{&gpu});
                if (!isNew && at->second.gpu != &gpu)
                    at->second.gpu = nullptr;
            }
        }
    }
    for (const auto &[key, named] : found)
        if (named.gpu)
            index.try_emplace(key, named);
}

const GpuIndex &gpuIndex()
{
    static const GpuIndex index = [] {
        GpuIndex all;
        for (const GpuPreset &gpu : gpuPresets()) {
            for (const std::string_view name : namesOf(gpu))
                all.try_emplace(nameKey(name), NamedGpu{&gpu});
            if (!gpu.otherName.empty())
                all.try_emplace(nameKey(gpu.otherName), NamedGpu{&gpu});
        }
        for (const GpuPreset &gpu : gpuPresets()) {
            all.try_emplace(nameKey(gpu.title), NamedGpu{&gpu});
            for (const std::string_view name : namesOf(gpu)) {
                if (const auto rest = withoutSize(name); !rest.empty() && !isSlice(gpu))
                    all.try_emplace(nameKey(rest), NamedGpu{&gpu});
            }
        }
        for (const GpuFamily &family : kFamilies)
            all.try_emplace(nameKey(family.words), NamedGpu{findGpuPreset(family.gpu), true});
        addBeginnings(all);
        return all;
    }();
    return index;
}

} // namespace

std::string nameKey(std::string_view words)
{
    std::string key = lowered(words);
    std::erase_if(key, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    return key;
}

NamedGpu findNamedGpu(std::string_view words)
{
    const auto found = gpuIndex().find(nameKey(words));
    return found == gpuIndex().end() ? NamedGpu{} : found->second;
}

std::string didYouMeanGpu(std::string_view name)
{
    constexpr std::size_t kMost = 4;
    std::vector<std::string_view> meant;
    if (const NamedGpu named = findNamedGpu(name); named.gpu)
        meant.emplace_back(named.gpu->name);
    const std::string key = nameKey(name);
    std::vector<std::string_view> all;
    for (const GpuPreset &gpu : gpuPresets()) {
        all.emplace_back(gpu.name);
        const bool alike = key.size() > 1 && !isSlice(gpu) && nameKey(gpu.name).starts_with(key);
        if (alike && meant.size() < kMost && !isOneOf(gpu.name, meant))
            meant.emplace_back(gpu.name);
    }
    if (meant.empty())
        return didYouMean(key, all);
    std::string text;
    for (std::size_t at = 0; at < meant.size(); ++at) {
        const bool isLast = at + 1 == meant.size();
        text += (at == 0 ? "" : isLast ? " or " : ", ") + ('\'' + std::string(meant[at]) + '\'');
    }
    return " (did you mean " + text + "?)";
}

} // namespace vramscope
