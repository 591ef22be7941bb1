// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/allocator_settings.h"
#include "tests/support/test.h"

using namespace vramscope;

class TestAllocatorSettings : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyOptionIsRead();
    void theDefaultsArePyTorchs();
    void unknownKeysAreNamedWithTheNearest();
    void badValuesAreNamedAndChangeNothing_data();
    void badValuesAreNamedAndChangeNothing();
    void contradictionsAreNamed_data();
    void contradictionsAreNamed();
    void optionsOfHostMemoryAreNoTrouble();
    void optionsOfLaterVersionsAreNamed();
    void theFractionLimitsTheDevice();
    void reservationsAreWholePages();
};

void TestAllocatorSettings::everyOptionIsRead()
{
    const ConfiguredSettings read =
        configuredSettings("backend:native, max_split_size_mb:128,large_segment_size_mb:64,"
                           "max_non_split_rounding_mb:32,garbage_collection_threshold:0.75,"
                           "roundup_power2_divisions:[256:1,512:2,>:8],expandable_segments:False,"
                           "per_process_memory_fraction:0.5,throw_on_cudamalloc_oom:True,"
                           "expandable_segments_reserve:40G");
    QVERIFY(read.issues.empty());
    const AllocatorSettings &settings = read.settings;
    QCOMPARE(settings.rules.maxSplit, 128 * kMiB);
    QCOMPARE(settings.rules.largeSegment, 64 * kMiB);
    QCOMPARE(settings.rules.maxNonSplitRounding, 32 * kMiB);
    QCOMPARE(settings.garbageCollectionThreshold, 0.75);
    QCOMPARE(settings.rules.roundupDivisions[9], 2);
    QCOMPARE(settings.rules.roundupDivisions[15], 8);
    QVERIFY(!settings.rules.expandable);
    QVERIFY(settings.memoryFraction == std::optional(0.5));
    QVERIFY(settings.failsBeforeDriver);
    QCOMPARE(settings.reservedAddresses, 40 * kGiB);
}

void TestAllocatorSettings::theDefaultsArePyTorchs()
{
    const ConfiguredSettings read = configuredSettings("");
    QVERIFY(read.issues.empty());
    QCOMPARE(read.settings.rules.maxSplit, AllocatorRules::kUnlimited);
    QCOMPARE(read.settings.rules.largeSegment, 20 * kMiB);
    QVERIFY(!read.settings.memoryFraction);
    QVERIFY(!read.settings.expands(false));
}

void TestAllocatorSettings::unknownKeysAreNamedWithTheNearest()
{
    const ConfiguredSettings read =
        configuredSettings("expandable_segment:True,max_split_size_mb:256");
    QCOMPARE(read.issues.size(), std::size_t(1));
    QVERIFY(read.issues[0].kind == SettingIssue::Kind::Unknown);
    QCOMPARE(read.issues[0].key, std::string("expandable_segment"));
    QVERIFY(read.issues[0].text.find("did you mean 'expandable_segments'") != std::string::npos);
    QCOMPARE(read.settings.rules.maxSplit, 256 * kMiB);
}

void TestAllocatorSettings::badValuesAreNamedAndChangeNothing_data()
{
    QTest::addColumn<QString>("configuration");
    QTest::newRow("too small to split") << "max_split_size_mb:19";
    QTest::newRow("no number") << "max_split_size_mb:many";
    QTest::newRow("negative") << "large_segment_size_mb:-20";
    QTest::newRow("below the least own segment") << "large_segment_size_mb:9";
    QTest::newRow("threshold 0") << "garbage_collection_threshold:0";
    QTest::newRow("threshold 1") << "garbage_collection_threshold:1.0";
    QTest::newRow("not a number") << "per_process_memory_fraction:nan";
    QTest::newRow("more than all") << "per_process_memory_fraction:1.5";
    QTest::newRow("yes") << "expandable_segments:yes";
    QTest::newRow("three") << "roundup_power2_divisions:3";
    QTest::newRow("a bound of three") << "roundup_power2_divisions:[3:2]";
    QTest::newRow("an open list") << "roundup_power2_divisions:[256:2";
    QTest::newRow("an empty list") << "roundup_power2_divisions:[]";
    QTest::newRow("another backend") << "backend:mine";
    QTest::newRow("no value") << "max_split_size_mb";
    QTest::newRow("no reserve") << "expandable_segments_reserve:G";
}

