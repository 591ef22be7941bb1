// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/torch_block.h"
#include "core/model/model_parts.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

BlockMemory TorchBlock::build()
{
    if (hasMegatronLayers(m_s)) {
        m_memory = m_s.kernels == Kernels::MegatronTe ? transformerEngineBlock(m_t, m_moe)
                                                      : megatronLocalBlock(m_t, m_moe);
        m_memory.kept += scores();
        if (flash())
            m_memory.kept += fusedAttention(m_t);
    } else if (m_s.kernels == Kernels::Textbook) {
        m_memory = textbookBlock(m_t);
    } else {
        norm(0);
        if (m_kind.keepsState())
            stateMixer();
        TermSum untilMixer = m_memory.kept;
        if (m_kind.attends()) {
            attention();
            if (isParallel()) // the state's mixer runs forward first, so backward last
                sideBySide();
            else
                untilMixer = m_memory.kept;
            mergedOutput();
        }
        if (m_kind.crosses())
            crossAttention();
        const TermSum untilCrossed = m_memory.kept;
        for (std::int64_t i = 1; i < m_a.normsPerLayer; ++i)
            norm(i);
        if (m_kind.feedForward != FeedForward::None)
            feedForward();
        // The learned scale of each channel keeps what attention and feed-forward give.
        if (m_a.scaledBranches && !m_frozen)
            m_memory.kept.add(2 * m_w, "h", m_a.hidden, m_sp);
        // The gradient of the block's output. Measured: tests/measure, "checkpointing"; runs
        // of adapters (fms-acceleration) agree without it.
        if ((m_eager || m_titan) && !m_t.lora())
            m_memory.temporaries.add(m_t.residual, "h", m_a.hidden, m_sp);
        exchangedAttention(untilMixer);
        unfusedAttention(untilMixer);
        crossedAttention(untilCrossed);
        biasedAttention(untilMixer);
        experts();
        mixerBackward(untilMixer);
        // Adapters of a wider type than the activations keep inputs cast to it.
        if (m_frozen) {
            m_memory.kept += adapterInputs(m_t, m_kind);
            if (m_s.adapters.dora)
                m_memory.kept += doraOutputs(m_t, m_kind);
        } else if (m_t.lora() && m_s.adapters.weightBytes > m_w)
            m_memory.kept.add(12, "h", m_a.hidden, m_sp);
    }
    policy();
    forwardPass();
    indexForward();
    return std::move(m_memory);
}

/// How many matrix products read the output of norm `index`: those of the attention, then those of
/// the feed-forward (its router and shared expert; routed experts count by rows).
std::int64_t TorchBlock::readers(std::int64_t index) const
{
    const std::int64_t shared = m_a.sharedFfn > 0 ? m_inner + (m_a.sharedGate ? 1 : 0) : 0;
    const std::int64_t mlp = m_moe ? 1 + shared : m_inner;
    const std::int64_t attention = m_kind.keepsState() ? m_a.state.readers
                                   : m_a.fusedQkv      ? 1
                                   : m_a.mla()         ? 2
                                                       : 3;
    if (m_a.normsPerLayer == 1 && !m_a.isPlain())
        return m_kind.mixer != TokenMixer::None ? attention : mlp;
    return m_a.normsPerLayer == 1 ? attention + mlp : index == 0 ? attention : mlp;
}

/// Bytes per element that an RMSNorm keeps of its input, as Hugging Face's module computes it: the
/// input in fp32 (a copy where it is narrower) and, for the gradient of its weight, the normalised
/// value, of the input's type or in fp32.
std::int64_t TorchBlock::normalised(std::int64_t inputBytes) const
{
    if (m_frozen)
        return 4;
    return 4 + (m_a.normInFp32 ? 4 : inputBytes);
}

/// What the norm keeps of its input, and its output for the products that read it.
void TorchBlock::norm(std::int64_t index)
{
    norm({.readers = readers(index),
          .first = index == 0,
          .added = index > 1,
          // else the router's copy is
          .read = !m_titanExperts || index == 0 || m_a.sharedFfn > 0,
          .routed = m_moe && index > 0});
}

