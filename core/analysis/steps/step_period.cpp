// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_period.h"

#include "core/base/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::size_t kMostCandidates = 16;

// A frame inside which repetition is that of layers or parameters, not of steps.
struct InnerLoop
{
    std::string_view name;
    std::string_view file;
};
constexpr std::array kInnerLoops{
    InnerLoop{"", "torch/nn/modules/module.py"},
    InnerLoop{"_engine_run_backward", ""},
    InnerLoop{"torch::autograd::Engine", ""},
    InnerLoop{"", "torch/optim/"},
    InnerLoop{"__init__", ""},
    InnerLoop{"from_pretrained", ""},
    InnerLoop{"load_state_dict", ""},
};

// Numbers stacks with a size in the order of first occurrence. Open addressing: each allocation of
// a recording looks one up.
class TokenNumbers
{
public:
    std::uint32_t of(StackId stack, Bytes size)
    {
        std::size_t at = slotOf(stack, size);
        if (m_slots[at] == kNone) {
            m_tokens.push_back({stack, size});
            if (2 * m_tokens.size() > m_slots.size()) {
                grow();
                at = slotOf(stack, size);
            }
            m_slots[at] = static_cast<std::uint32_t>(m_tokens.size()) - 1;
        }
        return m_slots[at];
    }
    /// By number.
    [[nodiscard]] std::vector<StackId> stacks() const
    {
        std::vector<StackId> all;
        all.reserve(m_tokens.size());
        for (const Token &token : m_tokens)
            all.push_back(token.stack);
        return all;
    }

private:
    struct Token
    {
        StackId stack;
        Bytes size;
        bool operator==(const Token &) const = default;
    };
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kFirstCapacity = 1024;

    // The slot of a token, or the empty one where it belongs.
    [[nodiscard]] std::size_t slotOf(StackId stack, Bytes size) const
    {
        const std::uint64_t mixed = static_cast<std::uint64_t>(size) * 0x9e3779b97f4a7c15U +
                                    static_cast<std::uint64_t>(stack) * 0xc2b2ae3d27d4eb4fU;
        std::size_t at = static_cast<std::size_t>(mixed >> 29U) & (m_slots.size() - 1);
        while (m_slots[at] != kNone && m_tokens[m_slots[at]] != Token{stack, size})
            at = (at + 1) & (m_slots.size() - 1);
        return at;
    }
    void grow()
    {
        m_slots.assign(2 * m_slots.size(), kNone);
        for (std::uint32_t token = 0; token + 1 < m_tokens.size();
             ++token) // the last is not yet inserted
            m_slots[slotOf(m_tokens[token].stack, m_tokens[token].size)] = token;
    }

    std::vector<Token> m_tokens;
    std::vector<std::uint32_t> m_slots = std::vector<std::uint32_t>(kFirstCapacity, kNone);
};

// The places of every token, ascending.
struct Occurrences
{
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> places;

    explicit Occurrences(const TokenSequence &sequence)
        : starts(sequence.stackOf.size() + 1)
        , places(sequence.tokens.size())
    {
        for (const std::uint32_t token : sequence.tokens)
            ++starts[token + 1];
        for (std::size_t at = 1; at < starts.size(); ++at)
            starts[at] += starts[at - 1];
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        for (std::size_t at = 0; at < sequence.tokens.size(); ++at)
            places[next[sequence.tokens[at]]++] = static_cast<std::uint32_t>(at);
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t token) const
    {
        return {places.data() + starts[token], starts[token + 1] - starts[token]};
    }
};

// How unevenly a token recurs: the coefficient of variation of its gaps; nothing if a gap is less
// than half or more than twice the mean, or if the token spans too little of the sequence.
std::optional<double> unevenness(std::span<const std::uint32_t> places, double leastSpan)
{
    if (places.size() < 2)
        return std::nullopt;
    const auto gaps = static_cast<double>(places.size() - 1);
    const double mean = static_cast<double>(places.back() - places.front()) / gaps;
    if (mean * static_cast<double>(places.size()) < leastSpan)
        return std::nullopt;
    double squares = 0;
    for (std::size_t at = 1; at < places.size(); ++at) {
        const double gap = places[at] - places[at - 1];
        if (gap < mean / 2 || gap > mean * 2)
            return std::nullopt;
        squares += (gap - mean) * (gap - mean);
    }
    return std::sqrt(squares / gaps) / mean;
}

struct Recurring
{
    std::uint32_t token;
    double unevenness;
};
using ByCount = std::map<std::size_t, std::vector<Recurring>>;

