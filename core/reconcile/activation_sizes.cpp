// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/reconcile/size_names.h"

#include <array>
#include <cmath>
#include <initializer_list>

namespace vramscope {

namespace {

constexpr std::array<std::int64_t, 4> kElements = {2, 4, 1, 8};

/// The tensors that have a row for each of some tokens.
class TokenTensors
{
public:
    TokenTensors(const Training &t, const Side &tokens, Exact rows, SizeMatcher &matcher)
        : m_t(t)
        , m_a(t.s.architecture)
        , m_tokens(tokens)
        , m_rows{"R", rows, "rows of experts"}
        , m_matcher(matcher)
    {
    }

    void addLogits(const Side &tokens, std::string_view what) const;
    void addBlock() const;

private:
    void addAttention() const;
    void addLatentAttention() const;
    void addFeedForward() const;
    void addSmall() const;
    /// In every type; the plan's own and fp32 are usual.
    void add(Category category, std::string_view what, std::initializer_list<Side> sides) const
    {
        for (const std::int64_t element : kElements)
            m_matcher.add(category, what, sides, element,
                          element == m_t.s.computeBytes || element == 4);
    }
    void addWide(std::string_view what, const Side &width) const
    {
        if (width.value > 0)
            add(Category::Activations, what, {m_tokens, width});
    }

