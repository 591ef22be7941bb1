// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/segment_order.h"
#include "tests/support/test.h"

using namespace vramscope;

namespace {

constexpr std::uint64_t kMega = 1024 * 1024;    // bytes
constexpr std::uint64_t kBase = 0x7f3a00000000; // a multiple of 32 MiB

DeviceTrace withSegments(std::initializer_list<std::uint64_t> starts, bool expandable = false)
{
    DeviceTrace device;
    for (const std::uint64_t start : starts)
        device.segments.push_back({.address = kBase + start * kMega,
                                   .size = static_cast<Bytes>(2 * kMega),
                                   .expandable = expandable});
    return device;
}

} // namespace

class TestSegmentOrder : public test::Test
{
    Q_OBJECT

private slots:
    void rangesOf32MiBDescend();
    void withoutSuchRangesAddressesRise();
    void expandableSegmentsRise();
    void segmentsOfEventsCount();
};

void TestSegmentOrder::rangesOf32MiBDescend()
{
    const SegmentOrder order(withSegments({64, 32, 46, 0, 14}));
    QVERIFY(order.descends());
    const auto isBefore = [&](std::uint64_t first, std::uint64_t second) {
        return order.keyOf(kBase + first * kMega) < order.keyOf(kBase + second * kMega);
    };
    QVERIFY(isBefore(64, 32));
    QVERIFY(isBefore(32, 46)); // upwards within a range
    QVERIFY(isBefore(46, 0));
    QVERIFY(isBefore(14, 15)); // and within a segment
}

void TestSegmentOrder::withoutSuchRangesAddressesRise()
{
    const SegmentOrder order(withSegments({0, 2, 22, 36, 56, 58}));
    QVERIFY(!order.descends());
    QVERIFY(order.keyOf(kBase) < order.keyOf(kBase + 22 * kMega));
    // Three segments are too few to tell.
    QVERIFY(!SegmentOrder(withSegments({64, 32, 0})).descends());
}

void TestSegmentOrder::expandableSegmentsRise()
{
    QVERIFY(!SegmentOrder(withSegments({0, 32, 64, 96}, true)).descends());
}

void TestSegmentOrder::segmentsOfEventsCount()
{
    DeviceTrace device;
    for (const std::uint64_t start : {96U, 64U, 32U, 0U}) {
        device.events.action.push_back(Action::SegmentAlloc);
        device.events.address.push_back(kBase + start * kMega);
    }
    const SegmentOrder order(device);
    QVERIFY(order.descends());
    QVERIFY(order.keyOf(kBase + 70 * kMega) < order.keyOf(kBase + 40 * kMega));
}

VRAMSCOPE_TEST(TestSegmentOrder)
#include "tst_segment_order.moc"
