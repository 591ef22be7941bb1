// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/known_sizes.h"

#include "core/analysis/replayed/segment_order.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>

namespace vramscope {

namespace {

// The defaults of at::cuda::parseChosenWorkspaceSize: ":4096:2:16:8", and ":4096:8" on Hopper.
constexpr Bytes kWorkspace = (Bytes(2) * 4096 + Bytes(8) * 16) * kKiB;
constexpr Bytes kHopperWorkspace = Bytes(8) * 4096 * kKiB;

// How many tensors of a parameter's size an optimizer of that file keeps for it, at most.
struct Keeps
{
    std::string_view file;
    std::int64_t copies;
};
constexpr std::array kKeeps{
    Keeps{"/optim/adam.py", 3},  Keeps{"/optim/adamw.py", 3},     Keeps{"/optim/nadam.py", 2},
    Keeps{"/optim/radam.py", 2}, Keeps{"/optim/adamax.py", 2},    Keeps{"/optim/rmsprop.py", 3},
    Keeps{"/optim/sgd.py", 1},   Keeps{"/optim/adagrad.py", 1},   Keeps{"/optim/adadelta.py", 2},
    Keeps{"/optim/rprop.py", 2}, Keeps{"/optim/_muon.py", 1},     Keeps{"/lion", 1},
    Keeps{"/optim/asgd.py", 1},  Keeps{"/optim/_adafactor.py", 1}};
constexpr std::int64_t kMostKept = 3;

std::int64_t mostKept(const Trace &trace)
{
    std::int64_t most = 0;
    for (std::size_t at = 0; at < trace.frameCount(); ++at) {
        const std::string_view file = trace.text(trace.frame(static_cast<FrameId>(at)).file);
        for (const Keeps &each : kKeeps) {
            if (file.find(each.file) != std::string_view::npos)
                most = std::max(most, each.copies);
        }
    }
    return most == 0 ? kMostKept : most;
}

bool isNear(Bytes size, double other, double slack)
{
    return static_cast<double>(size) >= (1 - slack) * other &&
           static_cast<double>(size) <= (1 + slack) * other;
}

bool isHalf(Bytes size, Bytes whole)
{
    return whole % 2 == 0 && size == whole / 2;
}

} // namespace

bool outlivesBackward(const Phases &phases, const Allocations &allocations, AllocationIndex index)
{
    const auto at = static_cast<std::size_t>(index);
    if (phases.freedIn(index) == Phase::Optimizer || phases.isZeroed(index))
        return true;
    return phases.any(Phase::Forward, allocations.birth[at], allocations.death[at]) ||
           phases.any(Phase::Optimizer, allocations.birth[at], allocations.death[at]) ||
           phases.isFreedAfterBackward(index);
}

KnownSizes::KnownSizes(const Trace &trace, const DeviceTrace &device,
                       const Allocations &allocations, const Phases &phases, StackRules &rules,
                       const CategoryThresholds &thresholds)
    : m_thresholds(thresholds)
    , m_workspaces(findWorkspaces(allocations, phases))
    , m_gradients(countGradients(allocations, phases))
    , m_bytesOfGradients(sumOfGradients())
    , m_flatBuffers(allocations, phases, m_bytesOfGradients, thresholds)
{
    findLogits(device, allocations, phases, rules);
    findCopies(trace, device, allocations, phases);
}

std::unordered_set<AllocationIndex> KnownSizes::findWorkspaces(const Allocations &allocations,
                                                               const Phases &phases)
{
    // Kept ones of that size, by the phase that made them.
    std::array<std::vector<AllocationIndex>, kPhaseCount> kept;
    for (AllocationIndex index = allocations.firstBornAfter(-1); index < allocations.count();
         ++index) {
        const auto at = static_cast<std::size_t>(index);
        if (allocations.requested[at] == kHopperWorkspace &&
            allocations.death[at] > allocations.lastEvent())
            kept[static_cast<std::size_t>(phases.madeIn(index))].push_back(index);
    }
    const std::vector<AllocationIndex> &forward = kept[static_cast<std::size_t>(Phase::Forward)];
    const std::vector<AllocationIndex> &backward = kept[static_cast<std::size_t>(Phase::Backward)];
    const auto stackOf = [&](AllocationIndex index) {
        return allocations.stack[static_cast<std::size_t>(index)];
    };
    // A cache of keys and values makes one a layer, in the same place.
    if (forward.empty() || std::ranges::count(forward, stackOf(forward.front()), stackOf) > 1)
        return {};
    std::unordered_set<AllocationIndex> found{forward.front()};
    if (!backward.empty())
        found.insert(backward.front());
    return found;
}

bool KnownSizes::isWorkspace(AllocationIndex index, Bytes size) const
{
    return size == kWorkspace || m_workspaces.contains(index);
}

std::int64_t KnownSizes::gradients(Bytes size) const
{
    const auto found = m_gradients.find(size);
    return found == m_gradients.end() ? 0 : found->second;
}

KnownSizes::Copy KnownSizes::copyOf(AllocationIndex index) const
{
    const auto found = m_copies.find(index);
    return found == m_copies.end() ? Copy::None : found->second;
}

double KnownSizes::sumOfGradients() const
{
    double all = 0;
    for (const auto &[size, count] : m_gradients)
        all += static_cast<double>(size) * static_cast<double>(count);
    return all;
}

std::unordered_map<Bytes, std::int64_t> KnownSizes::countGradients(const Allocations &allocations,
                                                                   const Phases &phases) const
{
    std::unordered_map<Bytes, std::int64_t> gradients;
    using Ends = std::priority_queue<EventIndex, std::vector<EventIndex>, std::greater<>>;
    std::unordered_map<Bytes, Ends> alive;
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        const bool isGradient = phases.madeIn(index) == Phase::Backward
                                    ? outlivesBackward(phases, allocations, index)
                                    : phases.isZeroed(index);
        if (!isGradient || isWorkspace(index, allocations.requested[at]))
            continue;
        Ends &ends = alive[allocations.requested[at]];
        while (!ends.empty() && ends.top() <= allocations.birth[at])
            ends.pop();
        ends.push(allocations.death[at]);
        std::int64_t &most = gradients[allocations.requested[at]];
        most = std::max(most, static_cast<std::int64_t>(ends.size()));
    }
    return gradients;
}

