// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/profile_data.h"
#include "core/profile/coverage.h"
#include "ui/profile/profile_document.h"
#include "ui/support/theme.h"

#include <QRgb>

#include <array>
#include <vector>

namespace vramscope {

/// The colour of what a device does at a moment; of idle that of a track.
[[nodiscard]] QColor coverColor(CoverKind cover, const Theme &theme);
/// The colour of work of a class and, of compute, of a family.
[[nodiscard]] QColor workColor(WorkClass workClass, WorkFamily family, const Theme &theme);

/// The colours of the kinds of slices, "#2767d3".
[[nodiscard]] std::array<std::string, kSliceKindCount> sliceColors(const Theme &theme);

/// What every event of a profile is painted in, in one appearance.
class EventColors
{
public:
    EventColors(const ProfileDocument &document, const Theme &theme);

    [[nodiscard]] QRgb of(EventKind kind, std::uint32_t event) const
    {
        return kind == EventKind::Work ? m_work[m_document->classes().group[event]]
                                       : ofHost(kind, event);
    }
    /// The same where something else is to be seen.
    [[nodiscard]] QRgb faint(QRgb color) const;

private:
    static constexpr std::size_t kTints = 8;

    [[nodiscard]] QRgb ofHost(EventKind kind, std::uint32_t event) const;

    const ProfileDocument *m_document;
    std::vector<QRgb> m_work; // of WorkClasses::groups
    std::array<QRgb, kTints> m_tints{};
    QRgb m_call = 0;
    QRgb m_waiting = 0;
    QRgb m_annotation = 0;
    QRgb m_quiet = 0;
    QRgb m_ground = 0;
    std::vector<bool> m_waits; // of calls by name, as far as they are there
};

} // namespace vramscope