void TorchBlock::norm(const Norm &it)
{
    const std::int64_t h = m_a.hidden;
    const bool wide = m_t.residual == 4; // the norm reads fp32 without a copy
    const bool rms = m_a.norm == NormKind::RmsNorm && m_eager;
    const bool own = m_eager && m_a.normBytes > 0;
    m_memory.kept.add(own           ? m_a.normBytes
                      : rms         ? normalised(it.added ? m_w : m_t.residual)
                      : m_wideNorms ? 4
                                    : m_t.residual,
                      "h", h, m_sp);
    // Autocast's norms give fp32, and each product keeps a cast copy of its own: only casts of
    // weights are cached. Measured: tests/measure, family "autocast".
    if (!m_frozen && it.read && !it.added && (!m_coded || it.routed))
        m_memory.kept.add(m_casts ? it.readers * m_w : m_w, "h", h, m_gathered);
    if (it.first && (wide || (!rms && !m_wideNorms && !own))) // else the norm keeps a copy
        m_memory.input.add(m_t.residual, "h", h, m_sp);
}

void TorchBlock::queryKeyNorms()
{
    if (m_a.plainQkNorm && m_eager) {
        // Their inputs in fp32, in the layers that rotate: those that attend in chunks, on average.
        const auto rotating = std::ranges::count(m_a.slidingLayers, true);
        const auto layers = std::max<std::int64_t>(std::ssize(m_a.slidingLayers), 1);
        m_memory.kept.add(4 * rotating, "A", queryWidth(), m_tp * layers);
        m_memory.kept.add(4 * rotating, "K", kvWidth(), m_tp * layers);
    }
    if (!m_a.qkNorm)
        return;
    const std::int64_t each = m_eager ? normalised(m_w) : m_w;
    m_memory.kept.add(each, "A", queryWidth(), m_tp);
    m_memory.kept.add(each, "K", kvWidth(), m_tp);
}

TermSum TorchBlock::scores() const
{
    TermSum sum;
    if (m_s.kernels == Kernels::Textbook)
        return textbookScores(m_t);
    if (memoryEfficient() && m_a.biasedScores)
        sum += scoreBiases();
    else if (memoryEfficient())
        sum.add(m_w * masked(), "s", m_s.sequenceLength, maskable());
    if (fusedKernel())
        return sum;
    // The softmax, in fp32 under autocast as well, and the input of the product with the values:
    // its cast, or dropout's output with a mask. Measured: tests/measure, "attention". The fallback
    // multiplies in fp32 throughout.
    std::int64_t bytes = softmaxBytes();
    if (m_s.attentionDropout > 0)
        bytes += m_w + 1;
    else if (bytes > m_w && m_s.attention != AttentionKind::Math)
        bytes += m_w;
    if (m_s.softmaxInput) // in fp32, as PyTorch before 1.11 saves it
        bytes += 4;
    if (m_a.scoreSoftCap) // tanh keeps its output
        bytes += m_w;
    const Exact square = Exact(m_a.heads) * m_length;
    sum.add(bytes, "a s", square.value(), m_tp);
    if (m_kind.crosses())
        sum.add(bytes, "a s_x", m_a.heads * m_s.sourceLength, m_tp);
    return sum;
}

/// The bias of the scores, of which each layer hands torch's kernel a copy, the same for all
/// sequences, or the bias under the mask of padding, for each: a decoder adds its causal mask, of a
/// byte. Attention to the encoder's output has a bias of zeros, all layers together or, where each
/// learns its own, each. Such a layer keeps the bucket of each distance as well. transformers 5.23
/// models/t5/modeling_t5.py, models/umt5/modeling_umt5.py, integrations/sdpa_attention.py;
/// measured: tests/measure, family "source".
TermSum TorchBlock::scoreBiases() const
{
    const std::int64_t b = m_s.microBatch;
    const bool crosses = m_kind.crosses();
    const bool padded = m_s.attentionMask; // of the source
    TermSum sum;
    sum.add(m_w, padded && !crosses ? "a s" : "a s / b", m_a.heads * m_length,
            padded && !crosses ? 1 : b);
    sum.add((crosses ? 1 : 0) + (m_a.biasInEachLayer ? 8 : 0), "s / b", m_length, b);
    if (crosses && padded)
        sum.add(m_w, "a s_x", m_a.heads * m_s.sourceLength);
    else if (crosses && m_a.biasInEachLayer)
        sum.add(m_w, "a s_x / b", m_a.heads * m_s.sourceLength, b);
    return sum;
}