ByCount regularTokens(const Occurrences &occurrences, const TokenSequence &sequence,
                      const StepThresholds &thresholds)
{
    const double leastSpan = thresholds.leastCoverage * static_cast<double>(sequence.tokens.size());
    ByCount found;
    for (std::size_t token = 0; token < sequence.stackOf.size(); ++token) {
        const auto places = occurrences.of(token);
        if (const auto value = unevenness(places, leastSpan))
            found[places.size()].push_back({static_cast<std::uint32_t>(token), *value});
    }
    return found;
}

bool isInner(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    std::string file(trace.text(frame.file));
    std::ranges::replace(file, '\\', '/');
    return std::ranges::any_of(kInnerLoops, [&](const InnerLoop &inner) {
        return trace.text(frame.name).find(inner.name) != std::string_view::npos &&
               file.find(inner.file) != std::string::npos;
    });
}

// The stacks of the tokens, each once, with how many of the tokens have it.
std::vector<std::pair<StackId, std::size_t>> weighedStacks(const TokenSequence &sequence,
                                                           const std::vector<Recurring> &tokens)
{
    std::vector<StackId> all;
    all.reserve(tokens.size());
    for (const Recurring &each : tokens)
        all.push_back(sequence.stackOf[each.token]);
    std::ranges::sort(all);
    std::vector<std::pair<StackId, std::size_t>> stacks;
    for (const StackId stack : all) {
        if (stacks.empty() || stacks.back().first != stack)
            stacks.push_back({stack, 0});
        ++stacks.back().second;
    }
    return stacks;
}

// Whether nearly all stacks of the tokens run inside one call that loops over layers or parameters:
// follows, from the outermost frame on, the frame that most of them share. Linear in the frames of
// the stacks, however many sizes are allocated from each.
bool isInnerLoop(const Trace &trace, const TokenSequence &sequence,
                 const std::vector<Recurring> &tokens, double nearlyAll)
{
    using Weighed = std::pair<StackId, std::size_t>;
    std::vector<Weighed> stacks = weighedStacks(sequence, tokens);
    const auto least = static_cast<std::size_t>(nearlyAll * static_cast<double>(tokens.size()));
    std::unordered_map<FrameId, bool> inner; // recursion often repeats the question
    // Requests whose sizes differ are calls of one module too: then only a module within another
    // shows layers.
    const auto enough = [&](FrameId frame) {
        const bool isModule =
            trace.text(trace.frame(frame).file).ends_with("torch/nn/modules/module.py");
        return isModule && sequence.what == TokensOf::Stacks ? 2 : 1;
    };
    int levels = 0;
    bool wasInner = false;
    for (std::size_t depth = 0;; ++depth) {
        const auto frameOf = [&](const Weighed &each) {
            const std::span<const FrameId> frames = trace.stack(each.first);
            return frames[frames.size() - 1 - depth];
        };
        std::erase_if(stacks,
                      [&](const Weighed &each) { return trace.stack(each.first).size() <= depth; });
        std::unordered_map<FrameId, std::size_t> votes;
        for (const Weighed &each : stacks)
            votes[frameOf(each)] += each.second;
        const auto most =
            std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
        if (most == votes.end() || most->second < std::max<std::size_t>(least, 1))
            return false;
        const FrameId shared = most->first;
        const auto [known, isNew] = inner.try_emplace(shared, false);
        if (isNew)
            known->second = isInner(trace, shared);
        if (known->second && !wasInner && ++levels >= enough(shared))
            return true;
        wasInner = known->second;
        std::erase_if(stacks, [&](const Weighed &each) { return frameOf(each) != shared; });
    }
}

// Turns the recurrences of one token into steps.
class Cutter
{
public:
    Cutter(const DeviceTrace &device, const TokenSequence &sequence, const Occurrences &occurrences,
           BoundaryFinder &boundaries, const StepThresholds &thresholds)
        : m_device(device)
        , m_sequence(sequence)
        , m_occurrences(occurrences)
        , m_boundaries(boundaries)
        , m_thresholds(thresholds)
    {
    }

