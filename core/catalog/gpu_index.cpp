// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpu_index.h"

#include "core/base/text.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 16> kFillers = {
    "gpu",   "gpus",  "graphics", "generation", "edition", "hbm2", "hbm2e", "hbm3",
    "hbm3e", "gddr5", "gddr6",    "gddr6x",     "gddr7",   "vram", "r",     "tm"};

// Brands that people leave out before a number, "RTX 4090". The second list's only if the name has
// more than the number: 1080 and 6800 have too many other meanings.
constexpr std::array<std::string_view, 4> kBrands = {"rtx", "arc", "apple", "ascend"};
constexpr std::array<std::string_view, 2> kOtherBrands = {"gtx", "rx"};

constexpr std::array<std::string_view, 3> kForms = {"sxm", "pcie", "gcd"};
// A name without these means the plain card, unless a size shows otherwise.
constexpr std::array<std::string_view, 3> kRarerForms = {"laptop", "modded", "nvl"};

bool isDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

bool hasDigit(std::string_view text)
{
    return std::ranges::any_of(text, isDigit);
}

/// One spelling for "80GB", "80G" and "80GiB", for the revisions of a form, and for laptops.
std::string usualWord(std::string word)
{
    if (word.starts_with("sxm") && word.size() == 4)
        return "sxm";
    if (word == "mobile" || word == "notebook")
        return "laptop";
    if (word.ends_with("gib"))
        word.erase(word.size() - 2, 1);
    else if (word.size() > 1 && word.back() == 'g' && isDigit(word[word.size() - 2]))
        word += 'b';
    return word;
}

std::vector<std::string> split(std::string_view text, std::string_view between)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(between), text.size());
        if (end > 0)
            parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string joined(const NameWords &words)
{
    std::string key;
    for (const std::string &word : words)
        key += word;
    return key;
}

/// Equal for the same words in another order, but for counts: "2 gaudi" is no Gaudi 2. It ends in a
/// blank, which no other key has.
std::string unordered(NameWords words)
{
    const bool mayCount = std::ranges::any_of(
        words, [](const std::string &word) { return word.size() < 3 && isDigits(word); });
    if (!mayCount)
        std::ranges::sort(words);
    std::string key;
    for (const std::string &word : words)
        key += word + ' ';
    return key;
}

void addTo(std::vector<const GpuPreset *> &gpus, const GpuPreset *gpu)
{
    if (std::ranges::find(gpus, gpu) == gpus.end())
        gpus.push_back(gpu);
}

} // namespace

NameWords nameWordsOf(std::string_view name)
{
    NameWords words;
    for (std::string &word : split(lowered(name), " -_/,()+")) {
        const bool isUnit = word == "gb" || word == "g" || word == "gib";
        if (isUnit && !words.empty() && isDigits(words.back()))
            words.back() += "gb";
        else if (!isOneOf(word, kFillers))
            words.push_back(usualWord(std::move(word)));
    }
    return words;
}

bool isSizeWord(std::string_view word)
{
    return word.ends_with("gb") && isDigits(word.substr(0, word.size() - 2));
}

GpuIndex::GpuIndex()
{
    for (const GpuPreset &gpu : gpuPresets()) {
        addName(gpu, nameWordsOf(gpu.name));
        addName(gpu, nameWordsOf(gpu.otherName));
    }
    for (const GpuPreset &gpu : gpuPresets())
        addName(gpu, nameWordsOf(gpu.title));
    readShippedTable("gpus/names.csv", [&](const auto &cell) {
        addListed(cell("name"), cell("gpu"), cell("others"));
    });
}

const NameMeanings *GpuIndex::find(const NameWords &words) const
{
    if (words.empty())
        return nullptr;
    auto found = m_keys.find(joined(words));
    if (found == m_keys.end())
        found = m_keys.find(unordered(words));
    return found == m_keys.end() ? nullptr : &found->second;
}

/// A name, and its rest without brand, form or size.
void GpuIndex::addName(const GpuPreset &gpu, const NameWords &words)
{
    if (words.empty())
        return;
    addShorter(gpu, words, 0, {}, Lacks::Nothing);
    const NameWords rest(words.begin() + 1, words.end());
    const bool saysEnough = std::ranges::any_of(
        rest, [](const std::string &word) { return hasDigit(word) && !isSizeWord(word); });
    const auto kept =
        std::ranges::count_if(rest, [](const std::string &word) { return !isSizeWord(word); });
    if (saysEnough && (isOneOf(words[0], kBrands) || (isOneOf(words[0], kOtherBrands) && kept > 1)))
        addShorter(gpu, rest, 0, {}, Lacks::Nothing);
}

/// Goes on from the word `at`, with it and, where a name may lack it, without.
void GpuIndex::addShorter(const GpuPreset &gpu, const NameWords &words, std::size_t at,
                          const NameWords &kept, Lacks lacks)
{
    if (at == words.size())
        return addKeys(gpu, kept, lacks);
    const bool isRarer = isOneOf(words[at], kRarerForms);
    if (isRarer || isSizeWord(words[at]) || isOneOf(words[at], kForms))
        addShorter(gpu, words, at + 1, kept,
                   isRarer ? Lacks::RarerForm : std::max(lacks, Lacks::FormOrSize));
    NameWords longer = kept;
    longer.push_back(words[at]);
    addShorter(gpu, words, at + 1, longer, lacks);
}

void GpuIndex::addKeys(const GpuPreset &gpu, const NameWords &words, Lacks lacks)
{
    const std::string key = joined(words);
    if (words.empty() || (lacks != Lacks::Nothing && words.size() == 1 && !hasDigit(key)))
        return; // "apple" of "apple-16gb"
    for (const std::string &each : {key, unordered(words)}) {
        NameMeanings &meanings = m_keys[each];
        if (lacks == Lacks::Nothing && !meanings.stated)
            meanings.stated = &gpu;
        else
            addTo(lacks == Lacks::RarerForm ? meanings.rarer : meanings.usual, &gpu);
    }
}

void GpuIndex::addListed(std::string_view name, std::string_view gpu, std::string_view others)
{
    const NameWords words = nameWordsOf(name);
    if (gpu.empty())
        m_machines.push_back(words);
    std::vector<const GpuPreset *> listed;
    for (const std::string &other : split(others, " "))
        addTo(listed, findGpuPreset(other));
    assert((gpu.empty() || findGpuPreset(gpu)) &&
           std::ranges::find(listed, nullptr) == listed.end());
    for (const std::string &key : {joined(words), unordered(words)}) {
        NameMeanings &meanings = m_keys[key];
        std::vector<const GpuPreset *> usual = listed;
        for (const GpuPreset *other : meanings.usual)
            addTo(usual, other);
        meanings.stated = findGpuPreset(gpu);
        meanings.listed = true;
        meanings.usual = std::move(usual);
    }
}

} // namespace vramscope
