// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/model_parts.h"

#include "core/base/format.h"
#include "core/planner/blocks/sparse_attention.h"
#include "core/planner/parameters.h"
#include "core/planner/peak_summary.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string number(std::int64_t count)
{
    return formatCount(count);
}

std::string product(std::int64_t a, std::int64_t b)
{
    return number(a) + " × " + number(b);
}

/// "queries 4,096 × 4,096 + …": what is none is left out.
class Sum
{
public:
    Sum &add(const std::string &words, std::int64_t a, std::int64_t b)
    {
        return a == 0 || b == 0 ? *this : append(words + ' ' + product(a, b));
    }
    Sum &add(const std::string &words, std::int64_t count)
    {
        return count == 0 ? *this : append(words + ' ' + number(count));
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    Sum &append(const std::string &term)
    {
        m_text += (m_text.empty() ? "" : " + ") + term;
        return *this;
    }

    std::string m_text;
};

std::string times(std::int64_t count, const char *what, const std::string &each)
{
    return number(count) + ' ' + what + " × (" + each + ')';
}

/// Queries, keys, values and output; what is left of the count are biases, sinks and their norms.
std::string attentionFormula(const Architecture &it, const AttentionShape &shape, std::int64_t each)
{
    const std::int64_t query = shape.queryWidth();
    const std::int64_t keyValue = (shape.valuesAreKeys ? 1 : 2) * shape.keyWidth();
    return Sum()
        .add("queries", it.hidden, query)
        .add(shape.valuesAreKeys ? "keys, which are the values" : "keys and values", it.hidden,
             keyValue)
        .add("output", query, it.hidden)
        .add("biases, sinks and norms of heads",
             each - it.hidden * (query + keyValue) - query * it.hidden)
        .text();
}

std::string latentFormula(const Architecture &it)
{
    const std::int64_t query = it.heads * (it.qkNopeHeadDim + it.qkRopeHeadDim);
    return Sum()
        .add("queries down", it.hidden, it.qLoraRank)
        .add("their norm", it.qLoraRank)
        .add(it.qLoraRank > 0 ? "queries up" : "queries",
             it.qLoraRank > 0 ? it.qLoraRank : it.hidden, query)
        .add("latent of keys and values", it.hidden, it.kvLoraRank + it.qkRopeHeadDim)
        .add("its norm", it.kvLoraRank)
        .add("keys and values up", it.kvLoraRank, it.heads * (it.qkNopeHeadDim + it.vHeadDim))
        .add("output", it.heads * it.vHeadDim, it.hidden)
        .add("biases", it.latentBiases())
        .text();
}

/// Of one feed-forward of width `width`, whose count is `each`.
std::string ffnFormula(const Architecture &it, std::int64_t width, std::int64_t each)
{
    const std::int64_t inner = (it.gatedMlp ? 2 : 1) * width;
    return Sum()
        .add(it.gatedMlp ? "gate and up" : "up", it.hidden, inner)
        .add("down", width, it.hidden)
        .add("biases and gate", each - it.hidden * (inner + width))
        .text();
}

std::string expertFormula(const Architecture &it, std::int64_t each)
{
    const std::int64_t hidden = it.expertHidden > 0 ? it.expertHidden : it.hidden;
    const std::int64_t inner = (it.gatedMlp ? 2 : 1) * it.expertFfn;
    return Sum()
        .add(it.gatedMlp ? "gate and up" : "up", hidden, inner)
        .add("down", it.expertFfn, hidden)
        .add("biases and gate", each - hidden * (inner + it.expertFfn))
        .text();
}

/// DeepSeek V4's.
std::string compressedFormula(const Architecture &it, std::int64_t entries)
{
    const std::int64_t query = it.heads * it.headDim;
    const CompressedAttention &c = it.compressed;
    return Sum()
        .add("queries down", it.hidden, it.qLoraRank)
        .add("queries up", it.qLoraRank, query)
        .add("keys, which are the values", it.hidden, it.headDim)
        .add("output down", query, c.outputRank)
        .add("output up", c.outputGroups * c.outputRank, it.hidden)
        .add("norms and sinks", it.qLoraRank + it.headDim + it.heads)
        .add("compressor", entries)
        .text();
}

std::string formulaOf(const Architecture &it, const BlockKind &kind, std::int64_t each)
{
    const std::int64_t index = sparseParameters(it, kind);
    std::string formula = it.compressed.outputRank > 0
                              ? compressedFormula(it, each - index - compressedParameters(it, {}))
                          : it.mla() ? latentFormula(it)
                                     : attentionFormula(it, it.attentionOf(kind), each - index);
    if (index > 0)
        formula += " + index " + number(index);
    return formula;
}

/// Attention of all blocks, each kind of it apart.
ModelPartCount attentionPart(const Architecture &it, const ParameterCounts &counts)
{
    ModelPartCount part{ModelPart::Attention, 0, {}};
    for (const TokenMixer own : {TokenMixer::Attention, TokenMixer::FullAttention,
                                 TokenMixer::Compressed, TokenMixer::Indexed}) {
        std::int64_t blocks = 0;
        std::int64_t each = 0;
        BlockKind shaped;
        shaped.mixer = own;
        for (const BlockGroup &group : counts.groups) {
            const TokenMixer mixer =
                group.kind.mixer == TokenMixer::Parallel ? TokenMixer::Attention : group.kind.mixer;
            if (mixer != own)
                continue;
            blocks += group.count;
            each = group.each.attention;
        }
        if (blocks == 0)
            continue;
        part.count += blocks * each;
        part.formula += (part.formula.empty() ? "" : " + ") +
                        times(blocks, "blocks", formulaOf(it, shaped, each));
    }
    return part;
}

/// The parts of the blocks. What one block holds of a part is the same wherever it has the part,
/// but for its attention.
void addBlocks(std::vector<ModelPartCount> &parts, const Architecture &it,
               const ParameterCounts &counts)
{
    std::int64_t keeping = 0;
    std::int64_t dense = 0;
    std::int64_t routing = 0;
    BlockParameters each; // of the parts that it has
    for (const BlockGroup &group : counts.groups) {
        keeping += group.kind.keepsState() ? group.count : 0;
        dense += group.kind.feedForward == FeedForward::Dense ? group.count : 0;
        routing += group.kind.feedForward == FeedForward::Experts ? group.count : 0;
        each.norms = group.each.norms;
        each.stateMixer = std::max(each.stateMixer, group.each.stateMixer);
        each.denseFfn = std::max(each.denseFfn, group.each.denseFfn);
        each.router = std::max(each.router, group.each.router);
        each.experts = std::max(each.experts, group.each.experts);
        each.sharedExperts = std::max(each.sharedExperts, group.each.sharedExperts);
    }
    if (ModelPartCount attention = attentionPart(it, counts); attention.count > 0)
        parts.push_back(std::move(attention));
    if (keeping > 0)
        parts.push_back(
            {ModelPart::StateMixer, keeping * each.stateMixer,
             times(keeping, "blocks", Sum().add("their mixers", each.stateMixer).text())});
    if (dense > 0)
        parts.push_back({ModelPart::Mlp, dense * each.denseFfn,
                         times(dense, "blocks", ffnFormula(it, it.ffn, each.denseFfn))});
    if (routing > 0) {
        const std::string expert = expertFormula(it, each.experts / it.experts);
        parts.push_back({ModelPart::Experts, routing * each.experts,
                         number(routing) + " blocks × " + times(it.experts, "experts", expert)});
        parts.push_back(
            {ModelPart::SharedExperts, routing * each.sharedExperts,
             times(routing, "blocks", ffnFormula(it, it.sharedFfn, each.sharedExperts))});
        const std::string router =
            Sum()
                .add("choice", it.hidden, it.experts)
                .add("to the experts' width and back", 2 * it.hidden, it.expertHidden)
                .add("biases",
                     each.router - it.hidden * it.experts - 2 * it.hidden * it.expertHidden)
                .text();
        parts.push_back(
            {ModelPart::Router, routing * each.router, times(routing, "blocks", router)});
    }
    parts.push_back({ModelPart::Norms, it.layers * each.norms + counts.finalNorm,
                     Sum()
                         .add("in the blocks", it.layers, each.norms)
                         .add("at the end", counts.finalNorm)
                         .text()});
}

std::string headFormula(const Architecture &it, std::int64_t head)
{
    const std::int64_t weights = it.tiedEmbeddings ? 0 : it.vocab;
    return Sum()
        .add("vocabulary", weights, it.hidden)
        .add(it.tiedEmbeddings ? "its biases, the weights being the embedding's" : "biases",
             head - weights * it.hidden)
        .text();
}

} // namespace

