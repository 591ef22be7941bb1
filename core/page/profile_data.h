// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/recording_data.h"
#include "core/profile/timeline_rows.h"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class ProfileStudy;

/// The kinds of slices that a page tells apart by colour: compute by family, the other classes of
/// work, then what the host did.
inline constexpr std::array<std::string_view, 21> kSliceKinds{"Matrix product",
                                                              "Attention",
                                                              "Convolution",
                                                              "Normalization",
                                                              "Elementwise",
                                                              "Reduction",
                                                              "Softmax",
                                                              "Embedding",
                                                              "Optimizer",
                                                              "Triton",
                                                              "Other compute",
                                                              "Communication",
                                                              "Copy",
                                                              "Fill",
                                                              "Operator",
                                                              "Runtime call",
                                                              "Call that waits for the GPU",
                                                              "Annotation",
                                                              "Python",
                                                              "Profiler",
                                                              "Wait on the device"};

/// The place of an event in kSliceKinds.
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
    std::array<std::string, kSliceKinds.size()> colors;     ///< "#2767d3", on light pages
    std::array<std::string, kSliceKinds.size()> darkColors; ///< on dark ones
};

/// The rows of a profile as the document that a page draws lanes from. README.md describes it.
[[nodiscard]] std::string profileData(const ProfileStudy &study, const TimelineRows &rows,
                                      const ProfileDataOptions &options);

} // namespace vramscope
