// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_filter.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace vramscope {

namespace {

using Quantity = RankFilter::Quantity;

/// How values of a quantity are typed.
enum class QuantityUnit { Size, Number, Share, Time };

struct QuantityName
{
    std::string_view word;
    Quantity quantity;
    QuantityUnit unit;
};
constexpr std::array<QuantityName, 14> kQuantityNames{
    {{"peak", Quantity::Peak, QuantityUnit::Size},
     {"reserved", Quantity::Reserved, QuantityUnit::Size},
     {"unused", Quantity::Unused, QuantityUnit::Size},
     {"growth", Quantity::Growth, QuantityUnit::Size},
     {"distance", Quantity::Distance, QuantityUnit::Size},
     {"rank", Quantity::Rank, QuantityUnit::Number},
     {"device", Quantity::Device, QuantityUnit::Number},
     {"group", Quantity::Group, QuantityUnit::Number},
     {"step", Quantity::Step, QuantityUnit::Number},
     {"compute", Quantity::Compute, QuantityUnit::Share},
     {"exposed", Quantity::Exposed, QuantityUnit::Share},
     {"idle", Quantity::Idle, QuantityUnit::Share},
     {"wait", Quantity::Wait, QuantityUnit::Time},
     {"steptime", Quantity::StepTime, QuantityUnit::Time}}};

/// A number that is not negative with one of some units behind it, as a multiple of the smallest.
std::optional<std::int64_t> queriedUnits(std::string_view text,
                                         std::span<const std::pair<std::string_view, double>> units)
{
    constexpr double kMost = 9e18;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const auto found = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
    if (error != std::errc() || found == units.end() || !(number >= 0) ||
        number * found->second > kMost)
        return {};
    return std::llround(number * found->second);
}

std::optional<std::int64_t> queriedShare(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, double>, 1> kUnits{{{"%", 1e7}}};
    return queriedUnits(text, kUnits);
}

std::optional<std::int64_t> queriedTime(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
        {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    return queriedUnits(text, kUnits);
}

std::optional<std::int64_t> queriedNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size() && number >= 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

Error wrongWord(std::string_view word, const std::string &why)
{
    return Error{ErrorCode::Invalid, "\"" + excerpt(word, 60) + "\": " + why};
}

/// Nothing where the word is no condition on `name`.
std::optional<Result<QueriedRange>> rangeOf(const QuantityName &name, std::string_view word)
{
    if (!word.starts_with(name.word))
        return {};
    std::string_view rest = word.substr(name.word.size());
    std::string_view relation = relationOf(rest);
    if (relation.empty() && rest.starts_with(':')) // "rank:64"
        relation = rest.substr(0, 1);
    if (relation.empty())
        return {};
    rest.remove_prefix(relation.size());
    const bool isEqual = relation == ":";
    const std::string example(name.word);
    struct Typed
    {
        std::optional<std::int64_t> (*read)(std::string_view text);
        const char *what;
        const char *example;
    };
    constexpr std::array<Typed, 4> kTyped{{{queriedSize, "a size", ">70GiB"},
                                           {queriedNumber, "a number", ":5"},
                                           {queriedShare, "a share", ">20%"},
                                           {queriedTime, "a time", ">5ms"}}};
    const Typed &typed = kTyped[static_cast<std::size_t>(name.unit)];
    if (name.unit != QuantityUnit::Number && isEqual)
        return wrongWord(word,
                         "give a relation: <, <=, =, >= or >, such as " + example + typed.example);
    const auto value = typed.read(rest);
    if (!value)
        return wrongWord(word,
                         std::string("give ") + typed.what + " such as " + example + typed.example);
    QueriedRange range;
    range.narrow(isEqual ? "=" : relation, *value);
    return range;
}

/// In billionths of the span.
std::optional<std::int64_t> shareOfSpan(const RunStudy &study, std::size_t at, RankFigure figure)
{
    constexpr double kWhole = 1e9;
    const auto value = study.figure(at, figure);
    if (!value || study.rank(at).profile->times->span <= 0)
        return {};
    const auto span = static_cast<double>(study.rank(at).profile->times->span);
    return static_cast<std::int64_t>(static_cast<double>(*value) / span * kWhole);
}

std::optional<std::int64_t> quantityOf(const RunStudy &study, std::size_t at, Quantity quantity)
{
    const RankSummary &rank = study.rank(at);
    switch (quantity) {
    case Quantity::Peak:
        return study.figure(at, RankFigure::PeakActive);
    case Quantity::Reserved:
        return study.figure(at, RankFigure::PeakReserved);
    case Quantity::Unused:
        return study.figure(at, RankFigure::Unused);
    case Quantity::Growth:
        return study.figure(at, RankFigure::Growth);
    case Quantity::Distance: {
        if (!rank.hasMemory)
            return {};
        const Bytes apart = study.deviation(at);
        return apart < 0 ? wrappingDifference(0, apart) : apart;
    }
    case Quantity::Rank:
        return study.number(at);
    case Quantity::Device:
        return rank.device;
    case Quantity::Group:
        return static_cast<std::int64_t>(study.findings.groupOf[at]) + 1;
    case Quantity::Step:
        return rank.peak.step;
    case Quantity::Compute:
        return shareOfSpan(study, at, RankFigure::Compute);
    case Quantity::Exposed:
        return shareOfSpan(study, at, RankFigure::ExposedCommunication);
    case Quantity::Idle:
        return shareOfSpan(study, at, RankFigure::Idle);
    case Quantity::Wait:
        return study.figure(at, RankFigure::Wait);
    case Quantity::StepTime:
        return study.figure(at, RankFigure::StepTime);
    }
    return {};
}

bool hasTrait(const RunStudy &study, std::size_t at, RankFilter::Trait trait)
{
    switch (trait) {
    case RankFilter::Trait::OutOfMemory:
        return study.rank(at).failureCount > 0;
    case RankFilter::Trait::Outlier:
        return study.isOutlier(at, true);
    case RankFilter::Trait::Problems:
        return study.rank(at).problemCount > 0;
    case RankFilter::Trait::Late:
        return study.findings.activity.late() == at;
    }
    return false;
}

} // namespace

Result<RankFilter> parseRankFilter(std::string_view query)
{
    RankFilter filter;
    for (const std::string &word : queryWords(query)) {
        if (word.empty())
            continue;
        constexpr std::array<std::pair<std::string_view, RankFilter::Trait>, 4> kTraits{
            {{"oom", RankFilter::Trait::OutOfMemory},
             {"outlier", RankFilter::Trait::Outlier},
             {"problems", RankFilter::Trait::Problems},
             {"late", RankFilter::Trait::Late}}};
        const auto trait = std::ranges::find(
            kTraits, word, &std::pair<std::string_view, RankFilter::Trait>::first);
        if (trait != kTraits.end()) {
            filter.traits.push_back(trait->second);
            continue;
        }
        constexpr std::string_view kNode = "node:";
        if (word.starts_with(kNode)) {
            if (word.size() == kNode.size())
                return wrongWord(word, "give a part of a node's name, such as node:0216");
            filter.nodes.push_back(lowered(word.substr(kNode.size())));
            continue;
        }
        bool isCondition = false;
        for (const QuantityName &name : kQuantityNames) {
            const auto range = rangeOf(name, word);
            if (!range)
                continue;
            if (!range->ok())
                return range->error();
            filter.ranges.emplace_back(name.quantity, **range);
            isCondition = true;
        }
        if (!isCondition)
            filter.words.push_back(lowered(word));
    }
    return filter;
}

bool keeps(const RankFilter &filter, const RunStudy &study, std::size_t rank)
{
    for (const auto &[quantity, range] : filter.ranges) {
        const auto value = quantityOf(study, rank, quantity);
        if (!value || !range.holds(*value))
            return false;
    }
    for (const RankFilter::Trait trait : filter.traits) {
        if (!hasTrait(study, rank, trait))
            return false;
    }
    if (filter.nodes.empty() && filter.words.empty())
        return true;
    const std::string node = lowered(study.rank(rank).source.node);
    const std::string path = lowered(study.rank(rank).source.path);
    return std::ranges::all_of(
               filter.nodes,
               [&](const std::string &each) { return (node.find(each) != node.npos); }) &&
           std::ranges::all_of(filter.words, [&](const std::string &each) {
               return (path.find(each) != path.npos) || (node.find(each) != node.npos);
           });
}

} // namespace vramscope
