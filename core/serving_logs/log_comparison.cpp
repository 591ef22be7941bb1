// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/serving_logs/log_budget.h"
#include "core/serving_logs/log_checks.h"
#include "core/serving_logs/log_formats.h"
#include "core/serving_logs/log_plan.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::string_view kNoReason = "The log gives no reason.";

/// Why a figure of the log is more or less than the plan's; empty where nothing says.
struct Reason
{
    std::string ifMore{};
    std::string ifLess{};

    static Reason either(const std::string &text) { return {text, text}; }
};

/// Engines whose cache is a pool of tokens.
bool isPooled(LogEngine engine)
{
    return engine == LogEngine::Sglang || engine == LogEngine::TensorRtLlm;
}

/// Engines that fill what they may use with their cache.
bool sizes(LogEngine engine)
{
    return engine == LogEngine::Vllm || isPooled(engine);
}

/// Half of a hundredth of a GiB, which most lines round to.
constexpr double kHundredth = 0.005 * 1024 * 1024 * 1024;

/// The plan on a GPU on which the pool is as large as anyone may want.
Plan withRoom(const Plan &plan)
{
    constexpr Bytes kRoom = Bytes(1) << 46;
    Plan roomy = plan;
    roomy.hardware.capacity = kRoom;
    roomy.inference.sglang.memFractionStatic = 0.99;
    roomy.inference.sglang.maxTotalTokens.reset();
    return roomy;
}

/// The bytes of a part of the cache by its name; 0 if there is no such part.
Bytes bytesOfComponent(const Estimate &estimate, std::string_view name)
{
    Bytes bytes = 0;
    for (const Component &component : estimate.components())
        if (component.category == Category::KeyValueCache && component.name == name)
            bytes += component.bytes;
    return bytes;
}

/// The cache of a plan without the states of layers that keep one, which logs state by themselves.
Bytes poolBytes(const Estimate &estimate)
{
    return estimate.inference->kvCache - bytesOfComponent(estimate, "Recurrent states");
}

/// The bytes of this number of tokens in the plan's pool, without the states of layers; nothing if
/// the plan gives no figures.
std::optional<double> bytesOfTokens(const Plan &plan, std::int64_t tokens)
{
    const Estimate roomy = estimate(withRoom(plan));
    if (!roomy.computed || !roomy.inference || roomy.inference->kvTokens <= 0)
        return {};
    return static_cast<double>(poolBytes(roomy)) / static_cast<double>(roomy.inference->kvTokens) *
           static_cast<double>(tokens);
}

/// Puts rows together: what is in neither side is left out.
class Comparing
{
public:
    Comparing(const Plan &plan, const ServingLog &log)
        : m_plan(plan)
        , m_log(log)
        , m_budget(budgetOf(log))
        , m_estimate(estimate(plan))
        , m_isSized(!sizes(log.engine) || m_estimate.capacity.has_value() ||
                    plan.inference.kvCacheMemoryBytes.has_value())
    {
        // Without the GPU's memory the cache is not known, but all else is.
        if (!m_isSized)
            m_estimate = estimate(isPooled(log.engine) ? withRoom(plan)
                                                       : withCache(m_budget.cache.value_or(0)));
    }

