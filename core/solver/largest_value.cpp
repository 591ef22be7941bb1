// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/largest_value.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/model/diffusion/pipelines.h"
#include "core/solver/plan_evaluator.h"

#include <algorithm>
#include <span>
#include <vector>

namespace vramscope {

namespace {

constexpr std::int64_t kTokensPerStep = 64;

} // namespace

std::int64_t stepOf(const Settings &s, const Field &field)
{
    if (field.path == "batch.sequence_length")
        return kTokensPerStep * s.context;
    if (field.path == "inference.mean_sequence_length" || field.path == "inference.max_model_len")
        return s.engine == Engine::Sglang ? s.sglang.pageSize : s.blockSize;
    if (s.diffusion && (field.path == "diffusion.width" || field.path == "diffusion.height"))
        return s.diffusion->kind->sideStep;
    if (field.path == "diffusion.frames")
        return 4;
    return 1;
}

namespace {

/// The values of a field on a ladder of equal steps, evaluated on demand.
class Ladder
{
public:
    struct Rung
    {
        bool sound = false;
        bool fits = false;
        Bytes device = 0;
    };

    Ladder(PlanEvaluator &trial, const Field &field)
        : m_trial(trial)
        , m_field(field)
        , m_step(stepOf(trial.settings(), field))
        , m_first(m_step == 1 || field.path == "diffusion.frames"
                      ? std::max<std::int64_t>(static_cast<std::int64_t>(field.minimum), 0)
                      : m_step)
        , m_count((static_cast<std::int64_t>(field.maximum) - m_first) / m_step + 1)
    {
    }

    [[nodiscard]] std::int64_t step() const { return m_step; }
    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] std::int64_t value(std::int64_t rung) const { return m_first + rung * m_step; }

    [[nodiscard]] Rung weigh(std::int64_t rung)
    {
        m_field.set(m_trial.plan, value(rung));
        const std::optional<PeakSummary> it = m_trial.weigh();
        return it ? Rung{true, m_trial.fits(*it), it->device} : Rung{};
    }
    [[nodiscard]] TriedValue tried(std::int64_t rung)
    {
        m_field.set(m_trial.plan, value(rung));
        return {value(rung), fitSummary(m_trial.plan)};
    }

private:
    PlanEvaluator &m_trial;
    const Field &m_field;
    std::int64_t m_step;
    std::int64_t m_first;
    std::int64_t m_count;
};

struct Sample
{
    std::int64_t rung;
    Ladder::Rung weight;
};

/// Rungs at doubling distance from the first up to the last that the checks accept, without those
/// that they refuse.
std::vector<Sample> samplesOf(Ladder &ladder)
{
    std::vector<Sample> samples;
    std::int64_t refused = ladder.count(); // the lowest refused above the last sample
    for (std::int64_t rung = 0;;) {
        if (const Ladder::Rung weight = ladder.weigh(rung); weight.sound) {
            samples.push_back({rung, weight});
            refused = ladder.count();
        } else {
            refused = std::min(refused, rung);
        }
        if (rung == ladder.count() - 1)
            break;
        rung = std::min(2 * rung + 1, ladder.count() - 1);
    }
    if (samples.empty())
        return samples;
    std::int64_t last = samples.back().rung;
    while (refused - last > 1) {
        const std::int64_t middle = last + (refused - last) / 2;
        (ladder.weigh(middle).sound ? last : refused) = middle;
    }
    if (last != samples.back().rung)
        samples.push_back({last, ladder.weigh(last)});
    return samples;
}

/// Narrows two samples of which one fits and the other does not to neighbours; between those are
/// only values that the checks refuse.
void narrow(Ladder &ladder, std::int64_t &low, std::int64_t &high, bool lowFits)
{
    std::int64_t bound = high; // from here up to high the checks refuse everything
    while (bound - low > 1) {
        const std::int64_t middle = low + (bound - low) / 2;
        std::int64_t rung = middle;
        Ladder::Rung weight = ladder.weigh(rung);
        while (!weight.sound && rung + 1 < bound)
            weight = ladder.weigh(++rung);
        if (!weight.sound)
            bound = middle;
        else if (weight.fits == lowFits)
            low = rung;
        else
            high = bound = rung;
    }
}

std::string named(const Field &field, std::int64_t value)
{
    return std::string(field.path) + " = " + formatCount(value);
}

/// Whether memory only grows, or only falls, over the samples, and where it does not.
Result<bool> direction(const Ladder &ladder, const Field &field, std::span<const Sample> samples)
{
    bool grows = false;
    bool falls = false;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const Ladder::Rung &before = samples[i - 1].weight;
        const Ladder::Rung &here = samples[i].weight;
        grows |= here.device > before.device || (before.fits && !here.fits);
        falls |= here.device < before.device || (!before.fits && here.fits);
        if (grows && falls)
            return invalid("What this plan needs neither only grows nor only falls with " +
                           std::string(field.path) + " (it turns before " +
                           named(field, ladder.value(samples[i].rung)) +
                           "), so there is no one largest value that fits.");
    }
    if (!grows && !falls)
        return invalid(std::string(field.path) +
                       " does not change what this plan needs; vary another field.");
    return grows;
}

} // namespace

Result<ValueThatFits> largestThatFits(const Plan &plan, const Field &field)
{
    if (field.kind != FieldKind::Count && field.kind != FieldKind::Size)
        return invalid(std::string(field.path) +
                       " is no whole number, so it has no largest value.");
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return trial.error();
    Ladder ladder(*trial, field);
    const std::vector<Sample> samples = samplesOf(ladder);
    if (samples.empty()) {
        const Estimate refused = estimate(trial->plan);
        return invalid("No value of " + std::string(field.path) + " makes this plan sound" +
                       (refused.issues.empty() ? "." : ": " + refused.issues.front().text));
    }
    const Result<bool> grows = direction(ladder, field, samples);
    if (!grows)
        return grows.error();

    ValueThatFits result;
    result.field = &field;
    result.step = ladder.step();
    result.largest = *grows;
    const auto turn = std::ranges::find_if(samples, [&](const Sample &sample) {
        return sample.weight.fits != samples.front().weight.fits;
    });
    const bool frontFits = samples.front().weight.fits;
    if (turn != samples.end()) {
        std::int64_t low = std::prev(turn)->rung;
        std::int64_t high = turn->rung;
        narrow(ladder, low, high, frontFits);
        result.answer = ladder.tried(frontFits ? low : high);
        result.next = ladder.tried(frontFits ? high : low);
    } else if (frontFits) {
        result.answer = ladder.tried(*grows ? samples.back().rung : samples.front().rung);
        result.note = *grows ? "Every value up to the field's limit fits."
                             : "Every value down to the field's limit fits.";
    } else {
        result.next = ladder.tried(*grows ? samples.front().rung : samples.back().rung);
        result.note =
            "No value of this field makes the plan fit; another change must make room first.";
    }
    const std::int64_t positions = trial->settings().architecture.maxPositions;
    const bool length =
        field.path == "batch.sequence_length" || field.path == "inference.max_model_len";
    if (length && result.answer && positions > 0 && result.answer->value > positions)
        result.note += (result.note.empty() ? "" : " ") + std::string("The model itself is made ") +
                       "for " + counted(positions, "position") + ".";
    result.evaluated = trial->weighed();
    return result;
}

} // namespace vramscope
