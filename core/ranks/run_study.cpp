// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_study.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/ordered_jobs.h"
#include "core/base/path_text.h"
#include "core/ranks/summarize_folder.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr double kReadingOfRun = 0.7; ///< of the work; the rest is what stands out

/// A path that stays below the folder it is put behind.
bool staysBelow(const std::filesystem::path &path)
{
    return !path.empty() && !path.has_root_path() &&
           std::ranges::none_of(path, [](const auto &part) { return part == ".."; });
}

Result<RunStudyPointer> usable(RunStudy study)
{
    if (study.run.ranks.empty() && !study.run.unusable.empty()) {
        const RankSummary &first = study.run.unusable.front();
        return Error{ErrorCode::OtherContent, "No recording of this run can be used. " +
                                                  first.source.path + ": " + first.error};
    }
    if (study.run.ranks.empty())
        return Error{ErrorCode::OtherContent,
                     study.isSummary
                         ? "These summaries hold no rank. vramscope-cli summarize writes them."
                         : "This folder holds no recordings. Open one with the snapshots that the "
                           "ranks of a run wrote."};
    return std::make_shared<const RunStudy>(std::move(study));
}

Result<RunStudyPointer> readRecordings(const std::filesystem::path &folder,
                                       const Progress &progress)
{
    auto paths = filesToSummarize(folder);
    if (!paths)
        return paths.error();
    auto here =
        summarizeHere({folder, *std::move(paths), false}, partOf(progress, 0, kReadingOfRun));
    if (!here)
        return here.error();
    CollectedRuns runs;
    runs.run = std::move(here->run);
    RunStudy study = runStudy(folder, runs);
    study.isSummary = false;
    study.recordings = folder.string();
    return usable(std::move(study));
}

/// Reads the curves of ranks, some hundred at a time side by side.
void addCurves(std::vector<RankSummary> &ranks, const RunSummary &curves,
               std::vector<std::string> &problems)
{
    constexpr std::size_t kTogether = 256;
    std::vector<std::vector<std::string>> found((ranks.size() + kTogether - 1) / kTogether);
    const auto read = [&](std::size_t at) {
        const std::size_t end = std::min(ranks.size(), (at + 1) * kTogether);
        for (std::size_t rank = at * kTogether; rank < end; ++rank)
            curves.complete(ranks[rank], "active", found[at]);
    };
    runInOrder(found.size(), read, [&](std::size_t at) {
        std::ranges::move(found[at], std::back_inserter(problems));
        return true;
    });
}

} // namespace

std::optional<std::int64_t> RunStudy::figure(std::size_t at, RankFigure figure) const
{
    return isOfMemory(figure) ? figureOf(rank(at), figure)
                              : timeFigure(run, findings.activity, at, figure);
}

Bytes RunStudy::deviation(std::size_t at) const
{
    return wrappingDifference(rank(at).figures.peakActive, groupOf(at).active.median);
}

std::size_t RunStudy::typicalOf(std::size_t at) const
{
    const std::size_t typical = groupOf(at).typical;
    return rank(typical).hasMemory ? typical : findings.activity.middle;
}

bool RunStudy::isOutlier(std::size_t at, bool byAnyFigure) const
{
    return std::ranges::any_of(findings.outliers, [&](const RankOutlier &each) {
        return each.rank == at && (byAnyFigure || each.figure == RankFigure::PeakActive);
    });
}

std::size_t RunStudy::mostTelling() const
{
    if (findings.failure) {
        const auto isCandidate = [this](std::size_t at) {
            return findings.failure->isTimed
                       ? at == findings.failure->rank ||
                             std::ranges::find(findings.failure->beside, at) !=
                                 findings.failure->beside.end()
                       : rank(at).failureCount > 0;
        };
        for (const RankOutlier &outlier : findings.outliers) {
            if (outlier.figure == RankFigure::PeakActive && isCandidate(outlier.rank))
                return outlier.rank;
        }
        return findings.failure->rank;
    }
    const bool isAny = !findings.outliers.empty();
    if (isAny && isOfMemory(findings.outliers.front().figure))
        return findings.outliers.front().rank;
    if (const auto late = findings.activity.late())
        return *late;
    return isAny ? findings.outliers.front().rank : findings.groups.front().typical;
}

