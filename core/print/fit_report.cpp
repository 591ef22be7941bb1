// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fit_report.h"

#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/describe/projection_tables.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/print/fit_parts.h"
#include "core/print/json_parts.h"
#include "core/print/plan_report.h"
#include "core/print/recommendation_report.h"
#include "core/table/terminal_table.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// "tensor" of "parallel.tensor".
std::string nameInGroup(std::string_view path)
{
    return std::string(path.substr(path.find('.') + 1));
}

/// The same for a row of a table, without the groups: "tensor 4, pipeline 2".
std::string shownLayout(const std::vector<FieldSetting> &fields)
{
    std::string text;
    for (const FieldSetting &field : fields)
        text +=
            (text.empty() ? "" : ", ") + nameInGroup(field.path) + ' ' + shownValue(field.value);
    return text;
}

/// "+3.2 GiB", "-512 MiB", or nothing.
std::string change(Bytes bytes, ByteUnit unit)
{
    return bytes == 0 ? std::string() : formatChange(bytes, unit);
}

/// "+12.5 %", "-3 %", or nothing where less than a thousandth changes.
std::string change(double share)
{
    constexpr double kLeastShown = 0.001;
    if (std::abs(share) < kLeastShown)
        return {};
    return (share > 0 ? "+" : "-") + formatNumber(100 * std::abs(share), 3) + " %";
}

std::string bindingText(const FitSummary &it, ByteUnit unit)
{
    return it.binding.component + ", " + formatBytes(it.binding.bytes, unit) + ' ' +
           momentPhrase(it.at);
}

std::string criterionLine(Verdict verdict)
{
    const std::string text = criterionText(verdict);
    return text.empty() ? text : text + '\n';
}

class FitText
{
public:
    FitText(const Fit &fit, ByteUnit unit)
        : m_fit(fit)
        , m_unit(unit)
    {
    }

    std::string operator()(const std::vector<WayToFit> &ways) const;
    std::string operator()(const ValueThatFits &it) const;
    std::string operator()(const FewestGpus &it) const;
    std::string operator()(const EngineShare &it) const;
    std::string operator()(const Layouts &it) const;

private:
    [[nodiscard]] std::string bytes(Bytes size) const { return formatBytes(size, m_unit); }
    void addRow(TextTable &table, const std::string &what,
                const std::optional<FitSummary> &standing) const;

    const Fit &m_fit;
    ByteUnit m_unit;
};

void FitText::addRow(TextTable &table, const std::string &what,
                     const std::optional<FitSummary> &it) const
{
    if (!it) {
        table.addRow({what, "more than 8 EiB", "", ""});
        return;
    }
    const Bytes room = it->headroom;
    table.addRow({what, bytes(it->device),
                  verdictWord(*it) + ": " +
                      (room >= 0 && !it->fits
                           ? "cache of " + counted(it->cacheTokens, "token") + " too small"
                           : bytes(std::abs(room)) + (room >= 0 ? " to spare" : " too much")),
                  bindingText(*it, m_unit)});
}

std::string FitText::operator()(const std::vector<WayToFit> &ways) const
{
    if (ways.empty())
        return "No single change of the table makes this plan smaller.\n";
    std::string text;
    if (allGiveToCache(ways))
        text = "None of these lowers the peak on the GPU: they give vLLM's cache more room.\n";
    text += waysSentence(ways) + ", cheapest first:\n\n";
    using enum DataTable::Kind;
    RowTable rows({}, {{"verdict", ""},
                       {"change", ""},
                       {"saves", "Saves", Size},
                       {"cache", "The cache gains", Figure},
                       {"gpus", "GPUs", Figure, {}, "GPUs"},
                       {"recomputed", "Recomputed", Figure},
                       {"bubble", "Bubble", Figure},
                       {"sent", "Sent", Figure},
                       {"host", "Host", Figure},
                       {"costs", "Costs"}});
    for (const WayToFit &way : ways)
        rows.add({verdictWord(way.standing), way.title,
                  way.saved > 0 ? DataTable::Cell(way.saved) : DataTable::Cell(""),
                  way.cache ? cacheGainText(*way.cache) : "",
                  way.gpus == 0 ? "" : "+" + formatCount(way.gpus), change(way.recomputeShare),
                  change(way.bubbleShare), change(way.communicationBytes, m_unit),
                  change(way.hostBytes, m_unit), way.price});
    DataTable table = std::move(rows).table();
    if (!anyChangesCache(ways))
        std::erase_if(table.columns, [](const auto &column) { return column.key == "cache"; });
    text += terminalText(table, m_unit) +
            "\nThe fields of the first: " + shownFields(ways.front().fields) + '\n';
    return text;
}

