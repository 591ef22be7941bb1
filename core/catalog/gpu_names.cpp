// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpu_names.h"

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/catalog/gpu_index.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 10> kMakers = {
    "nvidia", "amd", "intel", "google", "huawei", "aws", "geforce", "radeon", "instinct", "tesla"};

const GpuIndex &gpuIndex()
{
    static const GpuIndex index;
    return index;
}

bool isKnown(const NamedGpu &named)
{
    return named.gpu || !named.others.empty();
}

/// For a name without a size.
NamedGpu plainOf(const NameMeanings &meanings)
{
    if (meanings.stated && !meanings.listed)
        return {meanings.stated};
    NamedGpu named{meanings.stated, false, meanings.usual};
    if (!meanings.listed && !named.others.empty())
        named.gpu = named.others.front();
    if (named.gpu)
        std::erase(named.others, named.gpu);
    named.ofFamily = named.gpu && !named.others.empty();
    return named;
}

/// The GPU of that size; of several the first.
NamedGpu sizedOf(const NameMeanings &meanings, std::int64_t gigabytes)
{
    std::vector<const GpuPreset *> all = meanings.usual;
    if (meanings.stated) {
        std::erase(all, meanings.stated);
        all.insert(all.begin(), meanings.stated);
    }
    const std::size_t usual = all.size();
    all.insert(all.end(), meanings.rarer.begin(), meanings.rarer.end());
    const auto difference = [&](const GpuPreset *gpu) {
        return std::abs(gpu->gigabytes - gigabytes);
    };
    const auto nearest = std::ranges::min_element(all, {}, difference);
    constexpr std::int64_t kRounded = 7; // per cent: 192 GB for a B200 of 180
    if (nearest == all.end() || difference(*nearest) > (*nearest)->gigabytes * kRounded / 100)
        return {nullptr, false, all};
    NamedGpu named{*nearest};
    for (const GpuPreset *gpu : std::span(all).first(usual))
        if (gpu != named.gpu && gpu->gigabytes == named.gpu->gigabytes)
            named.others.push_back(gpu);
    named.ofFamily = !named.others.empty();
    return named;
}

NamedGpu gpuOf(const NameWords &words, std::int64_t gigabytes)
{
    const NameMeanings *meanings = gpuIndex().find(words);
    if (gigabytes <= 0)
        return meanings ? plainOf(*meanings) : NamedGpu{};
    NameWords sized = words;
    sized.push_back(std::to_string(gigabytes) + "gb");
    const NameMeanings *ofSize = gpuIndex().find(sized);
    NamedGpu named = ofSize ? plainOf(*ofSize) : NamedGpu{};
    return named.gpu || !meanings ? named : sizedOf(*meanings, gigabytes);
}

/// In a machine with its chip, "MacBook Pro M4 Max", the chip counts.
NamedGpu gpuOfMachine(const NameWords &words, std::int64_t gigabytes)
{
    for (const NameWords &machine : gpuIndex().machines()) {
        if (machine.size() >= words.size())
            continue;
        const auto length = static_cast<std::ptrdiff_t>(machine.size());
        NamedGpu named;
        if (std::equal(machine.begin(), machine.end(), words.begin()))
            named = gpuOf({words.begin() + length, words.end()}, gigabytes);
        else if (std::equal(machine.begin(), machine.end(), words.end() - length))
            named = gpuOf({words.begin(), words.end() - length}, gigabytes);
        if (isKnown(named))
            return named;
    }
    return {};
}

/// Without the leading makers, else with the last of them: "Radeon VII".
NamedGpu gpuOfMaker(const NameWords &words, std::int64_t gigabytes)
{
    const auto isMaker = [](const std::string &word) { return isOneOf(word, kMakers); };
    auto begin = std::ranges::find_if_not(words, isMaker);
    while (true) {
        const NameWords name(begin, words.end());
        NamedGpu named = gpuOf(name, gigabytes);
        if (!isKnown(named))
            named = gpuOfMachine(name, gigabytes);
        if (isKnown(named) || begin == words.begin())
            return named;
        --begin;
    }
}

/// A size within the words counts as a separate one: "RTX 4060 Ti 8GB".
NamedGpu gpuOfWords(const NameWords &words, std::int64_t gigabytes)
{
    NamedGpu named = gpuOfMaker(words, gigabytes);
    const auto size = std::ranges::find_if(words, isSizeWord);
    if (isKnown(named) || gigabytes > 0 || size == words.end())
        return named;
    std::from_chars(size->data(), size->data() + size->size(), gigabytes);
    NameWords rest(words.begin(), size);
    rest.insert(rest.end(), size + 1, words.end());
    return gigabytes > 0 ? gpuOfMaker(rest, gigabytes) : NamedGpu{};
}

/// "4090s": in the singular, words that otherwise no name has.
bool makeSingular(NameWords &words)
{
    bool isChanged = false;
    for (std::string &word : words) {
        if (word.size() > 1 && word.back() == 's' && isDigit(word[word.size() - 2])) {
            word.pop_back();
            isChanged = true;
        }
    }
    return isChanged;
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
    return findNamedGpu(words, 0);
}

NamedGpu findNamedGpu(std::string_view words, std::int64_t gigabytes)
{
    NameWords name = nameWordsOf(words);
    if (name.size() > 2 * kMostGpuWords) // words of a name may have dashes
        return {};
    NamedGpu named = gpuOfWords(name, gigabytes);
    if (!isKnown(named) && makeSingular(name))
        named = gpuOfWords(name, gigabytes);
    return named;
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
