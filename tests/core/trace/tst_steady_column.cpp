// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/steady_column.h"
#include "tests/support/test.h"

#include <array>
#include <map>
#include <random>

using namespace vramscope;

class TestSteadyColumn : public test::Test
{
    Q_OBJECT

private slots:
    void holdsWhatAPlainColumnWould();
    void tellsHowOftenEachValueOccurs();
};

namespace {

using Plain = std::vector<int>;

Plain valuesOf(const SteadyColumn<int> &column)
{
    Plain values;
    for (std::size_t at = 0; at < column.size(); ++at)
        values.push_back(column[at]);
    return values;
}

} // namespace

// Random writes and moves; few values, so that columns are steady for a while and then are not.
void TestSteadyColumn::holdsWhatAPlainColumnWould()
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&random](std::size_t bound) { return random() % bound; };
        std::array<SteadyColumn<int>, 2> columns;
        std::array<Plain, 2> plain;
        for (int step = 0; step < 60; ++step) {
            const std::size_t one = below(2);
            const std::size_t size = plain[one].size();
            const int value = below(12) == 0 ? 1 : 0;
            switch (below(10)) {
            case 0:
                if (size > 0) {
                    const std::size_t at = below(size);
                    columns[one].set(at, value);
                    plain[one][at] = value;
                }
                break;
            case 1: {
                const std::size_t first = below(size + 1);
                columns[one].moveTail(first, columns[1 - one]);
                const auto tail = plain[one].begin() + static_cast<std::ptrdiff_t>(first);
                plain[1 - one].insert(plain[1 - one].end(), tail, plain[one].end());
                plain[one].resize(first);
                break;
            }
            case 2:
                columns[one].expect(size + below(50));
                break;
            default:
                columns[one].push_back(value);
                plain[one].push_back(value);
            }
            QCOMPARE(valuesOf(columns[0]), plain[0]);
            QCOMPARE(valuesOf(columns[1]), plain[1]);
            QCOMPARE(columns[0].empty(), plain[0].empty());
        }
        columns[0].clear();
        columns[0].push_back(7);
        QCOMPARE(valuesOf(columns[0]), Plain{7});
    }
}

void TestSteadyColumn::tellsHowOftenEachValueOccurs()
{
    const auto counted = [](const SteadyColumn<int> &column) {
        std::map<int, std::size_t> times;
        for (const int value : column.occurring())
            times[value] += column.timesEach();
        return times;
    };
    SteadyColumn<int> column;
    QVERIFY(counted(column).empty());
    for (int at = 0; at < 5; ++at)
        column.push_back(3);
    QCOMPARE(column.occurring().size(), 1);
    QVERIFY(counted(column) == (std::map<int, std::size_t>{{3, 5}}));
    column.push_back(4);
    QVERIFY(counted(column) == (std::map<int, std::size_t>{{3, 5}, {4, 1}}));
}

VRAMSCOPE_TEST(TestSteadyColumn)
#include "tst_steady_column.moc"
