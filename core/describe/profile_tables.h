// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"
#include "core/table/table.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// What tables of a profile are made of.
struct ProfileSubject
{
    std::shared_ptr<const ProfileStudy> study;
    std::optional<TimeInterval> within = {}; ///< what began in it; nothing: everything
    /// Names and texts of the file as they may be shown; none: as it has them.
    std::function<std::string_view(StringId)> name = {};
    std::function<std::string(std::string_view)> text = {};

    [[nodiscard]] std::string nameOf(StringId id) const
    {
        return std::string(name ? name(id) : study->profile().text(id));
    }
    [[nodiscard]] std::string shown(std::string_view of) const
    {
        return text ? text(of) : std::string(of);
    }
};

/// A study that outlives the tables made of it.
[[nodiscard]] ProfileSubject subjectOf(const ProfileStudy &study);

/// The tables of a profile. A row leads to an event: `Target::kind` and `named` are EventKinds,
/// `name` a StringId.
[[nodiscard]] DataTable kernelsTable(const ProfileSubject &of);
[[nodiscard]] DataTable operatorsTable(const ProfileSubject &of, OperatorGrouping grouping);
[[nodiscard]] DataTable collectivesTable(const ProfileSubject &of);
/// Delays of launches, and the calls that block.
[[nodiscard]] DataTable launchesTable(const ProfileSubject &of);
[[nodiscard]] DataTable blockingCallsTable(const ProfileSubject &of);
[[nodiscard]] DataTable idleTable(const ProfileSubject &of);
/// By `marker`; nullptr: nothing divides the recording.
[[nodiscard]] DataTable stepsTable(const ProfileSubject &of, const StepMarker *marker);
[[nodiscard]] DataTable breakdownTable(const ProfileSubject &of);
/// As HolisticTraceAnalysis counts.
[[nodiscard]] DataTable htaTable(const ProfileSubject &of);
/// A table that a tool wrote, in its columns, with times in one unit.
[[nodiscard]] DataTable profilerTable(const CellTable &written);
/// The launches of each kernel together, of a file of Nsight Compute.
[[nodiscard]] DataTable countedKernelsTable(const ProfilerTables &tables);

/// "By ProfilerStep", "By the kernel gemm, which recurs".
[[nodiscard]] std::string markerName(const ProfileSubject &of, const StepMarker &marker);

} // namespace vramscope
