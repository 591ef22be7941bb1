// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"

#include "core/catalog/shipped_table.h"

#include <cassert>
#include <charconv>
#include <vector>

namespace vramscope {

namespace {

/// A number, with or without a unit of bytes: "426 MiB".
double quantity(std::string_view text)
{
    double number = 0;
    const char *const end = text.data() + text.size();
    const std::string_view unit(std::from_chars(text.data(), end, number).ptr, end);
    assert(unit.empty() || unit == " MiB" || unit == " GiB");
    return number * static_cast<double>(unit == " MiB" ? kMiB : unit == " GiB" ? kGiB : 1);
}

std::vector<Empirical> readConstants()
{
    std::vector<Empirical> constants;
    readShippedTable("measured/constants/rows.csv", [&](const auto &cell) {
        constants.push_back({cell("name"), quantity(cell("value")), quantity(cell("low")),
                             quantity(cell("high")), cell("unit"), cell("source"), cell("as_of")});
    });
    assert(constants.size() == static_cast<std::size_t>(Measured::WideningFourBits) + 1);
    return constants;
}

} // namespace

std::span<const Empirical> empiricals()
{
    static const std::vector<Empirical> all = readConstants();
    return all;
}

const Empirical &empirical(Measured name)
{
    return empiricals()[static_cast<std::size_t>(name)];
}

} // namespace vramscope
