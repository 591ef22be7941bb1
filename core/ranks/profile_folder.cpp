// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/profile_folder.h"

#include "core/analysis/comparison/ranks.h"
#include "core/base/folder.h"
#include "core/base/ordered_jobs.h"
#include "core/readers/no_recording.h"
#include "core/readers/read_trace.h"

#include <optional>

namespace vramscope {

namespace {

using ProfileStudyPointer = std::shared_ptr<const ProfileStudy>;

/// None of what holds no profiler trace.
Result<ProfileStudyPointer> readStudy(const std::filesystem::path &file, const Progress &progress)
{
    auto recording = readRecording(file, progress);
    if (!recording)
        return recording.error();
    auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording);
    if (!profile)
        return Error{ErrorCode::OtherContent, "It is no profiler trace."};
    auto study = std::make_shared<const ProfileStudy>(std::move(*profile));
    (void)study->devices(); // here, where there are threads for it
    (void)study->steps();
    return ProfileStudyPointer(std::move(study));
}

} // namespace

bool isProfileFolder(const std::filesystem::path &path)
{
    const auto files = filesOfFolder(path);
    if (!files)
        return false;
    std::int64_t profiles = 0;
    for (const std::filesystem::path &file : *files) {
        const Result<TraceFormat> format = formatOf(file);
        if (!format)
            continue;
        if (*format == TraceFormat::ChromeTrace)
            ++profiles;
        else if (*format == TraceFormat::SnapshotPickle || *format == TraceFormat::SnapshotJson ||
                 *format == TraceFormat::AllocationPlot)
            --profiles;
    }
    return profiles > 0;
}

Result<std::shared_ptr<const ProfileFolder>> readProfileFolder(const std::filesystem::path &path,
                                                               const Progress &progress)
{
    const auto files = filesOfFolder(path);
    if (!files)
        return files.error();
    std::vector<std::optional<Result<ProfileStudyPointer>>> read(files->size());
    const auto readOne = [&](std::size_t at, const Progress &each) {
        read[at].emplace(readStudy((*files)[at], each));
    };
    if ((progress && !progress(0)) || !runTogether(files->size(), readOne, progress))
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    const auto folder = std::make_shared<ProfileFolder>();
    folder->path = path.string();
    std::vector<RankProfileFile> ranks;
    for (std::size_t at = 0; at < read.size(); ++at) {
        const std::string name = (*files)[at].filename().string();
        if (read[at]->ok()) {
            const std::optional<int> named = rankOfName((*files)[at].string());
            ranks.push_back({name, named ? std::optional<std::int64_t>(*named) : std::nullopt,
                             std::move(**read[at])});
        } else if (const Error &error = read[at]->error();
                   error.code == ErrorCode::OtherContent || isNoRecording(name, error)) {
            ++folder->others;
        } else {
            folder->unread.push_back({name, error.text()});
        }
    }
    if (ranks.empty())
        return Error{ErrorCode::OtherContent,
                     folder->unread.empty()
                         ? "This folder holds no profiler traces."
                         : "No profiler trace in this folder can be used. " +
                               folder->unread.front().name + ": " + folder->unread.front().why};
    folder->ranks = compareRanks(std::move(ranks));
    return std::shared_ptr<const ProfileFolder>(folder);
}

} // namespace vramscope
