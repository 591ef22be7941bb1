// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What models read outside their blocks: a source, of which they write another sequence, or
// pictures.
#include "core/estimate/formulas/block_activations.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr Origin kMeasured = {"What transformers' modules save around the blocks of encoder and "
                              "decoder; measured: tests/measure, family \"source\"",
                              Evidence::Verified};

/// Whisper's two convolutions and their activations: the first one's input and output are as long
/// as the sound, the second one's output is half as long.
void addConvolutions(const Training &t, Ledger &ledger)
{
    const SourceStem &stem = t.s.architecture.source;
    if (stem.frames == 0 || t.lora()) // nothing before the first adapter has a gradient
        return;
    const std::int64_t w = t.s.computeBytes;
    const std::int64_t h = t.s.architecture.hidden;
    const Exact frames = Exact(t.s.microBatch) * stem.frames;
    ledger.add(Category::Activations, "Saved by the convolutions",
               Exact(w) * ((Exact(stem.bins) + 2 * h) * frames + h * t.sourceTokens), kWhileSaved,
               kMeasured,
               {"{} ((bins + 2 h) frames + h T_x) = {} × (({} + 2 × {}) × {} + {} × {})",
                {w, w, stem.bins, h, frames.value(), h, t.sourceTokens.value()}});
}

/// What all layers of a half share of the bias of their scores: the bucket of each distance, the
/// zeros that attention to the encoder's output adds and, as arguments of checkpointed blocks, the
/// biases themselves. transformers 5.23 models/t5/modeling_t5.py, T5Attention.
void addScoreBiases(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    if (!a.biasedScores || a.biasInEachLayer)
        return;
    const Exact squares =
        Exact(s.sourceLength) * s.sourceLength + Exact(s.sequenceLength) * s.sequenceLength;
    const Exact crossed = Exact(a.heads) * s.sequenceLength * s.sourceLength;
    const bool recomputes = s.checkpointing != Checkpointing::None;
    const std::int64_t each = 8 + (recomputes ? s.weightBytes * a.heads : 0);
    ledger.add(Category::Activations, "Biases of the scores, for all layers",
               Exact(each) * squares + Exact(s.computeBytes) * crossed, kWhileSaved, kMeasured,
               {"{} (s_x² + s²) + {} a s s_x = {} × {} + {} × {}",
                {each, s.computeBytes, each, squares.value(), s.computeBytes, crossed.value()}});
}

/// FSDP adds up the gradients of a tied embedding when the decoder's embedding has run backward,
/// before the encoder's blocks do; all but the head's are counted here.
void addTiedShards(const Training &t, const BlockRange &lastOfEncoder, Ledger &ledger)
{
    const std::int64_t tensors = tiedGradients(t);
    if (!t.fsdp() || t.dense.gradients == 1 || tensors == 0 || t.lora())
        return;
    const Exact one = Exact(t.gathered) * t.rank.embedding;
    const Exact block = backwardOfBlock(t, t.s.architecture.blocks.front());
    ledger.add(Category::Gradients, "Gradients of the tied embedding, before their sum",
               excess(Exact(tensors - 1) * one, block), {StepPhase::Backward}, kMeasured,
               {"{} · {} V h - {} = {} × {} - {}",
                {tensors - 1, t.gathered, block.value(), tensors - 1, one.value(), block.value()}},
               1, Course::running(lastOfEncoder));
}

} // namespace

/// The image processor gives fp32, which the batch holds; the convolution that makes patches keeps
/// its input, a copy where it computes in 16 bit. transformers 5.23 models/vit/modeling_vit.py;
/// measured: tests/measure, family "encoders".
void addPictures(const Training &t, Ledger &ledger)
{
    constexpr Origin kPictures = {"Images as transformers' image processors give them, and what "
                                  "the first convolution saves; measured: tests/measure, family "
                                  "\"encoders\"",
                                  Evidence::Verified};
    const ImageInput &image = t.s.architecture.image;
    if (!t.s.architecture.readsImages())
        return;
    const Exact values = Exact(t.s.microBatch) * image.values();
    ledger.add(Category::Activations, "Pixels of the batch", {"4 values b", {4, values}},
               kForwardToBackward, kPictures);
    if (!t.lora() && t.s.computeBytes < 4)
        ledger.add(Category::Activations, "Saved by the patch embedding",
                   {"{} values b", {t.s.computeBytes, values}}, kWhileSaved, kPictures);
}

/// The encoder's output is saved once, for the keys and values of all layers of the decoder, which
/// add up its gradient, with what the encoder's last norm keeps. All of it is gone when the
/// decoder's blocks have run backward.
void addSource(const Training &t, Ledger &ledger)
{
    const Architecture &a = t.s.architecture;
    if (!a.readsSource())
        return;
    const std::int64_t w = t.s.computeBytes;
    // Under autocast its last norm is in fp32, and the blocks count each product's cast.
    const bool casts = t.autocast() && a.norm == NormKind::LayerNorm;
    const auto decoder = std::ranges::count_if(a.blocks, &BlockKind::crosses);
    const BlockRange ofDecoder = {a.layers - decoder, decoder};
    const std::int64_t bytes = casts ? 4 : a.normBytes > 0 ? a.normBytes + w : 2 * w;
    const Exact output = Exact(bytes) * a.hidden * t.sourceTokens;
    addConvolutions(t, ledger);
    addScoreBiases(t, ledger);
    ledger.add(Category::Activations, "Output of the encoder",
               {"{} h T_x", {bytes, a.hidden, t.sourceTokens}}, kWhileSaved, kMeasured, 1,
               Course::saved({ofDecoder.first, 1}, output));
    ledger.add(Category::Activations, "Gradient of the encoder's output",
               {"{} h T_x", {w, a.hidden, t.sourceTokens}}, {StepPhase::Backward}, kMeasured, 1,
               Course::running(ofDecoder));
    addTiedShards(t, {ofDecoder.first - 1, 1}, ledger);
}

} // namespace vramscope
