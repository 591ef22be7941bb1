// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_summary.h"

#include "core/analysis/comparison/ranks.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "core/base/path_text.h"
#include "core/base/text.h"
#include "core/profile/profile_devices.h"
#include "core/profile/profile_study.h"
#include "core/readers/file_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::size_t kLongestSummaryText = 1024; ///< bytes of a text that is taken over
constexpr std::size_t kMostRunning = 16;
constexpr std::size_t kMostSettings = 64;

std::string kept(std::string_view text)
{
    return printable(firstBytes(text, kLongestSummaryText));
}

/// The node that a name tells: a word that begins so and ends with its number.
std::optional<std::string> nodeOfName(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kWords{"node", "host", "nid", "compute", "worker-"};
    std::size_t at = 0;
    while (at < name.size()) {
        const std::size_t end = std::min(name.find_first_of("._ =+", at), name.size());
        const std::string_view word = name.substr(at, end - at);
        const std::string small = lowered(word);
        const bool isNode = std::ranges::any_of(kWords, [&](std::string_view each) {
            return small.starts_with(each) && isDigit(small.back()) &&
                   small.find_first_not_of("-0123456789", each.size()) == small.npos;
        });
        if (isNode)
            return std::string(word);
        at = end + 1;
    }
    return {};
}

/// Gives the stacks of a trace their sites, each once.
class SitesOf
{
public:
    SitesOf(const Trace &trace, SiteStackTable &stacks)
        : m_trace(trace)
        , m_stacks(stacks)
    {
    }

    SiteId of(StackId stack)
    {
        const auto [place, isNew] = m_sites.try_emplace(stack);
        if (isNew) {
            std::vector<SiteFrame> frames = siteFrames(m_trace, stack);
            place->second = siteIdOf(frames);
            m_frames.try_emplace(place->second, std::move(frames));
        }
        return place->second;
    }

    /// Puts the stack of a site that is named into the table.
    void name(SiteId site)
    {
        if (!m_stacks.contains(site))
            m_stacks.emplace(site, m_frames.at(site));
    }

private:
    const Trace &m_trace;
    SiteStackTable &m_stacks;
    std::unordered_map<StackId, SiteId> m_sites;
    std::unordered_map<SiteId, std::vector<SiteFrame>> m_frames;
};

SummaryMoment momentOf(EventIndex event, std::span<const LiveGroup> groups, SitesOf &sites)
{
    SummaryMoment moment;
    moment.event = event;
    std::map<SiteId, SummarySite> bySite;
    for (const LiveGroup &group : groups) {
        const SiteId id = sites.of(group.stack);
        SummarySite &site = bySite[id];
        site.site = id;
        site.bytes = wrappingSum(site.bytes, group.bytes);
        site.allocations += group.count;
        moment.active = wrappingSum(moment.active, group.bytes);
    }
    for (const auto &[id, site] : bySite)
        moment.sites.push_back(site);
    std::ranges::stable_sort(moment.sites, std::ranges::greater(), &SummarySite::bytes);
    for (std::size_t at = kMostSummarySites; at < moment.sites.size(); ++at) {
        ++moment.restSites;
        moment.restBytes = wrappingSum(moment.restBytes, moment.sites[at].bytes);
        moment.restAllocations += moment.sites[at].allocations;
    }
    moment.sites.resize(std::min(moment.sites.size(), kMostSummarySites));
    for (const SummarySite &site : moment.sites)
        sites.name(site.site);
    return moment;
}

SummaryPeak peakOf(const Study &study, SitesOf &sites)
{
    const Peak &peak = study.peak();
    SummaryPeak summary;
    summary.reserved = peak.reserved;
    summary.allocations = peak.allocations;
    for (const Peak::CategoryShare &share : peak.byCategory)
        summary.categories.push_back({share.category, share.tally});
    summary.areCategoriesSure = areCategoriesSure(peak);
    if (peak.step) {
        summary.step = study.steps().steps[*peak.step].number;
        summary.position = peak.position;
    }
    for (const StringId name : peak.running) {
        if (summary.running.size() < kMostRunning)
            summary.running.push_back(kept(study.trace().text(name)));
    }
    if (peak.event >= 0) {
        summary.stack = sites.of(peak.stack);
        sites.name(*summary.stack);
        if (study.hasTimes())
            summary.time = study.times()[static_cast<std::size_t>(peak.event)];
    }
    return summary;
}