RunStudy runStudy(const std::filesystem::path &path, const CollectedRuns &runs,
                  std::optional<std::int64_t> ranks, const RankLayout &layout)
{
    RunStudy study;
    study.path = path.string();
    study.isSummary = true;
    for (const SummaryPart &part : runs.run.parts()) {
        if (study.recordings.empty())
            study.recordings = part.folder;
    }
    study.run = rankedRun(runs.run, ranks);
    study.findings = findingsOf(study.run, layout);
    study.redo = runs.redo;
    study.troubles = runs.troubles;
    study.changedCount = runs.changedCount;
    return study;
}

RunStudyPointer runStudy(std::shared_ptr<const ProfileFolder> traces)
{
    auto study = std::make_shared<RunStudy>();
    study->path = traces->path;
    study->recordings = traces->path;
    RankedRun &run = study->run;
    run = rankedRun(RunSummary());
    std::vector<std::int64_t> numbers;
    for (const RankProfile &each : traces->ranks.ranks) {
        SummarySource source;
        source.path = each.fileName();
        const std::vector<DeviceBreakdown> &devices = each.study->devices();
        const std::int64_t device = devices.empty() ? 0 : devices.front().device;
        RankSummary rank = summarize(*each.study, source, device, each.part).summary;
        rank.source.rank = each.rank;
        if (const auto &stated = rank.profile->ranks; stated && *stated <= kMostRanks)
            run.expected = std::max(run.expected, *stated);
        numbers.push_back(each.rank);
        run.ranks.push_back(std::move(rank));
    }
    run.isExpectedGiven = run.expected > 0;
    if (run.isExpectedGiven)
        run.missing = missingRanks(numbers, run.expected);
    for (const ProfileFolder::Unread &each : traces->unread) {
        SummarySource source;
        source.path = each.name;
        run.unusable.push_back(unusable(source, {ErrorCode::OtherContent, each.why}));
    }
    run.others = static_cast<std::int64_t>(traces->others);
    run.problems = traces->ranks.problems;
    study->findings = findingsOf(run, {}, activityOf(run, traces->ranks));
    study->traces = std::move(traces);
    return study;
}

Result<RunStudyPointer> readRunStudy(const std::filesystem::path &path, const Progress &progress)
{
    constexpr double kFigures = 0.6; // of the work
    auto study = readRunFigures(path, partOf(progress, 0, kFigures));
    return study ? withCurves(*std::move(study), partOf(progress, kFigures, 1)) : std::move(study);
}

Result<RunStudyPointer> readRunFigures(const std::filesystem::path &path, const Progress &progress)
{
    if (!holdsSummaries(path))
        return readRecordings(path, progress);
    // Of the reserved memory nothing here shows more than its peak.
    const WantedKinds wanted = [](std::string_view kind) {
        return kind != "active" && kind != "reserved";
    };
    auto runs = collectRuns(std::span(&path, 1), {}, wanted, partOf(progress, 0, kReadingOfRun));
    if (!runs)
        return runs.error();
    if (progress && !progress(kReadingOfRun))
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    RunStudy study = runStudy(path, *runs);
    study.run.areCurvesRead = false;
    return usable(std::move(study));
}

RunStudyPointer ofSnapshots(RunStudyPointer study)
{
    const auto others = std::ranges::count(study->run.ranks, false, &RankSummary::hasMemory);
    if (others == 0 || others == std::ranges::ssize(study->run.ranks))
        return study;
    auto result = std::make_shared<RunStudy>(*study);
    std::erase_if(result->run.ranks, [](const RankSummary &rank) { return !rank.hasMemory; });
    result->run.problems.push_back(
        counted(others, "rank") +
        " left a profiler trace and no snapshot; vramscope-cli diff tells of all.");
    result->findings = findingsOf(result->run);
    return result;
}

