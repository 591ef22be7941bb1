// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/log_budget_bars.h"

#include "core/serving_logs/log_plan.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::optional<Bytes> bytesOfKey(const ServingLog &log, const std::string &key)
{
    const BestFigure *figure = log.find(key);
    return figure ? std::optional(figure->bytes()) : std::nullopt;
}

void addPiece(SegmentBar &bar, QColor color, const QString &name, std::optional<Bytes> bytes)
{
    if (bytes && *bytes > 0)
        bar.segments.push_back({name, *bytes, color});
}

/// What is left of the whole; a whole that is too small is as large as its parts.
void close(SegmentBar &bar, std::optional<Bytes> whole, const QString &rest, ByteUnit unit)
{
    const Bytes used = bar.total();
    addPiece(bar, {}, rest, whole.value_or(used) - used);
    bar.note = bytesText(bar.total(), unit);
}

SegmentBar barOfRank(const ServingLog &log, ByteUnit unit)
{
    const LogBudget budget = budgetOf(log);
    SegmentBar bar;
    std::optional<Bytes> outside = budget.nonTorch;
    if (budget.consumed && budget.weights)
        outside = *budget.consumed - *budget.weights;
    if (budget.consumed && !budget.weights)
        addPiece(bar, categoryColor(Category::Parameters), u"Weights and outside PyTorch"_s,
                 budget.consumed);
    else
        addPiece(bar, categoryColor(Category::Parameters), u"Weights"_s, budget.weights);
    addPiece(bar, partColor(kOutsidePart),
             budget.consumed ? u"Outside PyTorch, with graphs"_s : u"Outside PyTorch"_s, outside);
    addPiece(bar, categoryColor(Category::Activations), u"Peak activations"_s, budget.activations);
    // Since vLLM 0.21 the estimate is part of the budget, and later of what is outside PyTorch.
    if (budget.graphsInside && !budget.consumed)
        addPiece(bar, categoryColor(Category::TemporaryBuffers), u"CUDA graphs, estimated"_s,
                 bytesOfKey(log, "cuda_graphs_estimated"));
    addPiece(bar, categoryColor(Category::KeyValueCache), u"Cache"_s, budget.cache);
    if (!budget.graphsInside)
        addPiece(bar, categoryColor(Category::TemporaryBuffers), u"CUDA graphs"_s, budget.graphs);
    auto whole = budget.total;
    if (!whole)
        whole = budget.freeAtStart;
    if (!whole)
        whole = budget.requested;
    if (bar.segments.empty())
        return bar;
    // SGLang states what is left beside the cache, but not all that lies between.
    if (whole && budget.freeAfterPool) {
        const Bytes left = *budget.freeAfterPool - std::max<Bytes>(budget.graphs.value_or(0), 0);
        addPiece(bar, partColor(kOutsidePart),
                 budget.weights ? u"Others, not in the log"_s
                                : u"Weights and others, not in the log"_s,
                 *whole - bar.total() - left);
        close(bar, whole, u"Left for activations"_s, unit);
        return bar;
    }
    // A part that the log does not state is in what is left.
    const bool isSglang = log.engine == LogEngine::Sglang;
    const bool isWhole =
        (budget.weights || budget.consumed) && budget.cache && (isSglang || budget.activations);
    close(bar, whole,
          !isWhole   ? u"Not in the log"_s
          : isSglang ? u"Left for activations"_s
                     : u"Unused"_s,
          unit);
    return bar;
}

std::vector<SegmentBar> barsOfDevices(const ServingLog &log, ByteUnit unit)
{
    std::vector<std::string> devices;
    constexpr std::array<std::string_view, 3> kKeys = {
        "breakdown_self:", "model_buffer:", "compute_buffer:"};
    for (const BestFigure &figure : log.best) {
        for (const std::string_view key : kKeys) {
            if (!figure.key.starts_with(key))
                continue;
            std::string device = figure.key.substr(key.size());
            if (std::ranges::find(devices, device) == devices.end())
                devices.push_back(std::move(device));
        }
    }
    std::vector<SegmentBar> bars;
    for (const std::string &device : devices) {
        const auto first = [&](const char *breakdown, const char *buffer) {
            const auto bytes = bytesOfKey(log, std::string(breakdown) + ":" + device);
            return bytes ? bytes : bytesOfKey(log, std::string(buffer) + ":" + device);
        };
        SegmentBar bar;
        bar.name = foreignText(device);
        addPiece(bar, categoryColor(Category::Parameters), u"Weights"_s,
                 first("breakdown_model", "model_buffer"));
        addPiece(bar, categoryColor(Category::Activations), u"Activations"_s,
                 first("breakdown_compute", "compute_buffer"));
        addPiece(bar, categoryColor(Category::KeyValueCache), u"Cache"_s,
                 first("breakdown_context", "kv_buffer"));
        if (bar.segments.empty())
            continue;
        close(bar, first("breakdown_total", "device_free"), u"Free, or of other programs"_s, unit);
        bars.push_back(std::move(bar));
    }
    return bars;
}

} // namespace

std::vector<SegmentBar> budgetBars(const ServingLog &log, ByteUnit unit)
{
    if (log.engine == LogEngine::LlamaCpp || log.engine == LogEngine::Ollama)
        return barsOfDevices(log, unit);
    std::vector<SegmentBar> bars;
    if (SegmentBar bar = barOfRank(log, unit); !bar.segments.empty())
        bars.push_back(std::move(bar));
    if (const auto host = budgetOf(log).hostCache; host && !bars.empty()) {
        bars.front().name = u"GPU"_s;
        SegmentBar tier;
        tier.name = u"Host"_s;
        addPiece(tier, categoryColor(Category::KeyValueCache), u"Cache"_s, host);
        close(tier, {}, {}, unit);
        bars.push_back(std::move(tier));
    }
    return bars;
}

QString budgetNote(const ServingLog &log)
{
    const LogBudget budget = budgetOf(log);
    if (log.engine == LogEngine::LlamaCpp || log.engine == LogEngine::Ollama)
        return u"One bar per device. If the log gives no device size, the bar ends at the memory "
               "in use."_s;
    if (budget.total)
        return budget.graphsInside || !budget.graphs
                   ? u"The bar is the whole GPU of the rank with the least room."_s
                   : u"The bar is the whole GPU of the rank with the least room; CUDA graphs lie "
                     "outside the share that the engine may use."_s;
    if (budget.freeAtStart)
        return u"The bar is what was free before the weights were loaded, of which the static "
               "fraction is for weights and cache."_s;
    return u"The log does not state the GPU's memory: the bar ends with the parts that it does "
           "state."_s;
}

} // namespace vramscope
