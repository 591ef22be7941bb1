// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_parts.h"

#include "core/base/format.h"
#include "core/estimate/peak_summary.h"
#include "core/model/blocks/sparse_attention.h"
#include "core/model/parameters.h"

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

/// "queries 4,096 × 4,096 + …": zero terms are left out.
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

/// Queries, keys, values and output; the rest of the count are biases, sinks and their norms.
std::string attentionFormula(const Architecture &it, const BlockKind &kind, std::int64_t each)
{
    const AttentionShape shape = it.attentionOf(kind);
    const std::int64_t query = shape.queryWidth();
    const std::int64_t keyValue = shape.keyWidth() + (shape.valuesAreKeys ? 0 : shape.valueWidth());
    const std::int64_t gate = it.attentionGate == AttentionGate::PerHead ? shape.heads : 0;
    return Sum()
        .add("queries", it.hidden, query)
        .add(shape.valuesAreKeys ? "keys, which are the values" : "keys and values", it.hidden,
             keyValue)
        .add("output", shape.outputWidth(), it.hidden)
        .add("gate", it.hidden, gate)
        .add("biases, sinks and norms of heads",
             each - it.hidden * (query + keyValue + gate) - shape.outputWidth() * it.hidden)
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
        .add("gate", it.latentGate > 0 ? it.hidden : 0, it.latentGate)
        .text();
}

/// One feed-forward of width `width`, whose count is `each`.
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

/// DeepSeek V4's attention.
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
    if (kind.crosses())
        return "2 × (" + formulaOf(it, {}, each / 2) + ')';
    const std::int64_t index = sparseParameters(it, kind);
    std::string formula = it.compressed.outputRank > 0
                              ? compressedFormula(it, each - index - compressedParameters(it, {}))
                          : it.mla() ? latentFormula(it)
                                     : attentionFormula(it, kind, each - index);
    if (index > 0)
        formula += " + index " + number(index);
    return formula;
}

/// Attention of all blocks of one kind, without those that borrow keys and values.
void addAttention(ModelPartCount &part, const Architecture &it, const ParameterCounts &counts,
                  const BlockKind &own)
{
    std::int64_t blocks = 0;
    std::int64_t each = 0;
    for (const BlockGroup &group : counts.groups) {
        const TokenMixer mixer =
            group.kind.mixer == TokenMixer::Parallel ? TokenMixer::Attention : group.kind.mixer;
        if (mixer != own.mixer || group.kind.borrowsKeys != own.borrowsKeys)
            continue;
        blocks += group.count;
        each = group.each.attention;
    }
    if (blocks == 0)
        return;
    part.count += blocks * each;
    part.formula +=
        (part.formula.empty() ? "" : " + ") + times(blocks, "blocks", formulaOf(it, own, each));
}

ModelPartCount attentionPart(const Architecture &it, const ParameterCounts &counts)
{
    ModelPartCount part{ModelPart::Attention, 0, {}};
    for (const TokenMixer mixer :
         {TokenMixer::Attention, TokenMixer::FullAttention, TokenMixer::Compressed,
          TokenMixer::Indexed, TokenMixer::Encoder, TokenMixer::Crossed}) {
        for (const bool borrows : {false, true}) {
            BlockKind own;
            own.mixer = mixer;
            own.borrowsKeys = borrows;
            addAttention(part, it, counts, own);
        }
    }
    return part;
}

/// The sizes of a part in the blocks, each with the number of blocks that have it.
std::vector<std::pair<std::int64_t, std::int64_t>> sizesOf(const ParameterCounts &counts,
                                                           std::int64_t BlockParameters::*size)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
    for (const BlockGroup &group : counts.groups) {
        const std::int64_t each = group.each.*size;
        const auto same =
            std::ranges::find(sizes, each, &std::pair<std::int64_t, std::int64_t>::first);
        if (same != sizes.end())
            same->second += group.count;
        else if (each > 0)
            sizes.emplace_back(each, group.count);
    }
    return sizes;
}

/// A part of the blocks, each of its sizes with its formula.
template<class Formula>
ModelPartCount partOf(ModelPart part, const ParameterCounts &counts,
                      std::int64_t BlockParameters::*size, Formula formula)
{
    ModelPartCount sum{part, 0, {}};
    for (const auto &[each, blocks] : sizesOf(counts, size)) {
        sum.count += blocks * each;
        sum.formula += (sum.formula.empty() ? "" : " + ") +
                       times(blocks, blocks == 1 ? "block" : "blocks", formula(each));
    }
    return sum;
}

/// The parts of the blocks. A part has the same size in every block that has it, except attention
/// and mixer.
void addBlocks(std::vector<ModelPartCount> &parts, const Architecture &it,
               const ParameterCounts &counts)
{
    std::int64_t routing = 0;
    BlockParameters each; // of the parts that it has
    for (const BlockGroup &group : counts.groups) {
        routing += group.kind.feedForward == FeedForward::Experts ? group.count : 0;
        each.router = std::max(each.router, group.each.router);
        each.experts = std::max(each.experts, group.each.experts);
        each.sharedExperts = std::max(each.sharedExperts, group.each.sharedExperts);
    }
    parts.push_back(
        it.shared.count > 0
            ? partOf(ModelPart::Attention, counts, &BlockParameters::attention,
                     [](std::int64_t size) { return Sum().add("shared or own", size).text(); })
            : attentionPart(it, counts));
    parts.push_back(
        partOf(ModelPart::StateMixer, counts, &BlockParameters::stateMixer,
               [](std::int64_t size) { return Sum().add("their mixers", size).text(); }));
    parts.push_back(
        partOf(ModelPart::Mlp, counts, &BlockParameters::denseFfn, [&it](std::int64_t size) {
            return it.shared.count > 0 ? Sum().add("shared or own", size).text()
                                       : ffnFormula(it, it.ffn, size);
        }));
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
    Sum norms;
    std::int64_t inBlocks = 0;
    for (const auto &[size, blocks] : sizesOf(counts, &BlockParameters::norms)) {
        inBlocks += blocks * size;
        norms.add("in the blocks", blocks, size);
    }
    parts.push_back({ModelPart::Norms, inBlocks + counts.finalNorm,
                     norms.add("at the end", counts.finalNorm).text()});
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