Result<RunStudyPointer> withCurves(RunStudyPointer study, const Progress &progress)
{
    if (study->run.areCurvesRead)
        return study;
    const std::filesystem::path path = pathOf(study->path);
    const WantedKinds wanted = [](std::string_view kind) { return kind == "active"; };
    const auto runs =
        collectRuns(std::span(&path, 1), {}, wanted, partOf(progress, 0, kReadingOfRun));
    if (!runs)
        return runs.error();
    auto whole = std::make_shared<RunStudy>(*study);
    for (auto *ranks : {&whole->run.ranks, &whole->run.earlier})
        addCurves(*ranks, runs->run, whole->run.problems);
    whole->run.areCurvesRead = true;
    for (const CollectedRuns::Trouble &trouble : runs->troubles) {
        const auto isKnown = [&](const CollectedRuns::Trouble &each) {
            return each.file == trouble.file && each.what == trouble.what;
        };
        if (std::ranges::none_of(whole->troubles, isKnown))
            whole->troubles.push_back(trouble);
    }
    if (runs->redo) { // a part whose curves are damaged is to be done again too
        PartsToRedo redo = whole->redo.value_or(*runs->redo);
        redo.cutOff.insert(redo.cutOff.end(), runs->redo->cutOff.begin(), runs->redo->cutOff.end());
        std::ranges::sort(redo.cutOff);
        redo.cutOff.erase(std::unique(redo.cutOff.begin(), redo.cutOff.end()), redo.cutOff.end());
        whole->redo = std::move(redo);
    }
    if (progress && !progress(1))
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    return RunStudyPointer(std::move(whole));
}

std::optional<std::filesystem::path> recordingOf(const RunStudy &study, const RankSummary &rank,
                                                 const std::filesystem::path &elsewhere)
{
    return recordingOf(study, rank.source, elsewhere);
}

std::optional<std::filesystem::path> recordingOf(const RunStudy &study, const SummarySource &source,
                                                 const std::filesystem::path &elsewhere)
{
    const std::filesystem::path below = pathOf(source.path);
    if (!staysBelow(below))
        return {};
    std::error_code ignored;
    const std::filesystem::path read = pathOf(study.path);
    const bool isFolder = std::filesystem::is_directory(read, ignored);
    std::vector<std::filesystem::path> folders;
    if (!elsewhere.empty())
        folders.push_back(elsewhere);
    folders.push_back(isFolder ? read : read.parent_path());
    if (!study.recordings.empty())
        folders.push_back(pathOf(study.recordings));
    std::optional<std::filesystem::path> found;
    for (const std::filesystem::path &folder : folders) {
        const std::filesystem::path file = folder / below;
        const auto stamp = fileStamp(file);
        if (!stamp || !std::filesystem::is_regular_file(file, ignored))
            continue;
        if (stamp->size == source.stamp.size)
            return file;
        if (!found)
            found = file;
    }
    return found;
}

void gatherNames(Redaction &redaction, const RunStudy &study)
{
    redaction.gatherFileName(study.path);
    redaction.gather(study.recordings, Redaction::Kind::Path);
    redaction.gather(*study.run.stacks);
    const auto gather = [&](const RankSummary &rank) {
        redaction.gatherFileName(rank.source.path);
        if (rank.profileSource)
            redaction.gatherFileName(rank.profileSource->path);
        if (rank.profile) {
            redaction.gather(rank.profile->stepsFrom, Redaction::Kind::Prose);
            for (const Problem &problem : rank.profile->problems)
                redaction.gather(problem.kind, Redaction::Kind::Prose);
            for (const CallRun &calls : rank.profile->calls)
                redaction.gather(calls.group, Redaction::Kind::Prose);
        }
        redaction.gather(rank.error, Redaction::Kind::Prose);
        for (const Setting &setting : rank.settings)
            redaction.gather(setting.value, Redaction::Kind::Prose);
        for (const Problem &problem : rank.problems)
            redaction.gather(problem.kind, Redaction::Kind::Prose);
        for (const std::string &name : rank.peak.running)
            redaction.gather(name, Redaction::Kind::Prose);
    };
    for (const auto *ranks : {&study.run.ranks, &study.run.earlier, &study.run.unusable})
        std::ranges::for_each(*ranks, gather);
    for (const CollectedRuns::Trouble &trouble : study.troubles) {
        redaction.gatherFileName(trouble.file);
        redaction.gather(trouble.what, Redaction::Kind::Prose);
    }
}