/// The gradient of that bias, which the kernel gives for each sequence, together with those of
/// queries, keys and values. Measured: tests/measure, family "source".
void TorchBlock::biasedAttention(const TermSum &untilMixer)
{
    if (!m_a.biasedScores || !memoryEfficient())
        return;
    TermSum backward = untilMixer;
    backward.add(m_t.residual, "h", m_a.hidden, m_sp);
    backward.add(2 * m_w, "A", queryWidth(), m_tp);
    backward.add(2 * m_w, "K", kvWidth(), m_tp);
    backward.add(m_w, "a s", m_a.heads * m_length, m_tp);
    takeIfHigher(backward.minus(m_memory.kept), earlierGradients());
}

/// While attention to the encoder's output runs backward, the gradients of its keys and values are
/// as long as the source. Measured: tests/measure, family "source".
void TorchBlock::crossedAttention(const TermSum &untilCrossed)
{
    if (!m_kind.crosses() || !fusedKernel())
        return;
    TermSum backward = untilCrossed;
    backward.add(m_t.residual, "h", m_a.hidden, m_sp);
    backward.add(2 * m_w, "A", queryWidth(), m_tp);
    backward.add(2 * m_w, "K s_x / s", kvWidth() * m_s.sourceLength, m_tp * m_length);
    const std::vector<Matrix> matrices = blockMatrices(m_s, m_kind);
    takeIfHigher(backward.minus(m_memory.kept),
                 excess(Exact(feedForwardElements(m_s, matrices)), firstElements(m_s, matrices)));
}

/// Attention's backward pass where it is higher, with `gradients` there, than that of what follows.
void TorchBlock::takeIfHigher(TermSum backward, Exact gradients)
{
    const Exact high = bytes(backward) + Exact(m_t.trainedGradient) * gradients;
    const Exact former =
        bytes(m_memory.temporaries) + Exact(m_t.trainedGradient) * m_memory.gradients;
    if (high <= former)
        return;
    m_memory.temporaries = std::move(backward);
    m_memory.backward = Highest::Scores;
    m_memory.gradients = gradients;
}

/// Attention to the encoder's output, of which each layer makes its own keys and values. Measured:
/// tests/measure, family "source".
void TorchBlock::crossAttention()
{
    norm({.readers = 1});
    m_memory.kept.add(m_w, "A", queryWidth(), m_tp);
    m_memory.kept.add(2 * m_w, "K s_x / s", kvWidth() * m_s.sourceLength, m_tp * m_length);
    m_memory.kept.add(m_w, "A", queryWidth(), m_tp);
    attentionOutput();
    if (m_casts && !m_frozen) // each product casts the encoder's output
        m_memory.kept.add(2 * m_w, "h s_x / s", m_a.hidden * m_s.sourceLength, m_length);
    if (fusedKernel())
        m_memory.kept.add(4, "a", m_a.heads, m_tp);
    if (m_s.dropout > 0)
        m_memory.kept.add(1, "h", m_a.hidden, m_sp);
}

std::int64_t TorchBlock::masked() const
{
    if (!memoryEfficient() || !isMasked(m_s))
        return 0;
    if (m_s.attentionMask || m_s.checkpointing != Checkpointing::None)
        return maskable();
    std::int64_t windows = 0;
    for (std::int64_t layer = 0; layer < m_a.layers; ++layer)
        windows += windowedLayer(m_a, layer) ? 1 : 0;
    return windows;
}

