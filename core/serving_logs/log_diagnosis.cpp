// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_diagnosis.h"

#include "core/base/counted.h"
#include "core/estimate/estimate.h"
#include "core/serving_logs/log_checks.h"
#include "core/serving_logs/log_levers.h"
#include "core/serving_logs/log_verdict.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <charconv>

namespace vramscope {

namespace {

constexpr Bytes kGiB = Bytes(1) << 30;

class Diagnosing
{
public:
    Diagnosing(const ServingLog &log, const Plan *plan, ByteUnit unit)
        : m_log(log)
        , m_budget(budgetOf(log))
        , m_plan(plan)
        , m_unit(unit)
    {
    }

    std::vector<Finding> findings()
    {
        askFree();
        askWeights();
        askActivations();
        askOutside();
        askGraphs();
        askLength();
        askDivision();
        askReplicas();
        askLayers();
        askRoomLeft();
        return std::move(m_found);
    }

private:
    void say(std::string title, std::string sentence, bool isFault = false)
    {
        m_found.push_back({.tone = isFault ? Tone::Bad : Tone::Plain,
                           .title = std::move(title),
                           .sentence = std::move(sentence)});
    }

    [[nodiscard]] std::string text(Bytes bytes) const { return formatBytes(bytes, m_unit); }

    [[nodiscard]] std::optional<Bytes> bytes(std::string_view key) const
    {
        const BestFigure *figure = m_log.find(key);
        return figure ? std::optional(figure->bytes()) : std::nullopt;
    }

    [[nodiscard]] std::optional<double> value(std::string_view key) const
    {
        const BestFigure *figure = m_log.find(key);
        return figure ? std::optional(figure->value) : std::nullopt;
    }

    [[nodiscard]] bool isRefused(LogRefusalKind kind) const
    {
        return std::ranges::any_of(m_log.refusals,
                                   [&](const LogRefusal &refusal) { return refusal.kind == kind; });
    }

    /// ", or lower --max-model-len": of the options that the engine has; else nothing.
    [[nodiscard]] std::string orLower(std::initializer_list<LogLever> levers,
                                      std::string_view before) const
    {
        std::string options;
        for (const LogLever lever : levers)
            if (const std::string option = leverOption(m_log.engine, lever); !option.empty())
                options += (options.empty() ? "" : " or ") + option;
        return options.empty() ? options : std::string(before) + " lower " + options;
    }

    [[nodiscard]] std::string givenAs(LogLever lever) const
    {
        const std::string option = leverOption(m_log.engine, lever);
        return option.empty() ? option : ": give that as " + option;
    }

    void askFree()
    {
        const auto free = bytes("free_memory");
        if (!free || !m_budget.total)
            return;
        // A context and communicators of the engine itself take up to a gibibyte.
        const Bytes used = *m_budget.total - *free;
        if (isRefused(LogRefusalKind::FreeBelowDesired)) {
            const Bytes missing = m_budget.requested.value_or(*free) - *free;
            say("Too little is free",
                text(used) + " of " + text(*m_budget.total) +
                    " were in use when the engine started, " + text(missing) +
                    " too much for the share that it may use.",
                true);
        } else if (used > kGiB + *m_budget.total / 100) {
            say("Others use the GPU",
                text(used) + " of " + text(*m_budget.total) +
                    " were in use when the engine started: other processes, or its own "
                    "communicators.");
        }
    }

    void askWeights()
    {
        const std::string_view stated = m_log.setting("checkpoint_size");
        double gib = 0;
        std::from_chars(stated.data(), stated.data() + stated.size(), gib);
        const Bytes file = static_cast<Bytes>(gib * static_cast<double>(kGiB));
        if (m_budget.weights && file > 0 && *m_budget.weights > file + file / 20)
            say("Weights are larger than their file",
                text(*m_budget.weights) + " against " + text(file) +
                    " of the checkpoint: parts kept in 16 bit, slots of adapters, a draft, or "
                    "copies that kernels want.");
        if (m_budget.requested && m_budget.weights && *m_budget.weights > *m_budget.requested)
            say("The weights alone exceed the budget",
                text(*m_budget.weights) + " of weights in " + text(*m_budget.requested) +
                    ": use a smaller format, or more GPUs.",
                true);
    }

