// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"

#include "core/catalog/shipped_table.h"

#include <cassert>
#include <vector>

namespace vramscope {

namespace {

std::vector<Empirical> readConstants()
{
    std::vector<Empirical> constants;
    readShippedTable("measured/constants/rows.csv", [&](const auto &cell) {
        constants.push_back({cell("name"), quantityIn(cell("value")), quantityIn(cell("low")),
                             quantityIn(cell("high")), cell("unit"), cell("source"),
                             cell("as_of")});
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
