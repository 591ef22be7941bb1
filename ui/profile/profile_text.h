// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/describe/event_facts.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/timeline_lines.h"
#include "ui/timeline/coordinates.h"

#include <QStringList>

#include <utility>
#include <vector>

namespace vramscope {

/// formatNanoseconds() for the window.
[[nodiscard]] QString durationText(std::int64_t nanoseconds);
/// formatExactNanoseconds() for the window.
[[nodiscard]] QString exactDurationText(std::int64_t nanoseconds);
/// A change: "+12.35 µs", "−1.234 ms", "0 ns"; exactly "+12.35 µs (12,345 ns)".
[[nodiscard]] QString durationChangeText(std::int64_t nanoseconds);
[[nodiscard]] QString exactDurationChangeText(std::int64_t nanoseconds);
/// formatMoment() for the window.
[[nodiscard]] QString momentText(std::int64_t nanoseconds);
/// formatTimeShare() for the window; of nothing "–".
[[nodiscard]] QString timeShareText(std::int64_t part, std::int64_t whole);

/// Round times over an axis in ns, each with its text.
[[nodiscard]] std::vector<std::pair<double, QString>> timeTicks(const Range &range, int most);

/// "GPU 0 · NVIDIA H100 80GB HBM3", "python · thread 1234".
[[nodiscard]] QString sectionTitle(const ProfileDocument &document, const TimelineSection &section);
/// "61 events"
[[nodiscard]] QString eventsText(const TimelineSection &section);
/// "stream 7", "operators", "runtime calls".
[[nodiscard]] QString groupTitle(const ProfileDocument &document, const RowGroup &group);
/// "12 complete steps"
[[nodiscard]] QString stepsText(const ProfileDocument &document);
/// What the first of its curves counts: "allocated", of a snapshot "active".
[[nodiscard]] QString allocatedName(const ProfileMemoryCurves &curves);
/// The last change of it until a time, and the operator that ran then: "last +2 MiB, 12.3 µs
/// before", "in aten::mm"; nothing of a snapshot's, or before the first.
[[nodiscard]] QStringList memoryEventText(const ProfileDocument &document,
                                          const ProfileMemoryCurves &curves, std::int64_t time,
                                          ByteUnit unit);
/// "compute", "communication beside compute", ….
[[nodiscard]] QString coverName(CoverKind cover);

[[nodiscard]] QString eventName(const ProfileDocument &document, const ProfileEventId &event);
/// As the file counts.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> eventTimes(const Profile &profile,
                                                               const ProfileEventId &event);
[[nodiscard]] std::vector<EventFact> eventFacts(const ProfileDocument &document,
                                                const ProfileEventId &event, ByteUnit unit);
/// The same as lines of text under its name.
[[nodiscard]] QString eventText(const ProfileDocument &document, const ProfileEventId &event,
                                ByteUnit unit);

/// What has to be known of counters of Nsight Compute that are joined to kernels, in sentences.
[[nodiscard]] QString joinText(const KernelCounters &counters);

} // namespace vramscope
