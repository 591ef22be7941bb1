// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/ranks.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/redaction.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What one file gave: a rank for each device that was wanted, or why there is none.
struct RankFile
{
    std::vector<Rank> ranks;
    std::optional<Error> error;
    bool isRecording = true; ///< else there is nothing to complain about
};

/// Which devices of file number `file` are ranks. Called on several threads, once a file.
using DeviceChoice =
    std::function<Result<std::vector<const DeviceTrace *>>(std::size_t file, const Trace &trace)>;
/// All of them; fails where there is none.
[[nodiscard]] Result<std::vector<const DeviceTrace *>> allDevices(std::size_t file,
                                                                  const Trace &trace);

/// Reads recordings, as many at a time as there are processors, and lets go of each as soon as its
/// figures are taken: a few kilobytes a rank stay, however large the files are. By file; none where
/// `progress` asked to stop.
[[nodiscard]] std::optional<std::vector<RankFile>>
readRankFiles(std::span<const std::filesystem::path> files, const DeviceChoice &choice = allDevices,
              const Progress &progress = {});

/// The ranks of all files with their numbers, by number.
[[nodiscard]] std::vector<Rank> numberedRanks(std::vector<RankFile> files);

/// The ranks of a run, read from the recordings in a folder. Constant.
struct RankFolder
{
    /// A file that was meant to be a recording and cannot be used.
    struct Unread
    {
        std::string name; ///< without folders
        std::string why;
    };

    std::string path;
    std::vector<Rank> ranks; ///< by number; at least one
    Spread active;           ///< of the peaks of active bytes; indexes into ranks
    std::vector<Unread> unread;
    std::size_t skipped = 0; ///< files that are no recordings
    Redaction names;         ///< of people and machines, in all texts of the recordings

    /// What a rank's peak is above the median.
    [[nodiscard]] Bytes deviation(std::size_t rank) const
    {
        return wrappingDifference(ranks[rank].summary.peakActive, active.median);
    }
    [[nodiscard]] bool isOutlier(std::size_t rank) const;
};

/// Fails where no recording in the folder can be used.
[[nodiscard]] Result<std::shared_ptr<const RankFolder>>
readRankFolder(const std::filesystem::path &path, const Progress &progress = {});

} // namespace vramscope