std::string FitText::operator()(const ValueThatFits &it) const
{
    const std::string field(m_fit.vary.front());
    std::string text;
    if (it.answer)
        text = "The " + std::string(it.largest ? "largest " : "smallest ") + field +
               " that fits: " + formatCount(it.answer->value) + '\n';
    if (!it.note.empty())
        text += it.note + '\n';
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    if (it.answer)
        addRow(table, field + " = " + formatCount(it.answer->value), it.answer->standing);
    if (it.next)
        addRow(table, field + " = " + formatCount(it.next->value), it.next->standing);
    text += '\n' + table.text();
    if (it.step > 1)
        text += "\nStep: " + formatCount(it.step) + ".\n";
    return text + criterionLine(it.answer && it.answer->standing ? it.answer->standing->verdict
                                                                 : Verdict::Fits);
}

std::string FitText::operator()(const FewestGpus &it) const
{
    std::string text = it.gpus
                           ? "The fewest GPUs on which this plan fits: " + formatCount(*it.gpus) +
                                 '\n' + shownFields(it.layout->fields) + '\n'
                           : "This plan fits on no number of GPUs that was tried.\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    if (it.layout)
        addRow(table, counted(*it.gpus, "GPU"), it.layout->standing);
    if (it.before)
        addRow(table, counted(it.triedBefore, "GPU"), it.before->standing);
    return text + '\n' + table.text() + '\n' + it.note + '\n' +
           criterionLine(it.layout ? it.layout->standing.verdict : Verdict::Fits);
}

std::string FitText::operator()(const EngineShare &it) const
{
    const std::string field(it.field->path);
    const auto share = [](double value) { return formatNumber(value, 3); };
    std::string text =
        field + " = " + share(it.inForce) + " gives a cache of " + bytes(it.cache) + ".\n";
    text += it.least ? "The sequences asked for run from " + share(*it.least) + " on.\n"
                     : "No share has room for the sequences asked for.\n";
    text += it.most ? "The plan fits its GPU up to " + share(*it.most) + ".\n"
                    : "The plan fits its GPU under no share.\n";
    if (it.same.empty())
        return text;
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right});
    table.addRow({"the same cache", "setting", "value", "cache"});
    for (const CacheAtShare &each : it.same)
        table.addRow({each.engine, std::string(each.field), share(each.share), bytes(each.cache)});
    return text + '\n' + table.text();
}

std::string FitText::operator()(const Layouts &it) const
{
    std::string text = formatCount(it.fitting) + " of " + counted(it.evaluated, "possible layout") +
                       (it.fitting == 1 ? " fits." : " fit.");
    const std::vector<Layout> &shown = it.best.empty() ? it.nearest : it.best;
    if (shown.empty())
        return text + '\n' + it.held + '\n';
    if (it.best.empty())
        text += " The nearest:\n\n";
    else
        text += it.pareto == it.fitting
                    ? " The cheapest:\n\n"
                    : " Of " + formatCount(it.pareto) +
                          " that no other one beats in everything, the cheapest:\n\n";
    const DataTable table = pickedColumns(
        layoutsTable(shown, {.fields = shownLayout,
                             .largestPart =
                                 [this](const FitSummary &of) { return bindingText(of, m_unit); }}),
        {"verdict", "device", "spare", "recomputed", "bubble", "sent", "tokens", "cache_tokens",
         "largest", "layout"});
    return text + terminalText(table, m_unit) + '\n' + it.held + '\n' +
           criterionLine(shown.front().standing.verdict);
}

Json layoutJson(const Layout &layout)
{
    Json json = {{"fields", fieldsJson(layout.fields)}};
    addFitSummary(json, layout.standing);
    json["recompute_share"] = layout.recomputeShare;
    json["bubble_share"] = layout.bubbleShare;
    json["communication_bytes"] = layout.communicationBytes;
    json["cache_tokens"] = layout.cacheTokens;
    json["tokens"] = layout.tokens;
    return json;
}

Json triedJson(std::string_view field, const std::optional<TriedValue> &tried)
{
    if (!tried)
        return nullptr;
    Json json = {{"field", field}, {"value", tried->value}};
    addFitSummary(json, tried->standing);
    return json;
}

Json gpusJson(const std::optional<std::int64_t> &gpus, const std::optional<Layout> &layout)
{
    if (!gpus || !layout)
        return nullptr;
    Json json = {{"field", "hardware.gpus"}, {"value", *gpus}};
    json.update(layoutJson(*layout));
    return json;
}

Json wayJson(const WayToFit &way)
{
    Json json = {{"title", way.title},
                 {"price", way.price},
                 {"fields", fieldsJson(way.fields)},
                 {"saved", way.saved}};
    json["cache"] = way.cache ? Json({{"bytes", way.cache->bytes},
                                      {"tokens", way.cache->tokens},
                                      {"sequences", way.cache->sequences}})
                              : Json();
    addFitSummary(json, way.standing);
    json["costs"] = {{"recompute_share", way.recomputeShare},
                     {"bubble_share", way.bubbleShare},
                     {"communication_bytes", way.communicationBytes},
                     {"host_bytes", way.hostBytes},
                     {"gpus", way.gpus},
                     {"changes_results", way.changesResults}};
    return json;
}

