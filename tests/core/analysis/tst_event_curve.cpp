// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A curve that keeps its changes alone says what one of every event says.

#include "core/analysis/replayed/event_curve.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;

class TestEventCurve : public test::Test
{
    Q_OBJECT

private slots:
    void changesAloneTellTheSame();
    void nothingMayHappen();
    void birthsAreFoundFromAnEarlierOne();
};

void TestEventCurve::changesAloneTellTheSame()
{
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        const unsigned rarity = 1 + seed % 6 * 5;
        std::vector<EventIndex> starts{-1};
        std::vector<Bytes> changed{Bytes(random() % 9)};
        std::vector<Bytes> values = changed;
        const auto events = static_cast<EventIndex>(random() % 300);
        for (EventIndex event = 0; event < events; ++event) {
            if (random() % rarity == 0) {
                starts.push_back(event);
                changed.push_back(Bytes(random() % 9) - 4); // the same at times
            }
            values.push_back(changed.back());
        }
        const EventCurve plain(values);
        const EventCurve curve(starts, changed, events);
        QCOMPARE(curve.count(), events);
        QCOMPARE(plain.count(), events);
        QCOMPARE(curve.peakEvent(), plain.peakEvent());
        for (EventIndex event = -1; event < events; ++event) {
            QCOMPARE(curve.at(event), plain.at(event));
            const EventIndex next = curve.nextChange(event);
            QVERIFY(next > event && next <= events);
            QVERIFY(next == events || std::ranges::find(starts, next) != starts.end());
            for (EventIndex same = event; same < next; ++same)
                QCOMPARE(plain.at(same), plain.at(event));
            QCOMPARE(plain.nextChange(event), event + 1);
        }
        for (int range = 0; range < 200; ++range) {
            const auto first = static_cast<EventIndex>(random() % (unsigned(events) + 1)) - 1;
            const auto last = first + static_cast<EventIndex>(random() % unsigned(events - first));
            QCOMPARE(curve.highest(first, last), plain.highest(first, last));
            QCOMPARE(curve.lowest(first, last), plain.lowest(first, last));
        }
    }
}

void TestEventCurve::nothingMayHappen()
{
    const EventCurve curve({-1}, {7}, 1'000);
    QCOMPARE(curve.count(), 1'000);
    QCOMPARE(curve.at(999), Bytes(7));
    QCOMPARE(curve.nextChange(-1), 1'000);
    QCOMPARE(curve.highest(20, 30), 20);
    QCOMPARE(curve.lowest(20, 30), 20);
    QCOMPARE(curve.peakEvent(), -1);
}

void TestEventCurve::birthsAreFoundFromAnEarlierOne()
{
    std::mt19937 random(1);
    std::vector<EventIndex> births;
    for (int at = 0; at < 500; ++at)
        births.push_back((births.empty() ? -1 : births.back()) + static_cast<int>(random() % 3));
    const std::vector<EventIndex> deaths(births.size(), births.back() + 1);
    const Lifetimes lives(births, deaths, std::vector<Bytes>(births.size(), 1));
    for (LifeIndex from = 0; from < lives.count(); from += 7) {
        for (EventIndex event = births[from]; event < births.back() + 2; ++event)
            QCOMPARE(lives.firstBornAfter(event, from), lives.firstBornAfter(event));
    }
}

VRAMSCOPE_TEST(TestEventCurve)
#include "tst_event_curve.moc"