/// DeepSeek's latent attention, with keys and values expanded for training. Measured:
/// tests/measure, family "mla".
void TorchBlock::latentAttention()
{
    TermSum &kept = m_memory.kept;
    const std::int64_t latent = m_a.kvLoraRank + m_a.qkRopeHeadDim;
    // For each rank: what its norm keeps, and its output. The norm of the keys' part of the latent
    // reads a copy, unless that part is fp32 already: then the whole latent stays.
    const bool copies = m_eager && m_w < 4;
    const std::int64_t output = m_frozen ? 0 : m_w;
    const std::int64_t norm = m_eager ? normalised(m_w) : m_w;
    kept.add(norm + output, "r_q", m_a.qLoraRank);
    kept.add((copies ? norm : m_eager ? norm - 4 : 0) + output, "r_kv", m_a.kvLoraRank);
    if (!copies)
        kept.add(m_w, "(r_kv + d_r)", latent);
    // Queries, and the assembled keys; the values are a part of their product's output.
    const std::int64_t qk = m_a.heads * (m_a.qkNopeHeadDim + m_a.qkRopeHeadDim);
    kept.add(2 * m_w, "a (d_n + d_r)", qk, m_tp);
    kept.add(m_w, "a (d_n + d_v)", m_a.heads * (m_a.qkNopeHeadDim + m_a.vHeadDim), m_tp);
    if (m_a.indexHeads > 0)
        indexedAttention();
    // From Hopper on PyTorch takes cuDNN's attention, whose output has the layout of the queries:
    // the output's product reads a copy. Recorded on an H200 with PyTorch 2.11.
    const bool copied = m_eager && fromHopper(m_s);
    kept.add((copied ? 2 : 1) * m_w, "a d_v", m_a.heads * m_a.vHeadDim, m_tp);
}

/// Queries that are rotated in part are assembled again, heads before positions, and so is the
/// output of flash attention for them: the output's projection reads a copy. A gate on it keeps its
/// sigmoid and, as that projection's input, the product. Measured: tests/measure, family "hybrid".
void TorchBlock::attentionOutput()
{
    const bool gated = m_a.attentionGate != AttentionGate::None;
    const bool copied =
        m_eager && flash() &&
        ((m_a.partialRotary && (gated || !m_frozen)) || (m_a.laysOutHeads && !m_frozen));
    const std::int64_t kept = (copied ? 1 : 0) + (gated ? 1 : 0) + (gated && !m_frozen ? 1 : 0);
    m_memory.kept.add(kept * m_w, "A", queryWidth(), m_tp);
}

void TorchBlock::add(TermSum &sum, const SavedTensor &tensor) const
{
    const std::int64_t inputs = m_frozen ? 0 : tensor.inputs;
    // Under autocast a product with an fp32 weight, which no list names, gives fp32.
    const std::int64_t widened = tensor.widened * this->widened();
    // A buffer of the stored weights' type gives products of the wider type.
    const std::int64_t buffered = tensor.buffered * std::max(m_w, m_s.weightBytes);
    const std::int64_t fixed = tensor.fixed + (m_frozen ? 0 : 4 * tensor.wideInputs);
    sum.add((tensor.computed + inputs) * m_w + widened + buffered + fixed, tensor.symbol,
            tensor.width, tensor.divisor);
}

/// Measured: tests/measure, family "hybrid".
void TorchBlock::stateMixer()
{
    for (const SavedTensor &tensor : stateMixerOf(m_a).saved(m_a, mixerRun())) {
        add(m_memory.kept, tensor);
        m_memory.passed.add(tensor.passed * m_w, tensor.symbol, tensor.width, tensor.divisor);
    }
}

/// Attention parallel to a mixer that keeps a state reads the norm's output times a factor of its
/// own, as the mixer does (Falcon-H1); under autocast each of its products keeps a cast copy.
/// Frozen ones keep nothing.
void TorchBlock::sideBySide()
{
    if (m_frozen)
        return;
    const std::int64_t copies = m_casts ? 3 : 1;
    m_memory.kept.add(copies * m_w, "h", m_a.hidden, m_sp);
}

/// While the mixer runs backward there are the block's saved tensors up to it, the gradient of the
/// residual stream and its kernels' memory; the feed-forward's saved tensors are gone.
void TorchBlock::mixerBackward(const TermSum &untilMixer)
{
    if (!m_kind.keepsState())
        return;
    TermSum backward = untilMixer;
    backward.add(m_t.residual, "h", m_a.hidden, m_sp);
    if (isParallel()) // what attention left of the norm's output, and the mixer's own share
        backward.add(m_t.residual + m_w, "h", m_a.hidden, m_sp);
    for (const SavedTensor &tensor : stateMixerOf(m_a).backward(m_a, mixerRun()))
        add(backward, tensor);
    backward = backward.minus(m_memory.kept);
    // The gradients of the feed-forward are there by then; while it runs, those of the first part.
    const std::vector<Matrix> matrices = blockMatrices(m_s, m_kind);
    const Exact there = m_frozen       ? Exact(0)
                        : isParallel() ? earlierElements(m_s, matrices)
                                       : feedForwardElements(m_s, matrices);
    const Exact first =
        groupsExperts() ? expertElements(m_s, matrices) : firstElements(m_s, matrices);
    if (bytes(backward) + Exact(m_t.trainedGradient) * there > feedForwardHigh()) {
        m_memory.temporaries = std::move(backward);
        m_memory.backward = Highest::StateMixer;
        m_memory.gradients = excess(there, first);
    }
}