std::vector<ModelPartCount> modelParts(const Architecture &it)
{
    std::vector<ModelPartCount> parts;
    if (it.layers <= 0 || !countable(it))
        return parts;
    const ParameterCounts counts = countParameters(it);
    parts.push_back({ModelPart::Embedding, counts.embedding,
                     "vocabulary " + product(it.vocab, it.hidden) +
                         (sharesHead(it) ? ", the same weights for the head" : "")});
    parts.push_back(
        {ModelPart::Positions, counts.positions,
         "positions and token types " + product(it.learnedPositions + it.typeVocab, it.hidden)});
    addBlocks(parts, it, counts);
    parts.push_back({ModelPart::Head, counts.head, headFormula(it, counts.head)});
    parts.push_back({ModelPart::Other, counts.extra, "beside the blocks " + number(counts.extra)});
    std::erase_if(parts, [](const ModelPartCount &one) { return one.count == 0; });
    return parts;
}

bool sharesHead(const Architecture &it)
{
    return it.tiedEmbeddings && it.extraParameters == 0; // with a pooler there is no head
}

bool windowedLayer(const Architecture &it, std::int64_t layer)
{
    if (it.slidingWindow <= 0 || !it.kindOf(layer).attends())
        return false;
    const auto index = static_cast<std::size_t>(layer);
    return it.slidingLayers.empty() || (index < it.slidingLayers.size() && it.slidingLayers[index]);
}

} // namespace vramscope