    LogComparison compare()
    {
        m_result.whyNot = whyNotComputed(m_estimate);
        const bool isVllm = m_log.engine == LogEngine::Vllm;
        const auto &figures = m_estimate.inference;
        const bool has = m_result.whyNot.empty() && figures;
        const auto planned = [&](Bytes InferenceFigures::*part) {
            return has ? std::optional(static_cast<double>((*figures).*part)) : std::nullopt;
        };
        // SGLang prints by how much less is free on the device: its weights and what loading
        // brings.
        const char *weights =
            m_log.engine == LogEngine::Sglang ? "Taken by loading weights" : "Weights";
        const std::string format =
            m_budget.weights && has
                ? betrayedWeightFormat(m_plan, m_log, static_cast<double>(*m_budget.weights),
                                       [this](const Plan &plan) { return weightsOf(plan); })
                : std::string();
        add(weights, m_budget.weights, planned(&InferenceFigures::weights),
            format.empty() ? weightsReason() : Reason::either(format));
        if (isVllm) {
            add("Peak activations", m_budget.activations,
                planned(&InferenceFigures::activationPeak), activationsReason());
            add("Outside PyTorch", m_budget.nonTorch, planned(&InferenceFigures::nonTorch),
                nonTorchReason());
            if (m_budget.consumed)
                add("Weights and outside PyTorch", m_budget.consumed,
                    has ? std::optional(static_cast<double>(figures->weights + figures->nonTorch))
                        : std::nullopt,
                    {.ifMore =
                         "The log's has the estimate of CUDA graphs in it" + estimateText() + "."});
            add("CUDA graphs", m_budget.graphs,
                has ? std::optional(static_cast<double>(m_estimate.settings->cudaGraphBytes))
                    : std::nullopt,
                graphsReason());
        } else if (m_log.engine == LogEngine::TensorRtLlm) {
            add("Peak activations", m_budget.activations,
                planned(&InferenceFigures::activationPeak),
                Reason::either("A TensorRT engine brings the size of its own activations, which "
                               "follows from how it was built."));
        }
        addCache(has);
        if (m_budget.hostCache)
            add("Cache in the host's memory", m_budget.hostCache, {}, {});
        if (isPooled(m_log.engine) && has)
            addPool();
        return std::move(m_result);
    }

private:
    void add(std::string name, std::optional<Bytes> logged, std::optional<double> planned,
             const Reason &reason, double rounding = kHundredth)
    {
        addRow({std::move(name), LogUnit::Byte,
                logged ? std::optional(static_cast<double>(*logged)) : std::nullopt, rounding,
                planned, ""},
               reason);
    }

    void addRow(LogDifference row, const Reason &reason)
    {
        if (!row.logged && !row.planned)
            return;
        if (!row.logged)
            row.reason = "The log does not state it.";
        else if (!row.planned)
            row.reason = m_isSized ? "The plan does not give it."
                                   : "The plan does not know the GPU's memory.";
        else if (!row.agrees())
            row.reason = *row.logged > *row.planned ? reason.ifMore : reason.ifLess;
        if (row.reason.empty() && !row.agrees())
            row.reason = kNoReason;
        m_result.rows.push_back(std::move(row));
    }

    /// The plan with a cache of that size, or of any size if that is 0.
    [[nodiscard]] Plan withCache(Bytes cache) const
    {
        constexpr Bytes kAny = Bytes(1) << 30;
        Plan plan = m_plan;
        plan.inference.kvCacheMemoryBytes = cache > 0 ? cache : kAny;
        return plan;
    }

    /// What the tokens of the log's pool take by the plan, and what is left after the pool.
    void addPool()
    {
        const auto tokens = pooledTokens(m_log);
        // Of pools for layers with and without a window, a cut log may have one alone.
        const bool isCut =
            m_log.find("full_layer_tokens") &&
            std::ranges::none_of(m_log.figures, [&](const LogFigure &figure) {
                return figure.key == "kv_tokens" && std::llround(figure.value) == tokens;
            });
        if (tokens && m_budget.cache && !isCut)
            add("Cache of " + counted(*tokens, "token"), m_budget.cache,
                bytesOfTokens(m_plan, *tokens), poolReason(*tokens), 2 * kHundredth);
        if (m_log.engine != LogEngine::Sglang)
            return;
        // What SGLang sets aside and keeps free depends on the memory of the GPU.
        const auto sized = [this](Bytes bytes) {
            return m_isSized ? std::optional(static_cast<double>(bytes)) : std::nullopt;
        };
        add("CUDA graphs", m_budget.graphs, sized(m_estimate.settings->cudaGraphBytes),
            Reason::either(
                m_plan.inference.cudaGraphBytes
                    ? "As the plan states it."
                    : "The plan has what SGLang sets aside for them, which is no measurement."));
        if (m_budget.freeAtStart)
            add("Free beside weights and cache", m_budget.freeAfterPool,
                sized(*m_budget.freeAtStart - m_estimate.inference->weights -
                      m_estimate.inference->kvCache -
                      bytesOfComponent(m_estimate, "Table of requests")),
                {.ifLess = "The log's is less by workspaces of kernels, and by what loading "
                           "leaves on the device."});
    }

