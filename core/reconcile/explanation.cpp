// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/explanation.h"

#include "core/plan/plan.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string_view>

namespace vramscope {

namespace {

constexpr Bytes kLeastExplained = kMiB;
constexpr std::size_t kMostReasons = 4;
constexpr std::size_t kMostCandidates = 6;
// Of what a setting changes, the part that must be towards the recording: a setting that moves
// much to and fro fits by chance.
constexpr double kTowards = 0.5;

struct Weighed
{
    Variation variation;
    PredictedStep predicted;
    Bytes overall = 0; ///< by how much it brings distance() down
    Bytes here = 0;    ///< likewise at the moment compared
};

class Search
{
public:
    Search(const RecordedMoments &recorded, bool firstStep, const StackEvidence &evidence,
           bool batchIsKnown, const Progress &progress)
        : m_recorded(recorded)
        , m_firstStep(firstStep)
        , m_evidence(evidence)
        , m_batchIsKnown(batchIsKnown)
        , m_progress(progress)
        , m_least(std::max<Bytes>(kLeastExplained, recorded.bytes[place()]->total() / 100))
    {
    }

    // Every variation that brings the prediction closer, the closest first. `here`: at the moment
    // compared; else at any.
    [[nodiscard]] std::vector<Weighed> closer(const Plan &plan, const PredictedStep &now, bool here)
    {
        std::vector<Weighed> found;
        for (Variation &variation : variationsOf(plan)) {
            if (m_stopped || !goesOn())
                return {};
            if (isRuledOut(variation))
                continue;
            Weighed weighed = weigh(std::move(variation), now);
            if (!hasFigures(weighed))
                continue;
            const auto changed = static_cast<double>(distance(m_recorded, now, weighed.predicted));
            const Bytes gain = here ? weighed.here : weighed.overall;
            if (gain >= m_least && static_cast<double>(weighed.overall) > changed * kTowards)
                found.push_back(std::move(weighed));
        }
        std::ranges::stable_sort(found, std::greater(), &Weighed::overall);
        return found;
    }

    [[nodiscard]] Weighed weigh(Variation variation, const PredictedStep &now) const
    {
        const PredictedStep then = predictedStep(lifecycle(estimate(variation.plan)), m_firstStep);
        return {std::move(variation), then, distance(m_recorded, now) - distance(m_recorded, then),
                distanceAt(m_recorded.compared, m_recorded, now) -
                    distanceAt(m_recorded.compared, m_recorded, then)};
    }

    [[nodiscard]] Reason reasonOf(Weighed weighed, const PredictedStep &now) const
    {
        return {Reason::Kind::Setting, std::move(weighed.variation.text),
                weighed.predicted[place()].bytes.total() - now[place()].bytes.total(),
                weighed.overall, std::move(weighed.variation.settings)};
    }

    [[nodiscard]] bool hasFigures(const Weighed &weighed) const
    {
        return !weighed.predicted[place()].name.empty();
    }
    /// What is too little to speak of.
    [[nodiscard]] Bytes least() const { return m_least; }

private:
    [[nodiscard]] bool isRuledOut(const Variation &variation) const
    {
        const auto ofBatch = [](const FieldSetting &setting) {
            return setting.path == "batch.micro_batch" || setting.path == "batch.sequence_length";
        };
        return m_evidence.speaksAgainst(variation.settings) ||
               (m_batchIsKnown && std::ranges::any_of(variation.settings, ofBatch));
    }
    [[nodiscard]] std::size_t place() const
    {
        return static_cast<std::size_t>(m_recorded.compared);
    }
    // How many plans will be weighed is not known before: the fraction only ever comes closer to 1.
    [[nodiscard]] bool goesOn()
    {
        ++m_weighed;
        constexpr double kMany = 200;
        m_stopped = m_progress && !m_progress(m_weighed / (m_weighed + kMany));
        return !m_stopped;
    }

