// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/recording_data.h"
#include "core/profile/timeline_rows.h"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace vramscope {

class ProfileStudy;

/// The kinds of slices that a page tells apart by colour: compute by family, the other classes of
/// work, then what the host did.
inline constexpr std::size_t kSliceKindCount = 21;
/// "Matrix product", "Communication", "Operator": a kind by its place.
[[nodiscard]] std::string sliceKindName(std::size_t kind);

/// The place of an event among them.
[[nodiscard]] std::size_t sliceKind(const ProfileStudy &study, const ProfileEventId &event);

/// A device or a thread with groups of rows, by their indexes.
struct ProfileSection
{
    std::string title;
    std::vector<std::size_t> groups;
};

struct ProfileDataOptions
{
    std::size_t largest = kUsualLargest; ///< slices, the longest; the others are left out
    std::vector<ProfileSection> sections;
    std::vector<std::string> groupTitles; ///< of TimelineRows::groups
    std::function<std::string(StringId)> text;
    bool keepsPicture = false; ///< which shows more than slices
    std::int64_t origin = 0;   ///< times count from here
    std::int64_t end = 0;
    std::array<std::string, kSliceKindCount> colors;     ///< "#2767d3", on light pages
    std::array<std::string, kSliceKindCount> darkColors; ///< on dark ones
};

/// The rows of a profile as the document that a page draws lanes from. README.md describes it.
[[nodiscard]] std::string profileData(const ProfileStudy &study, const TimelineRows &rows,
                                      const ProfileDataOptions &options);

} // namespace vramscope
