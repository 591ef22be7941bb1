// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/figure.h"

#include "core/base/nearest.h"
#include "core/catalog/links.h"
#include "core/settings/schedules/step_phase.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <vector>

namespace vramscope {

namespace {

using Value = std::optional<double>;

Value figureOf(std::int64_t value)
{
    return static_cast<double>(value);
}

Value known(std::int64_t count)
{
    return count > 0 ? figureOf(count) : Value();
}

Value computed(const Estimate &estimate, Bytes value)
{
    return estimate.computed ? figureOf(value) : Value();
}

Value computed(const Estimate &estimate, double share)
{
    return estimate.computed ? Value(share) : Value();
}

Value computed(const Estimate &estimate, const std::optional<Bytes> &value)
{
    return estimate.computed && value ? figureOf(*value) : Value();
}

template<class T>
Value served(const Estimate &estimate, T InferenceFigures::*member)
{
    if (!estimate.computed || !estimate.inference)
        return {};
    return static_cast<double>((*estimate.inference).*member);
}

/// Only vLLM's pool has a range.
Value ofPool(const Estimate &estimate, Bytes InferenceFigures::*end)
{
    const auto &figures = estimate.inference;
    return figures && figures->kvCacheLow < figures->kvCacheHigh ? served(estimate, end) : Value();
}

struct Figure
{
    std::string_view path;
    Value (*value)(const Estimate &);
};

constexpr std::array kFigures{
    Figure{"parameters.total", [](const Estimate &e) { return known(e.parametersTotal); }},
    Figure{"parameters.active", [](const Estimate &e) { return known(e.parametersActive); }},
    Figure{"parameters.per_rank", [](const Estimate &e) { return known(e.parametersPerRank); }},
    Figure{"peak.allocated", [](const Estimate &e) { return computed(e, e.peakAllocated); }},
    Figure{"peak.reserved", [](const Estimate &e) { return computed(e, e.peakReserved); }},
    Figure{"peak.device", [](const Estimate &e) { return computed(e, e.peakDevice); }},
    Figure{"first_step_peak.allocated",
           [](const Estimate &e) { return computed(e, e.firstStepAllocated); }},
    Figure{"first_step_peak.reserved",
           [](const Estimate &e) { return computed(e, e.firstStepReserved); }},
    Figure{"at_rest.allocated", [](const Estimate &e) { return computed(e, e.atRest); }},
    Figure{"capacity",
           [](const Estimate &e) { return e.capacity ? figureOf(*e.capacity) : Value(); }},
    Figure{"headroom", [](const Estimate &e) { return computed(e, e.headroom); }},
    Figure{"uncertainty.low", [](const Estimate &e) { return computed(e, e.uncertaintyLow); }},
    Figure{"uncertainty.high", [](const Estimate &e) { return computed(e, e.uncertaintyHigh); }},
    Figure{"uncertainty.reserved_low",
           [](const Estimate &e) { return computed(e, e.reservedLow); }},
    Figure{"uncertainty.reserved_high",
           [](const Estimate &e) { return computed(e, e.reservedHigh); }},
    Figure{"inference.weights",
           [](const Estimate &e) { return served(e, &InferenceFigures::weights); }},
    Figure{"inference.kv_bytes_per_token",
           [](const Estimate &e) { return served(e, &InferenceFigures::kvBytesPerToken); }},
    Figure{"inference.state_bytes_per_sequence",
           [](const Estimate &e) { return served(e, &InferenceFigures::stateBytesPerSequence); }},
    Figure{"inference.activation_peak",
           [](const Estimate &e) { return served(e, &InferenceFigures::activationPeak); }},
    Figure{"inference.non_torch",
           [](const Estimate &e) { return served(e, &InferenceFigures::nonTorch); }},
    Figure{"inference.kv_cache",
           [](const Estimate &e) { return served(e, &InferenceFigures::kvCache); }},
    Figure{"inference.kv_cache_range.low",
           [](const Estimate &e) { return ofPool(e, &InferenceFigures::kvCacheLow); }},
    Figure{"inference.kv_cache_range.high",
           [](const Estimate &e) { return ofPool(e, &InferenceFigures::kvCacheHigh); }},
    Figure{"inference.kv_blocks",
           [](const Estimate &e) { return served(e, &InferenceFigures::kvBlocks); }},
    Figure{"inference.kv_tokens",
           [](const Estimate &e) { return served(e, &InferenceFigures::kvTokens); }},
    Figure{"inference.kv_tokens_printed",
           [](const Estimate &e) { return served(e, &InferenceFigures::printedTokens); }},
    Figure{"inference.max_concurrency",
           [](const Estimate &e) { return served(e, &InferenceFigures::maxConcurrency); }},
    Figure{"inference.max_context",
           [](const Estimate &e) { return served(e, &InferenceFigures::maxContext); }},
    Figure{"inference.block_waste",
           [](const Estimate &e) { return served(e, &InferenceFigures::blockWaste); }},
    Figure{"host.bytes", [](const Estimate &e) { return computed(e, e.hostBytes); }},
    Figure{"host.to_host_per_step", [](const Estimate &e) { return computed(e, e.toHostBytes); }},
    Figure{"host.to_device_per_step",
           [](const Estimate &e) { return computed(e, e.toDeviceBytes); }},
    Figure{"communication.bytes_per_step",
           [](const Estimate &e) { return computed(e, e.communicationBytes); }},
    Figure{"side_effects.recompute_share",
           [](const Estimate &e) { return computed(e, e.recomputeShare); }},
    Figure{"side_effects.bubble_share",
           [](const Estimate &e) { return computed(e, e.bubbleShare); }},
};

/// The text between two ends of the path; nothing where they are not its ends.
std::optional<std::string_view> between(std::string_view path, std::string_view begin,
                                        std::string_view end)
{
    if (path.size() < begin.size() + end.size() || !path.starts_with(begin) || !path.ends_with(end))
        return {};
    return path.substr(begin.size(), path.size() - begin.size() - end.size());
}

Value componentBytes(const std::vector<Component> &components, std::string_view name)
{
    const auto found = std::ranges::find(components, name, &Component::name);
    return found == components.end() ? Value() : figureOf(found->bytes);
}

/// A recording's moment may be several of the plan's: its loss includes the steps before it.
bool isWithin(std::string_view moment, std::string_view recorded)
{
    constexpr std::array kFiner = {StepPhase::Logits, StepPhase::StartOfBackward,
                                   StepPhase::GradientNorm};
    return moment == recorded || std::ranges::any_of(kFiner, [&](StepPhase phase) {
               return phaseName(phase) == moment && phaseName(recordedAs(phase)) == recorded;
           });
}

Value momentFigure(const Estimate &estimate, std::string_view name, std::string_view component)
{
    auto found = estimate.moments.end();
    for (auto it = estimate.moments.begin(); it != estimate.moments.end(); ++it)
        if (isWithin(it->name, name) &&
            (found == estimate.moments.end() || it->allocated > found->allocated))
            found = it;
    if (found == estimate.moments.end())
        return {};
    return component.empty() ? figureOf(found->allocated)
                             : componentBytes(found->components, component);
}

Value stageFigure(const Estimate &estimate, std::string_view text)
{
    std::size_t stage = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), stage);
    const bool known =
        status == std::errc() && end == text.data() + text.size() && stage < estimate.stages.size();
    return known ? figureOf(estimate.stages[stage]) : Value();
}

