// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recommendation_report.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/sentence.h"
#include "core/plan/plan.h"
#include "core/print/fit_parts.h"
#include "core/print/json_parts.h"
#include "core/print/time_report.h"
#include "core/table/terminal_table.h"

#include <cmath>

namespace vramscope {

namespace {

constexpr double kLeastSlowdown = 0.005;

std::string_view tollKey(Toll toll)
{
    constexpr std::array<std::string_view, 7> kKeys = {"none",    "code",     "limits", "slow",
                                                       "results", "learning", "job"};
    return kKeys[static_cast<std::size_t>(toll)];
}

std::string_view kindKey(Recommendation::Kind kind)
{
    constexpr std::array<std::string_view, 6> kKeys = {"recommended", "surest",     "same_results",
                                                       "fastest",     "fewer_gpus", "more_gpus"};
    return kKeys[static_cast<std::size_t>(kind)];
}

} // namespace

std::string riskText(const Combination &it, ByteUnit unit)
{
    std::string text;
    switch (it.standing.verdict) {
    case Verdict::Fits:
        text = "Fits even at the upper estimate";
        break;
    case Verdict::Tight:
        text = "It may reach " + formatBytes(it.standing.high, unit);
        break;
    case Verdict::DoesNotFit:
        text = capitalized(verdictWord(it.standing));
        break;
    }
    if (!it.standing.risk.empty())
        text += (it.standing.verdict == Verdict::Fits ? ", but " : ", and ") + it.standing.risk;
    if (it.hostBytes > 0)
        text += "; " + formatBytes(it.hostBytes, unit) + " of the host for each GPU";
    if (it.toll == Toll::Slow)
        text += "; many times slower";
    if (it.toll == Toll::Results)
        text += "; changes rounding";
    if (it.mayStopLearning)
        text += "; without fp32 masters the optimizer may stop learning";
    if (it.toll == Toll::Job)
        text += "; it is another job";
    return text + '.';
}

std::string memoryText(const FitSummary &it, Bytes capacity, ByteUnit unit)
{
    return verdictWord(it) + ", " + formatPartOf(it.device, capacity, unit);
}

std::string slowdownText(const Combination &it)
{
    if (!it.seconds)
        return {};
    std::string step = formatRounded(it.tokens / *it.seconds) + " tokens/s, " +
                       formatSeconds(*it.seconds) + (it.serves ? " a token" : " a step");
    if (it.context > 0)
        step += " at " + contextText(it.context);
    if (!it.slowdown || (it.titles.empty() && it.fields.empty()))
        return step;
    const double share = *it.slowdown;
    if (std::abs(share) < kLeastSlowdown)
        return step + ", no slower";
    if (share >= 1)
        return step + ", " + formatNumber(1 + share, 2) + "× slower per token";
    if (share > 0)
        return step + ", " + formatNumber(100 * share, 2) + " % slower";
    const double gain = 1 / (1 + share);
    return step + ", " +
           (gain >= 2 ? formatNumber(gain, 2) + "× faster"
                      : formatNumber(100 * (gain - 1), 2) + " % faster");
}

namespace {

/// The plan as it is and the options, a row each.
DataTable optionsTable(const Recommendation &found, Bytes capacity, ByteUnit unit)
{
    RowTable table({}, {{"kind", ""},
                        {"changes", ""},
                        {"gpus", "", DataTable::Kind::Figure},
                        {"memory", ""},
                        {"time", ""},
                        {"risk", ""}});
    const auto add = [&](std::string_view kind, const Combination &it) {
        table.add({kind, combinedTitle(it), counted(it.gpus, "GPU"),
                   memoryText(it.standing, capacity, unit), slowdownText(it), riskText(it, unit)});
    };
    const bool keeps = !found.options.empty() && found.options.front().combination.titles.empty();
    if (!keeps && found.asItIs)
        add("Now", *found.asItIs);
    for (const auto &[kind, combination] : found.options)
        add(kindTitle(kind), combination);
    return std::move(table).table();
}

} // namespace

std::string recommendationText(const Recommendation &found, Bytes capacity, ByteUnit unit)
{
    if (found.weighed == 0)
        return {};
    if (found.options.empty())
        return "No combination of up to " + std::to_string(kMostChanges) +
               " changes makes this plan fit its GPUs, or eight times as many.\n";
    const auto &[kind, best] = found.options.front();
    std::string text = kind != Recommendation::Kind::Recommended
                           ? "No combination of up to " + std::to_string(kMostChanges) +
                                 " changes fits the GPUs given.\n"
                       : best.titles.empty() ? "Recommended: leave the plan as it is.\n"
                                             : "Recommended: " + combinedTitle(best) + ".\n";
    text += terminalText(optionsTable(found, capacity, unit));
    if (!best.fields.empty())
        text += "The fields of the first: " + shownFields(best.fields) + '\n';
    return text;
}

Json recommendationJson(const Recommendation &found)
{
    return listJson(found.options, [](const auto &option) {
        const auto &[kind, it] = option;
        Json json = {{"kind", kindKey(kind)},
                     {"titles", it.titles},
                     {"prices", it.prices},
                     {"fields", fieldsJson(it.fields)},
                     {"gpus", it.gpus},
                     {"toll", tollKey(it.toll)},
                     {"host_bytes", it.hostBytes},
                     {"step_seconds", orNull(it.seconds)},
                     {"step_tokens", it.tokens},
                     {"slowdown", orNull(it.slowdown)}};
        addFitSummary(json, it.standing);
        return json;
    });
}

} // namespace vramscope
