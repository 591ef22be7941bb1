// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A history of bands gives back what a plain vector of them holds.

#include "core/analysis/replayed/bands_history.h"
#include "tests/support/test.h"

#include <limits>
#include <random>

using namespace vramscope;

namespace {

bool isSame(const BandsHistory &history, const std::vector<Bands> &bands)
{
    bool same = history.size() == bands.size();
    for (std::size_t at = 0; same && at < bands.size(); ++at)
        same = history[at] == bands[at];
    return same;
}

} // namespace

class TestBandsHistory : public test::Test
{
    Q_OBJECT

private slots:
    void itGivesBackWhatItWasGiven();
    void extremesFit();
    void sumsOfADamagedFileWrapAround();
};

void TestBandsHistory::itGivesBackWhatItWasGiven()
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        std::mt19937_64 random(seed);
        BandsHistory history;
        std::vector<Bands> bands;
        Bands now;
        for (int moment = 0; moment < 700; ++moment) {
            for (Bytes Bands::*part : {&Bands::requested, &Bands::rounding, &Bands::pendingFree,
                                       &Bands::stranded, &Bands::releasable}) {
                // Changes of all widths, of both signs, and none.
                const auto bits = static_cast<unsigned>(random() % 64);
                const auto change = static_cast<Bytes>(random() >> 1U) >> bits;
                if (random() % 3 == 0)
                    now.*part = wrappingSum(now.*part, random() % 2 == 0 ? change : -change);
            }
            bands.push_back(now);
            history.append(now);
            if (moment % 50 == 0) // while it grows too
                QVERIFY(isSame(history, bands));
        }
        QVERIFY(isSame(history, bands));
    }
}

void TestBandsHistory::extremesFit()
{
    constexpr Bytes kLeast = std::numeric_limits<Bytes>::min();
    constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
    BandsHistory history;
    std::vector<Bands> bands;
    for (const Bytes one : {Bytes(0), kLeast, kMost, Bytes(0), Bytes(32'767), Bytes(-1),
                            Bytes(32'767), Bytes(-32'769), Bytes(2'147'483'647), Bytes(-1),
                            Bytes(2'147'483'647), Bytes(-2'147'483'649)}) {
        bands.push_back({one, 0, one, 0, one});
        history.append(bands.back());
    }
    QVERIFY(isSame(history, bands));
}

void TestBandsHistory::sumsOfADamagedFileWrapAround()
{
    constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
    const Bands bands{kMost, kMost, 4, 0, 0};
    BandsHistory history;
    history.append({});
    history.append(bands);
    QCOMPARE(history[1].reserved(), Bytes(2));
    QVERIFY(history[1] == bands);
}

VRAMSCOPE_TEST(TestBandsHistory)
#include "tst_bands_history.moc"
