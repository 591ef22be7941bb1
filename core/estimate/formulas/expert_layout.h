// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/estimate/formulas/inventory.h"

namespace vramscope {

/// How vLLM lays out routed experts in MXFP4 for the kernels that compute them
/// (Settings::moeBackend). Read in the wheels 0.10.1 to 0.33.0:
/// vllm/model_executor/layers/quantization/mxfp4.py, since 0.20 layers/fused_moe/oracle/mxfp4.py.

/// Whether kernels lay out this matrix: not all formats and engines do.
[[nodiscard]] bool isLaidOutByKernels(const Settings &settings, const Matrix &matrix,
                                      std::string_view format);

/// A matrix of blockMatrices() as wide and as high as its kernels require. Each rank pads its own
/// part: the result is the sum of all ranks.
[[nodiscard]] Matrix laidOut(const Settings &settings, Matrix matrix);

/// Bytes that the kernels keep of such a matrix in addition to its elements and their scales:
/// Triton's scales in its own order, which 0.12 to 0.24 kept next to those of the checkpoint.
[[nodiscard]] Exact scalesInOrder(const Settings &settings, const Matrix &matrix);

/// Extra bytes for each bias of an expert, which Triton's kernels need in 32 bit.
[[nodiscard]] std::int64_t wideBias(const Settings &settings);

} // namespace vramscope