    Period cut(std::span<const std::uint32_t> anchors)
    {
        std::vector<std::size_t> inner; // places at which steps begin
        for (std::size_t at = 1; at < anchors.size(); ++at) {
            const EventIndex boundary = m_boundaries.find(m_sequence.events[anchors[at - 1]],
                                                          m_sequence.events[anchors[at]]);
            inner.push_back(m_sequence.placeAt(boundary));
        }
        Period period;
        const double length = static_cast<double>(anchors.back() - anchors.front()) /
                              static_cast<double>(anchors.size() - 1);
        // How long before the anchor a step begins: from the later ones, as the first warms up.
        std::vector<double> offsets;
        for (std::size_t at = inner.size() / 2; at < inner.size(); ++at)
            offsets.push_back(static_cast<double>(anchors[at + 1]) -
                              static_cast<double>(inner[at]));
        const double offset = upperMedian(std::move(offsets));
        const std::uint32_t startToken = mostFrequentAt(inner);
        straighten(inner, anchors, offset, length, startToken);
        const std::size_t begin =
            firstStart(anchors.front(), offset, length, startToken, period.firstComplete);
        std::vector<std::size_t> starts{begin};
        starts.insert(starts.end(), inner.begin(), inner.end());
        finish(period, starts, length, startToken);
        return period;
    }

private:
    std::uint32_t mostFrequentAt(const std::vector<std::size_t> &places) const
    {
        std::map<std::uint32_t, int> votes;
        for (const std::size_t place : std::span(places).subspan(places.size() / 2))
            ++votes[m_sequence.tokens[std::min(place, m_sequence.tokens.size() - 1)]];
        return std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; })
            ->first;
    }

    // The place of `token` nearest to `expected` within half a step, if any.
    std::optional<std::size_t> nearest(std::uint32_t token, double expected, double length,
                                       std::size_t least, std::size_t most) const
    {
        const std::span<const std::uint32_t> places = m_occurrences.of(token);
        const auto begin = std::ranges::lower_bound(places, least);
        const auto end = std::ranges::upper_bound(begin, places.end(), most);
        const auto after = std::ranges::lower_bound(begin, end, expected);
        std::optional<std::size_t> best; // the earlier of two equally near
        double distance = length / 2;
        if (after != begin && expected - after[-1] <= distance) {
            best = after[-1];
            distance = expected - after[-1];
        }
        if (after != end && (best ? *after - expected < distance : *after - expected <= distance))
            best = *after;
        return best;
    }

    // Memory made in the first steps that stays can let a boundary look quieter than it is:
    // boundaries with an unusual place in their step are moved to the usual one.
    void straighten(std::vector<std::size_t> &inner, std::span<const std::uint32_t> anchors,
                    double offset, double length, std::uint32_t startToken) const
    {
        for (std::size_t at = 0; at < inner.size(); ++at) {
            const double expected = static_cast<double>(anchors[at + 1]) - offset;
            if (std::abs(static_cast<double>(inner[at]) - expected) <= m_thresholds.slack * length)
                continue;
            const auto place = nearest(startToken, expected, length, anchors[at], anchors[at + 1]);
            inner[at] = place ? *place
                              : static_cast<std::size_t>(
                                    std::max(expected, static_cast<double>(anchors[at])));
        }
    }

    std::size_t firstStart(std::size_t anchor, double offset, double length,
                           std::uint32_t startToken, bool &complete) const
    {
        const double expected = static_cast<double>(anchor) - offset;
        if (const auto place = nearest(startToken, expected, length, 0, anchor))
            return *place;
        complete = expected >= -0.05 * length;
        return expected <= 0 ? 0 : static_cast<std::size_t>(expected);
    }

    void finish(Period &period, std::vector<std::size_t> &starts, double length,
                std::uint32_t startToken) const
    {
        const std::size_t count = m_sequence.tokens.size();
        // A step that the end of the recording cut off before its anchor.
        const double expected = static_cast<double>(starts.back()) + length;
        period.end = m_device.events.count();
        if (const auto next = nearest(startToken, expected, length, starts.back() + 1, count)) {
            const auto rest = static_cast<double>(count - *next);
            RunMatcher matcher(m_sequence);
            if (rest >= m_thresholds.leastTail * length &&
                matcher.contained(*next, count, starts.back(), *next) >=
                    m_thresholds.leastPeriodMatch) {
                starts.push_back(*next);
                period.lastComplete = rest >= 0.95 * length;
            } else {
                period.end = m_sequence.events[*next];
            }
        } else {
            period.lastComplete = static_cast<double>(count - starts.back()) >= 0.9 * length;
        }
        for (const std::size_t start : starts)
            period.starts.push_back(m_sequence.events[std::min(start, count - 1)]);
        const double rest = static_cast<double>(count - starts.back());
        if (rest > 1.25 * length &&
            period.end == m_device.events.count()) { // something else follows the last step
            const auto eventAt = [&](double place) {
                return m_sequence.events[std::min(static_cast<std::size_t>(place), count - 1)];
            };
            const double start = static_cast<double>(starts.back());
            period.end =
                m_boundaries.find(eventAt(start + 0.8 * length), eventAt(start + 1.2 * length));
        }
    }

    const DeviceTrace &m_device;
    const TokenSequence &m_sequence;
    const Occurrences &m_occurrences;
    BoundaryFinder &m_boundaries;
    const StepThresholds &m_thresholds;
};