/// Grouped products of experts may be highest at three moments of their backward pass: while the
/// weighted rows, in the type of their scores, run backward, before any expert; with the gradient
/// of the last product's weights, when the rows that it gave are gone; and with those of all
/// experts, when nothing is left of what was inside. Measured: tests/measure, "moe" and "kinds".
void TorchBlock::experts()
{
    if (!groupsExperts() || m_memory.backward != Highest::FeedForward)
        return;
    if (m_frozen)
        return frozenExperts();
    const std::int64_t b = m_casts ? 4 : m_w; // as routedExperts() keeps
    const std::int64_t inside = (m_a.gatedMlp ? 4 : 2) * b + activationBytes(b);
    TermSum rows = combinedRows();
    TermSum first = m_memory.temporaries;
    first.add(-inside, "f_e", m_a.expertFfn, m_s.expertTensor, true);
    TermSum &last = m_memory.temporaries;
    if (m_a.gatedMlp && m_a.expertFfn > m_a.hidden * m_s.expertTensor)
        last.add(-b, "h", m_a.hidden, m_sp, true);
    else if (m_a.gatedMlp)
        last.add(-b, "f_e", m_a.expertFfn, m_s.expertTensor, true);

    const bool fsdp2 = m_t.reshards() && m_s.strategy == Strategy::Fsdp2;
    const bool stay = fsdp2 || (m_t.dense.gradients == 1 && !m_t.zero());
    const Exact g = !stay ? 0 : fsdp2 ? m_t.gathered : m_t.trainedGradient;
    const std::vector<Matrix> matrices = blockMatrices(m_s, m_kind);
    const Exact highest =
        std::max({bytes(rows), bytes(last) + g * firstElements(m_s, matrices),
                  stay ? bytes(first) + g * expertElements(m_s, matrices) : Exact(0)});
    if (bytes(rows) > bytes(last)) {
        m_memory.temporaries = std::move(rows);
        m_memory.backward = Highest::Combination;
    }
    const Matrix running = heldBy(m_s, matrices.back()); // FSDP2 counts it for every block
    const Exact counted = fsdp2 ? g * running.in * running.out : Exact(0);
    m_memory.experts = excess(highest, bytes(m_memory.temporaries) + counted);
}

/// Weighted rows of experts, their gradients, and the gradient of the block's output.
TermSum TorchBlock::combinedRows() const
{
    const bool wide = m_a.routerInFp32 || m_a.scoresInFp32 || m_casts;
    TermSum rows;
    rows.add(3 * (wide ? 4 : m_w), "h", m_a.hidden, m_sp, true);
    rows.add(m_t.residual + (m_a.isPlain() ? 0 : m_w), "h", m_a.hidden, m_sp);
    return rows;
}

/// Frozen experts have no gradients; their rows run backward as others do. Measured: tests/measure,
/// family "adapters".
void TorchBlock::frozenExperts()
{
    TermSum rows = combinedRows();
    if (bytes(rows) <= bytes(m_memory.temporaries))
        return;
    m_memory.temporaries = std::move(rows);
    m_memory.backward = Highest::Combination;
}

bool TorchBlock::groupsExperts() const
{
    return m_moe && m_grouped && m_eager && !m_a.expertsOnAll && !m_titanExperts;
}

/// Bytes of the block's temporary tensors and gradients at the worst moment of its feed-forward.
Exact TorchBlock::feedForwardHigh() const
{
    if (m_frozen)
        return bytes(m_memory.temporaries);
    const Exact gradients = groupsExperts() ? m_memory.experts
                                            : Exact(m_t.trainedGradient) *
                                                  firstElements(m_s, blockMatrices(m_s, m_kind));
    return bytes(m_memory.temporaries) + gradients;
}