    [[nodiscard]] Reason poolReason(std::int64_t tokens) const
    {
        const std::string format =
            betrayedCacheFormat(m_plan, m_log, static_cast<double>(*m_budget.cache),
                                [tokens](const Plan &plan) { return bytesOfTokens(plan, tokens); });
        if (!format.empty())
            return Reason::either(format);
        if (m_log.engine == LogEngine::Sglang && hasWindows() && !m_log.find("full_layer_tokens"))
            return {.ifMore = "This build keeps all tokens in layers with a sliding window too: it "
                              "has no pool of windows."};
        return {};
    }

    /// The cache, and what the bytes that the log gives it hold by the plan.
    void addCache(bool has)
    {
        std::optional<double> cache;
        if (has && m_isSized)
            cache = static_cast<double>(isPooled(m_log.engine) ? poolBytes(m_estimate)
                                                               : m_estimate.inference->kvCache);
        // Keys and values are printed one by one.
        const bool isSum = m_log.find("k_size") != nullptr;
        add("Cache", m_budget.cache, cache, cacheReason(has), isSum ? 2 * kHundredth : kHundredth);
        if (m_log.engine != LogEngine::Vllm || !has)
            return;
        const bool isKnown = m_budget.cache && *m_budget.cache > 0;
        if (!isKnown && !m_isSized)
            return;
        const Estimate held = isKnown ? estimate(withCache(*m_budget.cache)) : m_estimate;
        if (!held.inference)
            return;
        const InferenceFigures &room = *held.inference;
        const BestFigure *concurrency = m_log.find("max_concurrency");
        const BestFigure *tokens = m_log.find("kv_cache_tokens");
        const BestFigure *blocks = m_log.find("gpu_blocks");
        const BestFigure *length = m_log.find("max_model_len");
        const double share = isKnown ? kHundredth / static_cast<double>(*m_budget.cache) : 0;
        if (blocks)
            addRow({"Blocks of that cache", LogUnit::Blocks, blocks->value, share * blocks->value,
                    double(room.kvBlocks), ""},
                   blocksReason());
        if (tokens && !tokensContradictConcurrency(m_log)) {
            // Since vLLM 0.22 these are the sequences at once times the longest one.
            const bool asProduct = concurrency && length && room.maxConcurrency > 0;
            const auto tokensOf = [&](const Plan &plan) -> std::optional<double> {
                const Estimate other = estimate(plan);
                if (!other.inference)
                    return {};
                return asProduct ? other.inference->maxConcurrency * length->value
                                 : static_cast<double>(other.inference->kvTokens);
            };
            const Plan roomed = isKnown ? withCache(*m_budget.cache) : m_plan;
            const std::string format = betrayedCacheFormat(roomed, m_log, tokens->value, tokensOf);
            addRow({"Tokens of that cache", LogUnit::Tokens, tokens->value, share * tokens->value,
                    tokensOf(roomed), ""},
                   format.empty() ? blocksReason() : Reason::either(format));
        }
        if (concurrency)
            addRow({"Sequences at once", LogUnit::Sequences, concurrency->value,
                    0.005 + share * concurrency->value, room.maxConcurrency, ""},
                   blocksReason());
    }

    [[nodiscard]] std::string estimateText() const
    {
        const BestFigure *figure = m_log.find("cuda_graphs_estimated");
        return figure ? ", " + formatBytes(figure->bytes()) : std::string();
    }

    /// The weights of another plan, whether or not it says how large the cache is.
    [[nodiscard]] std::optional<double> weightsOf(const Plan &plan) const
    {
        constexpr Bytes kAny = Bytes(1) << 30;
        Plan sized = isPooled(m_log.engine) ? withRoom(plan) : plan;
        if (sizes(m_log.engine) && !isPooled(m_log.engine))
            sized.inference.kvCacheMemoryBytes = kAny;
        const Estimate answer = estimate(sized);
        return answer.inference ? std::optional(static_cast<double>(answer.inference->weights))
                                : std::nullopt;
    }