namespace {

/// What is shown of profiler traces is names of files and of groups, and sentences; no other text.
std::shared_ptr<const ProfileFolder> withoutNames(const ProfileFolder &traces,
                                                  const Redaction &redaction)
{
    auto result = std::make_shared<ProfileFolder>(traces);
    result->path = redaction.fileName(result->path);
    for (RankProfile &rank : result->ranks.ranks) {
        rank.file = redaction.fileName(rank.file);
        if (!rank.source.empty())
            rank.source = redaction.fileName(rank.source);
    }
    for (MatchedCollective &each : result->ranks.collectives)
        each.group = redaction.text(each.group, Redaction::Kind::Prose);
    for (CollectiveMatch &match : result->ranks.matches)
        match.group = redaction.text(match.group, Redaction::Kind::Prose);
    for (std::string &problem : result->ranks.problems)
        problem = redaction.sentence(problem);
    return result;
}

} // namespace

RunStudy withoutNames(const RunStudy &study, const Redaction &redaction)
{
    RunStudy result = study;
    result.path = redaction.fileName(study.path);
    result.recordings.clear();
    const auto cleanSource = [&](SummarySource &source) {
        source.path = shownPath(source.path, redaction);
        source.node.clear();
        source.nodeBy = KnownBy::Nothing;
    };
    const auto clean = [&](RankSummary &rank) {
        cleanSource(rank.source);
        if (rank.profileSource)
            cleanSource(*rank.profileSource);
        if (rank.profile) {
            ProfileSummary profile = *rank.profile;
            profile.stepsFrom = redaction.sentence(profile.stepsFrom);
            for (Problem &problem : profile.problems)
                problem.kind = redaction.sentence(problem.kind);
            for (CallRun &calls : profile.calls)
                calls.group = redaction.text(calls.group, Redaction::Kind::Prose);
            rank.profile = std::make_shared<const ProfileSummary>(std::move(profile));
        }
        rank.error = redaction.sentence(rank.error);
        for (Setting &setting : rank.settings)
            setting.value = redaction.text(setting.value, Redaction::Kind::Prose);
        for (Problem &problem : rank.problems)
            problem.kind = redaction.sentence(problem.kind);
        for (std::string &name : rank.peak.running)
            name = redaction.text(name, Redaction::Kind::Prose);
        rank.steps.how = redaction.text(rank.steps.how, Redaction::Kind::Prose);
    };
    for (auto *ranks : {&result.run.ranks, &result.run.earlier, &result.run.unusable})
        std::ranges::for_each(*ranks, clean);
    for (std::string &problem : result.run.problems)
        problem = redaction.sentence(problem);
    for (std::string &problem : result.findings.activity.problems)
        problem = redaction.sentence(problem);
    result.run.stacks = redaction.applied(*study.run.stacks);
    for (RankContrast &contrast : result.findings.contrasts) {
        for (SettingDifference &setting : contrast.comparison.settings) {
            for (std::optional<std::string> *value : {&setting.a, &setting.b}) {
                if (*value)
                    *value = redaction.text(**value, Redaction::Kind::Prose);
            }
        }
    }
    std::erase_if(result.findings.explanations,
                  [](const SpreadExplanation &each) { return each.name == "node"; });
    if (result.redo)
        result.redo->like.folder.clear();
    for (CollectedRuns::Trouble &trouble : result.troubles) {
        trouble.file = redaction.fileName(trouble.file);
        trouble.what = redaction.sentence(trouble.what);
    }
    if (study.traces)
        result.traces = withoutNames(*study.traces, redaction);
    return result;
}

} // namespace vramscope
