// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/setting_values.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

/// Lines of YAML in the order in which they are put. Every text that is written is a word of ours
/// or a name from the catalogue, none of which YAML reads as something else.
class YamlText
{
public:
    void comment(std::string_view text) { line("# " + std::string(text)); }
    void word(std::string_view key, std::string_view value)
    {
        line(std::string(key) + ": " + std::string(value));
    }
    void count(std::string_view key, std::int64_t value) { word(key, std::to_string(value)); }
    void number(std::string_view key, double value) { word(key, shortestNumber(value)); }
    void flag(std::string_view key, bool value) { word(key, value ? "true" : "false"); }
    /// A list on one line.
    void words(std::string_view key, const TextList &values)
    {
        std::string list;
        for (const std::string &value : values)
            list += (list.empty() ? "" : ", ") + value;
        word(key, '[' + list + ']');
    }
    /// What follows until close() belongs to the key.
    void open(std::string_view key)
    {
        line(std::string(key) + ':');
        m_indent += 2;
    }
    void close() { m_indent -= 2; }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    void line(const std::string &text) { m_text += std::string(m_indent, ' ') + text + '\n'; }

    std::string m_text;
    std::size_t m_indent = 0;
};

} // namespace vramscope
