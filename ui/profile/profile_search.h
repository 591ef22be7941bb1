// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_state.h"

#include <QString>

#include <memory>
#include <optional>

namespace vramscope {

/// What is looked for in a profile: everything that fits all that is set.
struct ProfileQuery
{
    QString text;                   ///< within the name, whatever its case
    std::optional<BarPart> part;    ///< only work that belongs to it
    std::optional<EventKind> named; ///< only events of this kind and name
    StringId name = StringId::Empty;

    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && !part && !named; }
    bool operator==(const ProfileQuery &) const = default;
};

[[nodiscard]] StringId nameIdOf(const Profile &profile, const ProfileEventId &event);

/// The events that fit, in the rows in which they stand. Null where `progress` asked to stop, and
/// for an empty query.
[[nodiscard]] std::shared_ptr<const FoundRows> findEvents(const ProfileDocument &document,
                                                          const ProfileQuery &query,
                                                          const Progress &progress = {});

} // namespace vramscope