// Whether the active bytes at the ends of steps change: within one pass they climb layer by layer,
// or come down.
bool drifts(const Period &period, const UsageCurve &curve, double mostDrift)
{
    std::vector<double> rises;
    std::vector<double> changes;
    for (std::size_t at = 0; at < period.starts.size(); ++at) {
        const bool isLast = at + 1 == period.starts.size();
        const EventIndex first = period.starts[at];
        const EventIndex last = (isLast ? period.end : period.starts[at + 1]) - 1;
        const auto begin = static_cast<double>(curve.active(first - 1));
        const auto highest = static_cast<double>(curve.active(curve.highestActive(first, last)));
        rises.push_back(highest - begin);
        changes.push_back(std::abs(static_cast<double>(curve.active(last)) - begin));
    }
    return upperMedian(std::move(changes)) > mostDrift * upperMedian(std::move(rises));
}

// Whether few allocations outlive the step after the one that made them. A step that leaks leaves
// one or two behind; of one pass, most remain.
bool leavesFew(const Period &period, const TokenSequence &sequence, const Allocations &allocations,
               const StepThresholds &thresholds)
{
    if (period.starts.size() < thresholds.leastToLeak)
        return false;
    std::size_t all = 0;
    std::size_t left = 0;
    for (std::size_t at = 0; at + 2 < period.starts.size(); ++at) {
        const std::size_t end = sequence.placeAt(period.starts[at + 1]);
        for (std::size_t place = sequence.placeAt(period.starts[at]); place < end; ++place, ++all) {
            const std::size_t index = static_cast<std::size_t>(sequence.firstAllocation) + place;
            left += allocations.death[index] > period.starts[at + 2] ? 1U : 0U;
        }
    }
    return static_cast<double>(left) <= thresholds.mostLeft * static_cast<double>(all);
}

// Median similarity of neighbouring complete steps.
double matchOf(const Period &period, const TokenSequence &sequence)
{
    RunMatcher matcher(sequence);
    std::vector<double> matches;
    std::vector<std::size_t> bounds;
    for (const EventIndex start : period.starts)
        bounds.push_back(sequence.placeAt(start));
    bounds.push_back(sequence.placeAt(period.end));
    const std::size_t skip = period.firstComplete ? 0 : 1;
    const std::size_t last = bounds.size() - (period.lastComplete ? 0 : 1);
    for (std::size_t at = skip; at + 2 < last; ++at)
        matches.push_back(
            matcher.similarity(bounds[at], bounds[at + 1], bounds[at + 1], bounds[at + 2]));
    if (matches.empty() && bounds.size() >= 3) // one whole step and the beginning of another
        return matcher.contained(bounds[1], bounds[2], bounds[0], bounds[1]);
    return upperMedian(std::move(matches));
}

} // namespace

std::size_t TokenSequence::placeAt(EventIndex event) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(events, event) - events.begin());
}

TokenSequence tokenSequence(const Allocations &allocations, TokensOf what)
{
    TokenSequence sequence;
    sequence.firstAllocation = allocations.firstBornAfter(-1);
    const auto count = static_cast<std::size_t>(allocations.count());
    const auto first = static_cast<std::size_t>(sequence.firstAllocation);
    sequence.tokens.reserve(count - first);
    sequence.events = std::span(allocations.birth).subspan(first);
    sequence.what = what;
    TokenNumbers numbers;
    Bytes inRow = 0;
    for (std::size_t at = first; at < count; ++at) {
        const bool goesOn = at > first && allocations.stack[at] == allocations.stack[at - 1];
        inRow = goesOn ? inRow + 1 : 0;
        sequence.tokens.push_back(numbers.of(
            allocations.stack[at], what == TokensOf::Stacks ? inRow : allocations.requested[at]));
    }
    sequence.stackOf = numbers.stacks();
    return sequence;
}

RunMatcher::RunMatcher(const TokenSequence &sequence)
    : m_sequence(sequence)
    , m_counts(sequence.stackOf.size())
{
}

