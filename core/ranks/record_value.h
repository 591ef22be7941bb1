// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// A value of a record, read where it stands in its line: nothing is built of what nobody asks for.
/// The text is one whole value of JSON without white space, as every line of a RunRecord is; it has
/// to outlive the value. None at all where it is empty, which counts as null.
class RecordValue
{
public:
    RecordValue() = default;
    explicit RecordValue(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] bool isNone() const { return m_text.empty(); }
    [[nodiscard]] bool isNull() const { return m_text.empty() || m_text == "null"; }
    [[nodiscard]] bool isObject() const { return m_text.starts_with('{'); }
    [[nodiscard]] bool isList() const { return m_text.starts_with('['); }
    /// A whole number of at most 64 bits; nothing where it is none.
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    [[nodiscard]] std::optional<double> number() const;
    [[nodiscard]] std::optional<bool> flag() const;
    [[nodiscard]] std::optional<std::string> text() const;
    /// The text as it is written, of one without escapes.
    [[nodiscard]] std::optional<std::string_view> plainText() const;
    /// Of a list, in order; none of any other value.
    [[nodiscard]] std::vector<RecordValue> elements() const;
    void elements(std::vector<RecordValue> &into) const;
    /// Of an object, in order, with its keys, which are texts; none of any other value.
    [[nodiscard]] std::vector<std::pair<RecordValue, RecordValue>> members() const;

private:
    std::string_view m_text;
};

} // namespace vramscope
