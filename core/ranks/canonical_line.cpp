// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_records.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace vramscope {

namespace {

/// Reads values one after the other; each function moves behind what it read, and gives false where
/// that is not in the only form.
class CanonicalReader
{
public:
    explicit CanonicalReader(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] bool isAtEnd() const { return m_at == m_text.size(); }

    /// Calls use(key, value) for each pair.
    template<class Use>
    bool object(int depth, Use use)
    {
        if (!take('{'))
            return false;
        if (take('}'))
            return true;
        std::string_view before;
        bool isFirst = true;
        do {
            const std::size_t start = m_at;
            if (!string(true))
                return false;
            const std::string_view key = m_text.substr(start + 1, m_at - start - 2);
            if (!isFirst && key <= before)
                return false;
            isFirst = false;
            before = key;
            if (!take(':'))
                return false;
            const std::size_t from = m_at;
            if (!value(depth + 1))
                return false;
            use(key, m_text.substr(from, m_at - from));
        } while (take(','));
        return take('}');
    }

private:
    static constexpr int kDeepest = 8;

    [[nodiscard]] char now() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool take(char wanted)
    {
        if (now() != wanted)
            return false;
        ++m_at;
        return true;
    }
    bool word(std::string_view wanted)
    {
        if (m_text.substr(m_at, wanted.size()) != wanted)
            return false;
        m_at += wanted.size();
        return true;
    }
    /// Quotes and backslashes have one form, behind a backslash.
    bool string(bool isKey = false)
    {
        if (!take('"'))
            return false;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            const auto c = static_cast<unsigned char>(m_text[m_at]);
            if (c < 0x20 || c >= 0x7f)
                return false;
            if (c == '\\') {
                ++m_at;
                if (isKey || (now() != '"' && now() != '\\'))
                    return false;
            }
            ++m_at;
        }
        return take('"');
    }
    bool number()
    {
        constexpr std::size_t kMostDigits = 18;
        const bool isNegative = take('-');
        const std::size_t start = m_at;
        while (now() >= '0' && now() <= '9')
            ++m_at;
        const std::size_t digits = m_at - start;
        if (digits == 0 || digits > kMostDigits || (m_text[start] == '0' && digits > 1))
            return false;
        if (now() == '.')
            return fraction(isNegative ? start - 1 : start);
        return now() != 'e' && now() != 'E' && (m_text[start] != '0' || !isNegative);
    }
    /// A number that began at `start`, up to its point: as it would be written again.
    bool fraction(std::size_t start)
    {
        ++m_at;
        while (now() >= '0' && now() <= '9')
            ++m_at;
        if (now() == 'e' || now() == 'E')
            return false;
        const std::string_view text = m_text.substr(start, m_at - start);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size() &&
               nlohmann::json(value).dump() == text;
    }
    bool array(int depth)
    {
        if (!take('['))
            return false;
        if (take(']'))
            return true;
        do {
            if (!value(depth + 1))
                return false;
        } while (take(','));
        return take(']');
    }
    bool value(int depth)
    {
        if (depth > kDeepest)
            return false;
        switch (now()) {
        case '{':
            return object(depth, [](std::string_view, std::string_view) {});
        case '[':
            return array(depth);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::string_view CanonicalLine::valueOf(std::string_view key) const
{
    const auto found =
        std::ranges::find(values, key, &std::pair<std::string_view, std::string_view>::first);
    return found == values.end() ? std::string_view() : found->second;
}

std::optional<std::string_view> CanonicalLine::textOf(std::string_view key) const
{
    const std::string_view value = valueOf(key);
    if (value.size() < 2 || value.front() != '"' || value.find('\\') != value.npos)
        return {};
    return value.substr(1, value.size() - 2);
}

std::optional<std::int64_t> CanonicalLine::integerOf(std::string_view key) const
{
    const std::string_view value = valueOf(key);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool isWhole = error == std::errc() && end == value.data() + value.size();
    return isWhole && !value.empty() ? std::optional(number) : std::nullopt;
}

std::optional<CanonicalLine> canonicalLine(std::string_view line)
{
    CanonicalLine result;
    CanonicalReader reader(line);
    const bool isCanonical = reader.object(0, [&](std::string_view key, std::string_view value) {
        result.values.emplace_back(key, value);
    });
    if (!isCanonical || !reader.isAtEnd())
        return {};
    return result;
}

} // namespace vramscope
