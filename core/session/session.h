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

// A document holds no more than this, in bytes of UTF-8 where it is text.
inline constexpr std::size_t kMostBookmarks = 500;
inline constexpr std::size_t kLongestName = 200;
inline constexpr std::size_t kLongestNote = 4000;
inline constexpr std::size_t kLongestFilter = 1000;
/// Longer than the longest document within these bounds, every character escaped.
inline constexpr std::size_t kLongestSession = std::size_t(48) << 20;

/// A key that this version does not know, with its value as JSON: kept where it is a yes or no, a
/// number or a short text, so that what a newer version adds is still there after an edit.
using OtherField = std::pair<std::string, std::string>;

/// One view of a recording under a name: where it looks, how, and what is to be said about it. As
/// it stands in the document: whoever shows it brings it inside the recording. Without anything set
/// it shows the whole of the first device.
struct Bookmark
{
    static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

    std::string name; ///< one line
    std::string note;
    std::int64_t device = 0;            ///< number of the device in the recording: cuda:N
    std::string view = "active-memory"; ///< as on the command line
    std::string color = "stack";        ///< as on the command line
    std::string axis = "event";         ///< or "time", or "ns"
    std::int64_t from = -1; ///< what is visible: events, µs or ns since the first event
    std::int64_t to = kEnd;
    Bytes bytesFrom = 0; ///< what is visible of the bytes
    Bytes bytesTo = kEnd;
    std::int64_t cursor = -1;   ///< the event after which things are looked at; -1: before all
    std::int64_t selected = -1; ///< index of the chosen allocation of the device; -1: none
    std::string filter;         ///< as typed
    // Of a profiler trace, whose range and cursor are in ns since the first event:
    std::string selectedKind;      ///< what `selected` counts: "work", "call", "operator", "range"
    bool markedByName = false;     ///< all events of the selected one's name are marked
    std::string part;              ///< all work of this part of the bar is marked; "": none
    std::int64_t stretchFrom = -1; ///< the stretch that tables are about, in ns; -1: all
    std::int64_t stretchTo = -1;
    std::vector<OtherField> other;

    bool operator==(const Bookmark &) const = default;
};

/// What a session document keeps beside a recording. The recording's size tells whether it is still
/// the one that the bookmarks were made in.
struct Session
{
    std::string recording;           ///< the file's name, without its folder
    std::int64_t recordingBytes = 0; ///< size of the file
    std::vector<Bookmark> bookmarks;
    RunningOrder order; ///< of a presentation; empty: as things stand by themselves
    std::vector<OtherField> other;

    /// Whether nothing is in it that would be missed.
    [[nodiscard]] bool isEmpty() const
    {
        return bookmarks.empty() && order.empty() && other.empty();
    }
    bool operator==(const Session &) const = default;
};

/// Two changes of one list brought together, so that neither is lost: what stands in `theirs`
/// without what was taken out of `base` in `mine`, and after it what came into `mine`. A bookmark
/// that both changed stays twice.
[[nodiscard]] std::vector<Bookmark> merged(const std::vector<Bookmark> &base,
                                           const std::vector<Bookmark> &mine,
                                           const std::vector<Bookmark> &theirs);

} // namespace vramscope