    [[nodiscard]] Reason weightsReason() const
    {
        if (m_log.setting("enable_lora") == "True")
            return {.ifMore = "The log's weights hold the slots of LoRA adapters, which the plan "
                              "does not count."};
        if (!m_log.setting("quantization").empty() && !m_plan.inference.weightFormat)
            return Reason::either("The weights are quantised (" +
                                  std::string(m_log.setting("quantization")) +
                                  ") in a way that the plan does not state.");
        if (m_log.engine == LogEngine::LlamaCpp || m_log.engine == LogEngine::Ollama)
            return Reason::either("The log does not state the format of the weights; the plan "
                                  "has " +
                                  formatText() + ".");
        if (m_log.engine == LogEngine::Vllm &&
            m_estimate.settings->weightFormat == WeightFormat::MxFp4)
            return Reason::either(
                "Kernels differ in how they lay out experts in MXFP4: the plan counts those of " +
                std::string(choiceText(m_estimate.settings->moeBackend)) +
                " (inference.moe_backend).");
        if (m_log.engine == LogEngine::Sglang)
            return {.ifMore = "SGLang prints by how much less is free on the device, which is "
                              "more than the tensors."};
        return {};
    }

    /// Whether layers of the plan's model keep a window alone.
    [[nodiscard]] bool hasWindows() const
    {
        return m_estimate.settings->architecture.slidingWindow > 0;
    }

    [[nodiscard]] std::string formatText() const
    {
        return m_plan.inference.weightFormat ? "one stated" : "16 bit";
    }

    [[nodiscard]] Reason activationsReason() const
    {
        if (!m_plan.inference.maxNumBatchedTokens)
            return Reason::either(
                "The log does not state max_num_batched_tokens; the plan assumes " +
                formatCount(m_estimate.settings->maxNumBatchedTokens) + ".");
        if (!m_plan.inference.maxNumSeqs)
            return Reason::either("The log does not state max_num_seqs, over which the sampler's "
                                  "logits are; the plan assumes " +
                                  formatCount(m_estimate.settings->maxNumSeqs) + ".");
        return {};
    }

    [[nodiscard]] Reason nonTorchReason() const
    {
        if (m_plan.inference.nonTorchBytes)
            return Reason::either("As the plan states it.");
        const bool tensor = m_estimate.settings->tensor > 1;
        const bool counted = vllmAge(m_log, {0, 9, 1}) == LogAge::AtLeast &&
                             vllmAge(m_log, {0, 11, 0}) == LogAge::Before;
        if (tensor && counted)
            return {.ifMore = "Up to vLLM 0.10 the communicators of NCCL are in it."};
        return Reason::either(
            "It follows from no shape: the plan has the typical figure of other runs.");
    }

    [[nodiscard]] Reason graphsReason() const
    {
        if (m_plan.inference.cudaGraphBytes)
            return Reason::either("As the plan states it.");
        return Reason::either(
            "It follows from no shape: the plan has the typical figure of other runs.");
    }

    [[nodiscard]] Reason cacheReason(bool has) const
    {
        const bool isStated = !sizes(m_log.engine); // by the length, not by what is left
        const auto cacheOf = [](const Plan &plan) -> std::optional<double> {
            const Estimate answer = estimate(plan);
            return answer.inference ? std::optional(static_cast<double>(answer.inference->kvCache))
                                    : std::nullopt;
        };
        if (has && isStated && m_budget.cache)
            return Reason::either(
                betrayedCacheFormat(m_plan, m_log, static_cast<double>(*m_budget.cache), cacheOf));
        return Reason::either(sizeReason());
    }

    /// Why a cache that fills what is left has its size.
    [[nodiscard]] std::string sizeReason() const
    {
        if (m_log.engine == LogEngine::Sglang)
            return m_plan.inference.sglang.memFractionStatic
                       ? std::string("What the static fraction leaves after the plan's weights.")
                       : "The log does not state the static fraction; the plan has " +
                             formatNumber(m_estimate.settings->sglang.memFractionStatic, 4) +
                             ", which the release chooses by itself.";
        if (m_log.engine == LogEngine::TensorRtLlm)
            return "What the fraction of the free memory, " +
                   formatNumber(m_estimate.settings->trtLlm.freeGpuMemoryFraction, 4) +
                   ", gives by the plan's weights and activations.";
        if (m_log.engine != LogEngine::Vllm)
            return {};
        if (m_log.find("kv_cache_memory_stated"))
            return "The size is stated, not measured.";
        return m_budget.graphsInside
                   ? "What the budget leaves after the rows above and the estimate of CUDA "
                     "graphs" +
                         estimateText() + ", which is part of it since vLLM 0.21."
                   : "What the budget leaves after the rows above.";
    }

