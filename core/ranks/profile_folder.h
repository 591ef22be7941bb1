// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ranks/rank_profiles.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// The profiler traces of the ranks of a run, read from a folder or a file. Constant. All stay in
/// memory.
struct ProfileFolder
{
    /// A file that was meant to be a profiler trace and cannot be used.
    struct Unread
    {
        std::string name; ///< without folders
        std::string why;
    };

    std::string path;
    RankProfiles ranks; ///< at least one
    std::vector<Unread> unread;
    std::size_t others = 0; ///< files that are no profiler traces
};

/// How profiler traces are read.
struct ProfileReading
{
    std::vector<WorkRule> rules = defaultWorkRules();
    bool withoutNames = false; ///< of people and machines, in texts and names of files
};

/// The profiler traces of a folder, each by itself.
struct ProfileFiles
{
    std::vector<RankProfileFile> profiles;
    std::vector<ProfileFolder::Unread> unread;
    std::size_t others = 0;
};

/// Whether a folder is that of profiler traces: it holds more of them than snapshots, by the first
/// bytes of its files.
[[nodiscard]] bool isProfileFolder(const std::filesystem::path &path);

/// Reads those of a folder, as many at a time as there are processors. Bookmarks beside a trace are
/// passed over. A recording of several processes with a GPU each, as Nsight Systems makes them, is
/// as many ranks; so is each GPU of a single file where `path` is one.
[[nodiscard]] Result<ProfileFiles> readProfileFiles(const std::filesystem::path &path,
                                                    const ProfileReading &reading,
                                                    const Progress &progress = {});

/// The devices of one recording, compared as the ranks of a run. `file`: where it lies.
[[nodiscard]] std::shared_ptr<const ProfileFolder>
devicesAsRanks(std::shared_ptr<const Profile> profile, const std::filesystem::path &file,
               const ProfileReading &reading = {});

/// The same of a folder, compared as the ranks of one run. Fails where none can be used.
[[nodiscard]] Result<std::shared_ptr<const ProfileFolder>>
readProfileFolder(const std::filesystem::path &path, const ProfileReading &reading = {},
                  const Progress &progress = {});

} // namespace vramscope