    const Training &m_t;
    const Architecture &m_a;
    Side m_tokens;
    Side m_rows;
    SizeMatcher &m_matcher;
};

void TokenTensors::addLogits(const Side &tokens, std::string_view what) const
{
    constexpr std::string_view kEntries = "entries of the vocabulary";
    if (!m_t.rank.hasHead)
        return;
    add(Category::LossAndLogits, what, {tokens, {"V", m_a.vocab, kEntries}});
    if (m_t.s.tensor > 1)
        add(Category::LossAndLogits, what,
            {tokens, {"(V / t)", m_a.vocab, kEntries, m_t.s.tensor}});
}

void TokenTensors::addBlock() const
{
    addWide("hidden states", {"h", m_a.hidden, "channels"});
    if (m_t.s.sequenceParallel && m_t.s.tensor > 1)
        add(Category::Activations, "hidden states",
            {{"(T / t)", m_tokens.value, m_tokens.counted, m_t.s.tensor},
             {"h", m_a.hidden, "channels"}});
    if (m_a.mla())
        addLatentAttention();
    else
        addAttention();
    addFeedForward();
    addSmall();
    if (m_t.lora())
        addWide("inner tensor of an adapter", {"r", m_t.s.adapters.rank, "channels"});
}

void TokenTensors::addAttention() const
{
    const std::int64_t queries = queryWidth(m_t.s);
    const std::int64_t keys = keyValueWidth(m_t.s);
    addWide("queries or output of the attention", {"A", queries, "channels"});
    addWide("keys or values", {"K", keys, "channels"});
    addWide("queries, keys and values", {"(A + 2 K)", Exact(queries) + 2 * keys, "channels"});
}

void TokenTensors::addLatentAttention() const
{
    const std::int64_t t = m_t.s.tensor;
    const std::int64_t heads = m_a.heads;
    addWide("latent of the queries", {"r_q", m_a.qLoraRank, "channels"});
    addWide("latent of keys and values",
            {"(r_kv + d_r)", m_a.kvLoraRank + m_a.qkRopeHeadDim, "channels"});
    addWide("latent of keys and values", {"r_kv", m_a.kvLoraRank, "channels"});
    addWide(
        "queries or keys",
        {"a (d_n + d_r)", Exact(heads) * (m_a.qkNopeHeadDim + m_a.qkRopeHeadDim), "channels", t});
    addWide("keys and values, expanded",
            {"a (d_n + d_v)", Exact(heads) * (m_a.qkNopeHeadDim + m_a.vHeadDim), "channels", t});
    addWide("values or output of the attention",
            {"a d_v", Exact(heads) * m_a.vHeadDim, "channels", t});
}

void TokenTensors::addFeedForward() const
{
    const std::int64_t t = m_t.s.tensor;
    if (m_t.rank.has(FeedForward::Dense)) {
        addWide("inner tensor of the feed-forward", {"f", m_a.ffn, "inner channels", t});
        if (m_a.gatedMlp)
            addWide("gate and up of the feed-forward",
                    {"2 f", Exact(2) * m_a.ffn, "inner channels", t});
    }
    if (!m_t.rank.has(FeedForward::Experts))
        return;
    addWide("inner tensor of the shared expert", {"f_s", m_a.sharedFfn, "inner channels", t});
    add(Category::Activations, "inputs or outputs of the experts",
        {m_rows, {"h", m_a.hidden, "channels"}});
    add(Category::Activations, "inner tensor of the experts",
        {m_rows, {"f_e", m_a.expertFfn, "inner channels", expertSplit(m_t.s) / m_t.s.expert}});
    addWide("output of the router", {"E", m_a.experts, "experts"});
}

/// A figure or two for each token.
void TokenTensors::addSmall() const
{
    constexpr std::string_view kHeads = "heads";
    const Side heads = {m_t.s.tensor > 1 ? "(a / t)" : "a", m_a.heads, kHeads, m_t.s.tensor};
    m_matcher.add(Category::Activations, "log-sum-exp of the attention",
                  std::array{m_tokens, heads}, 4);
    m_matcher.addUntyped(Category::Activations, "token ids or labels in int64",
                         std::array{m_tokens}, 8);
    m_matcher.add(Category::Activations, "a figure of each token", std::array{m_tokens}, 4);
    if (m_t.rank.has(FeedForward::Experts))
        m_matcher.addUntyped(Category::Activations, "experts chosen in int64",
                             std::array{m_tokens, Side{"k", m_a.expertsPerToken, "experts"}}, 8);
}

/// Eager attention computes them whole; flash never does, but a run may not use what its plan says.
void addScores(const Training &t, SizeMatcher &matcher)
{
    const Settings &s = t.s;
    const std::string_view sequences = s.microBatch == 1 ? "sequence" : "sequences";
    const std::array<Side, 4> sides = {
        {{"b", s.microBatch, sequences},
         {s.tensor > 1 ? "(a / t)" : "a", s.architecture.heads, "heads", s.tensor},
         {s.context > 1 ? "(s / c)" : "s", s.sequenceLength, "queries", s.context},
         {"s", s.sequenceLength, "keys"}}};
    for (const std::int64_t element : kElements)
        matcher.add(Category::Activations, "attention scores", sides, element,
                    element == s.computeBytes || element == 4);
}

void addCache(const Settings &s, const RankInventory &rank, std::int64_t kvBlocks,
              SizeMatcher &matcher)
{
    const auto element = static_cast<std::int64_t>(s.kvBytesPerElement);
    const KvCache cache = kvCacheOf(s, rank);
    if (std::floor(s.kvBytesPerElement) != s.kvBytesPerElement || element < 1)
        return;
    constexpr std::string_view kLayer = "key-value cache of a layer";
    const Side both = {s.architecture.mla() ? "(r_kv + d_r)" : "2 K", cache.perLayer,
                       "channels of keys and values"};
    if (s.engine == Engine::Vllm) {
        const std::array sides = {Side{"blocks", kvBlocks, "blocks"},
                                  Side{"block_size", s.blockSize, "tokens"}, both};
        matcher.addUntyped(Category::KeyValueCache, kLayer, sides, element);
        return;
    }
    const Side sequences = {"S", s.concurrentSequences,
                            s.concurrentSequences == 1 ? "sequence" : "sequences"};
    for (const std::int64_t tokens : {s.meanSequenceLength, cache.window}) {
        const Side length = {"n", tokens, "tokens"};
        matcher.addUntyped(Category::KeyValueCache, kLayer, std::array{sequences, length, both},
                           element);
        if (!s.architecture.mla())
            matcher.addUntyped(
                Category::KeyValueCache, "keys or values of a layer",
                std::array{sequences, length,
                           Side{"K", cache.perLayer / 2, "channels of keys or values"}},
                element);
    }
}

} // namespace

void addActivationSizes(const Training &t, SizeMatcher &matcher)
{
    const Settings &s = t.s;
    const Side all = {"T", t.tokens, "tokens"};
    const TokenTensors tensors(t, all, expertRows(t), matcher);
    tensors.addLogits(all, "logits");
    const std::int64_t length = s.sequenceLength / s.context;
    tensors.addLogits({"b (s - 1)", Exact(s.microBatch) * (length - 1), "tokens with a next one"},
                      "shifted logits");
    if (s.loss == LossKind::Chunked)
        tensors.addLogits({"(T / n_chunks)", t.tokens, "tokens of a chunk", s.lossChunks},
                          "logits of a chunk");
    tensors.addBlock();
    addScores(t, matcher);
}

void addServingSizes(const Training &t, std::int64_t kvBlocks, SizeMatcher &matcher)
{
    const Settings &s = t.s;
    const bool batches = s.engine == Engine::Vllm || s.engine == Engine::LlamaCpp;
    const Exact stated = Exact(s.concurrentSequences) * s.meanSequenceLength;
    const Side tokens = {"T", batches ? Exact(s.maxNumBatchedTokens) : stated, "tokens"};
    const Exact rows = tokens.value * s.architecture.expertsPerToken;
    const TokenTensors tensors(t, tokens, rows, matcher);
    tensors.addLogits(tokens, "logits");
    const bool vllm = s.engine == Engine::Vllm;
    tensors.addLogits({"S", vllm ? s.maxNumSeqs : s.concurrentSequences, "sequences"},
                      "logits of the next tokens");
    tensors.addBlock();
    addCache(s, t.rank, kvBlocks, matcher);
}

} // namespace vramscope
