// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/expert_layout.h"

#include "core/settings/engines/engine_version.h"

namespace vramscope {

namespace {

bool isOlderThan(const Settings &s, const EngineVersion &version)
{
    const auto release = engineVersion(s.engineVersion);
    return release && version.isNewerThan(*release);
}

std::int64_t roundedUp(std::int64_t size, std::int64_t multiple)
{
    return (dividedUp(Exact(size), multiple) * multiple).value();
}

/// Ranks that share the inner size of each expert.
std::int64_t innerRanks(const Settings &s)
{
    const bool isPlain = s.expert == 1 && s.expertTensor == 1;
    return isPlain ? s.tensor : s.expertTensor;
}

std::int64_t innerMultiple(const Settings &s)
{
    switch (s.moeBackend) {
    case MoeBackend::Triton:
        return 64;
    case MoeBackend::FlashInferTrtLlm:
        return isOlderThan(s, {0, 27, 0}) ? 256 : 128;
    case MoeBackend::Marlin:
        break;
    }
    return 128;
}

} // namespace

bool isLaidOutByKernels(const Settings &s, const Matrix &matrix, std::string_view format)
{
    return s.workload == Workload::Inference && s.engine == Engine::Vllm && format == "mxfp4" &&
           matrix.module == "expert";
}

Matrix laidOut(const Settings &s, Matrix matrix)
{
    const std::int64_t ranks = innerRanks(s);
    const std::int64_t hiddenMultiple = s.moeBackend == MoeBackend::Triton ? 1 : 256;
    std::int64_t &hidden = matrix.target == "down" ? matrix.out : matrix.in;
    std::int64_t &inner = matrix.target == "down" ? matrix.in : matrix.out;
    hidden = roundedUp(hidden, hiddenMultiple);
    inner = roundedUp(dividedUp(Exact(inner), ranks).value(), innerMultiple(s)) * ranks;
    return matrix;
}

Exact scalesInOrder(const Settings &s, const Matrix &matrix)
{
    if (s.moeBackend != MoeBackend::Triton)
        return {};
    // triton_kernels/tensor_details/layout_details/hopper_scale.py with eight warps: rows to 256,
    // gate and up being one matrix, and columns of 32 elements to two.
    constexpr std::int64_t kElements = 32;
    constexpr std::int64_t kRows = 256;
    const std::int64_t ranks = innerRanks(s);
    const auto share = [&](std::int64_t size) { return dividedUp(Exact(size), ranks).value(); };
    const bool isDown = matrix.target == "down";
    const std::int64_t rows =
        isDown ? roundedUp(matrix.out, kRows) : roundedUp(2 * share(matrix.out), kRows) / 2;
    const std::int64_t columns = (isDown ? share(matrix.in) : matrix.in) / kElements;
    const Exact ordered = Exact(rows) * roundedUp(columns, 2) * ranks;
    const bool keepsBoth = isOlderThan(s, {0, 25, 0});
    return keepsBoth ? ordered
                     : excess(ordered, dividedUp(Exact(matrix.in) * matrix.out, kElements));
}

std::int64_t wideBias(const Settings &s)
{
    return s.moeBackend == MoeBackend::Triton ? 2 : 0;
}

} // namespace vramscope
