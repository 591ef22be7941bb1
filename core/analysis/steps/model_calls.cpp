// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/model_calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace vramscope {

namespace {

std::vector<bool> framesOfModules(const Trace &trace)
{
    std::vector<bool> found(trace.frameCount());
    for (std::size_t at = 0; at < found.size(); ++at) {
        const Frame &frame = trace.frame(static_cast<FrameId>(at));
        found[at] = trace.text(frame.name).ends_with("_call_impl") &&
                    trace.text(frame.file).ends_with("module.py");
    }
    return found;
}

} // namespace

std::vector<EventIndex> modelCalls(const Trace &trace, const Allocations &allocations)
{
    const std::vector<bool> ofModule = framesOfModules(trace);
    // The frames around the outermost module of a stack, outermost first; none without a module.
    using Path = std::vector<FrameId>;
    std::map<Path, std::vector<EventIndex>> calls;
    const auto pathOf = [&](StackId stack) -> std::optional<Path> {
        const std::span<const FrameId> frames = trace.stack(stack); // innermost first
        const auto module =
            std::ranges::find_if(frames.rbegin(), frames.rend(), [&](FrameId frame) {
                return ofModule[static_cast<std::size_t>(frame)];
            });
        if (module == frames.rend())
            return std::nullopt;
        return Path(frames.rbegin(), module);
    };
    struct Caller
    {
        bool isAsked = false;
        std::vector<EventIndex> *calls = nullptr; ///< null outside of modules
    };
    std::vector<Caller> callers(trace.stackCount() + 1); // by stack
    const auto callerOf = [&](StackId stack) {
        Caller &caller = callers[static_cast<std::size_t>(stack)];
        if (!std::exchange(caller.isAsked, true)) {
            if (std::optional<Path> path = pathOf(stack))
                caller.calls = &calls[*std::move(path)];
        }
        return caller.calls;
    };
    AllocationIndex inside = 0;
    const AllocationIndex first = allocations.firstBornAfter(-1);
    bool wasInside = false;
    for (AllocationIndex index = first; index < allocations.count(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        if (allocations.stack[at] == StackId::None)
            continue;
        std::vector<EventIndex> *const caller = callerOf(allocations.stack[at]);
        if (caller && !wasInside)
            caller->push_back(allocations.birth[at]);
        inside += caller ? 1 : 0;
        wasInside = caller != nullptr;
    }
    if (calls.empty() || 2 * inside <= allocations.count() - first)
        return {};
    return std::ranges::max_element(calls, {}, [](const auto &each) { return each.second.size(); })
        ->second;
}

} // namespace vramscope
