// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/session/running_order.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

// Limits of a document, in bytes of UTF-8 for texts.
inline constexpr std::size_t kMostBookmarks = 500;
inline constexpr std::size_t kLongestName = 200;
inline constexpr std::size_t kLongestNote = 4000;
inline constexpr std::size_t kLongestFilter = 1000;
/// Longer than the longest document within these bounds, every character escaped.
inline constexpr std::size_t kLongestSession = std::size_t(48) << 20;

/// A key that this version does not know, with its value as JSON: kept if it is a yes or no, a
/// number or a short text, so that an edit preserves what a newer version adds.
using OtherField = std::pair<std::string, std::string>;

/// A named view of a recording: its position, its settings, and a note to it. Values are as in the
/// document: the code that shows them limits them to the recording. By default it shows the whole
/// of the first device.
struct Bookmark
{
    static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

    std::string name; ///< one line
    std::string note;
    std::int64_t device = 0;            ///< number of the device in the recording: cuda:N
    std::string view = "active-memory"; ///< as on the command line
    std::string color = "stack";        ///< as on the command line
    std::string axis = "event";         ///< or "time", or "ns"
    std::int64_t from = -1; ///< the visible range: events, µs or ns since the first event
    std::int64_t to = kEnd;
    Bytes bytesFrom = 0; ///< the visible range of bytes
    Bytes bytesTo = kEnd;
    std::int64_t cursor = -1;   ///< the event of the cursor; -1: before all
    std::int64_t selected = -1; ///< index of the chosen allocation of the device; -1: none
    std::string filter;         ///< as typed
    // For a profiler trace, whose range and cursor are in ns since the first event:
    std::string selectedKind;      ///< what `selected` counts: "work", "call", "operator", "range"
    bool markedByName = false;     ///< all events with the selected one's name are marked
    std::string part;              ///< the part of the bar with all its work marked; may be empty
    std::int64_t stretchFrom = -1; ///< the time range of the tables, in ns; -1: all
    std::int64_t stretchTo = -1;
    std::vector<OtherField> other;

    bool operator==(const Bookmark &) const = default;
};

/// The content of a session document, which is kept with a recording. The recording's size shows
/// whether it is still the one in which the bookmarks were made.
struct Session
{
    std::string recording;           ///< the file's name, without its folder
    std::int64_t recordingBytes = 0; ///< size of the file
    std::vector<Bookmark> bookmarks;
    RunningOrder order; ///< of a presentation; empty: the default order
    std::vector<OtherField> other;

    /// Whether it contains nothing that would be missed.
    [[nodiscard]] bool isEmpty() const
    {
        return bookmarks.empty() && order.empty() && other.empty();
    }
    bool operator==(const Session &) const = default;
};

/// Merges two changes of one list without losing either: the third list without the elements of
/// `base` that `mine` removed, followed by the additions of `mine`. A bookmark that both changed is
/// kept twice.
[[nodiscard]] std::vector<Bookmark> merged(const std::vector<Bookmark> &base,
                                           const std::vector<Bookmark> &mine,
                                           const std::vector<Bookmark> &theirs);

} // namespace vramscope
