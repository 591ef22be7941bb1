// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

struct CalibratedSources;
struct Field;
struct Plan;

// overheads.calibrated says which constants of `overheads` were taken over from which recording: a
// list of marks "FIELD from FILE", FIELD without "overheads.", FILE without folders. Paths here are
// whole, as in the table of fields: "overheads.reserved_factor".

/// The constant at a path; nullptr where there is none.
[[nodiscard]] const Field *constantField(std::string_view path);
/// The constant that a mark is of; nullptr where it names none.
[[nodiscard]] const Field *calibratedField(std::string_view mark);

/// The file that a constant was taken over from; empty where the plan does not state the constant,
/// or has no mark of it.
[[nodiscard]] std::string_view calibrationFile(const Plan &plan, std::string_view path);

/// Marks a constant as taken over from a file, in place of an older mark; an empty file takes the
/// mark away. Nothing where the path is that of no constant.
void markCalibrated(Plan &plan, std::string_view path, std::string_view file);

/// What a plan's marks say of its constants.
[[nodiscard]] CalibratedSources calibratedSources(const Plan &plan);

} // namespace vramscope
