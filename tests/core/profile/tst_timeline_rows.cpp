// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/coverage.h"
#include "core/profile/timeline_rows.h"
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"

#include <random>

namespace vramscope {

namespace {

bool goOn()
{
    return true;
}

std::shared_ptr<const Profile> randomProfile(unsigned seed, int count = 3000)
{
    std::mt19937 random(seed);
    const auto below = [&](unsigned bound) { return static_cast<std::int64_t>(random() % bound); };
    test::SampleProfile made;
    for (int at = 0; at < count; ++at) {
        const std::int64_t start = 1'700'000'000'000'000'000 + below(500'000);
        made.work(below(5) == 0 ? "nccl" : "kernel", start, start + below(400), 7 + below(3),
                  kNotStated, below(9) == 0 ? 64 : kNotStated);
        made.operation("op", start, start + below(3000));
    }
    return made.finish();
}

std::vector<CoverClass> classesByName(const Profile &profile)
{
    std::vector<CoverClass> classes;
    for (std::size_t at = 0; at < profile.work().count(); ++at) {
        if (profile.work().kind[at] != WorkKind::Kernel)
            classes.push_back(CoverClass::Memory);
        else
            classes.push_back(profile.text(profile.work().name[at]).starts_with("nccl")
                                  ? CoverClass::Communication
                                  : CoverClass::Compute);
    }
    return classes;
}

// What coverage must say, nanosecond by nanosecond.
CoverTimes slowly(const Profile &profile, std::span<const CoverClass> classes, std::int64_t from,
                  std::int64_t to)
{
    CoverTimes times{};
    for (std::int64_t now = from; now < to; ++now) {
        std::array<bool, 3> runs{};
        for (std::size_t at = 0; at < profile.work().count(); ++at) {
            if (profile.work().start[at] <= now && now < profile.work().end[at])
                runs[static_cast<std::size_t>(classes[at])] = true;
        }
        const CoverKind cover = runs[0]   ? (runs[1] ? CoverKind::Both : CoverKind::Compute)
                                : runs[1] ? CoverKind::Communication
                                : runs[2] ? CoverKind::Copies
                                          : CoverKind::Idle;
        ++times[static_cast<std::size_t>(cover)];
    }
    return times;
}

} // namespace

class TimelineRowsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyEventStandsInOneRowAndNoneCoversAnother();
    void operatorsStandBelowTheirParent();
    void everyEventIsInAMarkAtEveryZoom();
    void aMarkOfManyNamesTheLongest();
    void aPixelLeadsBackToItsMark();
    void whatRunsAtATimeIsFound();
    void coverageIsExactInEveryStretch();
    void theHighestOfAStretchIsWhatAScanFinds();
    void theQueueEndsEmpty();
    void aProfileWithoutWorkHasNoLanes();
};

void TimelineRowsTest::everyEventStandsInOneRowAndNoneCoversAnother()
{
    const auto profile = randomProfile(1);
    const auto made = timelineRows(*profile, goOn);
    std::vector<int> seenWork(profile->work().count());
    std::vector<int> seenOperators(profile->operators().count());
    for (const TimelineRow &row : made->rows) {
        for (std::size_t at = 0; at < row.events().size(); ++at) {
            QVERIFY(at == 0 || row.end(at - 1) <= row.start(at));
            const std::uint32_t event = row.events()[at];
            ++(row.kind() == EventKind::Work ? seenWork : seenOperators)[event];
            QCOMPARE(row.placeOf(event), std::optional(at));
        }
    }
    QVERIFY(std::ranges::all_of(seenWork, [](int times) { return times == 1; }));
    QVERIFY(std::ranges::all_of(seenOperators, [](int times) { return times == 1; }));
    for (const RowGroup &group : made->groups) {
        QVERIFY(group.rowCount > 0);
        for (std::size_t row = group.firstRow; row < group.firstRow + group.rowCount; ++row) {
            if (group.kind == RowGroupKind::Lane)
                QCOMPARE(profile->work().lane[made->rows[row].events()[0]], group.of);
        }
    }
}

void TimelineRowsTest::operatorsStandBelowTheirParent()
{
    const auto profile = test::twoStepProfile();
    const auto made = timelineRows(*profile, goOn);
    const auto rowOf = [&](std::uint32_t event) {
        for (std::size_t row = 0; row < made->rows.size(); ++row) {
            if (made->rows[row].kind() == EventKind::Operator && made->rows[row].placeOf(event))
                return row;
        }
        return made->rows.size();
    };
    int children = 0;
    for (std::uint32_t at = 0; at < profile->operators().count(); ++at) {
        const std::uint32_t parent = profile->operators().parent[at];
        if (parent == kNoRow)
            continue;
        QVERIFY(rowOf(at) > rowOf(parent));
        ++children;
    }
    QCOMPARE(children, 4);
}

void TimelineRowsTest::everyEventIsInAMarkAtEveryZoom()
{
    const auto profile = randomProfile(2);
    const auto made = timelineRows(*profile, goOn);
    const std::int64_t origin = profile->work().start[0];
    std::vector<RowMark> marks;
    for (const double length : {600'000.0, 20'000.0, 900.0, 40.0}) {
        const TimeWindow window{origin, 100'000.25, 100'000.25 + length, 800};
        for (const TimelineRow &row : made->rows) {
            row.marks(window, marks);
            std::size_t told = 0;
            std::int32_t free = 0;
            for (const RowMark &mark : marks) {
                QVERIFY(mark.first >= free && mark.last > mark.first && mark.last <= 800);
                free = mark.last;
                told += mark.count;
            }
            std::size_t visible = 0;
            for (std::size_t at = 0; at < row.events().size(); ++at) {
                const bool before =
                    row.end(at) <= window.startOf(0) && row.start(at) < window.startOf(0);
                if (!before && row.start(at) < window.startOf(800))
                    ++visible;
            }
            QCOMPARE(told, visible);
        }
    }
}

void TimelineRowsTest::aMarkOfManyNamesTheLongest()
{
    test::SampleProfile made;
    for (int at = 0; at < 1000; ++at)
        made.work("k", at * 10, at * 10 + (at == 777 ? 9 : 3));
    const auto profile = made.finish();
    const auto rows = timelineRows(*profile, goOn);
    std::vector<RowMark> marks;
    rows->rows[0].marks({0, 0, 100'000, 10}, marks);
    QCOMPARE(marks.size(), std::size_t(1));
    QCOMPARE(marks[0], (RowMark{0, 1, 777, 1000}));
}

void TimelineRowsTest::aPixelLeadsBackToItsMark()
{
    const auto profile = randomProfile(3);
    const auto made = timelineRows(*profile, goOn);
    const TimeWindow window{profile->work().start[0], 0, 30'000, 500};
    std::vector<RowMark> marks;
    for (const TimelineRow &row : made->rows) {
        row.marks(window, marks);
        for (std::int32_t pixel = 0; pixel < 500; ++pixel) {
            const auto drawn = std::ranges::find_if(marks, [pixel](const RowMark &mark) {
                return mark.first <= pixel && pixel < mark.last;
            });
            QCOMPARE(row.markAt(window, pixel),
                     drawn == marks.end() ? std::nullopt : std::optional(*drawn));
        }
    }
}

void TimelineRowsTest::whatRunsAtATimeIsFound()
{
    const auto profile = randomProfile(4, 200);
    const auto made = timelineRows(*profile, goOn);
    for (const TimelineRow &row : made->rows) {
        for (std::size_t at = 0; at < row.events().size(); ++at) {
            if (row.end(at) > row.start(at)) {
                QCOMPARE(row.eventAt(row.start(at)), row.events()[at]);
                QCOMPARE(row.eventAt(row.end(at) - 1), row.events()[at]);
            }
            const bool last = at + 1 == row.events().size();
            if (last || row.start(at + 1) > row.end(at) + 1)
                QCOMPARE(row.eventAt(row.end(at) + 1), kNoRow);
        }
    }
}

void TimelineRowsTest::coverageIsExactInEveryStretch()
{
    const auto profile = randomProfile(5, 400);
    const auto classes = classesByName(*profile);
    const DeviceCover coverage(*profile, 0, classes);
    const std::int64_t first = coverage.start();
    QCOMPARE(first, profile->work().start[0]);
    std::mt19937 random(6);
    for (int turn = 0; turn < 40; ++turn) {
        const std::int64_t from = first - 50 + static_cast<std::int64_t>(random() % 500'000);
        const std::int64_t to = from + static_cast<std::int64_t>(random() % 3000);
        QCOMPARE(coverage.within(from, to), slowly(*profile, classes, from, to));
    }
    const CoverTimes all = coverage.within(coverage.start(), coverage.end());
    QCOMPARE(all[0] + all[1] + all[2] + all[3] + all[4], coverage.end() - coverage.start());
    QVERIFY(timeOf(all, CoverKind::Both) > 0 && timeOf(all, CoverKind::Copies) > 0);
}

void TimelineRowsTest::theHighestOfAStretchIsWhatAScanFinds()
{
    const TimeCurve curve({10, 20, 30, 40}, {1, 9, 2, 5});
    QVERIFY(!curve.highest(0, 10));
    QCOMPARE(curve.highest(0, 11), std::optional<std::size_t>(0));
    QCOMPARE(curve.highest(12, 20), std::optional<std::size_t>(0));
    QCOMPARE(curve.highest(25, 30), std::optional<std::size_t>(1)); // it still stands
    QCOMPARE(curve.highest(30, 45), std::optional<std::size_t>(3));
    QCOMPARE(curve.at(39), std::optional<std::int64_t>(2));
    QVERIFY(!curve.at(9));
    QCOMPARE(curve.peak(), std::optional<std::size_t>(1));
}

void TimelineRowsTest::theQueueEndsEmpty()
{
    const auto profile = test::twoStepProfile();
    const TimeCurve queue = queueLength(*profile, 0, goOn);
    QCOMPARE(queue.values().back(), 0);
    QCOMPARE(queue.at(8'000), std::optional<std::int64_t>(2)); // two are launched, none began
    QVERIFY(std::ranges::all_of(queue.values(), [](std::int64_t length) { return length >= 0; }));
}

void TimelineRowsTest::aProfileWithoutWorkHasNoLanes()
{
    test::SampleProfile made;
    made.operation("aten::add", 0, 10);
    const auto profile = made.finish();
    const auto rows = timelineRows(*profile, goOn);
    QCOMPARE(rows->groups.size(), std::size_t(1));
    QCOMPARE(rows->groups[0].kind, RowGroupKind::Operator);
    QVERIFY(devicesOf(*profile).empty());
    const DeviceCover none(*profile, 0, {});
    QVERIFY(none.empty());
    QCOMPARE(timeOf(none.within(5, 9), CoverKind::Idle), 4);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TimelineRowsTest)
#include "tst_timeline_rows.moc"