SummarySteps stepsOf(const Steps &steps)
{
    SummarySteps summary;
    summary.how = kept(steps.how);
    summary.confidence = steps.confidence;
    const std::size_t count = steps.steps.size();
    summary.count = static_cast<std::int64_t>(count);
    const std::size_t perRow = (count + kMostSummarySteps - 1) / kMostSummarySteps;
    summary.perRow = static_cast<std::int64_t>(std::max<std::size_t>(perRow, 1));
    for (std::size_t at = 0; at < count; ++at) {
        const Step &step = steps.steps[at];
        if (at % static_cast<std::size_t>(summary.perRow) == 0)
            summary.rows.push_back({.number = step.number,
                                    .first = step.first,
                                    .peakActive = step.peakActive,
                                    .peakReserved = step.peakReserved,
                                    .activeBegin = step.activeBegin,
                                    .survivors = {}});
        SummaryStep &row = summary.rows.back();
        row.last = step.last;
        row.complete = row.complete && step.complete;
        row.peakActive = std::max(row.peakActive, step.peakActive);
        row.peakReserved = std::max(row.peakReserved, step.peakReserved);
        row.activeEnd = step.activeEnd;
        row.survivors = step.survivors;
    }
    return summary;
}

std::vector<SummaryFailure> failuresOf(const Study &study, SitesOf &sites)
{
    std::vector<SummaryFailure> failures;
    const DeviceTrace &device = study.device();
    for (std::size_t at = 0; at < std::min(device.outOfMemory.size(), kMostSummaryFailures); ++at) {
        const OutOfMemoryEvent &event = device.outOfMemory[at];
        const auto place = static_cast<std::size_t>(event.event);
        SummaryFailure &failure = failures.emplace_back();
        failure.event = event.event;
        failure.requested = event.requested;
        failure.deviceFree = event.deviceFree;
        failure.active = study.curve().active(event.event);
        failure.reserved = study.curve().reserved(event.event);
        if (study.hasTimes())
            failure.time = study.times()[place];
        if (const StackId stack = device.events.stack[place]; stack != StackId::None) {
            failure.stack = sites.of(stack);
            sites.name(*failure.stack);
        }
        if (at >= study.failures().size())
            continue;
        failure.cause = study.failures()[at].cause;
        if (const OutOfMemoryAdvice &advice = study.advice()[at]; !advice.remedies.empty()) {
            failure.remedy = advice.remedies.front().kind;
            failure.remedyBytes = advice.remedies.front().bytes;
        }
    }
    return failures;
}

/// When each column of a curve begins, in µs since the first event.
std::vector<std::int64_t> beginsOf(const Study &study, const CurveOutline &outline)
{
    std::vector<std::int64_t> begins;
    if (!study.hasTimes())
        return begins;
    const std::size_t states = static_cast<std::size_t>(outline.events) + 1;
    for (std::size_t column = 0; column < outline.lowest.size(); ++column) {
        // As outlineOf() divides them: the state before the first event is the first.
        const std::size_t state = column * states / outline.lowest.size();
        begins.push_back(state == 0 ? 0 : study.timeOf(static_cast<EventIndex>(state) - 1));
    }
    return begins;
}

} // namespace

SummarySource summarySourceOf(std::string path, const SourceStamp &stamp)
{
    SummarySource source;
    source.stamp = stamp;
    path = printable(path);
    const std::filesystem::path whole = pathOf(path);
    std::string name = whole.filename().string();
    if (const auto node = nodeOfName(name)) {
        source.node = kept(*node);
        source.nodeBy = KnownBy::Name;
        name.erase(name.find(*node), node->size()); // its number is none of a rank
    }
    const std::string below = (whole.parent_path() / pathOf(name)).generic_string();
    if (const auto rank = rankOfName(name)) {
        source.rank = *rank;
        source.rankBy = KnownBy::Name;
    } else if (const auto ofFolder = rankOfName(below)) {
        source.rank = *ofFolder;
        source.rankBy = KnownBy::Folder;
    }
    for (const std::filesystem::path &folder : whole.parent_path()) {
        if (const auto node = nodeOfName(folder.string())) {
            source.node = kept(*node);
            source.nodeBy = KnownBy::Folder;
        }
    }
    source.path = std::move(path);
    return source;
}

