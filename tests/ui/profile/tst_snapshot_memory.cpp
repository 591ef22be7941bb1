// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_timeline.h"
#include "ui/profile/snapshot_memory.h"

#include <QApplication>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000; // µs, where SampleTrace begins

/// A kernel of [from, to) ns after that, by a clock that counts from `base`.
ProfilePointer profileOf(std::int64_t from, std::int64_t to, std::int64_t base)
{
    test::SampleProfile made;
    const std::int64_t start = kStart * 1000 - base;
    made.builder().setBase(base, Clock::Epoch);
    made.work("gemm", start + from, start + to);
    return analyse(made.finish());
}

std::shared_ptr<const TraceDocument> snapshot(bool times = true)
{
    test::SampleOptions options;
    options.times = times;
    return analyse(test::SampleTrace(options).finish());
}

} // namespace

class SnapshotMemoryTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theSnapshotStandsByAbsoluteTime_data();
    void theSnapshotStandsByAbsoluteTime();
    void thePageShowsItBesideTheProfile();
    void recordingsThatDoNotMeetSaySo();
};

void SnapshotMemoryTest::theSnapshotStandsByAbsoluteTime_data()
{
    QTest::addColumn<qint64>("base");
    QTest::newRow("times from 1970") << qint64(0);
    QTest::newRow("times from a base") << qint64(1'699'999'999'000'000'123);
}

void SnapshotMemoryTest::theSnapshotStandsByAbsoluteTime()
{
    QFETCH(const qint64, base);
    const auto recorded = snapshot();
    const Study &study = *recorded->devices.front();
    const ProfilePointer profile = profileOf(500'000, 3'000'000, base);
    const auto memory = memoryDuring(*profile, *recorded);
    QVERIFY(memory.ok());
    QCOMPARE(memory->size(), std::size_t(1));
    const ProfileMemoryCurves &curves = memory->front();
    QCOMPARE(curves.ordinal, 0);
    QCOMPARE(curves.allocated.times().front(), profile->origin);
    QVERIFY(curves.allocated.times().back() <= profile->end);
    // At any moment of the profile it is what the allocator had after its last event by then.
    for (std::int64_t time = profile->origin; time <= profile->end; time += 33'333) {
        EventIndex last = -1;
        while (last + 1 < study.device().events.count() &&
               study.times()[static_cast<std::size_t>(last + 1)] * 1000 <= time + base)
            ++last;
        QCOMPARE(*curves.allocated.at(time), study.curve().active(last));
        QCOMPARE(*curves.reserved.at(time), study.curve().reserved(last));
    }
}

void SnapshotMemoryTest::thePageShowsItBesideTheProfile()
{
    const auto over = laidOver(*profileOf(500'000, 3'000'000, 0), snapshot());
    QVERIFY(over.ok());
    QCOMPARE((*over)->memory.size(), std::size_t(1));
    ProfilePage page(*over);
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1280, 720);
    page.show();
    QApplication::processEvents();
    const auto &lines = page.timeline()->lines().lines();
    const auto line = std::ranges::find(lines, TimelineLine::Kind::Memory, &TimelineLine::kind);
    QVERIFY(line != lines.end());
    const QRectF place =
        page.timeline()->chart().lineRect(static_cast<std::size_t>(line - lines.begin()));
    const QString text = page.timeline()->textAt(place.center()).join(u'\n');
    QVERIFY2(text.contains(u"active"_s), qPrintable(text));
    QVERIFY2(text.contains(u"reserved"_s), qPrintable(text));
}

void SnapshotMemoryTest::recordingsThatDoNotMeetSaySo()
{
    const auto why = [](const ProfilePointer &profile, const auto &recorded) {
        const auto memory = memoryDuring(*profile, *recorded);
        return memory.ok() ? std::string() : memory.error().detail;
    };
    const std::int64_t hour = 3'600'000'000'000;
    QVERIFY(why(profileOf(hour, hour + 1'000, 0), snapshot()).find("another time") !=
            std::string::npos);
    QVERIFY(why(profileOf(500'000, 3'000'000, 0), snapshot(false)).find("no times") !=
            std::string::npos);
    test::SampleProfile relative;
    relative.work("gemm", 1'000, 2'000);
    QVERIFY(why(analyse(relative.finish()), snapshot()).find("1970") != std::string::npos);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SnapshotMemoryTest)
#include "tst_snapshot_memory.moc"
