// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/log_time.h"

#include "core/readers/decimal.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000; // nanoseconds
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;

/// Takes parts off the front of a text; a missing part makes everything fail.
class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_rest(text)
    {
    }

    /// A number of exactly `digits` digits.
    int number(std::size_t digits)
    {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (m_rest.empty() || m_rest[0] < '0' || m_rest[0] > '9') {
                m_failed = true;
                return 0;
            }
            value = value * 10 + (m_rest[0] - '0');
            m_rest.remove_prefix(1);
        }
        return value;
    }
    /// One of `characters`, or 0.
    char oneOf(std::string_view characters)
    {
        if (m_rest.empty() || characters.find(m_rest[0]) == std::string_view::npos)
            return 0;
        const char c = m_rest[0];
        m_rest.remove_prefix(1);
        return c;
    }
    void expect(std::string_view characters) { m_failed = oneOf(characters) == 0 || m_failed; }
    /// Nanoseconds of a fraction of a second, or 0.
    std::int64_t fraction()
    {
        if (oneOf(".,") == 0)
            return 0;
        const std::size_t size = std::min(m_rest.find_first_not_of("0123456789"), m_rest.size());
        const auto value = scaledDecimal("0." + std::string(m_rest.substr(0, size)), 9);
        m_failed = m_failed || size == 0 || size > 18 || !value;
        m_rest.remove_prefix(size);
        return value.value_or(0);
    }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

/// Days since 1970-01-01 in the Gregorian calendar; years begin in March so that the leap day
/// comes last.
std::int64_t daysSince1970(int year, int month, int day)
{
    const int shifted = month > 2 ? year : year - 1;
    const int era = shifted / 400;
    const int yearOfEra = shifted - era * 400;
    const int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    const int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return std::int64_t(era) * 146097 + dayOfEra - 719468;
}

/// Nanoseconds since midnight; the scanner fails if there is no time.
std::int64_t timeOfDay(Scanner &scanner)
{
    const int hour = scanner.number(2);
    scanner.expect(":");
    const int minute = scanner.number(2);
    scanner.expect(":");
    const int second = scanner.number(2);
    return hour * kHour + minute * kMinute + second * kSecond + scanner.fraction();
}

/// Nanoseconds of an offset such as "+08:00" or "Z"; nothing without one.
std::optional<std::int64_t> zone(Scanner &scanner)
{
    if (scanner.oneOf("Zz") != 0)
        return 0;
    const char sign = scanner.oneOf("+-");
    if (sign == 0)
        return {};
    const int hours = scanner.number(2);
    scanner.oneOf(":");
    const int minutes = scanner.atEnd() ? 0 : scanner.number(2);
    const std::int64_t offset = hours * kHour + minutes * kMinute;
    return sign == '-' ? -offset : offset;
}

std::optional<LogTime> parseDate(std::string_view text)
{
    Scanner scanner(text);
    const int year = scanner.number(4);
    const bool separated = scanner.oneOf("/-.") != 0;
    const int month = scanner.number(2);
    if (separated)
        scanner.expect("/-.");
    const int day = scanner.number(2);
    scanner.expect("Tt ");
    while (scanner.oneOf(" ") != 0) {
    }
    const std::int64_t time = timeOfDay(scanner);
    while (scanner.oneOf(" ") != 0) {
    }
    const bool isDate = !scanner.failed();
    if (scanner.rest() == "UTC" || scanner.rest() == "GMT")
        scanner = Scanner("Z");
    const auto offset = zone(scanner);
    const bool possible = year >= 1970 && year < 2200 && month >= 1 && month <= 12 && day >= 1 &&
                          day <= 31 && time < 86401 * kSecond;
    if (!isDate || scanner.failed() || !scanner.atEnd() || !possible)
        return {};
    const std::int64_t total = daysSince1970(year, month, day) * 86400 * kSecond + time;
    return LogTime{total - offset.value_or(0), offset ? Clock::Epoch : Clock::LocalTime};
}

/// "Thu Jun 22 18:56:56 2023", the format of C's ctime().
std::optional<LogTime> parseTextDate(std::string_view text)
{
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    std::array<std::string_view, 5> words;
    for (std::string_view &word : words) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        word = text.substr(0, text.find(' '));
        text.remove_prefix(word.size());
    }
    const auto &[weekday, month, day, time, year] = words;
    const std::size_t at = kMonths.find(month);
    if (!text.empty() || weekday.size() != 3 || month.size() != 3 || at % 3 != 0 || day.empty() ||
        day.size() > 2)
        return {};
    const auto padded = [](std::string_view number) {
        return (number.size() < 2 ? "0" : "") + std::string(number);
    };
    return parseDate(std::string(year) + '/' + padded(std::to_string(at / 3 + 1)) + '/' +
                     padded(day) + ' ' + std::string(time));
}

std::optional<LogTime> parseTimeOfDay(std::string_view text)
{
    Scanner scanner(text);
    const std::int64_t time = timeOfDay(scanner);
    if (scanner.failed() || !scanner.atEnd())
        return {};
    return LogTime{time, Clock::Relative};
}

std::optional<LogTime> parseNumber(std::string_view text)
{
    const auto whole = scaledDecimal(text, 0);
    if (!whole || *whole < 0)
        return {};
    // Seconds since 1970 from 1998 to 2286; the finer units have three digits more each.
    int shift = 9;
    for (std::int64_t unit = 900'000'000;; unit *= 1000, shift -= 3) {
        const bool fits = *whole >= unit && *whole / unit < 12;
        if (fits || shift == 0) {
            if (!fits)
                shift = 9;
            const auto time = scaledDecimal(text, shift);
            if (!time)
                return {};
            return LogTime{*time, fits ? Clock::Epoch : Clock::Relative};
        }
    }
}

} // namespace

std::optional<LogTime> parseLogTime(std::string_view text)
{
    const bool isNumber =
        !text.empty() && text.find_first_not_of("0123456789.eE+") == std::string_view::npos;
    if (isNumber)
        return parseNumber(text);
    if (const auto date = parseDate(text))
        return date;
    const auto date = parseTextDate(text);
    return date ? date : parseTimeOfDay(text);
}

} // namespace vramscope