/// Attention that is not fused peaks where the softmax runs backward: its output, the gradient of
/// that, their product and the gradient of the scores exist at once, and what followed the softmax
/// in forward is gone. Forward, scores and their softmax coexist. Measured: tests/measure, recorded
/// on an H200.
void TorchBlock::unfusedAttention(const TermSum &untilAttention)
{
    if (fusedKernel() || !m_kind.attends() || m_a.mla())
        return;
    const Exact square = Exact(m_a.heads) * m_length;
    TermSum backward = untilAttention.minus(scores());
    backward.add(4 * softmaxBytes(), "a s", square.value(), m_tp);
    backward.add(m_t.residual, "h", m_a.hidden, m_sp);
    backward.add(m_w, "A", queryWidth(), m_tp);
    backward = backward.minus(m_memory.kept);
    const Exact passing = bytes(backward);
    if (passing > 0 && passing > bytes(m_memory.temporaries)) {
        m_memory.temporaries = std::move(backward);
        m_memory.backward = Highest::Scores;
        m_memory.gradients = earlierGradients();
    }
    TermSum forward;
    forward.add(m_w, "h", m_a.hidden, m_gathered);
    forward.add(4 * m_w, "A", queryWidth(), m_tp);
    forward.add(2 * softmaxBytes(), "a s", square.value(), m_tp);
    if (bytes(forward) > bytes(m_memory.working)) {
        m_memory.working = std::move(forward);
        m_memory.forward = Highest::Scores;
    }
}

void TorchBlock::attention()
{
    TermSum &kept = m_memory.kept;
    queryKeyNorms();
    if (m_a.mla()) {
        latentAttention();
    } else {
        // repeat_kv: torchtitan's Llama 3 under PyTorch 2.10 keeps the copies, as recorded.
        const bool fused = m_t.lora() && m_s.adapters.fusedQkv; // litgpt expands, and V is a view
        const bool grouped = m_a.kvHeads < m_a.heads;
        const bool expanded = (!fusedKernel() || m_s.expandedKv || fused) && grouped;
        const bool repeated = memoryEfficient() && grouped && !expanded;
        const bool view = fused && !grouped;
        // The fallback keeps all three in fp32 (scaled_dot_product_attention's math kernel).
        const std::int64_t each = m_s.attention == AttentionKind::Math ? 4 : m_w;
        kept.add(expanded ? 3 * each : view ? 2 * m_w : m_w, "A", queryWidth(), m_tp);
        if (m_eager && m_a.fusedQkv && m_a.rotary && m_a.learnedPositions == 0 && !m_frozen &&
            !expanded && !repeated) {
            // The values are a part of the fused product; the rotated rest are copies.
            kept.add(m_w, "A", queryWidth(), m_tp);
            kept.add(m_w, "K", kvWidth(), m_tp);
        }
        if (repeated) {
            kept.add(2 * m_w * masked(), "A", queryWidth(), m_tp * maskable());
            kept.add(2 * m_w * (maskable() - masked()), "K", kvWidth(), m_tp * maskable());
        } else if (!expanded) {
            kept.add(view ? 3 * m_w : 2 * m_w, "K", kvWidth(), m_tp);
        }
        kept.add(m_w, "A", queryWidth(), m_tp);
        attentionOutput();
    }
    if (fusedKernel())
        kept.add(4, "a", m_a.heads, m_tp); // log-sum-exp of each row, fp32
    // torchtitan's rows of the rotary table: complex numbers, or Qwen3's cosines and sines, each
    // twice over; models/common/rope.py.
    if (m_titan)
        kept.add(m_a.qkNorm ? 8 : 4, "d", m_a.headDim);
    kept += scores();
    if (m_s.dropout > 0)
        kept.add(1, "h", m_a.hidden, m_sp);
}

/// Bytes per element that the activation function keeps in addition to its input and its output.
/// transformers activations.py; each recorded with GPT-2 on fake tensors, within 0.02 %.
std::int64_t TorchBlock::activationBytes(std::int64_t bytes) const
{
    if (!m_eager)
        return 0;
    switch (m_a.activation) {
    case Activation::GeluNew: // half the input, the tanh, one more than it; pow casts to fp32, so
                              // that a gate multiplies fp32
        return m_autocast ? 12 + (m_a.gatedMlp ? 4 - bytes : 0) : 3 * bytes;
    case Activation::GeluFast: // every factor of 0.5 x (1 + tanh(x c (1 + d x x)))
        return 6 * bytes;
    case Activation::QuickGelu: // the sigmoid
        return bytes;
    case Activation::ReluSquared: // pow casts to fp32 under autocast, and saves that
        return m_autocast && bytes < 4 ? 4 : 0;
    case Activation::ClampedGate: // both halves clamped, the sigmoid, one half plus one
        return 3 * bytes;
    case Activation::Relu: // its output is its input's derivative
        return -bytes;
    case Activation::Fused:
        break;
    }
    return 0;
}