    void askActivations()
    {
        if (m_log.engine == LogEngine::Vllm && m_budget.activations &&
            *m_budget.activations > 2 * kGiB)
            say("The profile run takes much",
                text(*m_budget.activations) +
                    " at its peak above the weights: it grows with max_num_batched_tokens (in V0 "
                    "with max_model_len), with max_num_seqs times the vocabulary, and with the "
                    "images that it encodes.");
    }

    void askOutside()
    {
        if (m_budget.nonTorch && *m_budget.nonTorch > kGiB)
            say("Much is outside PyTorch",
                text(*m_budget.nonTorch) +
                    ": communicators of NCCL, workspaces of attention kernels.");
    }

    void askGraphs()
    {
        const auto estimated = bytes("cuda_graphs_estimated");
        const auto taken = m_budget.graphs;
        constexpr Bytes kMuch = kGiB / 4;
        const bool isVllm = m_log.engine == LogEngine::Vllm;
        if (isVllm && taken && !m_budget.graphsInside && *taken > kMuch)
            say("CUDA graphs come on top",
                text(*taken) + " beyond the share that the engine may use: before vLLM 0.21 they "
                               "are not part of it.");
        if (taken && estimated && std::abs(*taken - *estimated) > kMuch)
            say("The estimate of CUDA graphs is off",
                text(*estimated) + " were put aside, " + text(*taken) + " were taken" +
                    (*taken > *estimated ? ": the rest comes on top of the budget."
                                         : ": the cache could have the rest."));
        const auto share = value("gpu_memory_utilization");
        const auto without = value("utilization_without_graphs");
        if (share && without && *share - *without > 0.005 && estimated)
            say("CUDA graphs take from the cache",
                text(*estimated) + " of the budget are put aside for them since vLLM 0.21: " +
                    formatNumber(*share, 4) + " is what " + formatNumber(*without, 4) +
                    " was before.");
    }

    void askLength()
    {
        const auto length = value("max_model_len");
        const auto needed = bytes("needed_kv");
        const auto fits = value("estimated_max_model_len");
        const auto holds = value("kv_cache_capacity_tokens");
        // If there are several attempts, the last one decides.
        const auto verdict = verdictOf(m_log, m_unit);
        const bool isPast = verdict && verdict->kind != LogRefusalKind::OneSequenceTooLong;
        if (isPast)
            return askSequences();
        if (needed && m_budget.cache && length)
            say("One longest sequence does not fit",
                formatDecimals(*length, 0) + " tokens need " + text(*needed) + " of cache, " +
                    text(*m_budget.cache) + " are there." +
                    (fits ? " " + formatDecimals(*fits, 0) + " tokens fit" +
                                givenAs(LogLever::Length) + "."
                          : std::string()),
                true);
        else if (holds && length && *holds < *length)
            say("One longest sequence does not fit",
                formatDecimals(*length, 0) + " tokens are asked for, the cache holds " +
                    formatDecimals(*holds, 0) + orLower({LogLever::Length}, ":") + ".",
                true);
        const auto wanted = value("max_model_len_wanted");
        if (wanted && length && *wanted > *length)
            say("The longest sequence was shortened", "From " + formatDecimals(*wanted, 0) +
                                                          " to " + formatDecimals(*length, 0) +
                                                          " tokens, so that one fits the cache.");
        askSequences();
    }

