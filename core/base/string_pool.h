// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vramscope {

/// Index of a string in a StringPool. Id 0 is always the empty string.
enum class StringId : std::uint32_t { Empty = 0 };

/// Stores each distinct string once and hands out dense ids. Views stay valid as long as the pool.
class StringPool
{
public:
    StringPool();
    StringPool(StringPool &&) = default;
    StringPool &operator=(StringPool &&) = default;
    StringPool(const StringPool &other);
    StringPool &operator=(const StringPool &) = delete;

    /// The id of `text`, adding it when it is new.
    StringId intern(std::string_view text);

    /// The text of an id that this pool handed out.
    [[nodiscard]] std::string_view text(StringId id) const;

    /// A pool in which the text of each id is rewrite(id, text): texts that become equal keep their
    /// ids, and intern() returns the first of them.
    [[nodiscard]] StringPool
    mapped(const std::function<std::string(StringId, std::string_view)> &rewrite) const;

    [[nodiscard]] std::size_t size() const { return m_strings.size(); }

private:
    std::deque<std::string> m_strings; // a deque keeps the views in m_ids valid while it grows
    std::unordered_map<std::string_view, StringId> m_ids;
};

} // namespace vramscope
