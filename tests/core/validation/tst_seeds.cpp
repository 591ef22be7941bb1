// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seed_facts.h"
#include "core/validation/seeds.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The claim of a document whose point begins so; null where there is none.
const SeedRow *claim(const std::vector<SeedTable> &tables, std::string_view name,
                     std::string_view point)
{
    for (const SeedTable &table : tables) {
        if (table.name != name)
            continue;
        for (const SeedRow &row : table.rows) {
            if (row.point.starts_with(point))
                return &row;
        }
    }
    return nullptr;
}

double value(const std::vector<SeedTable> &tables, std::string_view name, std::string_view point)
{
    const SeedRow *row = claim(tables, name, point);
    return row != nullptr && row->recomputed ? *row->recomputed : -1;
}

} // namespace

class TestSeeds : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyClaimIsRecomputedWithSourceAndReason();
    void figuresKnownByHandComeOut();
    void gpt2SmallIsWithinATenthOfAPercentOfItsMeasuredRows();
    void aDifferenceIsCountedFromTheNearerEndOfARange();
    void whatCannotBeRecomputedSaysWhy();
};

void TestSeeds::everyClaimIsRecomputedWithSourceAndReason()
{
    const std::vector<SeedTable> tables = seedTables();
    QCOMPARE(tables.size(), 5U);
    for (const SeedTable &table : tables) {
        QVERIFY2(table.rows.size() >= 10, table.title.data());
        for (const SeedRow &row : table.rows) {
            QVERIFY2(row.recomputed.ok(),
                     row.recomputed ? "" : row.recomputed.error().text().c_str());
            QVERIFY2(*row.recomputed > 0 && std::isfinite(*row.recomputed), row.point.c_str());
            QVERIFY2(!row.how.empty() && !row.reason.empty(), row.point.c_str());
            QVERIFY2(row.writtenLow <= row.writtenHigh, row.point.c_str());
        }
    }
}

void TestSeeds::figuresKnownByHandComeOut()
{
    const auto tables = seedTables();
    QCOMPARE(value(tables, "000", "Parameters of the model"), 6575397888.0);
    QCOMPARE(value(tables, "000", "Parameters of one block"), 225713672.0);
    QCOMPARE(value(tables, "000", "Embedding and head"), 2.0 * 2 * 201088 * 2880);
    QCOMPARE(value(tables, "000", "Attention matrices"), 2.0 * 24 * 64 * 1024 * 1024 * 2);
    QCOMPARE(value(tables, "001", "Parameters of a 70B"), 855654400.0);
    QCOMPARE(value(tables, "002", "Cache of 32 sequences"), 85899345920.0);
    QCOMPARE(value(tables, "002", "Adam with fp32 weights"), 6.0);
    QCOMPARE(value(tables, "003", "States that ZeRO-2 saves"), 16 / 3.75);
    QCOMPARE(value(tables, "003", "What ZeRO-2 saves"), 14 * 4.15e9 * 7 / 8);
    QCOMPARE(value(tables, "004", "Parameters of GPT-2 large"), 774030080.0);
    QCOMPARE(value(tables, "004", "States of gradient sharding"), 12.0 * 774030080);
}

void TestSeeds::gpt2SmallIsWithinATenthOfAPercentOfItsMeasuredRows()
{
    const std::vector<MeasuredRow> rows = shippedRows();
    SeedFacts facts;
    const auto near = [&](const char *id, const char *figure, const char *change) {
        const auto row = std::ranges::find(rows, id, &MeasuredRow::id);
        const double predicted = facts.figure("gpt2-small-h100", figure, change);
        return row != rows.end() && std::abs(predicted - row->value) <= row->value / 1000;
    };
    QVERIFY(near("seed-004-001", "at_rest.allocated", ""));
    QVERIFY(near("seed-004-003", "peak.allocated", ""));
    QVERIFY(near("seed-004-006", "peak.allocated",
                 R"({"batch":{"micro_batch":32},"overheads":{"resident_bytes":510342144}})"));
    QVERIFY(!facts.takeError());
}

void TestSeeds::aDifferenceIsCountedFromTheNearerEndOfARange()
{
    SeedRow row{"", SeedUnit::GB, 5, 10, 7e9, "", ""};
    QCOMPARE(row.difference(), 0.0);
    row.recomputed = 3e9;
    QCOMPARE(row.difference(), -2.0);
    row.recomputed = 13e9;
    QCOMPARE(row.difference(), 3.0);
}

void TestSeeds::whatCannotBeRecomputedSaysWhy()
{
    SeedFacts facts;
    QCOMPARE(facts.figure("no-such-plan", "peak.allocated"), 0.0);
    const auto error = facts.takeError();
    QVERIFY(error);
    QVERIFY(error->text().find("There is no example no-such-plan") != std::string::npos);
    QVERIFY(!facts.takeError());
    facts.figure("gpt2-small-h100", "peak.allocated", R"({"batch":{"micro_batsh":1}})");
    const auto field = facts.takeError();
    QVERIFY(field && field->text().find("micro_batsh") != std::string::npos);
}

VRAMSCOPE_TEST(TestSeeds)
#include "tst_seeds.moc"