/// Bytes per element that T5 keeps between the activation and the last product: dropout's mask and,
/// of a plain feed-forward, a copy, since a ReLU keeps its output and so does the product, which
/// dropout or the cast to the weights' type under autocast makes another. transformers 5.23
/// models/t5/modeling_t5.py, T5DenseActDense.
std::int64_t TorchBlock::passedOnBytes(std::int64_t bytes) const
{
    if (!m_a.biasedScores)
        return 0;
    const bool drops = m_s.dropout > 0;
    const bool copies = !m_a.gatedMlp && !m_frozen && (drops || m_casts);
    return (drops ? 1 : 0) + (copies ? bytes : 0);
}

void TorchBlock::ffn(const Inner &part)
{
    // Gated: gate, up, the activated gate and the product (compiled kernels recompute one of
    // them). Plain: before and after the activation function.
    const std::int64_t all = m_a.gatedMlp ? (m_s.kernels == Kernels::Compiled ? 3 : 4) : 2;
    const bool coded = m_coded && !part.rows;
    const std::int64_t kept = m_frozen || coded ? all - 1 : all; // such a down keeps no input
    const auto add = [&part](TermSum &sum, std::int64_t bytes, std::int64_t turns) {
        sum.add(bytes, part.symbol, part.width, part.divisor * turns, part.rows);
    };
    add(m_memory.kept, kept * part.bytes + activationBytes(part.bytes) + passedOnBytes(part.bytes),
        1);
    // In backward the product is gone when gradients of gate and up add to the rest: two widths
    // more at the worst moment (one for a plain one). The gradient of a product that was not kept
    // is there as well.
    // The written-out form of quick_gelu has the gradients of both its factors at once.
    const bool both = m_eager && m_a.activation == Activation::QuickGelu;
    const std::int64_t passing =
        (m_a.gatedMlp ? 2 : 1) + (m_frozen ? 1 : 0) + (both && !m_a.gatedMlp ? 1 : 0);
    if (both && !m_a.gatedMlp)
        m_memory.temporaries.add(m_t.residual, "h", m_a.hidden, m_sp);
    add(m_memory.temporaries, passing * part.bytes, part.turns);
    // Without saving, forward has the activated gate, the other half and their product at once.
    add(m_memory.working, (m_a.gatedMlp ? 3 : 2) * part.bytes, part.turns);
}

/// Every expert on every token: their copies, weighed by scores that are 0 for most, go through
/// all. transformers models/llama4/modeling_llama4.py, Llama4TextMoe; measured: tests/measure,
/// family "hybrid".
void TorchBlock::allExperts()
{
    TermSum &kept = m_memory.kept;
    kept.add(4 + m_w, "E", m_a.experts); // scores in fp32, and transposed
    kept.add(2 * m_w, "E h", m_a.experts * m_a.hidden);
    ffn({"E f_e", m_a.experts * m_a.expertFfn, 1, false, 1, m_w});
}

/// Measured: tests/measure, family "moe": a loop on torch 1.13, grouped products on torch 2.15.
void TorchBlock::routedExperts()
{
    if (m_a.expertsOnAll && m_eager)
        return allExperts();
    TermSum &kept = m_memory.kept;
    kept.add(8, "E", m_a.experts); // router logits and weights, fp32
    // DeepSeek's router and those built like it multiply an fp32 copy of the hidden states.
    const bool wideRouter = m_a.routerCorrectionBias || (m_a.routerInFp32 && m_grouped);
    // Autocast makes a 16-bit copy of that again, and keeps it alone.
    if (m_eager && wideRouter && !m_casts && m_w < 4 && !m_frozen)
        kept.add(m_autocast ? m_w : 4, "h", m_a.hidden, m_sp);
    Inner experts{"f_e", m_a.expertFfn, m_s.expertTensor, true, 1, m_w};
    if (m_grouped) {
        // The sorted rows and their outputs. _grouped_mm is not on autocast's list.
        experts.bytes = m_casts ? 4 : m_w;
        const std::int64_t input = m_frozen ? 0 : experts.bytes;
        kept.add(input + experts.bytes, "h", m_a.hidden, m_sp, true);
    } else {
        // The gathered input (or a cast copy for each product), the output to combine, and that
        // output times its weight: index_add keeps its source.
        const std::int64_t gathered = m_frozen ? 0 : (m_casts ? m_inner : 1) * m_w;
        kept.add(gathered + m_w + m_t.residual, "h", m_a.hidden, m_sp, true);
        experts.turns = std::max<std::int64_t>(m_a.experts / m_s.expert, 1);
    }
    ffn(experts);
}

