// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>
#include <limits>
#include <memory>

namespace vramscope {

class Study;
struct ProfileDocument;
struct ProfilerTables;
struct TraceDocument;

/// Stands for the device that a trace shows first.
inline constexpr std::size_t kMainDevice = std::numeric_limits<std::size_t>::max();

/// A device of a trace that is to be compared, with another one or with a plan, or a profiler trace
/// or the tables of a profiler instead. Until its file is read, all are null and the device may be
/// kMainDevice.
struct ComparedTrace
{
    QString title; ///< "rank0.pickle"
    QString path;
    std::shared_ptr<const TraceDocument> document; ///< with at least one device
    std::size_t device = kMainDevice;              ///< index into its devices
    std::shared_ptr<const ProfileDocument> profile = nullptr;
    std::shared_ptr<const ProfilerTables> tables = nullptr;

    [[nodiscard]] const Study &shown() const;
    [[nodiscard]] bool isRead() const { return document || profile || tables; }
    /// Takes the data read for another trace of the same file.
    void take(const ComparedTrace &other)
    {
        document = other.document;
        profile = other.profile;
        tables = other.tables;
    }
};

} // namespace vramscope