std::size_t RunMatcher::common(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                               std::size_t lastB)
{
    for (std::size_t at = firstA; at < lastA; ++at)
        ++m_counts[m_sequence.tokens[at]];
    std::size_t same = 0;
    for (std::size_t at = firstB; at < lastB; ++at) {
        if (m_counts[m_sequence.tokens[at]]-- > 0)
            ++same;
    }
    for (std::size_t at = firstA; at < lastA; ++at)
        m_counts[m_sequence.tokens[at]] = 0;
    for (std::size_t at = firstB; at < lastB; ++at)
        m_counts[m_sequence.tokens[at]] = 0;
    return same;
}

double RunMatcher::similarity(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                              std::size_t lastB)
{
    const std::size_t all = lastA - firstA + lastB - firstB;
    return all == 0 ? 0
                    : 2.0 * static_cast<double>(common(firstA, lastA, firstB, lastB)) /
                          static_cast<double>(all);
}

double RunMatcher::contained(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                             std::size_t lastB)
{
    return lastA == firstA ? 0
                           : static_cast<double>(common(firstA, lastA, firstB, lastB)) /
                                 static_cast<double>(lastA - firstA);
}

BoundaryFinder::BoundaryFinder(const Trace &trace, const DeviceTrace &device,
                               const UsageCurve &curve)
    : m_device(device)
    , m_curve(curve)
    , m_rules(trace, defaultCategoryRules())
{
}

EventIndex BoundaryFinder::find(EventIndex first, EventIndex last)
{
    last = std::min(last, m_curve.count() - 1);
    first = std::min(first, last);
    const Bytes lowest = m_curve.active(m_curve.lowestActive(first, last));
    const Bytes highest = m_curve.active(m_curve.highestActive(first, last));
    const Bytes quiet = wrappingSum(lowest, wrappingDifference(highest, lowest) / 100);
    const EventColumns &events = m_device.events;
    std::optional<EventIndex> fallback;
    for (EventIndex event = first; event <= last;) {
        if (m_curve.active(event) > quiet) {
            ++event;
            continue;
        }
        EventIndex next = event + 1;
        while (next < last && events.action[static_cast<std::size_t>(next)] != Action::Alloc)
            ++next;
        if (next > last)
            break;
        const Phase phase = m_rules.phaseOf(events.stack[static_cast<std::size_t>(next)]);
        if (phase != Phase::Backward && phase != Phase::Optimizer)
            return next;
        fallback = fallback.value_or(next);
        event = next;
    }
    return fallback.value_or(last + 1);
}

Period findPeriod(const Trace &trace, const DeviceTrace &device, const TokenSequence &sequence,
                  const Allocations &allocations, const UsageCurve &curve,
                  BoundaryFinder &boundaries, const StepThresholds &thresholds)
{
    Period none;
    none.whyNot = "No allocation of the recording recurs regularly.";
    const Occurrences occurrences(sequence);
    const ByCount regular = regularTokens(occurrences, sequence, thresholds);
    std::size_t most = 0;
    for (const auto &[count, tokens] : regular)
        most = std::max(most, tokens.size());
    std::size_t tried = 0;
    Cutter cutter(device, sequence, occurrences, boundaries, thresholds);
    for (const auto &[count, tokens] : regular) {
        if (static_cast<double>(tokens.size()) <
                std::max(2.0, thresholds.candidateShare * static_cast<double>(most)) ||
            tried++ >= kMostCandidates)
            continue;
        if (isInnerLoop(trace, sequence, tokens, thresholds.nearlyAll)) {
            none.whyNot = "What recurs are layers, not steps.";
            none.layers = true;
            continue;
        }
        const auto anchor = std::ranges::min_element(tokens, {}, &Recurring::unevenness);
        Period period = cutter.cut(occurrences.of(anchor->token));
        period.match = matchOf(period, sequence);
        const bool ascending = std::ranges::adjacent_find(period.starts, std::greater_equal<>{}) ==
                               period.starts.end();
        const bool sound = ascending && period.end > period.starts.back();
        if (sound && period.match >= thresholds.leastPeriodMatch) {
            period.drifts = drifts(period, curve, thresholds.mostDrift);
            if (!period.drifts || leavesFew(period, sequence, allocations, thresholds))
                return period;
        }
        none.whyNot =
            sound && period.match >= thresholds.leastPeriodMatch
                ? "What recurs leaves more memory behind, or less, each time: parts of one "
                  "pass, not steps."
                : "Some allocations recur, but what happens between them differs.";
    }
    return none;
}

} // namespace vramscope
