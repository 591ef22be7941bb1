// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/profile_folder.h"

#include "core/analysis/comparison/ranks.h"
#include "core/base/folder.h"
#include "core/base/ordered_jobs.h"
#include "core/base/path_text.h"
#include "core/profile/profile_devices.h"
#include "core/profile/profile_redaction.h"
#include "core/readers/file_kind.h"
#include "core/readers/read_trace.h"
#include "core/session/session_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

/// Which recordings are those of several ranks.
enum class Split : std::uint8_t {
    ByProcess, ///< of a folder: those in which several processes drove devices
    ByDevice,  ///< of a single file: those of several devices
};

/// The ranks of a recording: itself, or each of its devices, which share its clock.
std::vector<RankProfileFile> ranksOf(std::shared_ptr<const Profile> profile,
                                     const std::filesystem::path &file, const std::string &shown,
                                     Split split, const ProfileReading &reading)
{
    std::vector<RankProfileFile> ranks;
    const auto add = [&](std::shared_ptr<const Profile> one, const std::string &name,
                         std::optional<std::int64_t> named, const std::string &source,
                         const std::string &part) {
        auto study = std::make_shared<const ProfileStudy>(std::move(one), reading.rules);
        (void)study->devices(); // here, where there are threads for it
        (void)study->steps();
        ranks.push_back({name, named, std::move(study), source, part});
    };
    const bool isOfSeveral = drivingProcesses(*profile) > 1;
    if (split == Split::ByDevice || isOfSeveral) {
        const std::vector<DeviceProfile> devices = deviceProfiles(*profile);
        for (const DeviceProfile &each : devices) {
            const std::string part = each.title(isOfSeveral);
            std::string name = shown;
            name.append(", ").append(part);
            if (devices.size() > 1)
                add(each.profile, name, std::nullopt, shown, part);
        }
    }
    if (ranks.empty()) {
        const std::optional<int> named = rankOfName(file.string());
        add(std::move(profile), shown, named ? std::optional<std::int64_t>(*named) : std::nullopt,
            {}, {});
    }
    return ranks;
}

/// None of what holds no profiler trace.
Result<std::vector<RankProfileFile>> readOne(const std::filesystem::path &file, Split split,
                                             const ProfileReading &reading,
                                             const Progress &progress)
{
    auto recording = readRecording(file, progress);
    if (!recording)
        return recording.error();
    auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording);
    if (!profile)
        return Error{ErrorCode::OtherContent, "It is no profiler trace."};
    std::filesystem::path shown = file;
    if (reading.withoutNames) {
        Redaction names;
        names.gatherFileName(file.string());
        gatherNames(names, **profile);
        *profile = redacted(**profile, names);
        shown = pathOf(names.fileName(file.string()));
    }
    return ranksOf(std::move(*profile), file, shown.filename().string(), split, reading);
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
        if (*format == TraceFormat::ChromeTrace || *format == TraceFormat::NsightExport)
            ++profiles;
        else if (*format == TraceFormat::SnapshotPickle || *format == TraceFormat::SnapshotJson ||
                 *format == TraceFormat::AllocationPlot)
            --profiles;
    }
    return profiles > 0;
}

Result<ProfileFiles> readProfileFiles(const std::filesystem::path &path,
                                      const ProfileReading &reading, const Progress &progress)
{
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(path, ignored);
    auto files = isFolder ? filesOfFolder(path) : std::vector<std::filesystem::path>{path};
    if (!files)
        return files.error();
    const Split split = isFolder ? Split::ByProcess : Split::ByDevice;
    std::erase_if(*files, [](const auto &file) { return !recordingPath(file).empty(); });
    std::vector<std::optional<Result<std::vector<RankProfileFile>>>> read(files->size());
    const auto readEach = [&](std::size_t at, const Progress &each) {
        read[at].emplace(readOne((*files)[at], split, reading, each));
    };
    if ((progress && !progress(0)) || !runTogether(files->size(), readEach, progress))
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    ProfileFiles result;
    for (std::size_t at = 0; at < read.size(); ++at) {
        const std::string name = (*files)[at].filename().string();
        if (read[at]->ok()) {
            for (RankProfileFile &rank : **read[at])
                result.profiles.push_back(std::move(rank));
        } else if (const Error &error = read[at]->error();
                   error.code == ErrorCode::OtherContent || isNoRecording(name, error)) {
            ++result.others;
        } else {
            result.unread.push_back({name, error.text()});
        }
    }
    return result;
}

std::shared_ptr<const ProfileFolder> devicesAsRanks(std::shared_ptr<const Profile> profile,
                                                    const std::filesystem::path &file,
                                                    const ProfileReading &reading)
{
    std::vector<RankProfileFile> ranks =
        ranksOf(std::move(profile), file, file.filename().string(), Split::ByDevice, reading);
    return std::make_shared<const ProfileFolder>(
        ProfileFolder{file.parent_path().string(), compareRanks(std::move(ranks)), {}, 0});
}

Result<std::shared_ptr<const ProfileFolder>> readProfileFolder(const std::filesystem::path &path,
                                                               const ProfileReading &reading,
                                                               const Progress &progress)
{
    auto files = readProfileFiles(path, reading, progress);
    if (!files)
        return files.error();
    if (files->profiles.empty())
        return Error{ErrorCode::OtherContent,
                     files->unread.empty()
                         ? "This folder holds no profiler traces."
                         : "No profiler trace in this folder can be used. " +
                               files->unread.front().name + ": " + files->unread.front().why};
    return std::make_shared<const ProfileFolder>(
        ProfileFolder{path.string(), compareRanks(std::move(files->profiles)),
                      std::move(files->unread), files->others});
}

} // namespace vramscope
