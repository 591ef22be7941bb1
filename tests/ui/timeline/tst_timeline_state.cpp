// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/timeline/random_device.h"
#include "ui/timeline/axis_text.h"
#include "ui/timeline/view_state.h"

#include <QSignalSpy>

namespace vramscope {

using namespace Qt::StringLiterals;

class TimelineStateTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aValueGoesToItsPixelAndBack();
    void anEmptyScaleMapsToItsLowEnd();
    void zoomKeepsWhatIsUnderTheFinger();
    void theVisiblePartNeverLeavesTheWhole();
    void columnsCoverEveryEventWithoutGoingBack();
    void byTimeAColumnShowsWhatLivedThen();
    void whatHappensAtOnceAtAnEdgeOfColumnsIsInOne();
    void turningTheAxisKeepsTheEventsInSight();
    void ticksAreRoundAndInsideTheRange();
    void bytesAreNumberedInTheUnitThatFits();
    void backLeadsToThePlaceBeforeAJump();
    void aRunOfSmallStepsIsOnePlace();
    void theCursorStaysAmongTheEvents();
    void revealingMovesOnlyWhatIsOutOfSight();
    void resetForgetsSelectionAndHistory();
};

namespace {

constexpr Viewport kWhole{{-1, 1000}, {0, 1 << 20}};

} // namespace

void TimelineStateTest::aValueGoesToItsPixelAndBack()
{
    test::Dice dice(3);
    for (int round = 0; round < 200; ++round) {
        const double low = dice.below(1'000'000) - 1.0;
        const LinearScale scale{{low, low + 1.0 + dice.below(5'000'000)}, 1.0 + dice.below(3000)};
        const double pixel = dice.below(3000) + 0.25;
        QVERIFY(std::abs(scale.toPixel(scale.toValue(pixel)) - pixel) < 1e-6);
        QCOMPARE(scale.toPixel(scale.range.low), 0.0);
        QCOMPARE(scale.toPixel(scale.range.high), scale.pixels);
    }
}

void TimelineStateTest::anEmptyScaleMapsToItsLowEnd()
{
    for (const LinearScale scale : {LinearScale{{5, 5}, 100}, LinearScale{{5, 9}, 0}}) {
        QCOMPARE(scale.toPixel(7), 0.0);
        QCOMPARE(scale.toValue(42), 5.0);
        QCOMPARE(scale.perPixel(), 0.0);
        QCOMPARE(EventAxis(20).column(scale, 3), (EventSpan{5, 5}));
    }
    QCOMPARE(EventAxis(0).column({{-1, 0}, 100}, 99), (EventSpan{-1, -1}));
}

void TimelineStateTest::zoomKeepsWhatIsUnderTheFinger()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    const double pixels = 640;
    const double finger = 200;
    for (int notch = 0; notch < 60; ++notch) {
        const LinearScale before{state.visible().x, pixels};
        const double under = before.toValue(finger);
        state.zoomX(0.85, under);
        const LinearScale after{state.visible().x, pixels};
        QVERIFY(std::abs(after.toPixel(under) - finger) < 1e-6);
    }
    QVERIFY(std::abs(state.visible().x.length() - EventAxis::shortest()) < 1e-9);
}

void TimelineStateTest::theVisiblePartNeverLeavesTheWhole()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    test::Dice dice(5);
    for (int round = 0; round < 500; ++round) {
        const double at = dice.below(1000);
        switch (dice.below(4)) {
        case 0:
            state.zoomX(0.3 + 2 * dice.share(), at);
            break;
        case 1:
            state.moveX(at - 500);
            break;
        case 2:
            state.zoomBytes(0.3 + 2 * dice.share(), at * 1000);
            break;
        default:
            state.moveBytes((at - 500) * 1000);
        }
        const Viewport &visible = state.visible();
        QVERIFY(visible.x.low >= -1 && visible.x.high <= 1000);
        QVERIFY(visible.x.length() >= EventAxis::shortest() - 1e-6);
        QVERIFY(visible.bytes.low >= 0 && visible.bytes.high <= (1 << 20));
    }
    state.fit();
    QCOMPARE(state.visible(), kWhole);
}

