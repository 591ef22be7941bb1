// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/log_budget_bars.h"

#include "core/serving_logs/log_plan.h"
#include "ui/support/text.h"

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

void addPiece(BudgetOfDevice &bar, BudgetPart part, const QString &name, std::optional<Bytes> bytes)
{
    if (bytes && *bytes > 0)
        bar.pieces.push_back({part, name, *bytes});
}

/// What is left of the whole; a whole that is too small is as large as its parts.
void close(BudgetOfDevice &bar, std::optional<Bytes> whole, const QString &rest)
{
    const Bytes used = bar.used();
    bar.whole = std::max(whole.value_or(used), used);
    addPiece(bar, BudgetPart::Unused, rest, bar.whole - used);
}

BudgetOfDevice barOfRank(const ServingLog &log)
{
    const LogBudget budget = budgetOf(log);
    BudgetOfDevice bar;
    std::optional<Bytes> outside = budget.nonTorch;
    if (budget.consumed && budget.weights)
        outside = *budget.consumed - *budget.weights;
    if (budget.consumed && !budget.weights)
        addPiece(bar, BudgetPart::Weights, u"Weights and outside PyTorch"_s, budget.consumed);
    else
        addPiece(bar, BudgetPart::Weights, u"Weights"_s, budget.weights);
    addPiece(bar, BudgetPart::Outside,
             budget.consumed ? u"Outside PyTorch, with graphs"_s : u"Outside PyTorch"_s, outside);
    addPiece(bar, BudgetPart::Activations, u"Peak activations"_s, budget.activations);
    // Since vLLM 0.21 the estimate is part of the budget, and later of what is outside PyTorch.
    if (budget.graphsInside && !budget.consumed)
        addPiece(bar, BudgetPart::Graphs, u"CUDA graphs, estimated"_s,
                 bytesOfKey(log, "cuda_graphs_estimated"));
    addPiece(bar, BudgetPart::Cache, u"Cache"_s, budget.cache);
    if (!budget.graphsInside)
        addPiece(bar, BudgetPart::Graphs, u"CUDA graphs"_s, budget.graphs);
    auto whole = budget.total;
    if (!whole && log.engine == LogEngine::Sglang)
        whole = bytesOfKey(log, "avail_before_load");
    if (!whole)
        whole = budget.requested;
    if (bar.pieces.empty())
        return bar;
    // A part that the log does not state is in what is left.
    const bool isSglang = log.engine == LogEngine::Sglang;
    const bool isWhole =
        (budget.weights || budget.consumed) && budget.cache && (isSglang || budget.activations);
    close(bar, whole,
          !isWhole   ? u"Not told by the log"_s
          : isSglang ? u"Left for activations"_s
                     : u"Unused"_s);
    return bar;
}

std::vector<BudgetOfDevice> barsOfDevices(const ServingLog &log)
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
    std::vector<BudgetOfDevice> bars;
    for (const std::string &device : devices) {
        const auto first = [&](const char *breakdown, const char *buffer) {
            const auto bytes = bytesOfKey(log, std::string(breakdown) + ":" + device);
            return bytes ? bytes : bytesOfKey(log, std::string(buffer) + ":" + device);
        };
        BudgetOfDevice bar;
        bar.name = foreignText(device);
        addPiece(bar, BudgetPart::Weights, u"Weights"_s, first("breakdown_model", "model_buffer"));
        addPiece(bar, BudgetPart::Activations, u"Activations"_s,
                 first("breakdown_compute", "compute_buffer"));
        addPiece(bar, BudgetPart::Cache, u"Cache"_s, first("breakdown_context", "kv_buffer"));
        if (bar.pieces.empty())
            continue;
        close(bar, first("breakdown_total", "device_free"), u"Free, or of other programs"_s);
        bars.push_back(std::move(bar));
    }
    return bars;
}

} // namespace

Bytes BudgetOfDevice::used() const
{
    Bytes sum = 0;
    for (const BudgetPiece &piece : pieces)
        sum += piece.part == BudgetPart::Unused ? 0 : piece.bytes;
    return sum;
}

std::vector<BudgetOfDevice> budgetBars(const ServingLog &log)
{
    if (log.engine == LogEngine::LlamaCpp || log.engine == LogEngine::Ollama)
        return barsOfDevices(log);
    BudgetOfDevice bar = barOfRank(log);
    if (bar.pieces.empty())
        return {};
    std::vector<BudgetOfDevice> bars;
    bars.push_back(std::move(bar));
    return bars;
}

QString budgetNote(const ServingLog &log)
{
    const LogBudget budget = budgetOf(log);
    if (log.engine == LogEngine::LlamaCpp || log.engine == LogEngine::Ollama)
        return u"One bar a device; those whose memory the log does not state end with what they "
               "hold."_s;
    if (budget.total)
        return budget.graphsInside || !budget.graphs
                   ? u"The bar is the whole GPU of the rank with the least room."_s
                   : u"The bar is the whole GPU of the rank with the least room; CUDA graphs lie "
                     "outside the share that the engine may use."_s;
    return u"The log does not state the GPU's memory: the bar ends with the parts that it does "
           "state."_s;
}

} // namespace vramscope