/// The logits are the last large allocation before the loss makes one of their size.
void KnownSizes::findLogits(const DeviceTrace &device, const Allocations &allocations,
                            const Phases &phases, StackRules &rules)
{
    const auto isOfLoss = [&](StackId stack) { return rules.isLoss(stack); };
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        if (allocations.birth[at] >= 0 &&
            allocations.requested[at] >= m_thresholds.smallestLogits &&
            phases.madeIn(index) != Phase::Backward && isOfLoss(allocations.stack[at]))
            walkBack(allocations, phases, rules, index, allocations.birth[at],
                     allocations.requested[at]);
    }
    for (const OutOfMemoryEvent &failure : device.outOfMemory) {
        if (failure.requested >= m_thresholds.smallestLogits &&
            isOfLoss(device.events.stack[static_cast<std::size_t>(failure.event)]))
            walkBack(allocations, phases, rules, allocations.firstBornAfter(failure.event),
                     failure.event, failure.requested);
    }
}

/// From what the loss made to the logits and copies of them: shifted by a token, or cast, which
/// halves or doubles them to the byte unless the loss does both. Before them lie activations.
void KnownSizes::walkBack(const Allocations &allocations, const Phases &phases, StackRules &rules,
                          AllocationIndex from, EventIndex at, Bytes size)
{
    m_logitSizes.insert(size);
    const auto whole = static_cast<double>(size);
    const double slack = m_thresholds.sizeSlack;
    std::size_t copies = 0;
    bool isOfLoss = true; // the newer one
    Bytes newer = size;
    for (std::size_t steps = 0; from-- > 0 && steps < m_thresholds.mostSteps; ++steps) {
        const auto place = static_cast<std::size_t>(from);
        const Bytes other = allocations.requested[place];
        if (allocations.birth[place] < 0 || phases.madeIn(from) == Phase::Backward)
            return;
        if (other < size / m_thresholds.smallShare)
            continue;
        const bool isWhole = isNear(other, whole, slack);
        const bool isCast = isHalf(other, newer) || isHalf(newer, other);
        if (!isWhole && !isCast &&
            !(isOfLoss && (isNear(other, whole / 2, slack) || isNear(other, whole * 2, slack))))
            return;
        if (allocations.death[place] > at) {
            m_logits.insert(from);
            m_logitSizes.insert(other);
        }
        isOfLoss = rules.isLoss(allocations.stack[place]);
        newer = other;
        if (!isWhole || ++copies == m_thresholds.mostCopies)
            return;
    }
}

/// Allocations from before the recording that stay: with as many gradients of their size as there
/// are parameters, what is left over are copies of these, which the optimizer made later and keeps.
void KnownSizes::findCopies(const Trace &trace, const DeviceTrace &device,
                            const Allocations &allocations, const Phases &phases)
{
    std::map<Bytes, std::vector<AllocationIndex>> resident;
    const EventIndex secondPass = phases.nextOf(Phase::Forward, phases.firstOf(Phase::Backward));
    const EventIndex longest = std::min(secondPass, allocations.lastEvent());
    for (AllocationIndex index = 0;
         index < allocations.count() && allocations.birth[static_cast<std::size_t>(index)] < 0;
         ++index) {
        const auto at = static_cast<std::size_t>(index);
        if (gradients(allocations.requested[at]) > 0 && !phases.isZeroed(index) &&
            allocations.stack[at] == StackId::None && allocations.death[at] > longest)
            resident[allocations.requested[at]].push_back(index);
    }
    std::map<std::int64_t, double> votes; // for a number of copies: the bytes that have it
    for (const auto &[size, those] : resident) {
        const std::int64_t copies =
            std::ssize(those) / std::max<std::int64_t>(gradients(size), 1) - 1;
        if (copies >= 0)
            votes[copies] += static_cast<double>(size) * static_cast<double>(those.size());
    }
    if (votes.empty())
        return;
    const auto most =
        std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
    const std::int64_t copies = std::min(most->first, mostKept(trace));
    const SegmentOrder order(device);
    for (auto &[size, those] : resident) {
        std::ranges::sort(those, {}, [&](AllocationIndex index) {
            return order.keyOf(allocations.address[static_cast<std::size_t>(index)]);
        });
        const std::int64_t states =
            std::min(copies * gradients(size),
                     std::max<std::int64_t>(std::ssize(those) - gradients(size), 0));
        for (std::int64_t at = 0; at < std::ssize(those); ++at)
            m_copies[those[static_cast<std::size_t>(at)]] =
                at < std::ssize(those) - states ? Copy::Parameter : Copy::State;
    }
}

} // namespace vramscope
