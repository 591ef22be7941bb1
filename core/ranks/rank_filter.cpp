// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_filter.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

using Quantity = RankFilter::Quantity;

struct QuantityName
{
    std::string_view word;
    Quantity quantity;
    bool isSize;
};
constexpr std::array<QuantityName, 9> kQuantityNames{{{"peak", Quantity::Peak, true},
                                                      {"reserved", Quantity::Reserved, true},
                                                      {"unused", Quantity::Unused, true},
                                                      {"growth", Quantity::Growth, true},
                                                      {"distance", Quantity::Distance, true},
                                                      {"rank", Quantity::Rank, false},
                                                      {"device", Quantity::Device, false},
                                                      {"group", Quantity::Group, false},
                                                      {"step", Quantity::Step, false}}};

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
    if (name.isSize && isEqual)
        return wrongWord(word, "give a relation: <, <=, =, >= or >, such as " + example + ">70GiB");
    const auto value = name.isSize ? queriedSize(rest) : queriedNumber(rest);
    if (!value)
        return wrongWord(word, name.isSize ? "give a size such as " + example + ">70GiB"
                                           : "give a number such as " + example + ":5");
    QueriedRange range;
    range.narrow(isEqual ? "=" : relation, *value);
    return range;
}

std::optional<std::int64_t> quantityOf(const RunStudy &study, std::size_t at, Quantity quantity)
{
    const RankSummary &rank = study.rank(at);
    switch (quantity) {
    case Quantity::Peak:
        return figureOf(rank, RankFigure::PeakActive);
    case Quantity::Reserved:
        return figureOf(rank, RankFigure::PeakReserved);
    case Quantity::Unused:
        return figureOf(rank, RankFigure::Unused);
    case Quantity::Growth:
        return figureOf(rank, RankFigure::Growth);
    case Quantity::Distance: {
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
        if (word == "oom" || word == "outlier" || word == "problems") {
            filter.traits.push_back(word == "oom"       ? RankFilter::Trait::OutOfMemory
                                    : word == "outlier" ? RankFilter::Trait::Outlier
                                                        : RankFilter::Trait::Problems);
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
