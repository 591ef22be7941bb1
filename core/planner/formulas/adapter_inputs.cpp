// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/block_activations.h"

namespace vramscope {

namespace {

/// The symbol under which the operator table counts a tensor of a matrix's input width.
std::string_view inputSymbol(const Matrix &matrix, const Architecture &a)
{
    if (matrix.in == a.hidden)
        return "h";
    if (matrix.target == "down")
        return matrix.module == "expert" ? "f_e" : matrix.in == a.ffn ? "f" : "f_s";
    if (matrix.target == "o")
        return a.mla() ? "a d_v" : "A";
    return matrix.target == "q" ? "r_q" : "r_kv";
}

} // namespace

TermSum adapterInputs(const Training &t, bool moe)
{
    const Settings &s = t.s;
    // Under autocast the product itself runs in 16 bit and keeps that copy.
    const std::int64_t bytes = t.autocast() ? s.computeBytes : s.adapterWeightBytes;
    TermSum sum;
    for (const Matrix &matrix : moe ? t.rank.moeMatrices : t.rank.denseMatrices) {
        if (!adapted(s, matrix))
            continue;
        const bool rows = matrix.module == "expert";
        const bool splitInput = matrix.target == "o" || matrix.target == "down";
        sum.add(bytes, inputSymbol(matrix, s.architecture), matrix.in,
                splitInput ? (rows ? s.expertTensor : s.tensor) : 1, rows);
        sum.add(bytes, "r", s.adapterRank, 1, rows);
    }
    return sum;
}

} // namespace vramscope
