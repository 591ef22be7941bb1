// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/torch_block.h"

#include <utility>

namespace vramscope {

// torch/distributed/tensor/experimental/_context_parallel/_attention.py: results are merged in fp32
// (_SDPAMerger), gradients of keys and values travel in fp32 (_templated_ring_attention_backward),
// all else is 16 bit: flash attention has no fp32 kernel. Widths of one token: A of the queries, K
// of the keys. Measured: tests/measure, family "context".

namespace {

struct ExchangeWidths
{
    std::int64_t query, key, divisor;
    [[nodiscard]] TermSum bytes(std::int64_t perQuery, std::int64_t perKey) const
    {
        TermSum sum;
        sum.add(perQuery, "A", query, divisor);
        sum.add(perKey, "K", key, divisor);
        return sum;
    }
};

const TermSum &larger(const TermSum &a, const TermSum &b)
{
    return a.perToken() < b.perToken() ? b : a;
}

/// In addition to what attention saved and the gradients that come in: fp32 sums of the three
/// gradients (4 A + 8 K); keys and values that are there, that arrive, and a copy that leaves; the
/// gradients of the step before; fp32 gradients of keys and values sent and received; the gradients
/// of half the queries, or of all of them by half the keys; the kernel's scratch, with gradients of
/// keys and values for every query head where heads share them.
TermSum backwardBuffers(const ExchangeWidths &of, ContextExchange exchange, std::int64_t context)
{
    const std::int64_t shared = of.key < of.query ? 4 : 0;
    if (exchange == ContextExchange::AllGather)
        return larger(of.bytes(6, 40 + 4 * context), of.bytes(9 + shared, 36 + 4 * context));
    if (context == 2) // the ring turns once: no step before
        return larger(of.bytes(6, 44), of.bytes(9 + shared, 36));
    return of.bytes(9 + shared, 44);
}

/// The merged output and the fp32 tensors of the next result's part in it (13 A), with keys and
/// values that are there, that arrive, and a copy that leaves; or what is gathered. While that is
/// under way there are contiguous keys and values and the part of them that is sent, with the first
/// result.
TermSum forwardBuffers(const ExchangeWidths &of, ContextExchange exchange, std::int64_t context)
{
    if (exchange == ContextExchange::AllGather)
        return larger(of.bytes(6, 4 * context + 8), of.bytes(13, 4 * context));
    return of.bytes(13, 12);
}

} // namespace

bool exchangesKeys(const Training &t)
{
    const Settings &s = t.s;
    return s.context > 1 && s.contextExchange != ContextExchange::Ulysses && !t.megatron() &&
           s.kernels != Kernels::MegatronTe && s.kernels != Kernels::Textbook &&
           !s.architecture.mla();
}

/// Every rank but the last merges halves of its output (_partial_update), which leaves heads before
/// positions: the projection keeps a contiguous copy.
void TorchBlock::mergedOutput()
{
    if (exchangesKeys(m_t) && !m_frozen)
        m_memory.kept.add(m_w, "A", queryWidth(), m_tp);
}

/// While attention runs backward there are the block's saved tensors up to it, the gradients of the
/// residual stream and of attention's output, and the buffers of the exchange; the feed-forward's
/// saved tensors are gone. Forward, without saving: the norm's output, queries, keys and values.
void TorchBlock::exchangedAttention(const TermSum &untilAttention)
{
    if (!exchangesKeys(m_t))
        return;
    const ExchangeWidths of{queryWidth(), kvWidth(), m_tp};
    TermSum backward = untilAttention;
    backward.add(m_t.residual, "h", m_a.hidden, m_sp);
    backward += of.bytes(m_w, 0);
    backward += backwardBuffers(of, m_s.contextExchange, m_s.context);
    backward = backward.minus(m_memory.kept);
    const Exact passing = bytes(backward); // below zero where the feed-forward saved more
    if (passing > 0 && passing > bytes(m_memory.temporaries)) {
        m_memory.temporaries = std::move(backward);
        m_memory.backward = Highest::Exchange;
        m_memory.gradients = earlierGradients();
    }
    TermSum forward;
    forward.add(m_w, "h", m_a.hidden, m_gathered);
    forward += of.bytes(m_w, 2 * m_w);
    forward += forwardBuffers(of, m_s.contextExchange, m_s.context);
    if (bytes(forward) > bytes(m_memory.working)) {
        m_memory.working = std::move(forward);
        m_memory.forward = Highest::Exchange;
    }
}

} // namespace vramscope