/// Bytes of an element inside a feed-forward: bitsandbytes' 4-bit layers give their output in the
/// type of their input, which autocast's products do not (nn/modules.py, Linear4bit.forward).
std::int64_t TorchBlock::innerBytes() const
{
    const bool four = m_s.adapters.baseQuantization == BaseQuantization::Nf4 ||
                      m_s.adapters.baseQuantization == BaseQuantization::Nf4Double;
    return m_frozen && four ? m_t.residual : m_w;
}

void TorchBlock::feedForward()
{
    if (!m_moe) {
        if (m_a.tokenShift) // the difference; the mixture replaces the norm's output
            m_memory.kept.add(widened(), "h", m_a.hidden);
        ffn({"f", m_a.ffn, m_tp, false, 1, innerBytes()});
    } else {
        m_titanExperts ? titanExperts() : routedExperts();
        if (m_a.sharedFfn > 0)
            ffn({"f_s", m_a.sharedFfn, m_tp, false, 1, m_w});
        if (m_eager && m_a.sharedGate) // the gate's input
            m_memory.kept.add(m_w, "h", m_a.hidden);
    }
    if (m_s.dropout > 0)
        m_memory.kept.add(1, "h", m_a.hidden, m_sp);
}

/// Only a block that is to be recomputed runs without saving; what passes in addition to what
/// others save is little, except for the rows of torchtitan's experts.
void TorchBlock::forwardPass()
{
    if (m_s.checkpointing != Checkpointing::Full && m_s.checkpointing != Checkpointing::EveryK)
        m_memory.working = {};
    if (m_titanExperts)
        titanForward();
}

/// Parameters that run backward before attention's matrices do, except the first.
Exact TorchBlock::earlierGradients() const
{
    const std::vector<Matrix> matrices = blockMatrices(m_s, m_kind);
    Exact sum;
    for (const Matrix &matrix : matrices)
        if (matrix.module != "attention" || matrix.target == "o")
            sum += heldBy(m_s, matrix).elements();
    if (matrices.empty())
        return sum;
    const Matrix first = heldBy(m_s, matrices.back());
    return excess(sum, Exact(first.in) * first.out);
}

BlockMemory blockMemory(const Training &training, const BlockKind &kind)
{
    return TorchBlock(training, kind).build();
}

Exact backwardOfBlock(const Training &t, const BlockKind &kind)
{
    const BlockMemory memory = blockMemory(t, kind);
    TermSum sum = memory.temporaries;
    sum += memory.recomputed;
    return sum.bytes(t.tokensOf(kind), expertRows(t)) +
           Exact(t.trainedGradient) * firstElements(t.s, blockMatrices(t.s, kind));
}

Exact expertRows(const Training &t)
{
    const Architecture &a = t.s.architecture;
    if (!a.moe())
        return 0;
    // Under sequence parallelism a rank brings 1 / t of the tokens, and its experts' group t_e of
    // such parts together. Megatron-LM core/transformer/moe/token_dispatcher.py.
    const double part =
        t.megatron() && t.s.sequenceParallel
            ? static_cast<double>(t.s.expertTensor) / static_cast<double>(t.s.tensor)
            : 1;
    const double routed =
        static_cast<double>(a.expertsPerToken) * static_cast<double>(t.tokens.value()) * part;
    if (t.s.capacityFactor > 0)
        return Exact::ceiling(t.s.capacityFactor * routed / static_cast<double>(a.experts)) *
               a.experts;
    return Exact::ceiling(routed * t.s.loadImbalance);
}

} // namespace vramscope