    [[nodiscard]] Reason blocksReason() const
    {
        const bool isV0 = m_log.find("peak_torch_memory") || m_log.find("cpu_blocks");
        if (isV0 && m_estimate.settings->architecture.state.kind != StateKind::None)
            return {.ifMore = "V0 keeps states of Mamba layers outside the blocks, which hold "
                              "attention alone; the plan counts the pool of V1."};
        if (!m_budget.cache)
            return Reason::either("As the caches differ.");
        if (m_estimate.settings->tensor > 1)
            return {.ifLess = "The rank with the least room decides; the line of the cache may be "
                              "of another one."};
        return {};
    }

    const Plan &m_plan;
    const ServingLog &m_log;
    LogBudget m_budget;
    Estimate m_estimate;
    bool m_isSized; ///< whether the plan says how large the cache is
    LogComparison m_result;
};

class TakingOver
{
public:
    TakingOver(const Plan &plan, const ServingLog &log)
        : m_log(log)
        , m_budget(budgetOf(log))
    {
        m_result.plan = plan;
    }

    LogTakeOver take()
    {
        if (m_log.engine == LogEngine::Vllm)
            takeVllm();
        else if (isPooled(m_log.engine))
            takePool();
        else
            m_result.notTaken.push_back("The constants that a plan takes over are those of vLLM, "
                                        "SGLang and TensorRT-LLM; " +
                                        std::string(logEngineName(m_log.engine)) +
                                        " divides its memory otherwise.");
        return std::move(m_result);
    }

private:
    void takeVllm()
    {
        const auto graphs = graphsBeyond();
        if (graphs)
            put("inference.cuda_graph_bytes", *graphs,
                m_budget.graphsInside ? "what capturing took beyond the estimate in the budget"
                                      : "as captured, outside the budget");
        else
            m_result.notTaken.emplace_back("CUDA graphs: the log does not state what they took.");
        if (m_budget.activations)
            put("inference.activation_peak_bytes", *m_budget.activations,
                "peak of the profile run above the weights");
        else
            m_result.notTaken.emplace_back(
                "Activations of the profile run: the log does not state them.");
        if (!m_budget.cache || *m_budget.cache <= 0)
            takeOutside();
        else if (!takeRest(*m_budget.cache))
            put("inference.kv_cache_memory_bytes", *m_budget.cache,
                "the cache itself: the log does not state the budget that it is the rest of");
    }

    /// The tokens of the pool, and the fraction that has room for them.
    void takePool()
    {
        if (m_log.engine == LogEngine::Sglang && m_budget.graphs)
            put("inference.cuda_graph_bytes", std::max<Bytes>(*m_budget.graphs, 0), "as captured");
        const auto tokens = pooledTokens(m_log);
        if (!tokens || *tokens <= 0) {
            m_result.notTaken.emplace_back("The cache: the log does not state its tokens.");
            return;
        }
        Plan &plan = m_result.plan;
        plan.inference.sglang.maxTotalTokens.reset();
        const Estimate free = estimate(plan);
        if (!free.computed || !free.inference || !free.capacity) {
            m_result.notTaken.emplace_back(
                "The cache: the plan does not know the GPU's memory, of which it is a fraction.");
        } else if (m_log.engine == LogEngine::TensorRtLlm) {
            fitFraction("inference.trtllm.free_gpu_memory_fraction",
                        free.settings->trtLlm.freeGpuMemoryFraction, *tokens);
        } else {
            if (free.inference->kvTokens < *tokens)
                fitFraction("inference.sglang.mem_fraction_static",
                            free.settings->sglang.memFractionStatic, *tokens);
            if (setField(plan, fieldAt("inference.sglang.max_total_tokens"), FieldValue(*tokens))
                    .ok())
                m_result.taken.push_back(
                    {"Most tokens in the pool", formatCount(*tokens), "what the log's pool holds"});
        }
    }

    void put(FieldPath path, Bytes bytes, std::string how)
    {
        const Field &field = fieldAt(path);
        if (!setField(m_result.plan, field, FieldValue(bytes)).ok()) {
            m_result.notTaken.push_back(std::string(field.label) + ": " + formatBytes(bytes) +
                                        " is no value that a plan may have.");
            return;
        }
        m_result.taken.push_back({std::string(field.label), formatBytes(bytes), std::move(how)});
    }