    const RecordedMoments &m_recorded;
    bool m_firstStep;
    const StackEvidence &m_evidence;
    bool m_batchIsKnown;
    const Progress &m_progress;
    Bytes m_least;
    double m_weighed = 0;
    bool m_stopped = false;
};

// What the name of a part that is larger, or smaller, than planned stands for.
struct PartText
{
    std::string_view more;
    std::string_view less;
};
constexpr std::array<PartText, kComparedPartCount> kPartTexts = {{
    {"Parameters: buffers, copies in another format, or fewer ranks that share them",
     "Parameters: shared by more ranks, or in a smaller format"},
    {"Gradients: another format, or kept while the next ones come",
     "Gradients: another format, reduced early, or freed before this moment"},
    {"Optimizer states: another format, or more of them", "Optimizer states: a smaller format"},
    {"Activations and temporaries: other kernels keep more, or variables that were never freed",
     "Activations and temporaries: other kernels keep less, or more is recomputed"},
    {"Loss and logits: an implementation with more copies",
     "Loss and logits: an implementation with fewer copies"},
    {"Communication: more weights gathered at once, or larger buckets",
     "Communication: fewer weights gathered at once, or smaller buckets"},
    {"Framework: larger workspaces of libraries", "Framework: smaller workspaces of libraries"},
}};

std::vector<Reason> partsLeft(const ComparedParts &left, Bytes least)
{
    std::vector<Reason> reasons;
    for (std::size_t part = 0; part < kComparedPartCount; ++part) {
        if (std::abs(left[part]) < std::max(least, kLeastExplained))
            continue;
        const PartText &text = kPartTexts[part];
        reasons.push_back({Reason::Kind::Part,
                           std::string(left[part] > 0 ? text.more : text.less),
                           left[part],
                           0,
                           {}});
    }
    std::ranges::stable_sort(reasons, std::greater(),
                             [](const Reason &reason) { return std::abs(reason.bytes); });
    return reasons;
}

// Whether the settings change a field that others have changed.
bool overlap(const std::vector<FieldSetting> &a, const std::vector<FieldSetting> &b)
{
    return std::ranges::any_of(a, [&](const FieldSetting &setting) {
        return std::ranges::find(b, setting.path, &FieldSetting::path) != b.end();
    });
}

} // namespace

Explanation explanationOf(const Plan &plan, const RecordedBatch &batch,
                          const RecordedMoments &recorded, bool firstStep,
                          const StackEvidence &evidence, const Progress &progress)
{
    Explanation result;
    Search search(recorded, firstStep, evidence, batch.known, progress);
    Plan nearest = plan;
    PredictedStep now = predictedStep(lifecycle(estimate(plan)), firstStep);
    std::vector<FieldSetting> taken;
    const auto take = [&](Weighed weighed) {
        const PredictedStep before = now;
        nearest = weighed.variation.plan;
        now = weighed.predicted;
        std::ranges::copy(weighed.variation.settings, std::back_inserter(taken));
        Reason reason = search.reasonOf(std::move(weighed), before);
        reason.settings = taken;
        result.reasons.push_back(std::move(reason));
    };
    if (std::optional<Variation> told = variationOf(plan, batch.settings)) {
        Weighed weighed = search.weigh(std::move(*told), now);
        if (search.hasFigures(weighed))
            take(std::move(weighed));
    }
    const Plan base = nearest;
    const PredictedStep atBase = now;
    while (result.reasons.size() < kMostReasons) {
        std::vector<Weighed> closer = search.closer(nearest, now, true);
        const auto next = std::ranges::find_if(closer, [&](const Weighed &weighed) {
            return !overlap(weighed.variation.settings, taken);
        });
        if (next == closer.end())
            break;
        take(std::move(*next));
    }
    result.notReached = notReached(recorded, now);
    result.candidates = partsLeft(differencesLeft(recorded, now), search.least() / 4);
    const std::size_t parts = result.candidates.size();
    for (Weighed &other : search.closer(base, atBase, false)) {
        const auto &settings = other.variation.settings;
        const bool isReason = std::ranges::all_of(settings, [&](const FieldSetting &setting) {
            return std::ranges::find(taken, setting) != taken.end();
        });
        if (!isReason && result.candidates.size() < parts + kMostCandidates)
            result.candidates.push_back(search.reasonOf(std::move(other), atBase));
    }
    return result;
}

} // namespace vramscope