/// Writes what was found into the members of the answer.
struct Write
{
    Json &json;
    std::string_view field;

    void operator()(const std::vector<WayToFit> &ways) const
    {
        json["ways"] = listJson(ways, wayJson);
    }
    void operator()(const ValueThatFits &it) const
    {
        json["answer"] = triedJson(field, it.answer);
        json["next"] = triedJson(field, it.next);
        json["step"] = it.step;
        json["evaluated"] = it.evaluated;
        json["note"] = it.note;
    }
    void operator()(const FewestGpus &it) const
    {
        json["answer"] = gpusJson(it.gpus, it.layout);
        json["next"] = gpusJson(it.triedBefore, it.before);
        json["evaluated"] = it.evaluated;
        json["note"] = it.note;
    }
    void operator()(const EngineShare &it) const
    {
        json["answer"] = {{"field", field},
                          {"value", it.inForce},
                          {"cache", it.cache},
                          {"least", orNull(it.least)},
                          {"most", orNull(it.most)}};
        json["same_cache"] = listJson(it.same, [](const CacheAtShare &each) -> Json {
            return {{"engine", each.engine},
                    {"field", each.field.text()},
                    {"value", each.share},
                    {"cache", each.cache}};
        });
    }
    void operator()(const Layouts &it) const
    {
        json["layouts"] = listJson(it.best, layoutJson);
        json["nearest"] = listJson(it.nearest, layoutJson);
        json["note"] = it.held;
        json["evaluated"] = it.evaluated;
        json["fitting"] = it.fitting;
        json["pareto"] = it.pareto;
    }
};

} // namespace

std::string criterionText(Verdict verdict)
{
    return verdict == Verdict::Tight
               ? "Search uses the likely value. \"Tight\": the range exceeds the GPU."
               : "";
}

std::string waysSentence(std::span<const WayToFit> ways)
{
    const auto with = [&](Verdict verdict) {
        return std::ranges::count_if(
            ways, [&](const WayToFit &way) { return way.standing.verdict == verdict; });
    };
    const auto fits = with(Verdict::Fits);
    const auto tight = with(Verdict::Tight);
    const std::string all =
        ways.size() == 1 ? std::string() : " of " + formatCount(std::ssize(ways));
    if (fits > 0)
        return (fits == 1 ? "One single change" + all + " makes it fit"
                          : formatCount(fits) + all + " single changes make it fit") +
               (tight > 0
                    ? "; " + formatCount(tight) + " more " + (tight == 1 ? "is" : "are") + " tight"
                    : "");
    return tight > 0 ? "No single change makes it fit; " + formatCount(tight) + all +
                           (tight == 1 ? " is tight" : " are tight")
                     : "No single change makes it fit; these come nearest";
}

std::string cacheGainText(const CacheGain &gain)
{
    const auto sign = [](double number) { return number < 0 ? "-" : "+"; };
    const bool others = std::abs(gain.sequences) >= 0.01;
    std::string text;
    if (gain.tokens != 0 || !others)
        text = sign(static_cast<double>(gain.tokens)) + counted(std::abs(gain.tokens), "token");
    if (others)
        text += std::string(text.empty() ? "" : ", ") + sign(gain.sequences) +
                countedAs(formatNumber(std::abs(gain.sequences), 3), "sequence");
    return text;
}

std::string fitText(const Plan &plan, const Fit &fit, const std::string &file, ByteUnit unit)
{
    const std::string title =
        (plan.name ? printable(*plan.name + " (" + file + ")") : printable(file)) + '\n';
    std::string now;
    if (fit.vary.empty())
        now = answerLine(plan, estimate(plan), unit) + '\n' +
              recommendationText(fit.recommendation, fit.capacity, unit) + '\n';
    else
        for (const Issue &issue : missingParts(plan))
            now += issue.text + '\n';
    return title + now + std::visit(FitText(fit, unit), fit.found);
}

std::string fitJson(const Plan &plan, const Fit &fit, const std::string &file)
{
    Json json = {{"file", file},
                 {"name", orNull(plan.name)},
                 {"vary", fit.vary},
                 {"capacity", fit.capacity},
                 {"not_counted", notCounted(missingParts(plan))},
                 {"answer", nullptr},
                 {"next", nullptr},
                 {"layouts", Json::array()},
                 {"evaluated", nullptr},
                 {"fitting", nullptr},
                 {"ways", Json::array()}};
    if (fit.vary.empty())
        json["recommendation"] = recommendationJson(fit.recommendation);
    std::visit(Write{json, fit.vary.empty() ? std::string_view() : fit.vary.front()}, fit.found);
    return jsonText(json);
}

} // namespace vramscope
