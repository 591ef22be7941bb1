// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planned_requests/tensor_sizes.h"

#include "core/estimate/formulas/block_activations.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr Bytes kDdpBucket = 25 * kMiB; // bucket_cap_mb of DistributedDataParallel

/// `bytes` divided in proportion to `weights`, all above 0; exactly if they allow it.
std::vector<Bytes> inProportion(Bytes bytes, const std::vector<Bytes> &weights)
{
    Exact whole;
    for (const Bytes weight : weights)
        whole += weight;
    if (whole == 0 || whole.overflowed())
        return {bytes};
    const Bytes each = bytes / whole.value();
    const double rest = static_cast<double>(bytes % whole.value());
    std::vector<Bytes> sizes;
    sizes.reserve(weights.size());
    Bytes until = 0;
    Bytes given = 0;
    for (const Bytes weight : weights) {
        until += weight;
        const double share = static_cast<double>(until) / static_cast<double>(whole.value());
        const Bytes end = until < whole ? each * until + static_cast<Bytes>(rest * share) : bytes;
        if (end > given)
            sizes.push_back(end - given);
        given = std::max(given, end);
    }
    return sizes;
}

/// `bytes` in pieces of `sizes`, repeatedly; the last one is the rest.
std::vector<Bytes> inPieces(Bytes bytes, const std::vector<Bytes> &sizes)
{
    constexpr std::size_t kMostPieces = 4096;
    std::vector<Bytes> pieces;
    for (std::size_t i = 0; bytes > 0; ++i) {
        const bool last = sizes.empty() || pieces.size() + 1 == kMostPieces;
        pieces.push_back(last ? bytes : std::min(bytes, sizes[i % sizes.size()]));
        bytes -= pieces.back();
    }
    return pieces;
}

void append(std::vector<Bytes> &sizes, Exact size, std::int64_t times = 1)
{
    if (size > 0 && !size.overflowed())
        sizes.insert(sizes.end(), static_cast<std::size_t>(times), size.value());
}

/// The number of tensors of a matrix: the experts of a layer are one.
std::int64_t tensorsOf(const Matrix &matrix)
{
    return matrix.module == "expert" ? 1 : std::max<std::int64_t>(matrix.count, 1);
}

std::vector<Bytes> blockWeights(const Training &t, const RankGroup &group)
{
    std::int64_t rest = group.each.total();
    std::vector<Bytes> sizes;
    if (t.s.strategy != Strategy::Fsdp1 || t.dense.weights == 1) {
        for (const Matrix &matrix : group.matrices) {
            const Matrix held = heldBy(t.s, matrix);
            append(sizes, held.elements() / tensorsOf(held), tensorsOf(held));
            rest -= held.elements();
        }
    }
    append(sizes, rest);
    return sizes;
}

} // namespace

TensorSizes::TensorSizes(const Training &t)
    : m_fsdp2(t.s.strategy == Strategy::Fsdp2 && t.dense.weights > 1)
    , m_flatStates(t.megatron() || t.s.strategy == Strategy::Zero1 ||
                   t.s.strategy == Strategy::Zero2 || t.s.strategy == Strategy::Zero3)
{
    addWeights(t);
    const std::int64_t divided = dividesLogits(t.s) ? t.s.tensor : 1;
    const Exact row = dividedUp(Exact(t.s.architecture.vocab), divided) * t.tokens;
    append(m_logits, row * t.s.computeBytes); // the head's output, then its copies in fp32
    append(m_logits, row * 4, 3);
    if (t.fsdp())
        m_message = (Exact(t.gathered) * t.rank.unit().total()).value();
    else if (t.s.strategy == Strategy::Ddp)
        m_message = kDdpBucket;
}

void TensorSizes::addWeights(const Training &t)
{
    const RankInventory &rank = t.rank;
    for (const RankGroup &group : rank.groups) {
        m_blocks.push_back({.range = group.range,
                            .experts = group.kind.feedForward == FeedForward::Experts,
                            .weights = blockWeights(t, group),
                            .outputs = {}});
        addOperators(t, group, m_blocks.back());
    }
    append(m_model, rank.embedding);
    for (std::int64_t block = 0; block < rank.layers(); ++block)
        m_model.insert(m_model.end(), sizesOf(block).weights.begin(), sizesOf(block).weights.end());
    append(m_model, rank.finalNorm + rank.extra);
    append(m_model, rank.head);
    if (!t.lora()) {
        m_trained = m_model;
        return;
    }
    for (const TrainedMatrix &matrix : trainedMatrices(t)) {
        const std::int64_t tensors =
            std::max<std::int64_t>(matrix.expert ? rank.expertBlocks() : matrix.count, 1);
        append(m_trained, Exact(matrix.rows) * matrix.columns * (matrix.count / tensors), tensors);
    }
}