std::optional<SummarizedDevice> summarize(const Study &study, const SummarySource &source,
                                          const Progress &progress)
{
    using Part = Study::Part;
    if (!study.make({Part::Summary, Part::Steps, Part::Peak}, partOf(progress, 0, 0.8)) ||
        !study.make({Part::Failures, Part::Advice}, partOf(progress, 0.8, 1)))
        return std::nullopt;
    const Trace &trace = study.trace();
    SummarizedDevice result;
    RankSummary &summary = result.summary;
    SitesOf sites(trace, result.stacks);
    summary.source = source;
    summary.device = study.device().device;
    summary.format = kept(trace.format());
    summary.producer = kept(trace.producer());
    summary.figures = study.summary();
    if (study.hasTimes()) {
        summary.firstTime = study.times().front();
        summary.lastTime = study.times().back();
    }
    for (const Setting &setting : trace.settings()) {
        if (summary.settings.size() < kMostSettings)
            summary.settings.push_back({kept(setting.name), kept(setting.value)});
    }
    for (const Problem &problem : trace.problems()) {
        if (summary.problems.size() < kMostSummaryProblems)
            summary.problems.push_back({kept(problem.kind), problem.count, problem.firstOffset});
    }
    summary.problemCount = static_cast<std::int64_t>(trace.problems().size());
    summary.failureCount = static_cast<std::int64_t>(study.device().outOfMemory.size());
    summary.peak = peakOf(study, sites);
    summary.active = outlineOf(study.curve().active(), kSummaryColumns);
    if (study.curve().isReservedKnown())
        summary.reserved = outlineOf(study.curve().reserved(), kSummaryColumns);
    summary.begins = beginsOf(study, summary.active);
    summary.steps = stepsOf(study.steps());
    summary.failures = failuresOf(study, sites);
    summary.atPeak = momentOf(study.peak().event, study.peak().byStack, sites);
    if (!study.failures().empty()) {
        const OutOfMemoryReport &first = study.failures().front();
        summary.atFailure = momentOf(first.event, first.live, sites);
    }
    return result;
}

std::optional<std::vector<SummarizedDevice>> summarize(const std::shared_ptr<const Trace> &trace,
                                                       const SummarySource &source,
                                                       const Progress &progress)
{
    std::vector<SummarizedDevice> devices;
    const auto count = static_cast<double>(trace->devices().size());
    for (const DeviceTrace &device : trace->devices()) {
        if (device.host)
            continue;
        const auto at = static_cast<double>(&device - trace->devices().data());
        const Study study(trace, device);
        auto one = summarize(study, source, partOf(progress, at / count, (at + 1) / count));
        if (!one)
            return std::nullopt;
        devices.push_back(std::move(*one));
    }
    if (devices.empty())
        devices.push_back(
            {unusable(source, {ErrorCode::Invalid, "It holds no memory of any device."}), {}});
    return devices;
}

SummarizedDevice summarize(const ProfileStudy &study, const SummarySource &source,
                           std::int64_t device, const std::string &part)
{
    SummarizedDevice result;
    RankSummary &summary = result.summary;
    summary.source = source;
    summary.device = device;
    summary.hasMemory = false;
    ProfileSummary profile = summarize(study);
    profile.part = kept(part);
    const std::int64_t stated = study.profile().rank();
    if (!part.empty()) { // of a recording, whose rank is not its own
        summary.source.rank.reset();
        summary.source.rankBy = KnownBy::Nothing;
    } else if (stated >= 0) {
        summary.source.rank = stated;
        summary.source.rankBy = KnownBy::Stated;
    }
    summary.profile = std::make_shared<const ProfileSummary>(std::move(profile));
    return result;
}

std::vector<SummarizedDevice> summarize(const std::shared_ptr<const Profile> &profile,
                                        const SummarySource &source)
{
    std::vector<SummarizedDevice> ranks;
    if (drivingProcesses(*profile) > 1) {
        const std::vector<DeviceProfile> devices = deviceProfiles(*profile);
        for (const DeviceProfile &each : devices) {
            if (devices.size() > 1)
                ranks.push_back(summarize(ProfileStudy(each.profile), source,
                                          static_cast<std::int64_t>(ranks.size()),
                                          each.title(true)));
        }
    }
    if (ranks.empty()) {
        const ProfileStudy study(profile);
        const std::int64_t device =
            study.devices().empty() ? 0 : std::max<std::int64_t>(study.devices().front().device, 0);
        ranks.push_back(summarize(study, source, std::min(device, kMostDevice)));
    }
    return ranks;
}

RankSummary unusable(const SummarySource &source, const Error &error)
{
    RankSummary summary;
    summary.source = source;
    summary.source.stamp.usable = false;
    summary.device = -1;
    summary.error = kept(error.text());
    summary.isRecording = !isNoRecording(source.path, error);
    return summary;
}

} // namespace vramscope
