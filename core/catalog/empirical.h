// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <span>
#include <string>

namespace vramscope {

/// A constant measured in runs that follows from no tensor's shape: its typical value, the range of
/// the runs, and where and for which versions it was read.
struct Empirical
{
    std::string name; ///< "CUDA context"
    double value = 0;
    double low = 0;
    double high = 0;
    std::string unit; ///< "bytes", "of allocated", …
    std::string source;
    std::string asOf; ///< framework versions, or the year of the figures

    [[nodiscard]] Bytes bytes() const { return static_cast<Bytes>(value); }
    /// Half of the range as a part of the value, for figures whose range is about even.
    [[nodiscard]] double spread() const { return value > 0 ? (high - low) / 2 / value : 0; }
};

/// Names of the constants, in the order of resources/measured/constants/rows.csv.
enum class Measured {
    ReservedSteady,
    ReservedGathering,
    ReservedAdapters,
    ReservedFsdp2,
    ReservedServing,
    ReservedPool,
    ReservedStated,
    AllocatorSegments,
    UnsaidSettings,
    UncheckedFormula,
    CudaContext,
    CudaContextHopper,
    NcclCommunicatorOfTwo,
    NcclCommunicator,
    NcclCommunicatorOverHost,
    NcclPeer,
    VllmNonTorch,
    VllmNonTorchUntried,
    VllmNonTorchUntriedSmall,
    VllmNonTorchPipeline,
    VllmNonTorchTensor2,
    VllmNonTorchTensor4,
    VllmNonTorchTensorUntried,
    VllmNonTorchOverHost,
    VllmGraphLayer,
    VllmGraphPieces,
    VllmGraphExperts,
    VllmGraphState,
    VllmGraphLatent,
    VllmProfile,
    TransformerEngineWorkspace,
    ServingWorkspaceHopper,
    UnifiedSystem,
    MatrixBeingQuantised,
    ArithmeticAmpere,
    ArithmeticHopper,
    ArithmeticHopperHbm2,
    ArithmeticHopperFp8,
    ArithmeticBlackwell,
    ArithmeticBlackwellFp8,
    ArithmeticUnmeasured,
    ArithmeticExperts,
    ArithmeticAttention,
    KernelsEager,
    KernelsFused,
    KernelsLogits,
    KernelsAdapters,
    ExposedGathers,
    PeerLinkShare,
    NetworkShare,
    HostLinkShare,
    HostMemoryOfOneGpu,
    MemoryBandwidthShare,
    RingHop,
    StepSpread,
    WideningFourBits
};

[[nodiscard]] std::span<const Empirical> empiricals();
[[nodiscard]] const Empirical &empirical(Measured name);

} // namespace vramscope
