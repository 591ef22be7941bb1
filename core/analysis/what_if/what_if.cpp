// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/what_if.h"

#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/recorded_requests.h"
#include "core/analysis/what_if/replay.h"
#include "core/simulator/recommendation.h"
#include "core/trace/trace_format.h"

#include <algorithm>

namespace vramscope {

namespace {

bool isSimulated(std::span<const SettingIssue> issues)
{
    return std::ranges::find(issues, "backend", &SettingIssue::key) == issues.end();
}

// Whether the program's PyTorch would start with it, and its effect is known.
bool canBeUsed(const WhatIf &asked)
{
    using Kind = SettingIssue::Kind;
    return asked.simulated && std::ranges::none_of(asked.issues, [](const SettingIssue &issue) {
               return issue.kind == Kind::Unknown || issue.kind == Kind::BadValue ||
                      issue.kind == Kind::TooNew;
           });
}

// A share of a device of unknown size limits nothing.
void nameMissingCapacity(WhatIf &asked, const AllocatorSettings &settings, Bytes capacity)
{
    if (settings.memoryFraction && capacity == kUnknownCapacity)
        asked.issues.push_back({SettingIssue::Kind::NotSimulated, "per_process_memory_fraction",
                                "per_process_memory_fraction limits nothing while the capacity of "
                                "the device is not known."});
}

} // namespace

std::optional<Bytes> WhatIfs::leftAfterFailure(const WhatIf &asked) const
{
    if (!lastFailure || !lastFailure->rest.endsThere || capacity == kUnknownCapacity ||
        asked.result.runsOut())
        return std::nullopt;
    return wrappingDifference(wrappingDifference(capacity, asked.result.figures.active),
                              lastFailure->requested);
}

std::optional<WhatIfs> whatIf(const Study &study, std::span<const std::string> configurations,
                              Bytes capacity, const Progress &progress)
{
    constexpr double kPreparing = 0.4; // of the work, if none of it is done
    const Trace &trace = study.trace();
    const DeviceTrace &device = study.device();
    std::vector parts{Study::Part::Allocations};
    if (capacity < 0)
        parts.push_back(Study::Part::Replay);
    if (!device.outOfMemory.empty())
        parts.push_back(Study::Part::Steps);
    const bool isPrepared = study.areMade(parts);
    if (!study.make(parts, partOf(progress, 0, kPreparing)))
        return std::nullopt;
    WhatIfs found;
    if (capacity < 0)
        capacity = study.replay().capacity;
    if (capacity >= 0)
        found.capacity = std::min(capacity, kUnknownCapacity);

    if (!device.outOfMemory.empty()) {
        const OutOfMemoryEvent &last = device.outOfMemory.back();
        found.lastFailure = LastFailure{last.requested, restOfStep(study, last)};
    }
    const ConfiguredSettings recorded = recordedSettings(trace);
    found.recorded = {
        recordedConfiguration(trace), recorded.issues, isSimulated(recorded.issues), {}};
    nameMissingCapacity(found.recorded, recorded.settings, found.capacity);
    if (trace.producer() == kAscendProducer)
        found.recorded.issues.push_back(
            {SettingIssue::Kind::NotSimulated, "torch_npu",
             "It was recorded by torch_npu on Ascend, which reads PYTORCH_NPU_ALLOC_CONF and whose "
             "allocator has rules of its own: what is simulated is PyTorch's, with the 32 bytes "
             "that torch_npu adds to each request."});
    std::vector<AllocatorSettings> settings{recorded.settings};
    AllocatorSettings base;
    base.rules.requestPadding = recorded.settings.rules.requestPadding;
    base.privatePoolsExpand = recorded.settings.privatePoolsExpand;
    for (const std::string &configuration : configurations) {
        ConfiguredSettings configured = configuredSettings(configuration, base);
        WhatIf asked{configuration, std::move(configured.issues), true, {}};
        asked.simulated = isSimulated(asked.issues);
        nameMissingCapacity(asked, configured.settings, found.capacity);
        if (const auto version = newestVersion(trace)) {
            for (SettingIssue &issue : tooNewFor(*version, configuration))
                asked.issues.push_back(std::move(issue));
        }
        found.others.push_back(std::move(asked));
        settings.push_back(configured.settings);
    }

    RequestStream stream = recordedRequests(trace, device, study.allocations(), true);
    const double began = isPrepared ? 0 : kPreparing;
    const double inOrder = 1 - (1 - began) / static_cast<double>(settings.size() + 1);
    const auto results =
        simulateAll(stream, settings, found.capacity, partOf(progress, began, inOrder));
    if (!results)
        return std::nullopt;
    found.recorded.result = results->front();
    found.addresses = stream.addresses;
    stream.addresses =
        stream.addresses == AddressOrder::Falling ? AddressOrder::Rising : AddressOrder::Falling;
    const auto other =
        simulate(stream, recorded.settings, found.capacity, partOf(progress, inOrder, 1));
    if (!other)
        return std::nullopt;
    if (!other->runsOut() && !found.recorded.result.runsOut())
        found.peakInOtherOrder = other->figures.peakReserved;
    std::vector<SimulationResult> candidates;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < found.others.size(); ++at) {
        found.others[at].result = (*results)[at + 1];
        if (!canBeUsed(found.others[at]))
            continue;
        candidates.push_back((*results)[at + 1]);
        places.push_back(at);
    }
    if (!found.recorded.simulated)
        return found; // nothing to compare the others with
    if (const auto best = recommended(found.recorded.result, candidates))
        found.best = places[*best];
    return found;
}

} // namespace vramscope
