// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/command_line/command.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>

// Converts the words of a command line to a request.

namespace vramscope {

/// An option and its effect on a request: `set` takes its value, and returns false if that is
/// invalid. A flag may set nothing; callers then look it up by name.
template<class Request>
struct ArgumentRow
{
    cli::Option option;
    bool (*set)(Request &request, const QString &value) = nullptr;
};

/// The options of the rows, for the option table of their command.
template<class Request, std::size_t count>
[[nodiscard]] constexpr auto optionsOf(const std::array<ArgumentRow<Request>, count> &rows)
{
    std::array<cli::Option, count> options;
    std::ranges::transform(rows, options.begin(), &ArgumentRow<Request>::option);
    return options;
}

/// Applies the options in their order. Returns what is wrong, or nothing.
template<class Request, std::size_t count>
[[nodiscard]] QString setValues(const cli::Arguments &arguments,
                                const std::array<ArgumentRow<Request>, count> &rows,
                                Request &request)
{
    for (const cli::Arguments::Given &given : arguments.options) {
        const auto row = std::ranges::find(
            rows, given.name, [](const ArgumentRow<Request> &each) { return each.option.name; });
        const QString value = pathText(given.value);
        if (row->set && !row->set(request, value))
            return QStringLiteral("%1 cannot be “%2”").arg(toQString(given.name), value);
    }
    return {};
}

/// A value for an option that takes any non-empty text.
[[nodiscard]] inline std::optional<QString> textFrom(const QString &value)
{
    return value.isEmpty() ? std::nullopt : std::optional(value);
}

[[nodiscard]] inline std::optional<ByteUnit> unitNamed(const QString &name)
{
    if (name == QLatin1StringView("gib"))
        return ByteUnit::Binary;
    return name == QLatin1StringView("gb") ? std::optional(ByteUnit::Decimal) : std::nullopt;
}

/// Sets a member to the value, if that is valid.
template<auto member, auto valueFrom, class Request>
bool assign(Request &request, const QString &text)
{
    const auto value = valueFrom(text);
    if (value)
        request.*member = *value;
    return value.has_value();
}

template<class Request>
inline constexpr ArgumentRow<Request> kUnitRow{
    {"--unit", "gib|gb", "sizes in powers of 1024 (by default) or of 1000"},
    assign<&Request::unit, unitNamed>};

[[nodiscard]] inline QStringList filesOf(const cli::Arguments &arguments)
{
    QStringList files;
    for (const std::string &file : arguments.files)
        files += pathText(file);
    return files;
}

} // namespace vramscope