Value linkSeconds(const Estimate &estimate, std::string_view name)
{
    const auto link = std::ranges::find(kHostLinks, name, &HostLink::name);
    if (!estimate.computed || link == kHostLinks.end())
        return {};
    return link->seconds(estimate.toHostBytes, estimate.toDeviceBytes);
}

/// A figure whose path names a moment, a component, a stage or a link.
Value namedFigure(const Estimate &estimate, std::string_view path)
{
    constexpr std::string_view kComponents = ".components.";
    if (const auto name = between(path, "components.", ".bytes"))
        return componentBytes(estimate.components(), *name);
    if (const auto both = between(path, "moments.", ".bytes")) {
        const std::size_t at = both->find(kComponents);
        return at == std::string_view::npos ? Value()
                                            : momentFigure(estimate, both->substr(0, at),
                                                           both->substr(at + kComponents.size()));
    }
    if (const auto name = between(path, "moments.", ".allocated"))
        return momentFigure(estimate, *name, {});
    if (const auto stage = between(path, "stages.", ".allocated"))
        return stageFigure(estimate, *stage);
    if (const auto link = between(path, "host.seconds_per_step.", ""))
        return linkSeconds(estimate, *link);
    return {};
}

bool named(std::string_view path)
{
    return path.starts_with("moments.") || path.starts_with("components.") ||
           path.starts_with("stages.") || path.starts_with("host.seconds_per_step.");
}

Error unknownFigure(std::string_view path)
{
    std::vector<std::string_view> paths;
    std::ranges::transform(kFigures, std::back_inserter(paths), &Figure::path);
    return invalid("There is no figure '" + std::string(path) + "'" + didYouMean(path, paths) +
                   '.');
}

} // namespace

Result<double> figureOf(const Estimate &estimate, std::string_view path)
{
    const auto figure = std::ranges::find(kFigures, path, &Figure::path);
    if (figure == kFigures.end() && !named(path))
        return unknownFigure(path);
    const Value value =
        figure == kFigures.end() ? namedFigure(estimate, path) : figure->value(estimate);
    if (value)
        return *value;
    if (!estimate.computed)
        return invalid("There are no figures: " + whyNotComputed(estimate));
    return invalid("The estimate has no figure '" + std::string(path) + "'.");
}

bool isBytes(std::string_view path)
{
    constexpr std::array<std::string_view, 10> kOthers = {
        "parameters.total",          "parameters.active",     "parameters.per_rank",
        "inference.kv_blocks",       "inference.kv_tokens",   "inference.kv_tokens_printed",
        "inference.max_concurrency", "inference.max_context", "side_effects.recompute_share",
        "side_effects.bubble_share",
    };
    return !path.starts_with("host.seconds_per_step.") &&
           std::ranges::find(kOthers, path) == kOthers.end();
}

double Band::halfWidthPercent() const
{
    const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
    return middle > 0 ? (static_cast<double>(high) - middle) / middle * 100 : 0;
}

std::optional<Band> bandOf(const Estimate &estimate, std::string_view path)
{
    if (!estimate.computed)
        return {};
    if (path == "peak.device")
        return Band{estimate.uncertaintyLow, estimate.uncertaintyHigh};
    if (path == "peak.reserved")
        return Band{estimate.reservedLow, estimate.reservedHigh};
    return {};
}

} // namespace vramscope
