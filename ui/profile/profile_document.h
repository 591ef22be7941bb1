// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/profile/coverage.h"
#include "core/profile/profile.h"
#include "core/profile/profile_study.h"
#include "core/profile/timeline_rows.h"
#include "core/profile/work_rules.h"
#include "ui/document/document.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vramscope {

class Redaction;
struct TraceDocument;

/// The memory of one device over the time of the profile. Values are kNoBytes where a sample has
/// none.
struct ProfileMemoryCurves
{
    /// A profile counts blocks as allocated, a snapshot of the allocator what was asked for.
    enum class Source : std::uint8_t { Profile, Snapshot };

    Source source = Source::Profile;
    std::string label; ///< "cuda:0"
    int ordinal = -1;
    bool isHost = false;
    TimeCurve allocated;
    TimeCurve reserved; ///< empty where only one curve was recorded
    /// Of allocated, in the profile's curves, with the operator that ran at each; null of a
    /// snapshot.
    const SeriesDevice *recorded = nullptr;
};

/// What ran on one device, ready to be drawn at any zoom.
struct ProfileDevice
{
    std::int64_t device = -1;
    std::string name; ///< "NVIDIA H100 80GB HBM3"; "" where the file does not say
    std::size_t events = 0;
    DeviceCover coverage;
    TimeCurve queue;
};

/// How a profile is analysed.
struct ProfileAnalysis
{
    std::vector<WorkRule> rules = defaultWorkRules();
    /// Texts are shown without the names that it holds; null: as they are.
    std::shared_ptr<const Redaction> redaction = nullptr;
    /// Of the same run: its memory stands beside that of the profile; null: none.
    std::shared_ptr<const TraceDocument> snapshot = nullptr;
    /// Of Nsight Compute, joined to the kernels; null: none.
    std::shared_ptr<const ProfilerTables> counters = nullptr;
    /// Those that it is made of where these are more than the one that its tab names.
    QStringList files = {};
};

/// An opened profiler trace, analysed and constant: what every part of its page draws from. Made
/// off the GUI thread, then shared.
struct ProfileDocument : Document, FilesWork
{
    std::shared_ptr<const Profile> profile;
    /// Its breakdowns, steps and classes are made; the tables by whoever asks first, in a job.
    std::shared_ptr<const ProfileStudy> study;
    std::unique_ptr<const TimelineRows> rows;
    std::vector<ProfileDevice> devices; ///< by number
    /// Of what was called in any of its steps, where there are two or more with work: without what
    /// the recording caught of others at its ends.
    std::vector<DeviceBreakdown> completeSteps;
    std::vector<ProfileMemoryCurves> memory;
    /// Texts of the profile that are shown without names of people and machines, by StringId.
    std::unordered_map<std::uint32_t, std::string> redacted;
    std::shared_ptr<const Redaction> redaction; ///< null: texts are shown as they are
    /// The allocator snapshot whose memory lies over it; null: none does.
    std::shared_ptr<const TraceDocument> snapshot;
    std::int64_t origin = 0; ///< of its first event, as the file counts: times are shown from here
    std::int64_t end = 0;    ///< of its last

    /// A text of the profile as it may be shown.
    [[nodiscard]] std::string_view text(StringId id) const;
    /// Another text that comes from the file, the same.
    [[nodiscard]] std::string shown(std::string_view text) const;
    [[nodiscard]] const WorkClasses &classes() const { return study->classes(); }
    /// The work that a call launched; empty where none was recorded.
    [[nodiscard]] std::span<const std::uint32_t> launchedBy(std::uint32_t call) const;
    /// How it was analysed, to do so again in another way.
    [[nodiscard]] ProfileAnalysis analysis() const
    {
        return {study->rules(), redaction, snapshot, study->tables(), madeOf};
    }
    /// What to judge the run by: its complete steps, else all that was recorded.
    [[nodiscard]] const std::vector<DeviceBreakdown> &typical() const
    {
        return completeSteps.empty() ? study->devices() : completeSteps;
    }
    /// What may divide it into steps, the best first; at most 12.
    [[nodiscard]] std::span<const StepMarker> stepMarkers() const;
    /// Null where nothing ran on that device.
    [[nodiscard]] const ProfileDevice *device(std::int64_t number) const;

    std::vector<std::uint32_t> launched; ///< work by its call
    std::vector<std::uint32_t> launches; ///< where that of each call begins; one more at the end
    QStringList madeOf;                  ///< its files where these are several

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    /// It can also be compared where other memory is overlaid.
    [[nodiscard]] QString unfitText(const QString &view) const override;
    [[nodiscard]] QStringList files() const override { return madeOf; }
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const override;
};

using ProfilePointer = std::shared_ptr<const ProfileDocument>;

/// Null when `progress` asked to stop.
[[nodiscard]] std::shared_ptr<const ProfileDocument> analyse(std::shared_ptr<const Profile> profile,
                                                             const Progress &progress = {},
                                                             ProfileAnalysis how = {});

} // namespace vramscope
