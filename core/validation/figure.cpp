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

Value figureOf(double share)
{
    return share;
}

Value figureOf(const std::optional<Bytes> &bytes)
{
    return bytes ? figureOf(*bytes) : Value();
}

template<auto Count>
Value known(const Estimate &estimate)
{
    return estimate.*Count > 0 ? figureOf(estimate.*Count) : Value();
}

template<auto Member>
Value computed(const Estimate &estimate)
{
    return estimate.computed ? figureOf(estimate.*Member) : Value();
}

template<auto Member>
Value served(const Estimate &estimate)
{
    if (!estimate.computed || !estimate.inference)
        return {};
    return static_cast<double>((*estimate.inference).*Member);
}

/// Only vLLM's pool has a range.
template<auto End>
Value ofPool(const Estimate &estimate)
{
    const auto &figures = estimate.inference;
    return figures && figures->kvCacheLow < figures->kvCacheHigh ? served<End>(estimate) : Value();
}

struct Figure
{
    std::string_view path;
    Value (*value)(const Estimate &);
};

constexpr std::array kFigures{
    Figure{"parameters.total", known<&Estimate::parametersTotal>},
    Figure{"parameters.active", known<&Estimate::parametersActive>},
    Figure{"parameters.per_rank", known<&Estimate::parametersPerRank>},
    Figure{"peak.allocated", computed<&Estimate::peakAllocated>},
    Figure{"peak.reserved", computed<&Estimate::peakReserved>},
    Figure{"peak.device", computed<&Estimate::peakDevice>},
    Figure{"first_step_peak.allocated", computed<&Estimate::firstStepAllocated>},
    Figure{"first_step_peak.reserved", computed<&Estimate::firstStepReserved>},
    Figure{"at_rest.allocated", computed<&Estimate::atRest>},
    Figure{"capacity", [](const Estimate &e) { return figureOf(e.capacity); }},
    Figure{"headroom", computed<&Estimate::headroom>},
    Figure{"uncertainty.low", computed<&Estimate::uncertaintyLow>},
    Figure{"uncertainty.high", computed<&Estimate::uncertaintyHigh>},
    Figure{"uncertainty.reserved_low", computed<&Estimate::reservedLow>},
    Figure{"uncertainty.reserved_high", computed<&Estimate::reservedHigh>},
    Figure{"inference.weights", served<&InferenceFigures::weights>},
    Figure{"inference.kv_bytes_per_token", served<&InferenceFigures::kvBytesPerToken>},
    Figure{"inference.state_bytes_per_sequence", served<&InferenceFigures::stateBytesPerSequence>},
    Figure{"inference.activation_peak", served<&InferenceFigures::activationPeak>},
    Figure{"inference.non_torch", served<&InferenceFigures::nonTorch>},
    Figure{"inference.kv_cache", served<&InferenceFigures::kvCache>},
    Figure{"inference.kv_cache_range.low", ofPool<&InferenceFigures::kvCacheLow>},
    Figure{"inference.kv_cache_range.high", ofPool<&InferenceFigures::kvCacheHigh>},
    Figure{"inference.kv_blocks", served<&InferenceFigures::kvBlocks>},
    Figure{"inference.kv_tokens", served<&InferenceFigures::kvTokens>},
    Figure{"inference.kv_tokens_printed", served<&InferenceFigures::printedTokens>},
    Figure{"inference.max_concurrency", served<&InferenceFigures::maxConcurrency>},
    Figure{"inference.max_context", served<&InferenceFigures::maxContext>},
    Figure{"inference.block_waste", served<&InferenceFigures::blockWaste>},
    Figure{"host.bytes", computed<&Estimate::hostBytes>},
    Figure{"host.to_host_per_step", computed<&Estimate::toHostBytes>},
    Figure{"host.to_device_per_step", computed<&Estimate::toDeviceBytes>},
    Figure{"communication.bytes_per_step", computed<&Estimate::communicationBytes>},
    Figure{"side_effects.recompute_share", computed<&Estimate::recomputeShare>},
    Figure{"side_effects.bubble_share", computed<&Estimate::bubbleShare>},
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
    if (const auto name = between(path, "outside.", ".bytes"))
        return componentBytes(estimate.outside, *name);
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
           path.starts_with("outside.") || path.starts_with("stages.") ||
           path.starts_with("host.seconds_per_step.");
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