/// The outputs of a block's operators as autograd sees them: the residual stream, the norm before
/// each module, and every matrix product.
void TensorSizes::addOperators(const Training &t, const RankGroup &group, BlockSizes &sizes)
{
    Sizes &outputs = sizes.outputs;
    const std::int64_t w = t.s.computeBytes;
    const std::int64_t divided = t.s.sequenceParallel ? t.s.tensor : 1;
    const Exact tokens = t.tokensOf(group.kind);
    const Exact stream = dividedUp(Exact(t.s.architecture.hidden), divided) * tokens;
    append(outputs, stream * t.residual);
    std::string_view module;
    for (const Matrix &matrix : group.matrices) {
        const Matrix held = heldBy(t.s, matrix);
        const Exact rows = held.module == "expert" ? expertRows(t) : tokens;
        if (held.module != module)
            append(outputs, stream * w);
        module = held.module;
        append(outputs, rows * held.out * w, tensorsOf(held));
        if (held.target == "down")
            sizes.inner = (rows * held.in * w).value();
    }
}

/// A part outside blocks is cut like those of blocks without experts.
const TensorSizes::BlockSizes &TensorSizes::sizesOf(std::int64_t block) const
{
    static const BlockSizes kNone{};
    const auto found = std::ranges::find_if(m_blocks, [block](const BlockSizes &sizes) {
        return block < 0 ? !sizes.experts : sizes.range.contains(block);
    });
    return found == m_blocks.end() ? kNone : *found;
}

/// FSDP2 reduces a unit's gradients into one buffer, of which they are views.
std::vector<Bytes> TensorSizes::gradients(Bytes bytes, const Place &place) const
{
    if (m_flatStates || m_fsdp2)
        return {bytes};
    if (place.block >= 0)
        return inProportion(bytes, sizesOf(place.block).weights);
    if (place.nothingYet)
        return inProportion(bytes, m_trained);
    return {bytes}; // for the embedding, in addition to those of the blocks
}

std::vector<Bytes> TensorSizes::activations(std::string_view part, Bytes bytes,
                                            const Place &place) const
{
    const BlockSizes &sizes = sizesOf(place.block);
    const Bytes inner = sizes.inner;
    const bool inside =
        part.starts_with("Backward temporaries") || part.starts_with("Working tensors");
    if (inside && inner > 0)
        return inPieces(bytes, {inner});
    return inPieces(bytes, sizes.outputs);
}

std::vector<Bytes> TensorSizes::temporaries(std::string_view part, Bytes bytes,
                                            const Place &place) const
{
    const bool list =
        part.starts_with("Foreach temporaries") || part.starts_with("Gradients in fp32");
    if (list && !m_flatStates)
        return inProportion(bytes, m_trained);
    if (part.starts_with("Autocast") && place.block >= 0)
        return inProportion(bytes, sizesOf(place.block).weights);
    return {bytes};
}

/// FSDP2 copies a unit out of its all-gather into the tensors of the block that runs.
std::vector<Bytes> TensorSizes::messages(std::string_view part, Bytes bytes,
                                         const Place &place) const
{
    if (m_fsdp2 && part.starts_with("Gathered block weights"))
        return inProportion(bytes, sizesOf(std::max<std::int64_t>(place.block, 0)).weights);
    return m_message > 0 ? inPieces(bytes, {m_message}) : Sizes{bytes};
}

std::vector<Bytes> TensorSizes::cut(Category category, std::string_view part, Bytes bytes,
                                    const Place &place) const
{
    switch (category) {
    case Category::Parameters:
        return inProportion(bytes, part.starts_with("Adapter") ? m_trained : m_model);
    case Category::OptimizerStates:
        return m_flatStates ? Sizes{bytes} : inProportion(bytes, m_trained);
    case Category::Gradients:
        return gradients(bytes, place);
    case Category::Activations:
        return activations(part, bytes, place);
    case Category::LossAndLogits:
        return inPieces(bytes, m_logits);
    case Category::TemporaryBuffers:
        return temporaries(part, bytes, place);
    case Category::Communication:
        return messages(part, bytes, place);
    case Category::KeyValueCache:
    case Category::Framework:
    case Category::Inputs:
    case Category::Unknown:
        break;
    }
    return {bytes};
}

} // namespace vramscope
