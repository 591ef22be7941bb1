// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/kernel_time.h"

#include "core/base/text.h"
#include "core/catalog/gpus.h"

namespace vramscope {

namespace {

/// Above it, attention takes most of the arithmetic of a small model.
constexpr std::int64_t kLongSequence = 32'000;

/// Whether the linear layers of a training step compute in fp8.
bool computesFp8(const Settings &s)
{
    return s.workload == Workload::Training &&
           (s.linear == LinearFormat::Fp8 || s.regime == Regime::Fp8);
}

Measured constantOf(const Settings &s, bool fp8)
{
    switch (s.gpu->generation) {
    case GpuGeneration::Ampere:
        return Measured::ArithmeticAmpere;
    case GpuGeneration::Hopper:
        return fp8 ? Measured::ArithmeticHopperFp8 : Measured::ArithmeticHopper;
    case GpuGeneration::Blackwell:
        return fp8 ? Measured::ArithmeticBlackwellFp8 : Measured::ArithmeticBlackwell;
    default:
        return Measured::ArithmeticUnmeasured;
    }
}

/// An H100 with HBM2e has less power for the same rate.
bool hasHbm2(const GpuPreset &gpu)
{
    return gpu.generation == GpuGeneration::Hopper && gpu.memoryBandwidth < 3'000'000'000'000;
}

/// The share of the dense bf16 rate that products of linear layers reach.
double shareWith(const Settings &s, bool fp8, End end)
{
    const double share = at(constantOf(s, fp8), end);
    return hasHbm2(*s.gpu) ? share * empirical(Measured::ArithmeticHopperHbm2).value /
                                 empirical(Measured::ArithmeticHopper).value
                           : share;
}

double onDevice(const Settings &s, double bytes, Measured share, End end)
{
    const double rate = static_cast<double>(s.gpu->memoryBandwidth) * at(share, end);
    return bytes > 0 && rate > 0 ? bytes / rate : 0;
}

} // namespace

double at(Measured name, End end)
{
    const Empirical &it = empirical(name);
    return end == End::Likely ? it.value : end == End::Fast ? it.high : it.low;
}

double costAt(Measured name, End end)
{
    const Empirical &it = empirical(name);
    return end == End::Likely ? it.value : end == End::Fast ? it.low : it.high;
}

Measured arithmeticOf(const Settings &s)
{
    return constantOf(s, computesFp8(s));
}

double shareOfProducts(const Settings &s, End end)
{
    return shareWith(s, computesFp8(s), end);
}

std::string speedClassOf(const Settings &s)
{
    if (s.workload != Workload::Training || s.rollout || !s.gpu)
        return {};
    const std::string kind = s.architecture.moe()                   ? "experts"
                             : s.adapters.kind == AdapterKind::Lora ? "adapters"
                             : s.sequenceLength > kLongSequence     ? "long context"
                             : computesFp8(s)                       ? "fp8"
                                                                    : "dense";
    return "speed, " + lowered(generationName(s.gpu->generation)) + ", " + kind;
}

double equivalentFlops(const Settings &s, const StepWork &work)
{
    if (s.workload != Workload::Training)
        return work.flops;
    const double linear = shareOfProducts(s, End::Likely);
    const double bf16 = shareWith(s, false, End::Likely);
    const double attention =
        empirical(Measured::ArithmeticAttention).value *
        (hasHbm2(*s.gpu) ? bf16 / empirical(Measured::ArithmeticHopper).value : 1);
    // Experts of Ampere's rows ran one after the other over many tokens.
    const double experts = s.expertKernels == ExpertKernels::Loop
                               ? at(Measured::ArithmeticExperts, End::Fast)
                               : empirical(Measured::ArithmeticExperts).value;
    const double layers = work.flops - work.attentionFlops - work.expertFlops - work.headFlops;
    return layers + work.expertFlops / experts + work.headFlops * linear / bf16 +
           work.attentionFlops * linear / attention;
}

double wideningSeconds(const Settings &s, const StepWork &work, End end)
{
    return onDevice(s, work.widenedBytes, Measured::WideningFourBits, end);
}

double kernelSeconds(const Settings &s, const StepWork &work, End end)
{
    return onDevice(s, work.elementBytes + work.adapterBytes, Measured::MemoryBandwidthShare, end);
}

} // namespace vramscope