void TimelineStateTest::columnsCoverEveryEventWithoutGoingBack()
{
    for (const Range range : {Range{-1, 1000}, Range{3.3, 7.9}, Range{17, 531.25}}) {
        const LinearScale scale{range, 211};
        EventSpan before{static_cast<EventIndex>(std::floor(range.low)),
                         static_cast<EventIndex>(std::floor(range.low))};
        for (int column = 0; column < 211; ++column) {
            const EventSpan events = EventAxis(1000).column(scale, column);
            QVERIFY(events.first <= events.last);
            QVERIFY(events.first >= before.last || events.first == before.first);
            QVERIFY(events.first <= before.last + 1);
            before = events;
        }
        QCOMPARE(before.last, static_cast<EventIndex>(std::ceil(range.high)) - 1);
    }
}

void TimelineStateTest::byTimeAColumnShowsWhatLivedThen()
{
    test::Dice dice(9);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::int64_t> times{1'000'000};
        while (times.size() < 40)
            times.push_back(times.back() + (dice.below(3) == 0 ? 0 : dice.below(30)));
        const EventAxis axis(40, times, EventAxis::Kind::Time);
        const LinearScale scale{axis.whole(), 1.0 + dice.below(60)};
        for (int column = 0; column < static_cast<int>(scale.pixels); ++column) {
            // The states that last into the column: those that begin in it and the one before,
            // unless that ends where the column begins.
            EventSpan expected{-1, -1};
            EventIndex before = -1;
            for (EventIndex event = 0; event < axis.count(); ++event) {
                const auto start =
                    static_cast<double>(times[static_cast<std::size_t>(event)] - times[0]);
                before = start <= scale.toValue(column) ? event : before;
                if (start < scale.toValue(column) ||
                    (start == scale.toValue(column) &&
                     (event == 0 || times[static_cast<std::size_t>(event)] !=
                                        times[static_cast<std::size_t>(event) - 1])))
                    expected.first = event;
                expected.last = start < scale.toValue(column + 1) ? event : expected.last;
            }
            expected.last = std::max(expected.first, expected.last);
            QCOMPARE(axis.column(scale, column), expected);
            QCOMPARE(axis.eventAt(scale.toValue(column)), before);
        }
    }
    QCOMPARE(EventAxis(40, {}, EventAxis::Kind::Time).kind(), EventAxis::Kind::Event);
}

// A peak that lasts no time at all is still one.
void TimelineStateTest::whatHappensAtOnceAtAnEdgeOfColumnsIsInOne()
{
    const std::vector<std::int64_t> times{10, 14, 14, 14, 15, 18, 18, 20};
    const EventAxis axis(8, times, EventAxis::Kind::Time);
    for (const double perColumn : {0.5, 1.0, 2.0, 4.0}) {
        std::vector<bool> seen(8);
        const LinearScale scale{{0, 12}, 12 / perColumn};
        for (int column = 0; column < static_cast<int>(scale.pixels); ++column) {
            const EventSpan events = axis.column(scale, column);
            for (EventIndex event = events.first; event <= events.last; ++event)
                seen[static_cast<std::size_t>(event)] = true;
        }
        QCOMPARE(seen, std::vector<bool>(8, true));
    }
}

