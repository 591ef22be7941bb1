// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/ranks.h"

#include "core/base/median.h"

#include <algorithm>
#include <charconv>

namespace vramscope {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A number in a name and the word right before it, in small letters.
struct NamedNumber
{
    std::string before; ///< "rank" of "local_rank_3"
    std::string owner;  ///< and the word before that: "local"
    int number = 0;
};

/// The word that ends before `end`; moves `end` before it.
std::string takeWordBefore(std::string_view text, std::size_t &end)
{
    while (end > 0 && (text[end - 1] == '_' || text[end - 1] == '-' || text[end - 1] == '=' ||
                       text[end - 1] == ' ' || text[end - 1] == '.'))
        --end;
    const std::size_t last = end;
    while (end > 0 && isLetter(text[end - 1]))
        --end;
    std::string word(text.substr(end, last - end));
    std::ranges::transform(word, word.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return word;
}

std::vector<NamedNumber> numbersIn(std::string_view name)
{
    std::vector<NamedNumber> numbers;
    for (std::size_t at = 0; at < name.size();) {
        if (!isDigit(name[at])) {
            ++at;
            continue;
        }
        NamedNumber found;
        const auto [end, status] =
            std::from_chars(name.data() + at, name.data() + name.size(), found.number);
        std::size_t word = at;
        found.before = takeWordBefore(name, word);
        found.owner = takeWordBefore(name, word);
        if (status == std::errc())
            numbers.push_back(std::move(found));
        at = static_cast<std::size_t>(end - name.data());
    }
    return numbers;
}

std::optional<int> rankOfPart(std::string_view name)
{
    const std::vector<NamedNumber> numbers = numbersIn(name);
    const auto find = [&](auto &&fits) -> std::optional<int> {
        const auto found = std::ranges::find_if(numbers, fits);
        return found == numbers.end() ? std::nullopt : std::optional(found->number);
    };
    if (const auto rank = find([](const NamedNumber &each) {
            return each.before.ends_with("rank") && each.owner != "local" &&
                   each.before != "localrank";
        }))
        return rank;
    if (const auto rank =
            find([](const NamedNumber &each) { return each.before.ends_with("rank"); }))
        return rank;
    return find([](const NamedNumber &each) { // the profiler's trace handler names ranks "worker"
        return each.before == "r" || each.before == "worker";
    });
}

/// A name without its extensions: "mem-7" for "mem-7.pickle.gz".
std::string_view stemOf(std::string_view name)
{
    for (;;) {
        const std::size_t point = name.rfind('.');
        if (point == name.npos || point == 0 || point + 1 == name.size() ||
            !isLetter(name[point + 1]))
            return name;
        name = name.substr(0, point);
    }
}

Bytes distance(Bytes a, Bytes b)
{
    return a > b ? a - b : b - a;
}

} // namespace

std::optional<int> rankOfName(std::string_view path)
{
    while (path.ends_with('/') || path.ends_with('\\'))
        path.remove_suffix(1);
    const std::size_t slash = path.find_last_of("/\\");
    const std::string_view stem = stemOf(path.substr(slash + 1));
    if (const auto rank = rankOfPart(stem))
        return rank;
    if (const std::vector<NamedNumber> numbers = numbersIn(stem); numbers.size() == 1)
        return numbers.front().number;
    if (slash == path.npos)
        return std::nullopt;
    const std::string_view folder = path.substr(0, slash);
    return rankOfPart(folder.substr(folder.find_last_of("/\\") + 1));
}

Spread spreadOf(std::span<const Bytes> values, double deviations)
{
    constexpr double kDeviationsOfNormal = 1.4826; // standard deviation / median deviation
    constexpr double kLeastShare = 0.01;
    constexpr Bytes kLeastDistance = 16 * kMiB;

    Spread spread;
    if (values.empty())
        return spread;
    const auto [least, most] = std::ranges::minmax(values);
    spread.least = least;
    spread.most = most;
    spread.median = halfwayMedian({values.begin(), values.end()});
    if (spread.median > 0)
        spread.skew = static_cast<double>(most - least) / static_cast<double>(spread.median);

    std::vector<Bytes> distances;
    for (const Bytes value : values)
        distances.push_back(distance(value, spread.median));
    const double limit = std::max(
        {deviations * kDeviationsOfNormal * static_cast<double>(halfwayMedian(distances)),
         kLeastShare * static_cast<double>(spread.median), static_cast<double>(kLeastDistance)});
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (distances[at] < distances[spread.typical])
            spread.typical = at;
        if (static_cast<double>(distances[at]) > limit)
            spread.outliers.push_back(at);
    }
    std::ranges::stable_sort(spread.outliers, std::ranges::greater(),
                             [&](std::size_t at) { return distances[at]; });
    return spread;
}

} // namespace vramscope
