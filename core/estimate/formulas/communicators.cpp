// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/communicators.h"

#include "core/base/format.h"
#include "core/catalog/empirical.h"
#include "core/catalog/links.h"
#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

const Empirical &ringOf(const Communicator &of)
{
    return empirical(of.isOverHost   ? Measured::NcclCommunicatorOverHost
                     : of.ranks == 2 ? Measured::NcclCommunicatorOfTwo
                                     : Measured::NcclCommunicator);
}

double halfRange(const Empirical &constant)
{
    return constant.spread() * constant.value;
}

} // namespace

Bytes Communicator::bytes() const
{
    return ranks < 2 ? 0 : ringOf(*this).bytes() + peers * empirical(Measured::NcclPeer).bytes();
}

double Communicator::deviation() const
{
    return ranks < 2 ? 0
                     : halfRange(ringOf(*this)) +
                           static_cast<double>(peers) * halfRange(empirical(Measured::NcclPeer));
}

bool isJoinedOverHost(const Settings &s)
{
    return s.gpu && s.gpu->vendor() == GpuVendor::Nvidia && !s.gpu->unified() &&
           !peerLinkOf(s.gpu->name);
}

std::array<Communicator, kMostCommunicators> communicators(const Settings &s)
{
    // llama.cpp hands activations from GPU to GPU by copies (ggml-cuda.cu, -sm layer).
    if (s.workload == Workload::Inference && s.engine == Engine::LlamaCpp)
        return {};
    const bool exchanges = s.workload == Workload::Training && s.strategy != Strategy::None;
    const std::int64_t replicas = exchanges ? s.data * s.context : 1;
    const std::int64_t shards = shardDegree(s, replicas);
    const std::int64_t expertReplicas =
        exchanges && s.expert > 1
            ? std::max<std::int64_t>(s.gpus / s.pipeline / s.expertTensor / s.expert, 1)
            : 1;
    const bool overHost = isJoinedOverHost(s);
    return {{{"data", shards, 0, overHost},
             {"replicas", replicas / shards, 0, overHost},
             {"tensor", s.tensor, 0, overHost},
             {"pipeline", s.pipeline, 0, overHost},
             {"context", s.context, 0, overHost},
             {"experts", s.expert, std::min(s.expert, s.gpusPerNode) - 1, overHost},
             {"replicas of experts", expertReplicas, 0, overHost}}};
}

Bytes communicatorBytes(const Settings &s)
{
    Bytes sum = 0;
    for (const Communicator &communicator : communicators(s))
        sum += communicator.bytes();
    return sum;
}

Origin communicatorOrigin(const Settings &s)
{
    double bytes = 0;
    double deviation = 0;
    for (const Communicator &communicator : communicators(s)) {
        bytes += static_cast<double>(communicator.bytes());
        deviation += communicator.deviation();
    }
    const Measured constant = s.expert > 1          ? Measured::NcclPeer
                              : isJoinedOverHost(s) ? Measured::NcclCommunicatorOverHost
                                                    : Measured::NcclCommunicator;
    return {empirical(constant).source, Evidence::Empirical, bytes > 0 ? deviation / bytes : 0};
}

std::string communicatorsText(const Settings &s)
{
    std::string text;
    for (const Communicator &communicator : communicators(s)) {
        if (communicator.ranks < 2)
            continue;
        text += text.empty() ? "" : " + ";
        text += formatCount(communicator.bytes() / kMiB) + " MiB (";
        text += communicator.axis;
        text += ", " + formatCount(communicator.ranks) + ')';
    }
    return text;
}

} // namespace vramscope
