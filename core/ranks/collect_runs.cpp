// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/collect_runs.h"

#include "core/base/folder.h"
#include "core/base/path_text.h"
#include "core/ranks/summarize_folder.h"
#include "core/readers/file_kind.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace vramscope {

namespace {

/// How the work was divided, and what was seen of its parts.
struct WorkDivision
{
    SummaryPart like;
    std::set<std::string> folders;
    std::set<std::int64_t> whole;
    std::set<std::int64_t> cutOff;

    void add(std::int64_t part, bool isWhole) { (isWhole ? whole : cutOff).insert(part); }
};

class WorkDivisions
{
public:
    void add(const RunFile &file, const std::filesystem::path &path)
    {
        const std::vector<SummaryPart> parts = file.run.parts();
        for (const SummaryPart &part : parts) {
            WorkDivision &division = m_divisions[{part.parts, part.ranks, part.isRedacted}];
            division.like = part;
            if (!part.folder.empty())
                division.folders.insert(part.folder);
            division.add(part.part, file.whyIncomplete.empty());
        }
        if (parts.empty())
            addNamed(path);
    }

    /// A part of which nothing but its name is left.
    void addNamed(const std::filesystem::path &path)
    {
        if (const auto part = partOfFileName(path.filename().string()))
            m_named.push_back(*part);
    }

    /// Of several divisions of the same recordings the one that lacks the fewest parts counts.
    [[nodiscard]] std::optional<PartsToRedo> redo()
    {
        for (const SummaryPart &part : m_named) {
            const auto known = std::ranges::find_if(m_divisions, [&](const auto &each) {
                return each.second.like.parts == part.parts;
            });
            WorkDivision &division = known != m_divisions.end()
                                         ? known->second
                                         : m_divisions[{part.parts, part.ranks, part.isRedacted}];
            if (known == m_divisions.end())
                division.like = part;
            division.add(part.part, false);
        }
        std::optional<PartsToRedo> best;
        for (const auto &[key, division] : m_divisions) {
            PartsToRedo redo = redoOf(division);
            if (!best || redo.all().size() < best->all().size())
                best = std::move(redo);
        }
        return best;
    }

    /// Folders whose recordings were summarised as if they were one.
    [[nodiscard]] std::optional<std::string> severalFolders() const
    {
        for (const auto &[key, division] : m_divisions) {
            if (division.folders.size() > 1)
                return *division.folders.begin() + " and " + *std::next(division.folders.begin());
        }
        return {};
    }

private:
    static PartsToRedo redoOf(const WorkDivision &division)
    {
        PartsToRedo redo;
        redo.like = division.like;
        redo.like.folder = division.folders.empty() ? "" : *division.folders.begin();
        for (std::int64_t part = 0; part < division.like.parts; ++part) {
            if (division.whole.contains(part))
                continue;
            (division.cutOff.contains(part) ? redo.cutOff : redo.missing).push_back(part);
        }
        return redo;
    }

    std::map<std::tuple<std::int64_t, std::optional<std::int64_t>, bool>, WorkDivision> m_divisions;
    std::vector<SummaryPart> m_named;
};

/// Compares what was summarised with the recordings of now, where they can be seen.
void lookForChanges(CollectedRuns &runs, PartsToRedo &redo)
{
    constexpr std::size_t kNamed = 20;
    std::error_code ignored;
    if (redo.like.folder.empty() ||
        !std::filesystem::is_directory(pathOf(redo.like.folder), ignored))
        return;
    std::set<std::int64_t> parts;
    for (const auto &[path, stamp] : runs.run.sources()) {
        const std::string source(path);
        const auto now = fileStamp(pathOf(redo.like.folder) / pathOf(source));
        if (!now ||
            (!stamp.isOutdated() && now->modified == stamp.modified && now->size == stamp.size))
            continue; // one that was removed since is no change
        parts.insert(partOfFile(source, redo.like.ranks, redo.like.parts));
        ++runs.changedCount;
        if (runs.changed.size() < kNamed)
            runs.changed.push_back(source);
    }
    redo.outdated.assign(parts.begin(), parts.end());
}

} // namespace

