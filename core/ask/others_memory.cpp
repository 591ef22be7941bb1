// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/machine_reader.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace vramscope {

namespace {

constexpr auto kDesktopPrograms = std::to_array<std::string_view>(
    {"desktop", "display", "xorg", "x11", "wayland", "gnome", "kde", "windows", "compositor",
     "browser", "chrome", "firefox", "os"});
constexpr auto kOtherWords = std::to_array<std::string_view>({"another", "other"});
constexpr auto kProgramKinds = std::to_array<std::string_view>(
    {"process", "processes", "server",  "servers",  "program",   "programs",   "app",      "apps",
     "job",     "jobs",      "service", "services", "container", "containers", "notebook", "model",
     "models",  "user",      "users",   "stuff",    "things",    "somebody",   "someone"});
constexpr auto kUsesVerbs = std::to_array<std::string_view>(
    {"uses", "use", "using", "takes", "take", "taking", "has", "have", "needs", "holds", "holding",
     "occupies", "occupying", "eats", "eating"});
constexpr auto kUsedParticiples = std::to_array<std::string_view>(
    {"used", "taken", "occupied", "eaten", "claimed", "reserved", "gone", "use"});
constexpr auto kAroundWords =
    std::to_array<std::string_view>({"about", "around", "roughly", "some", "up", "to", "already",
                                     "currently", "alone", "itself", "is", "are", "~", "the"});
constexpr auto kPossessives = std::to_array<std::string_view>({"a", "an", "the", "my", "our"});
constexpr auto kMemoryWords = std::to_array<std::string_view>(
    {"of", "the", "its", "my", "that", "this", "it", "vram", "gpu", "memory", "card", "is", "are",
     "already", "currently", "being", "in"});

bool isIn(const Reading &r, std::size_t at, std::span<const std::string_view> names)
{
    return at < r.words.size() && isOneOf(r.words[at].text, names);
}

/// "600 MiB", "2.5 GB".
struct Amount
{
    Bytes bytes = 0;
    std::size_t words = 0;
};

Amount amountAt(const Reading &r, std::size_t at)
{
    if (const WrittenSize size = sizeAt(r, at); size.words > 0)
        return {std::llround(size.exact * static_cast<double>(kGiB)), size.words};
    if (!r.isFree(at))
        return {};
    const std::string &word = r.words[at].text;
    double number = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || number <= 0 || number > 1e6)
        return {};
    const bool isApart = rest == word.data() + word.size();
    const std::string_view unit = !isApart ? std::string_view(rest, word.data() + word.size())
                                  : at + 1 < r.words.size() ? std::string_view(r.words[at + 1].text)
                                                            : std::string_view();
    if (unit != "mb" && unit != "mib")
        return {};
    return {std::llround(number * static_cast<double>(kMiB)), isApart ? 2U : 1U};
}

/// Where the name of another program begins whose last word is at `last`; else nothing. "Another
/// vLLM server", "my desktop", "Xorg".
std::optional<std::size_t> othersBegin(const Reading &r, std::size_t last)
{
    constexpr std::size_t kBetween = 2; // words
    if (isIn(r, last, kDesktopPrograms))
        return last > 0 && isIn(r, last - 1, kPossessives) ? last - 1 : last;
    if (!isIn(r, last, kProgramKinds))
        return {};
    if (r.words[last].text.starts_with("some")) // "somebody"
        return last;
    for (std::size_t back = 1; back <= kBetween + 1 && back <= last; ++back)
        if (isIn(r, last - back, kOtherWords))
            return last - back;
    return {};
}

/// "The desktop already uses about" before an amount: where it begins.
std::optional<std::size_t> beginBefore(const Reading &r, std::size_t amount)
{
    std::size_t at = amount;
    while (at > 0 && isIn(r, at - 1, kAroundWords))
        --at;
    if (at < 2 || !isIn(r, at - 1, kUsesVerbs))
        return {};
    --at;
    while (at > 1 && isIn(r, at - 1, kAroundWords))
        --at;
    return othersBegin(r, at - 1);
}

/// Where the words end that give an amount to another program: "are in use by another process".
std::optional<std::size_t> endBehind(const Reading &r, std::size_t after)
{
    constexpr std::size_t kLongest = 4; // words of a program's name
    std::size_t at = after;
    while (isIn(r, at, kMemoryWords))
        ++at;
    if (!isIn(r, at, kUsedParticiples) || !(r.isWord(at + 1, "by") || r.isWord(at + 1, "for")))
        return {};
    at += 2;
    for (std::size_t last = at; last < std::min(at + kLongest, r.words.size()); ++last)
        if (othersBegin(r, last).value_or(0) >= at)
            return last + 1;
    return {};
}

} // namespace

void takeOthersMemory(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        const Amount amount = amountAt(r, at);
        if (amount.words == 0)
            continue;
        const auto before = beginBefore(r, at);
        const auto behind = endBehind(r, at + amount.words);
        if (!before && !behind)
            continue;
        const std::size_t begin = before.value_or(at);
        const std::size_t end = before ? at + amount.words : *behind;
        if (r.freeFrom(begin, end - begin) != end - begin)
            continue;
        r.take(begin, end - begin);
        r.others.push_back({.piece = r.asked.pieces.size() - 1, .bytes = amount.bytes});
    }
}

} // namespace vramscope