void TestAllocatorSettings::badValuesAreNamedAndChangeNothing()
{
    QFETCH(QString, configuration);
    const std::string text = configuration.toStdString();
    const ConfiguredSettings read = configuredSettings(text);
    QCOMPARE(read.issues.size(), std::size_t(1));
    QVERIFY(read.issues[0].kind == SettingIssue::Kind::BadValue);
    QCOMPARE(read.issues[0].key, text.substr(0, text.find(':')));
    const AllocatorSettings defaults;
    QCOMPARE(read.settings.rules.maxSplit, defaults.rules.maxSplit);
    QCOMPARE(read.settings.rules.largeSegment, defaults.rules.largeSegment);
    QCOMPARE(read.settings.garbageCollectionThreshold, 0.0);
    QVERIFY(!read.settings.memoryFraction);
    QVERIFY(!read.settings.rules.expandable);
    QVERIFY(read.settings.rules.roundupDivisions == defaults.rules.roundupDivisions);
}

void TestAllocatorSettings::contradictionsAreNamed_data()
{
    QTest::addColumn<QString>("configuration");
    QTest::addColumn<QString>("key");
    QTest::newRow("a threshold of nothing") << "garbage_collection_threshold:0.8"
                                            << "garbage_collection_threshold";
    QTest::newRow("segments above the split size")
        << "max_split_size_mb:32,large_segment_size_mb:64"
        << "max_split_size_mb";
    QTest::newRow("whole blocks of expandable segments")
        << "max_split_size_mb:128,expandable_segments:True"
        << "max_split_size_mb";
    QTest::newRow("the driver's allocator") << "backend:cudaMallocAsync,expandable_segments:True"
                                            << "backend";
}

void TestAllocatorSettings::contradictionsAreNamed()
{
    QFETCH(QString, configuration);
    QFETCH(QString, key);
    const ConfiguredSettings read = configuredSettings(configuration.toStdString());
    QCOMPARE(read.issues.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(read.issues[0].key), key);
}

void TestAllocatorSettings::optionsOfHostMemoryAreNoTrouble()
{
    const ConfiguredSettings read = configuredSettings(
        "pinned_use_cuda_host_register:True,pinned_num_register_threads:8,"
        "release_lock_on_cudamalloc:True,graph_capture_record_stream_reuse:False");
    QVERIFY(read.issues.empty());
}

void TestAllocatorSettings::optionsOfLaterVersionsAreNamed()
{
    const char *configuration = "expandable_segments:True,large_segment_size_mb:12";
    const auto issues = tooNewFor(8, configuration);
    QCOMPARE(issues.size(), std::size_t(1));
    QCOMPARE(issues[0].key, std::string("large_segment_size_mb"));
    QVERIFY(issues[0].text.find("PyTorch 2.11") != std::string::npos);
    QVERIFY(tooNewFor(11, configuration).empty());
    QCOMPARE(tooNewFor(0, configuration).size(), std::size_t(2));
}

void TestAllocatorSettings::theFractionLimitsTheDevice()
{
    QVERIFY(!configuredSettings("").settings.limit(80 * kGiB));
    const auto half = configuredSettings("per_process_memory_fraction:0.5").settings;
    QVERIFY(half.limit(80 * kGiB) == std::optional(40 * kGiB));
    // The whole device is no limit of its own.
    QVERIFY(!configuredSettings("per_process_memory_fraction:1.0").settings.limit(80 * kGiB));
}

void TestAllocatorSettings::reservationsAreWholePages()
{
    const AllocatorSettings defaults;
    QCOMPARE(defaults.reservation(80 * kGiB, false), 90 * kGiB);
    QCOMPARE(defaults.reservation(80 * kGiB, true) % (20 * kMiB), Bytes(0));
    const auto small = configuredSettings("expandable_segments_reserve:0.5").settings;
    QCOMPARE(small.reservation(80 * kGiB, false), 40 * kGiB);
    const auto large = configuredSettings("expandable_segments_reserve:400G").settings;
    QCOMPARE(large.reservation(80 * kGiB, false), 90 * kGiB); // never more than the default
}

VRAMSCOPE_TEST(TestAllocatorSettings)
#include "tst_allocator_settings.moc"
