// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/allocator_rules.h"

#include "core/simulator/allocator_settings.h"
#include "tests/support/test.h"

using namespace vramscope;

namespace {

AllocatorRules rulesOf(std::string_view configuration)
{
    return configuredSettings(configuration).settings.rules;
}

} // namespace

class TestAllocatorRules : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void requestsAreRoundedToBlocks_data();
    void requestsAreRoundedToBlocks();
    void restsAreSplitOffAsThePoolAllows();
    void segmentsFollowTheRequest();
    void optionsOfAConfigurationAreFound();
    void roundingDivisionsFollowTheList();
    void nonsenseChangesNothing();
};

void TestAllocatorRules::requestsAreRoundedToBlocks_data()
{
    QTest::addColumn<QString>("configuration");
    QTest::addColumn<qint64>("requested");
    QTest::addColumn<qint64>("block");
    QTest::newRow("nothing") << "" << qint64(0) << qint64(512);
    QTest::newRow("one byte") << "" << qint64(1) << qint64(512);
    QTest::newRow("a whole block") << "" << qint64(512) << qint64(512);
    QTest::newRow("a byte more") << "" << qint64(513) << qint64(1024);
    const QString four = "roundup_power2_divisions:4";
    QTest::newRow("between two powers, a quarter each")
        << four << qint64(1200 * kMiB) << qint64(1280 * kMiB);
    QTest::newRow("a power of two stays") << four << qint64(1024 * kMiB) << qint64(1024 * kMiB);
    QTest::newRow("too small to divide") << four << qint64(2048) << qint64(2048);
    QTest::newRow("just large enough") << four << qint64(2049) << qint64(2560);
    QTest::newRow("too many to divide by")
        << QString("roundup_power2_divisions:9223372036854775807") << qint64(3'000'000)
        << qint64(3'000'320);
    QTest::newRow("off by one") << QString("roundup_power2_divisions:1") << qint64(1200 * kMiB + 1)
                                << qint64(1200 * kMiB + 512);
}

void TestAllocatorRules::requestsAreRoundedToBlocks()
{
    QFETCH(QString, configuration);
    QFETCH(qint64, requested);
    QFETCH(qint64, block);
    QCOMPARE(rulesOf(configuration.toStdString()).rounded(requested), Bytes(block));
}

void TestAllocatorRules::restsAreSplitOffAsThePoolAllows()
{
    const AllocatorRules rules = rulesOf("max_split_size_mb:128");
    QVERIFY(rules.splits(512, 512, false, false));
    QVERIFY(!rules.splits(512, 0, false, false));
    QVERIFY(!rules.splits(5 * kMiB, kMiB, true, false));
    QVERIFY(rules.splits(5 * kMiB, kMiB + 512, true, false));
    QVERIFY(rules.splits(5 * kMiB, 512, true, true)); // expandable segments split every rest
    QVERIFY(!rules.splits(128 * kMiB, 500 * kMiB, true, false));
    QVERIFY(AllocatorRules{}.splits(128 * kMiB, 500 * kMiB, true, false));
}

void TestAllocatorRules::segmentsFollowTheRequest()
{
    const AllocatorRules rules;
    QCOMPARE(rules.segmentSize(512), 2 * kMiB);
    QCOMPARE(rules.segmentSize(kMiB), 2 * kMiB);
    QCOMPARE(rules.segmentSize(kMiB + 512), 20 * kMiB);
    QCOMPARE(rules.segmentSize(10 * kMiB), 10 * kMiB);
    QCOMPARE(rules.segmentSize(11 * kMiB), 12 * kMiB);
    QCOMPARE(rulesOf("large_segment_size_mb:64").segmentSize(2 * kMiB), 64 * kMiB);
    QVERIFY(!AllocatorRules::isLarge(kMiB));
    QVERIFY(AllocatorRules::isLarge(kMiB + 512));
}

void TestAllocatorRules::optionsOfAConfigurationAreFound()
{
    const auto options =
        allocatorOptions("expandable_segments:True, "
                         "roundup_power2_divisions:[256:1,512:2,>:8],max_split_size_mb:64");
    QCOMPARE(options.size(), std::size_t(3));
    QCOMPARE(options[0].key, std::string_view("expandable_segments"));
    QCOMPARE(options[0].value, std::string_view("True"));
    QCOMPARE(options[1].value, std::string_view("[256:1,512:2,>:8]"));
    QCOMPARE(options[2].key, std::string_view("max_split_size_mb"));
    QVERIFY(rulesOf("expandable_segments:True").expandable);
}

void TestAllocatorRules::roundingDivisionsFollowTheList()
{
    const auto divisions =
        rulesOf("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").roundupDivisions;
    for (std::size_t at = 0; at <= 8; ++at)
        QCOMPARE(divisions[at], 1); // up to 256 MiB
    QCOMPARE(divisions[9], 2);
    QCOMPARE(divisions[10], 4);
    for (std::size_t at = 11; at < divisions.size(); ++at)
        QCOMPARE(divisions[at], 8);
}

void TestAllocatorRules::nonsenseChangesNothing()
{
    const AllocatorRules rules = rulesOf(
        "max_split_size_mb:many,large_segment_size_mb:-4,:,,roundup_power2_divisions:[a:b,[[[");
    QCOMPARE(rules.maxSplit, AllocatorRules::kUnlimited);
    QCOMPARE(rules.largeSegment, 20 * kMiB);
    for (const std::int64_t divisions : rules.roundupDivisions)
        QCOMPARE(divisions, 0);
}

VRAMSCOPE_TEST(TestAllocatorRules)
#include "tst_allocator_rules.moc"
