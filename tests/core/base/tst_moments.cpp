// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/moments.h"
#include "tests/support/test.h"

using namespace vramscope;

class MomentsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aMomentHasAllItsNanoseconds()
    {
        QCOMPARE(formatMoment(232'012'534), std::string("232.012534 ms"));
        QCOMPARE(formatMoment(1'000'000'001), std::string("1.000000001 s"));
        QCOMPARE(formatMoment(12), std::string("12 ns"));
        QCOMPARE(formatMoment(-1'005), std::string("−1.005 µs"));
    }

    void aDurationHasItsNanosecondsWhereItIsRounded()
    {
        QCOMPARE(formatExactNanoseconds(12'345), std::string("12.35 µs (12,345 ns)"));
        QCOMPARE(formatExactNanoseconds(853), std::string("853 ns"));
    }
};

VRAMSCOPE_TEST(MomentsTest)
#include "tst_moments.moc"
