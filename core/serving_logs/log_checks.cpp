// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_checks.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

namespace vramscope {

namespace {

/// a (× b) - the rest = right side. A right side that is a product is on the left.
struct Identity
{
    std::string_view text;
    std::string_view a;
    std::string_view b; ///< empty: a alone
    std::array<std::string_view, 3> less;
    std::string_view right;
};

constexpr std::string_view kTokens =
    "concurrency × longest sequence = tokens of the cache (before vLLM 0.22 only where all layers "
    "are of one kind)";

// vllm/v1/worker/gpu_worker.py, vllm/worker/worker.py (V0), vllm/v1/core/kv_cache_utils.py;
// sglang/srt/model_executor/model_runner.py.
constexpr Identity kIdentities[] = {
    {"total × utilization = requested",
     "total_gpu_memory",
     "gpu_memory_utilization",
     {},
     "requested_memory"},
    {"requested - weights - non-torch - activations = cache",
     "requested_memory",
     "",
     {"model_weights", "non_torch_memory", "activation_peak"},
     "kv_cache_memory"},
    {"requested - consumed - activations = cache",
     "requested_memory",
     "",
     {"consumed_memory", "activation_peak"},
     "kv_cache_memory"},
    {"total × utilization - peak of PyTorch - non-torch = cache",
     "total_gpu_memory",
     "gpu_memory_utilization",
     {"peak_torch_memory", "non_torch_memory"},
     "kv_cache_memory"},
    {kTokens, "max_concurrency", "max_model_len", {}, "kv_cache_tokens"},
    {"free before loading - weights = free after it",
     "avail_before_load",
     "",
     {"weights"},
     "avail_after_load"},
};

using RankFigures = std::map<std::string_view, const LogFigure *, std::less<>>;

/// What rounding may have taken from a figure; a share and a count are as they were stated. Newer
/// engines round to two decimals and leave zeros at the end away.
double roundingOf(const LogFigure &figure)
{
    constexpr double kTwoDecimals = 0.005;
    const bool isExact = figure.unit == LogUnit::Ratio || bytesOfUnit(figure.unit) == 1 ||
                         (figure.decimals == 0 && bytesOfUnit(figure.unit) == 0);
    return isExact ? 0 : std::min(figure.rounding(), kTwoDecimals);
}

std::optional<LogCheck> evaluated(const Identity &identity, const RankFigures &figures)
{
    const auto figure = [&](std::string_view key) {
        const auto found = figures.find(key);
        return found != figures.end() ? found->second : nullptr;
    };
    const LogFigure *a = figure(identity.a);
    const LogFigure *b = identity.b.empty() ? nullptr : figure(identity.b);
    const LogFigure *right = figure(identity.right);
    if (!a || !right || (!identity.b.empty() && !b))
        return {};
    LogCheck check;
    check.text = identity.text;
    check.rank = right->rank;
    check.unit = right->unit;
    check.left = a->value * (b ? b->value : 1);
    check.right = right->value;
    double tolerance = roundingOf(*right) + roundingOf(*a) * (b ? b->value : 1);
    for (const std::string_view key : identity.less) {
        if (key.empty())
            continue;
        const LogFigure *less = figure(key);
        if (!less)
            return {};
        check.left -= less->value;
        tolerance += roundingOf(*less);
    }
    constexpr double kArithmetic = 1e-9;
    tolerance += kArithmetic * std::max(1.0, std::abs(check.right));
    check.holds = std::abs(check.left - check.right) <= tolerance;
    return check;
}

void addIdentities(const ServingLog &log, int start, std::vector<LogCheck> &checks)
{
    std::map<std::string_view, RankFigures, std::less<>> ranks;
    for (const LogFigure &figure : log.figures)
        if (figure.start == start)
            ranks[figure.rank][figure.key] = &figure; // the last one of a rank counts
    for (const Identity &identity : kIdentities) {
        std::optional<LogCheck> shown;
        for (const auto &[rank, figures] : ranks) {
            const auto check = evaluated(identity, figures);
            if (!check || (shown && !shown->holds))
                continue;
            if (!shown || !check->holds || check->right < shown->right)
                shown = check;
        }
        if (shown)
            checks.push_back(*shown);
    }
}

/// The table of llama.cpp, whose numbers are cut to whole MiB.
void addBreakdowns(const ServingLog &log, std::vector<LogCheck> &checks)
{
    constexpr double kCut = 3;
    constexpr std::string_view kSelf = "breakdown_self:";
    const auto value = [&](std::string_view part, std::string_view device) {
        const BestFigure *figure =
            log.find(std::string("breakdown_").append(part).append(":").append(device));
        return figure ? std::optional(figure->value) : std::nullopt;
    };
    const auto add = [&](std::string text, double left, double right) {
        checks.push_back(
            {std::move(text), {}, left, right, LogUnit::MiB, std::abs(left - right) <= kCut});
    };
    for (const BestFigure &self : log.best) {
        if (!self.key.starts_with(kSelf))
            continue;
        const std::string device = self.key.substr(kSelf.size());
        const auto total = value("total", device);
        const auto free = value("free", device);
        const auto unaccounted = value("unaccounted", device);
        const auto model = value("model", device);
        const auto context = value("context", device);
        const auto compute = value("compute", device);
        if (total && free && unaccounted)
            add("total = free + self + unaccounted, " + device, *total,
                *free + self.value + *unaccounted);
        if (model && context && compute)
            add("self = model + context + compute, " + device, self.value,
                *model + *context + *compute);
    }
}

/// Buffers of a cache, which lines state before its total.
void addCacheTotals(const ServingLog &log, int start, std::vector<LogCheck> &checks)
{
    std::optional<LogCheck> shown;
    double sum = 0;
    double rounding = 0;
    bool any = false;
    for (const LogFigure &figure : log.figures) {
        if (figure.start != start)
            continue;
        if (figure.key.starts_with("kv_buffer:")) {
            sum += figure.value * bytesOfUnit(figure.unit) / bytesOfUnit(LogUnit::MiB);
            rounding += figure.rounding();
            any = true;
        } else if (figure.key == "kv_total") {
            const bool holds = std::abs(sum - figure.value) <= rounding + figure.rounding() + 1e-6;
            if (any && (!shown || (shown->holds && !holds)))
                shown = LogCheck{"buffers of the cache add up to its total",
                                 figure.rank,
                                 sum,
                                 figure.value,
                                 LogUnit::MiB,
                                 holds};
            any = false;
            sum = rounding = 0;
        }
    }
    if (shown)
        checks.push_back(*shown);
}

} // namespace

std::vector<LogCheck> checksOf(const ServingLog &log)
{
    std::vector<LogCheck> checks;
    const int start = log.figures.empty() ? 0 : log.figures.back().start;
    addIdentities(log, start, checks);
    addBreakdowns(log, checks);
    addCacheTotals(log, start, checks);
    return checks;
}

bool tokensContradictConcurrency(const ServingLog &log)
{
    return std::ranges::any_of(
        log.checks, [](const LogCheck &check) { return check.text == kTokens && !check.holds; });
}

} // namespace vramscope