void TimelineStateTest::turningTheAxisKeepsTheEventsInSight()
{
    std::vector<std::int64_t> times;
    for (std::int64_t event = 0; event < 100; ++event)
        times.push_back(5'000 + event * event);
    TimelineState state;
    state.reset(EventAxis(100, times), {0, 4096});
    state.setCursor(50);
    state.showEvents(40, 60);
    state.setAxisKind(EventAxis::Kind::Time);
    QCOMPARE(state.axis().eventAt(state.visible().x.low), 40);
    QCOMPARE(state.axis().eventAt(state.visible().x.high), 61);
    QCOMPARE(state.cursor(), 50);
    state.fit();
    state.setAxisKind(EventAxis::Kind::Event);
    QCOMPARE(state.visible(), state.whole());
    QCOMPARE(state.whole().x, (Range{-1, 100}));
}

void TimelineStateTest::ticksAreRoundAndInsideTheRange()
{
    QCOMPARE(niceTicks({0, 10}, 5).values, (std::vector<double>{0, 2, 4, 6, 8, 10}));
    QCOMPARE(niceTicks({-1, 3274}, 8).step, 500.0);
    const Ticks fine = niceTicks({0.93, 0.98}, 5);
    QCOMPARE(fine.decimals, 2);
    QCOMPARE(fine.values.size(), std::size_t(6));
    QCOMPARE(niceTicks({3, 5}, 10, 1).step, 1.0);
    QCOMPARE(niceTicks({4, 4}, 10).values, std::vector<double>{4});
}

void TimelineStateTest::bytesAreNumberedInTheUnitThatFits()
{
    const ByteAxis wide({0, 40.0 * kGiB}, ByteUnit::Binary, 4);
    QCOMPARE(wide.unit(), u"GiB"_s);
    QCOMPARE(wide.values(),
             (std::vector<double>{0, 10.0 * kGiB, 20.0 * kGiB, 30.0 * kGiB, 40.0 * kGiB}));
    QCOMPARE(wide.text(10.0 * kGiB), u"10"_s);
    const ByteAxis narrow({0, 3.0e6}, ByteUnit::Decimal, 6);
    QCOMPARE(narrow.unit(), u"MB"_s);
    QCOMPARE(narrow.text(0.5e6), u"0.5"_s);
}

void TimelineStateTest::backLeadsToThePlaceBeforeAJump()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    QVERIFY(!state.canGoBack());
    state.showX({100, 200});
    state.showX({150, 160});
    state.back();
    QCOMPARE(state.visible().x, (Range{100, 200}));
    state.back();
    QCOMPARE(state.visible(), kWhole);
    QVERIFY(!state.canGoBack());
    state.forward();
    QCOMPARE(state.visible().x, (Range{100, 200}));
    state.showX({300, 400}); // a new way forward ends the old one
    QVERIFY(!state.canGoForward());
}

void TimelineStateTest::aRunOfSmallStepsIsOnePlace()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    state.showX({100, 200});
    for (int step = 0; step < 5; ++step)
        state.moveX(10);
    QCOMPARE(state.visible().x, (Range{150, 250}));
    state.back();
    QCOMPARE(state.visible().x, (Range{100, 200}));
    state.forward();
    QCOMPARE(state.visible().x, (Range{150, 250}));
}

void TimelineStateTest::theCursorStaysAmongTheEvents()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    const QSignalSpy moved(&state, &TimelineState::cursorChanged);
    state.setCursor(5000);
    QCOMPARE(state.cursor(), 999);
    state.setCursor(-9);
    QCOMPARE(state.cursor(), -1);
    state.setCursor(-1);
    QCOMPARE(moved.count(), 2);
}

void TimelineStateTest::revealingMovesOnlyWhatIsOutOfSight()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    state.showX({100, 200});
    state.reveal(150);
    QCOMPARE(state.visible().x, (Range{100, 200}));
    state.reveal(700);
    QCOMPARE(state.visible().x, (Range{650.5, 750.5}));
}

void TimelineStateTest::resetForgetsSelectionAndHistory()
{
    TimelineState state;
    state.reset(EventAxis(1000), kWhole.bytes);
    state.select(3);
    state.showX({1, 9});
    state.reset(EventAxis(50), {0, 4096});
    QCOMPARE(state.selected(), kNoAllocation);
    QVERIFY(!state.canGoBack());
    QCOMPARE(state.visible(), state.whole());
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TimelineStateTest)
#include "tst_timeline_state.moc"
