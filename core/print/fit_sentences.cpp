// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fit_sentences.h"

#include "core/base/counted.h"
#include "core/plan/plan.h"
#include "core/print/fit_report.h"
#include "core/print/plan_report.h"

#include <cstdlib>

namespace vramscope {

namespace {

/// "77.1 GiB of the device, 2.1 GiB to spare".
std::string fitSummaryText(const std::optional<FitSummary> &it, ByteUnit unit)
{
    if (!it)
        return "more than 8 EiB";
    const std::string device = formatBytes(it->device, unit);
    if (it->headroom >= 0 && !it->fits)
        return device + " with a cache of " + counted(it->cacheTokens, "token") + ", too small";
    return device + ", " + formatBytes(std::abs(it->headroom), unit) +
           (it->headroom >= 0 ? " to spare" : " too much") +
           (it->verdict == Verdict::Tight ? ": tight" : "");
}

std::string largestPartText(const std::optional<FitSummary> &it, ByteUnit unit)
{
    return it ? "; largest part: " + it->binding.component + ", " +
                    formatBytes(it->binding.bytes, unit) + " " + momentPhrase(it->at)
              : std::string();
}

struct FitSentences
{
    const SettingsWords &words;
    ByteUnit unit;
    std::vector<FitLine> lines = {};

    void operator()(const std::vector<WayToFit> &) const {}

    void operator()(const ValueThatFits &it)
    {
        if (it.answer)
            add(" (" + fitSummaryText(it.answer->standing, unit) + ").",
                std::string(it.field->label) + ": the " + (it.largest ? "largest" : "smallest") +
                    " that fits is " + formatCount(it.answer->value));
        if (it.next) {
            // Whether the range of the cache decides.
            const bool isOpen = it.next->standing && it.next->standing->verdict == Verdict::Tight;
            add(formatCount(it.next->value) + (isOpen ? " may not fit: " : " does not fit: ") +
                fitSummaryText(it.next->standing, unit) + largestPartText(it.next->standing, unit) +
                ".");
        }
        if (!it.note.empty())
            add(std::string(it.note));
        if (it.step > 1)
            add("Step: " + formatCount(it.step) + ".");
        addCriterion(it.answer ? it.answer->standing : std::nullopt);
    }

    void operator()(const FewestGpus &it)
    {
        if (it.gpus && it.layout) {
            add(" (" + fitSummaryText(it.layout->standing, unit) + " each).",
                counted(*it.gpus, "GPU") + ": the fewest on which this plan fits");
            add(words(it.layout->fields));
        } else {
            add({}, "This plan fits on no number of GPUs that was tried.");
        }
        if (it.before)
            add("On " + counted(it.triedBefore, "GPU") +
                " it does not, at best: " + fitSummaryText(it.before->standing, unit) +
                largestPartText(it.before->standing, unit) + ".");
        add(std::string(it.note));
        addCriterion(it.layout ? std::optional(it.layout->standing) : std::nullopt);
    }

    void operator()(const EngineShare &it)
    {
        const auto share = [](double value) { return formatNumber(value, 3); };
        add({}, std::string(it.field->label) + " of " + share(it.inForce) + " gives a cache of " +
                    formatBytes(it.cache, unit) + ".");
        add(it.least ? "The sequences asked for run from " + share(*it.least) + " on."
                     : "No share has room for the sequences asked for.");
        add(it.most ? "The plan fits its GPU up to " + share(*it.most) + "."
                    : "The plan fits its GPU under no share.");
        for (const CacheAtShare &each : it.same)
            add("The same cache under " + std::string(each.engine) + ": " +
                std::string(fieldAt(each.field).label) + " " + share(each.share) + ".");
    }

    void operator()(const Layouts &it)
    {
        const std::string evaluated = formatCount(it.evaluated);
        if (it.fitting == 0) {
            add(it.nearest.empty() ? "" : " These come nearest.",
                "None of " + evaluated + " possible layouts fits.");
            return add(it.held);
        }
        const bool isLong = static_cast<std::size_t>(it.pareto) > it.best.size();
        add(" " + formatCount(it.pareto) + " of them are beaten by no other one in everything" +
                (isLong ? "; the " + formatCount(std::ssize(it.best)) + " cheapest are listed."
                        : "."),
            formatCount(it.fitting) + " of " + evaluated + " possible layouts fit.");
        add(it.held);
        addCriterion(it.best.empty() ? std::nullopt : std::optional(it.best.front().standing));
    }

private:
    void add(std::string text, std::string answer = {})
    {
        lines.push_back({std::move(answer), std::move(text)});
    }
    /// Says what "fits" means where the result is not sure to.
    void addCriterion(const std::optional<FitSummary> &it)
    {
        if (std::string text = it ? criterionText(it->verdict) : std::string(); !text.empty())
            add(std::move(text));
    }
};

} // namespace

std::vector<FitLine> fitLines(const Fit &fit, const SettingsWords &words, ByteUnit unit)
{
    FitSentences sentences{words, unit};
    std::visit(sentences, fit.found);
    return std::move(sentences.lines);
}

} // namespace vramscope
