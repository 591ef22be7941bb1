// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/best_figures.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace vramscope {

namespace {

/// The model whose figures are added to those of others, and the part of the log within which
/// figures of a key add up.
using LogScope = std::tuple<int, std::int64_t, std::string>;
LogScope scopeOf(const LogFigure &figure, LogFold fold)
{
    switch (fold) {
    case LogFold::SumOfLoad:
        return {figure.model, figure.load, {}};
    case LogFold::SumOfCache:
        return {figure.model, figure.context, {}};
    case LogFold::SumOfRank:
        return {0, 0, figure.rank};
    case LogFold::SumOfModels:
        return {figure.model, figure.line, {}};
    default:
        return {};
    }
}

bool isSum(LogFold fold)
{
    return fold == LogFold::SumOfLoad || fold == LogFold::SumOfCache ||
           fold == LogFold::SumOfRank || fold == LogFold::SumOfModels;
}

} // namespace

std::vector<BestFigure> bestFigures(const ServingLog &log)
{
    std::vector<BestFigure> chosen;
    struct Sums
    {
        std::map<LogScope, std::vector<const LogFigure *>> scopes;
    };
    std::map<std::string_view, Sums, std::less<>> sums;
    std::map<std::string_view, std::size_t, std::less<>> places;
    const int start = log.figures.empty() ? 0 : log.figures.back().start;
    for (const LogFigure &figure : log.figures) {
        if (figure.start != start)
            continue;
        const LogQuantity &quantity = *logQuantity(figure.key);
        const LogFold fold = quantity.fold;
        if (quantity.ofModel && figure.model != 0 && figure.model != log.target)
            continue;
        const auto [place, isNew] = places.try_emplace(figure.key, chosen.size());
        if (isNew)
            chosen.push_back({figure.key, figure.value, figure.unit, figure.decimals, 0});
        BestFigure &best = chosen[place->second];
        ++best.count;
        const double mine = figure.value * std::max(bytesOfUnit(figure.unit), 1.0);
        const double its = best.value * std::max(bytesOfUnit(best.unit), 1.0);
        const bool counts = fold == LogFold::Last || (fold == LogFold::Largest && mine > its) ||
                            (fold == LogFold::Smallest && mine < its);
        if (counts) {
            best.value = figure.value;
            best.unit = figure.unit;
            best.decimals = figure.decimals;
        }
        if (isSum(fold))
            sums[figure.key].scopes[scopeOf(figure, fold)].push_back(&figure);
    }
    for (const auto &[key, sum] : sums) {
        BestFigure &best = chosen[places[key]];
        std::map<int, double> largest; // of each model
        for (const auto &[scope, figures] : sum.scopes) {
            double total = 0;
            std::set<double> values;
            for (const LogFigure *figure : figures) {
                // Where no line names its rank, the same size again is that of another one.
                const bool repeats = logQuantity(key)->fold == LogFold::SumOfRank &&
                                     figure->rank.empty() && !values.insert(figure->value).second;
                total += repeats ? 0 : figure->value * bytesOfUnit(figure->unit);
            }
            double &most = largest.try_emplace(std::get<0>(scope), total).first->second;
            most = std::max(most, total);
        }
        double sumOfModels = 0;
        for (const auto &[model, most] : largest)
            sumOfModels += most;
        best.value = sumOfModels / bytesOfUnit(best.unit);
        if (sum.scopes.size() == 1 && sum.scopes.begin()->second.size() == 1)
            best.value = sum.scopes.begin()->second.front()->value;
    }
    return chosen;
}

} // namespace vramscope
