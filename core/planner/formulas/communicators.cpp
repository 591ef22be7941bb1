// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/communicators.h"

#include "core/base/format.h"
#include "core/catalog/empirical.h"
#include "core/planner/formulas/inventory.h"
#include "core/planner/formulas/ledger.h"
#include "core/planner/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

const Empirical &ringOf(std::int64_t ranks)
{
    return empirical(ranks == 2 ? Measured::NcclCommunicatorOfTwo : Measured::NcclCommunicator);
}

double halfRange(const Empirical &constant)
{
    return constant.spread() * constant.value;
}

} // namespace

Bytes Communicator::bytes() const
{
    return ranks < 2 ? 0 : ringOf(ranks).bytes() + peers * empirical(Measured::NcclPeer).bytes();
}

double Communicator::deviation() const
{
    return ranks < 2 ? 0
                     : halfRange(ringOf(ranks)) +
                           static_cast<double>(peers) * halfRange(empirical(Measured::NcclPeer));
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
    return {{{"data", shards},
             {"replicas", replicas / shards},
             {"tensor", s.tensor},
             {"pipeline", s.pipeline},
             {"context", s.context},
             {"experts", s.expert, std::min(s.expert, s.gpusPerNode) - 1},
             {"replicas of experts", expertReplicas}}};
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
    const bool toPeers = s.expert > 1;
    return {empirical(toPeers ? Measured::NcclPeer : Measured::NcclCommunicator).source,
            Evidence::Empirical, bytes > 0 ? deviation / bytes : 0};
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