    void askSequences()
    {
        const auto sequences = value("sequences_wanted");
        const auto states = value("mamba_blocks");
        if (sequences && states && *states < *sequences)
            say("Too many sequences at once",
                formatDecimals(*sequences, 0) +
                    " sequences are asked for, the cache holds the "
                    "states of " +
                    formatDecimals(*states, 0) + orLower({LogLever::Sequences}, ":") + ".",
                true);
        const auto from = value("fit_ctx_from");
        const auto to = value("fit_ctx_to");
        if (from && to && *from > *to)
            say("The context was shortened", "From " + formatDecimals(*from, 0) + " to " +
                                                 formatDecimals(*to, 0) +
                                                 " tokens, to fit the free memory.");
        if (m_budget.cache && *m_budget.cache <= 0)
            say("Nothing is left for the cache",
                "What is loaded before it exceeds the budget by " + text(-*m_budget.cache) + ".",
                true);
    }

    void askDivision()
    {
        if (const auto size = value("attention_block_size"))
            say("Blocks are large",
                formatDecimals(*size, 0) +
                    " tokens each, so that one holds a state of the recurrent layers: short "
                    "sequences leave much of theirs empty.");
        const auto layers = value("padding_layers");
        const auto waste = value("padding_waste_percent");
        if (layers && waste)
            say("Layers only fill up groups", formatDecimals(*layers, 0) + " of them waste up to " +
                                                  formatNumber(*waste, 3) + " % of the cache.");
        if (tokensContradictConcurrency(m_log))
            say("Believe the sequences, not the tokens",
                "The tokens that the log prints are not the sequences at once times the longest "
                "one: before vLLM 0.22 they are divided by the kinds of layers.",
                true);
        Bytes least = 0;
        Bytes most = 0;
        for (const LogFigure &figure : m_log.figures) {
            if (figure.key != "kv_cache_memory" || figure.rank.empty() || figure.bytes() <= 0)
                continue;
            least = least == 0 ? figure.bytes() : std::min(least, figure.bytes());
            most = std::max(most, figure.bytes());
        }
        if (least > 0 && most - least > least / 50)
            say("Ranks differ", "The rank with the least room, " + text(least) +
                                    ", decides for all; another one has " + text(most) + ".");
    }

    void askReplicas()
    {
        if (!m_plan)
            return;
        const Estimate answer = estimate(*m_plan);
        if (!answer.settings)
            return;
        const Settings &s = *answer.settings;
        const std::int64_t heads = s.architecture.kvHeads;
        if (heads > 0 && s.tensor > heads)
            say("The cache is repeated",
                "The model has " + counted(heads, "head") + " of keys and values for " +
                    counted(s.tensor, "tensor-parallel rank") + ": some of them keep the same.");
    }

    void askLayers()
    {
        const auto there = value("layers_total") ? value("layers_total") : value("layers_model");
        const auto onGpu =
            value("offloaded_layers") ? value("offloaded_layers") : value("layers_offload");
        if (there && onGpu && *onGpu < *there)
            say("Some layers are on the host", formatDecimals(*onGpu, 0) + " of " +
                                                   countedAs(formatDecimals(*there, 0), "layer") +
                                                   " are on GPUs; the others are slow.");
        const auto deficit = bytes("fit_deficit");
        if (deficit && !value("fit_left_after"))
            say("The parameters do not fit as wanted", text(*deficit) +
                                                           " less have to be used to keep the "
                                                           "margin free.");
    }

    void askRoomLeft()
    {
        const auto left = bytes("available_gpu_mem");
        const auto after = bytes("avail_after_graph");
        const auto room = left ? left : after;
        if (room && *room < kGiB)
            say("Little is left for activations",
                text(*room) +
                    " are free when serving begins: a large prompt may run out of memory" +
                    orLower({LogLever::Share, LogLever::BatchTokens}, ";") + ".");
    }

    const ServingLog &m_log;
    LogBudget m_budget;
    const Plan *m_plan;
    ByteUnit m_unit;
    std::vector<Finding> m_found;
};

} // namespace

std::vector<Finding> findingsOf(const ServingLog &log, const Plan *plan, ByteUnit unit)
{
    return Diagnosing(log, plan, unit).findings();
}

} // namespace vramscope