    /// The smallest fraction, to six digits, that leaves room for the tokens.
    void fitFraction(FieldPath path, double now, std::int64_t tokens)
    {
        const Field &field = fieldAt(path);
        const auto tokensAt = [&](double fraction) {
            Plan plan = m_result.plan;
            if (!setField(plan, field, FieldValue(fraction)).ok())
                return std::int64_t(0);
            const Estimate answer = estimate(plan);
            return answer.inference ? answer.inference->kvTokens : std::int64_t(0);
        };
        constexpr double kMost = 1;
        const auto most = tokensAt(kMost);
        if (most < tokens) {
            m_result.notTaken.push_back("The cache: the plan's GPU has no room for " +
                                        counted(tokens, "token") +
                                        " beside its weights, whatever the fraction.");
            return;
        }
        double low = 0.01;
        double high = kMost;
        constexpr int kHalvings = 40;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = (low + high) / 2;
            (tokensAt(middle) < tokens ? low : high) = middle;
        }
        constexpr double kDigits = 1e6;
        const double fraction = std::min(std::ceil(high * kDigits) / kDigits, kMost);
        if (!setField(m_result.plan, field, FieldValue(fraction)).ok())
            return;
        m_result.taken.push_back(
            {std::string(field.label), formatNumber(fraction),
             "the smallest that has room for the log's tokens; the plan had " + formatNumber(now)});
    }

    /// Real graphs; from vLLM 0.21 on only what they take beyond their estimate, which the budget
    /// already holds.
    [[nodiscard]] std::optional<Bytes> graphsBeyond() const
    {
        if (!m_budget.graphs || !m_budget.graphsInside)
            return m_budget.graphs ? std::optional(std::max<Bytes>(*m_budget.graphs, 0))
                                   : std::nullopt;
        const BestFigure *estimated = m_log.find("cuda_graphs_estimated");
        return estimated ? std::max<Bytes>(*m_budget.graphs - estimated->bytes(), 0) : 0;
    }

    void takeOutside()
    {
        if (m_budget.nonTorch)
            put("inference.non_torch_bytes", *m_budget.nonTorch, "as the log states it");
        m_result.notTaken.emplace_back("The cache: the log does not state its size.");
    }

    /// What is outside PyTorch such that the budget leaves this cache: false where the plan has no
    /// budget.
    bool takeRest(Bytes cache)
    {
        Plan measured = m_result.plan;
        measured.inference.kvCacheMemoryBytes.reset();
        measured.inference.nonTorchBytes = 0;
        const Estimate without = estimate(measured);
        if (!without.computed || !without.inference || !without.capacity)
            return false;
        const Bytes rest = without.inference->kvCache - cache;
        if (rest < 0) {
            m_result.notTaken.push_back(
                "What is outside PyTorch: the plan's weights and activations are " +
                formatBytes(-rest) +
                " larger than the log's budget allows; the cache itself is stated instead.");
            return false;
        }
        const Bytes weights = m_budget.weights ? *m_budget.weights - without.inference->weights : 0;
        std::string how = "all that the budget holds beside weights, activations and cache";
        if (std::abs(weights) > Bytes(kHundredth))
            how += "; of it " + formatBytes(std::abs(weights)) +
                   (weights > 0 ? " are weights that the plan does not count"
                                : " less, as the plan counts more weights than the log");
        if (m_budget.graphsInside)
            how += "; with the estimate of CUDA graphs";
        m_result.plan.inference.kvCacheMemoryBytes.reset();
        put("inference.non_torch_bytes", rest, std::move(how));
        return true;
    }

    const ServingLog &m_log;
    LogBudget m_budget;
    LogTakeOver m_result;
};

} // namespace

std::optional<double> LogDifference::relative() const
{
    if (!logged || !planned || *logged <= 0)
        return {};
    return (*planned - *logged) / *logged;
}

bool LogDifference::agrees() const
{
    return logged && planned && std::abs(*planned - *logged) <= rounding;
}

LogComparison compareWithLog(const Plan &plan, const ServingLog &log)
{
    return Comparing(plan, log).compare();
}

LogTakeOver takeOverLog(const Plan &plan, const ServingLog &log)
{
    return TakingOver(plan, log).take();
}

} // namespace vramscope
