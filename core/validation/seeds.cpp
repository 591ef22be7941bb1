// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seeds.h"

#include "core/base/bytes.h"
#include "core/catalog/shipped_table.h"
#include "core/validation/seed_formulas.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vramscope {

namespace {

struct Document
{
    std::string_view name;
    std::string_view title;
};

constexpr std::array kDocuments{
    Document{"000", "gpt-oss with 8 experts, FSDP on 8 H100 NVL"},
    Document{"001", "the life of FSDP's memory"},
    Document{"002", "memory of training and serving on 8 H200"},
    Document{"003", "summary of memory savings for a model of 4.15 B"},
    Document{"004", "GPT-2 by DDP and FSDP on 2 H100"},
};

struct Unit
{
    SeedUnit unit;
    std::string_view name;
    double size;
};

constexpr std::array kUnits{
    Unit{SeedUnit::Count, "", 1},
    Unit{SeedUnit::Millions, " M", 1e6},
    Unit{SeedUnit::Billions, " B", 1e9},
    Unit{SeedUnit::Byte, " bytes", 1},
    Unit{SeedUnit::MB, " MB", 1e6},
    Unit{SeedUnit::GB, " GB", 1e9},
    Unit{SeedUnit::MiB, " MiB", static_cast<double>(kMiB)},
    Unit{SeedUnit::GiB, " GiB", static_cast<double>(kGiB)},
    Unit{SeedUnit::Percent, " %", 0.01},
    Unit{SeedUnit::Times, " ×", 1},
    Unit{SeedUnit::Seconds, " s", 1},
};

const Unit &row(SeedUnit unit)
{
    return *std::ranges::find(kUnits, unit, &Unit::unit);
}

SeedUnit unitNamed(const std::string &name)
{
    const auto *const found = std::ranges::find(
        kUnits, name, [](const Unit &unit) { return unit.name.substr(unit.name.empty() ? 0 : 1); });
    assert(found != kUnits.end());
    return found->unit;
}

std::vector<SeedClaim> readClaims()
{
    std::vector<SeedClaim> claims;
    readShippedTable("measured/claims/rows.csv", [&](const auto &cell) {
        const auto low = numberIn<double>(cell("low"));
        claims.push_back({cell("document"), cell("point"), low,
                          cell("high").empty() ? low : numberIn<double>(cell("high")), cell("unit"),
                          cell("plan"), cell("value"), cell("of"), numberIn<double>(cell("number")),
                          cell("change"), cell("formula"), cell("reason")});
    });
    return claims;
}

std::string howText(const SeedClaim &claim)
{
    if (!claim.formula.empty())
        return claim.formula;
    return claim.of + " of " + claim.plan + (claim.change.empty() ? "" : " with " + claim.change);
}

SeedRow rowOf(const SeedClaim &claim, SeedFacts &facts)
{
    const double value = recomputedBy(claim, facts);
    const auto error = facts.takeError();
    return {claim.point,
            unitNamed(claim.unit),
            claim.low,
            claim.high,
            error ? Result<double>(*error) : Result<double>(value),
            howText(claim),
            claim.reason};
}

} // namespace

std::string_view unitName(SeedUnit unit)
{
    return row(unit).name;
}

double unitSize(SeedUnit unit)
{
    return row(unit).size;
}

double SeedRow::difference() const
{
    if (!recomputed)
        return 0;
    const double value = *recomputed / unitSize(unit);
    return value - std::clamp(value, writtenLow, writtenHigh);
}

std::vector<SeedTable> seedTables()
{
    const std::vector<SeedClaim> claims = readClaims();
    SeedFacts facts;
    std::vector<SeedTable> tables;
    for (const Document &document : kDocuments) {
        SeedTable table{document.name, document.title, {}};
        for (const SeedClaim &claim : claims)
            if (claim.document == document.name)
                table.rows.push_back(rowOf(claim, facts));
        tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace vramscope
