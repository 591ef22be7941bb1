// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_folder.h"

#include "core/analysis/study/study.h"
#include "core/base/folder.h"
#include "core/base/ordered_jobs.h"
#include "core/readers/no_recording.h"
#include "core/readers/read_trace.h"
#include "core/session/session_json.h"

#include <algorithm>

namespace vramscope {

namespace {

RankFile failed(const std::filesystem::path &path, Error error)
{
    const bool isRecording = !isNoRecording(path.string(), error);
    return {{}, std::move(error), isRecording};
}

RankFile readRanks(std::size_t number, const std::filesystem::path &path,
                   const DeviceChoice &choice, const Progress &progress)
{
    constexpr double kReading = 0.6; // of the work
    const auto trace = readTrace(path, partOf(progress, 0, kReading));
    if (!trace)
        return failed(path, trace.error());
    const auto devices = choice(number, **trace);
    if (!devices)
        return failed(path, devices.error());
    RankFile file;
    for (const DeviceTrace *device : *devices) {
        const Study study(*trace, *device);
        auto rank = rankOf(study, partOf(progress, kReading, 1));
        if (!rank)
            break;
        rank->file = path.string();
        rank->device = static_cast<std::size_t>(device - (*trace)->devices().data());
        file.ranks.push_back(std::move(*rank));
    }
    return file;
}

} // namespace

Result<std::vector<const DeviceTrace *>> allDevices(std::size_t, const Trace &trace)
{
    std::vector<const DeviceTrace *> devices;
    for (const DeviceTrace &device : trace.devices())
        devices.push_back(&device);
    if (devices.empty())
        return Error{ErrorCode::OtherContent, "It holds no memory of any device."};
    return devices;
}

std::optional<std::vector<RankFile>> readRankFiles(std::span<const std::filesystem::path> files,
                                                   const DeviceChoice &choice,
                                                   const Progress &progress)
{
    std::vector<RankFile> read(files.size());
    const auto readOne = [&](std::size_t at, const Progress &each) {
        read[at] = readRanks(at, files[at], choice, each);
    };
    if ((progress && !progress(0)) || !runTogether(files.size(), readOne, progress))
        return std::nullopt;
    return read;
}

std::vector<Rank> numberedRanks(std::vector<RankFile> files)
{
    std::vector<Rank> ranks;
    std::vector<RankSource> sources;
    for (RankFile &file : files) {
        for (Rank &rank : file.ranks) {
            sources.push_back({rank.file, rank.summary.device});
            ranks.push_back(std::move(rank));
        }
    }
    const std::vector<int> numbers = rankNumbers(sources);
    for (std::size_t at = 0; at < numbers.size(); ++at)
        ranks[at].number = numbers[at];
    std::ranges::stable_sort(ranks, {}, &Rank::number);
    return ranks;
}

bool RankFolder::isOutlier(std::size_t rank) const
{
    return std::ranges::find(active.outliers, rank) != active.outliers.end();
}

Result<std::shared_ptr<const RankFolder>> readRankFolder(const std::filesystem::path &path,
                                                         const Progress &progress)
{
    auto files = filesOfFolder(path);
    if (!files)
        return files.error();
    // The bookmarks beside a recording go without saying.
    std::erase_if(*files, [](const auto &file) { return !recordingPath(file).empty(); });
    std::vector<Redaction> namesOf(files->size()); // of each file: they are read on several threads
    const auto choose = [&](std::size_t file, const Trace &trace) {
        namesOf[file].gather(trace);
        return allDevices(file, trace);
    };
    auto read = readRankFiles(*files, choose, progress);
    if (!read)
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    const auto folder = std::make_shared<RankFolder>();
    folder->path = path.string();
    for (const Redaction &names : namesOf)
        folder->names.gather(names);
    for (std::size_t at = 0; at < read->size(); ++at) {
        const RankFile &file = (*read)[at];
        if (!file.isRecording)
            ++folder->skipped;
        else if (file.error)
            folder->unread.push_back({(*files)[at].filename().string(), file.error->text()});
    }
    folder->ranks = numberedRanks(std::move(*read));
    if (folder->ranks.empty() && !folder->unread.empty())
        return Error{ErrorCode::OtherContent, "No recording in this folder can be used. " +
                                                  folder->unread.front().name + ": " +
                                                  folder->unread.front().why};
    if (folder->ranks.empty())
        return Error{ErrorCode::OtherContent,
                     "This folder holds no recordings. Open one with the snapshots that the ranks "
                     "of a run wrote."};
    std::vector<Bytes> peaks;
    for (const Rank &rank : folder->ranks)
        peaks.push_back(rank.summary.peakActive);
    folder->active = spreadOf(peaks);
    return std::shared_ptr<const RankFolder>(folder);
}

} // namespace vramscope
