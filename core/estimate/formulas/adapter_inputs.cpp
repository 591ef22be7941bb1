// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

/// The symbol under which the operator table counts a tensor of a matrix's input width.
std::string_view inputSymbol(const Matrix &matrix, const Architecture &a)
{
    if (matrix.in == a.hidden)
        return "h";
    if (matrix.module == kMixer)
        return a.state.kind == StateKind::GatedDelta ? "V_s" : matrix.target == "o" ? "P" : "I";
    if (matrix.target == "down")
        return matrix.module == "expert" ? "f_e" : matrix.in == a.ffn ? "f" : "f_s";
    if (matrix.target == "o")
        return a.mla() ? "a d_v" : "A";
    return matrix.target == "q" ? "r_q" : "r_kv";
}

} // namespace

namespace {

/// Collects what the adapters of one block keep of their inputs.
class AdapterInputs
{
public:
    AdapterInputs(const Training &t, const BlockKind &kind)
        : m_t(t)
        , m_s(t.s)
        , m_kind(kind)
    {
    }

    /// Stops before the matrix of target `until`.
    TermSum collect(std::string_view until)
    {
        addScattered();
        for (const RankGroup &group : m_t.rank.groups) {
            if (group.kind != m_kind)
                continue;
            for (const Matrix &matrix : group.matrices) {
                if (matrix.target == until)
                    break;
                add(matrix);
            }
        }
        return std::move(m_sum);
    }

private:
    /// bitsandbytes 0.42, of litgpt's tables, saves the input of a product although its weight is
    /// frozen; runs of PEFT with later ones (fms-acceleration) agree without it.
    [[nodiscard]] bool baseKeepsInput() const
    {
        return m_s.adapters.fusedQkv &&
               (m_s.adapters.baseQuantization == BaseQuantization::Nf4 ||
                m_s.adapters.baseQuantization == BaseQuantization::Nf4Double);
    }
    /// Matrices that read one tensor: queries, keys and values; gate and up.
    [[nodiscard]] static std::string_view readerOf(const Matrix &matrix)
    {
        const std::string_view t = matrix.target;
        return t == "k" || t == "v" ? "q" : t == "up" ? "gate" : t;
    }
    /// Keys and values of cross-attention are made of the encoder's output.
    [[nodiscard]] static bool readsSource(const Matrix &matrix)
    {
        return matrix.module == kCrossAttention && (matrix.target == "k" || matrix.target == "v");
    }
    void addWidth(const Matrix &matrix, std::int64_t bytes)
    {
        if (readsSource(matrix))
            return m_sum.add(bytes, "h s_x / s", matrix.in * m_s.sourceLength, m_s.sequenceLength);
        const bool rows = matrix.module == "expert";
        const bool split = matrix.split == Split::In;
        m_sum.add(bytes, inputSymbol(matrix, m_s.architecture), matrix.in,
                  split ? (rows ? m_s.expertTensor : m_s.tensor) : 1, rows);
    }
    /// The input itself, once for all that read it.
    void addShared(const Matrix &matrix)
    {
        if (readsSource(matrix)) // once for all blocks
            return;
        // Flash attention saves its output; bitsandbytes a contiguous copy of it.
        const Input input = {matrix.module, readerOf(matrix), matrix.in};
        if (std::ranges::find(m_counted, input) != m_counted.end() ||
            (readsAttention(matrix) && !baseKeepsInput()))
            return;
        m_counted.push_back(input);
        addWidth(matrix, m_s.computeBytes);
    }
    /// Attention's output itself, which a gate would replace by a product.
    [[nodiscard]] bool readsAttention(const Matrix &matrix) const
    {
        return matrix.target == "o" && matrix.module.ends_with("attention") &&
               m_s.architecture.attentionGate == AttentionGate::None;
    }
    /// PEFT gives an adapter its input in the adapter's type, which autocast casts back; not so
    /// over bitsandbytes' layers (peft/tuners/lora/layer.py, bnb.py), where autocast casts fp32
    /// alone.
    [[nodiscard]] bool casts(const Matrix &matrix) const
    {
        if (!m_t.autocast() || m_s.adapters.baseQuantization == BaseQuantization::None)
            return m_t.autocast();
        return m_t.residual == 4 && matrix.target != "o";
    }
    void add(const Matrix &matrix);
    void addScattered();

    const Training &m_t;
    const Settings &m_s;
    BlockKind m_kind;
    /// A tensor by the module of its readers, their name and its width.
    struct Input
    {
        std::string_view module, reader;
        std::int64_t width = 0;
        bool operator==(const Input &) const = default;
    };
    std::vector<Input> m_counted;
    TermSum m_sum;
};

/// Where not all of queries, keys and values have adapters, litgpt copies the adapters' outputs
/// into place, and index_copy keeps its source (litgpt/lora.py, LoRAQKVLinear.zero_pad).
void AdapterInputs::addScattered()
{
    if (!m_s.adapters.fusedQkv)
        return;
    const auto targeted = [this](std::string_view name) {
        return std::ranges::any_of(m_s.adapters.targets, [name](const std::string &target) {
            return target == name || target == "all-linear";
        });
    };
    const std::array<bool, 3> of = {targeted("q"), targeted("k"), targeted("v")};
    if (of[0] == of[1] && of[1] == of[2])
        return;
    const Architecture &a = m_s.architecture;
    m_sum.add(of[0] ? m_s.computeBytes : 0, "A", a.heads * a.headDim, m_s.tensor);
    m_sum.add((of[1] + of[2]) * m_s.computeBytes, "K", heldKeyValueHeads(m_s) * a.headDim,
              m_s.tensor);
}

void AdapterInputs::add(const Matrix &matrix)
{
    const bool adapter = adapted(m_s, matrix);
    if (baseKeepsInput() && matrix.target != "router")
        addShared(matrix);
    if (!adapter)
        return;
    // Under autocast the product itself runs in 16 bit and keeps that copy.
    const std::int64_t bytes = m_t.autocast() ? m_s.computeBytes : m_s.adapters.weightBytes;
    const std::int64_t modules = matrix.modules;
    if (modules == 0)
        return;
    if (readsSource(matrix))
        m_sum.add(bytes, "r s_x / s", m_s.adapters.rank * m_s.sourceLength, m_s.sequenceLength);
    else
        m_sum.add(modules * bytes, "r", m_s.adapters.rank, 1, matrix.module == "expert");
    const bool one = m_s.adapters.fusedQkv && (matrix.target == "k" || matrix.target == "v");
    if (one && matrix.target != "q" && (m_s.adapters.dropout > 0 || bytes != m_s.computeBytes))
        return; // the fused matrix has one adapter, counted with its queries
    if (m_s.adapters.dropout > 0)
        addWidth(matrix, modules * (1 + bytes));
    else if (bytes != m_s.computeBytes || casts(matrix))
        addWidth(matrix, modules * bytes);
    else
        addShared(matrix);
}

} // namespace

TermSum adapterInputs(const Training &t, const BlockKind &kind, std::string_view until)
{
    return AdapterInputs(t, kind).collect(until);
}

} // namespace vramscope