std::vector<std::int64_t> PartsToRedo::all() const
{
    std::set<std::int64_t> parts(missing.begin(), missing.end());
    parts.insert(cutOff.begin(), cutOff.end());
    parts.insert(outdated.begin(), outdated.end());
    return {parts.begin(), parts.end()};
}

bool holdsSummaries(const std::filesystem::path &path)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored))
        return isRunFile(path);
    const auto files = filesOfFolder(path);
    if (!files)
        return false;
    const auto isSummary = [](const std::filesystem::path &file) {
        return isNamedAsRunFile(file) && isRunFile(file);
    };
    // Beside snapshots they are no more than a copy of what these say.
    const auto isSnapshot = [](const std::filesystem::path &file) {
        return !isNamedAsRunFile(file) && identifyFile(file) == FileKind::Snapshot;
    };
    return std::ranges::any_of(*files, isSummary) && std::ranges::none_of(*files, isSnapshot);
}

Result<CollectedRuns> collectRuns(std::span<const std::filesystem::path> paths,
                                  const std::filesystem::path &except, const WantedKinds &wanted,
                                  const Progress &progress)
{
    std::error_code ignored;
    std::vector<std::filesystem::path> files;
    std::set<std::filesystem::path> named;
    for (const std::filesystem::path &path : paths) {
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            named.insert(path);
            continue;
        }
        const auto inside = filesOfFolder(path);
        if (!inside)
            return inside.error();
        files.insert(files.end(), inside->begin(), inside->end());
    }
    CollectedRuns runs;
    WorkDivisions divisions;
    // The parts are wanted whatever else is.
    const WantedKinds kinds = wanted ? WantedKinds([&wanted](std::string_view kind) {
        return kind == "part" || wanted(kind);
    })
                                     : WantedKinds();
    for (std::size_t at = 0; at < files.size(); ++at) {
        const auto done = static_cast<double>(at) / static_cast<double>(files.size());
        if (progress && !progress(done))
            return Error{ErrorCode::Cancelled, "Collecting was cancelled."};
        const std::filesystem::path &file = files[at];
        if (!except.empty() && std::filesystem::equivalent(file, except, ignored))
            continue;
        const auto next = static_cast<double>(at + 1) / static_cast<double>(files.size());
        auto read = readRunFile(file, kinds, partOf(progress, done, next));
        if (!read) {
            if (read.error().code == ErrorCode::Cancelled)
                return read.error();
            if (named.contains(file))
                return read.error();
            if (!isNamedAsRunFile(file)) {
                ++runs.others;
                continue;
            }
            runs.troubles.push_back({file.string(), read.error().text()});
            divisions.addNamed(file);
            continue;
        }
        ++runs.files;
        divisions.add(*read, file);
        if (!read->whyIncomplete.empty())
            read->run.dropParts();
        std::string what = read->whyIncomplete.empty() ? "" : read->whyIncomplete + ".";
        if (what.ends_with(".."))
            what.pop_back();
        for (const std::string &problem : read->problems)
            what += (what.empty() ? "" : " ") + problem + ".";
        if (!what.empty())
            runs.troubles.push_back({file.string(), std::move(what)});
        if (runs.run.isEmpty())
            runs.run = std::move(read->run);
        else
            runs.run.join(read->run);
    }
    if (const auto folders = divisions.severalFolders())
        runs.troubles.push_back({*folders, "Recordings of both folders were summarised as if they "
                                           "were one run; what has the same name is one."});
    if (auto redo = divisions.redo()) {
        if (!wanted || wanted("rank"))
            lookForChanges(runs, *redo);
        if (!redo->all().empty())
            runs.redo = std::move(redo);
    }
    return runs;
}

} // namespace vramscope
