// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vramscope {

/// Puts the tokens of a value of a JSON stream together as text again, as long as it stays small.
class JsonCapture
{
public:
    static constexpr std::size_t kMost = std::size_t(64) << 10;

    void clear();
    void open(char bracket);
    void close(char bracket);
    void key(std::string_view name);
    void string(std::string_view text);
    /// A number, true, false or null.
    void word(std::string_view text);

    /// True when the value began and is complete.
    [[nodiscard]] bool complete() const { return m_depth == 0 && m_began; }
    /// The text; empty where it became too long.
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    void value(std::string_view text);
    void append(std::string_view text);

    std::string m_text;
    std::size_t m_depth = 0;
    bool m_began = false;
    bool m_comma = false; // before the next key or value
    bool m_tooLong = false;
};

} // namespace vramscope
