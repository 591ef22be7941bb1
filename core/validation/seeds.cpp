// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seeds.h"

#include "core/base/bytes.h"
#include "core/validation/seed_claims.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

struct Document
{
    std::string_view name;
    std::string_view title;
    const std::span<const SeedClaim> &claims; ///< read on request, not when the program starts
};

constexpr std::array kDocuments{
    Document{"000", "gpt-oss with 8 experts, FSDP on 8 H100 NVL", kSeed000},
    Document{"001", "the life of FSDP's memory", kSeed001},
    Document{"002", "memory of training and serving on 8 H200", kSeed002},
    Document{"003", "summary of memory savings for a model of 4.15 B", kSeed003},
    Document{"004", "GPT-2 by DDP and FSDP on 2 H100", kSeed004},
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

std::string howText(const Recomputation &recomputation)
{
    if (recomputation.value != nullptr)
        return std::string(recomputation.formula);
    std::string text = std::string(recomputation.figure) + " of " + std::string(recomputation.plan);
    if (!recomputation.change.empty())
        text += " with " + std::string(recomputation.change);
    return text;
}

Result<double> recomputed(const Recomputation &recomputation, SeedFacts &facts)
{
    const double value =
        recomputation.value != nullptr
            ? recomputation.value(facts)
            : facts.figure(recomputation.plan, recomputation.figure, recomputation.change);
    if (const auto error = facts.takeError())
        return *error;
    return value;
}

SeedRow rowOf(const SeedClaim &claim, SeedFacts &facts)
{
    return {claim.point,
            claim.unit,
            claim.written.low,
            claim.written.high,
            recomputed(claim.recomputation, facts),
            howText(claim.recomputation),
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
    SeedFacts facts;
    std::vector<SeedTable> tables;
    for (const Document &document : kDocuments) {
        SeedTable table{document.name, document.title, {}};
        for (const SeedClaim &claim : document.claims)
            table.rows.push_back(rowOf(claim, facts));
        tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace vramscope
