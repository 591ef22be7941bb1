// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/id_column.h"
#include "tests/support/test.h"

#include <array>
#include <map>
#include <random>

using namespace vramscope;

class TestIdColumn : public test::Test
{
    Q_OBJECT

private slots:
    void holdsWhatAPlainColumnWould();
    void tellsHowOftenEachOccurs();
};

namespace {

using Column = IdColumn<std::uint32_t>;
using Plain = std::vector<std::uint32_t>;

Plain valuesOf(const Column &column)
{
    Plain values;
    for (std::size_t at = 0; at < column.size(); ++at)
        values.push_back(column[at]);
    return values;
}

} // namespace

// Random writes and moves, of mostly one id, so that a column has the same for a while, then small
// ones, then one that needs more than two bytes.
void TestIdColumn::holdsWhatAPlainColumnWould()
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&random](std::size_t bound) { return random() % bound; };
        std::array<Column, 2> columns;
        std::array<Plain, 2> plain;
        Plain others{1};
        if (seed % 3 > 0)
            others.push_back(65535);
        if (seed % 3 > 1)
            others.insert(others.end(), {65536, 4294967295});
        for (int step = 0; step < 60; ++step) {
            const std::size_t one = below(2);
            const std::size_t size = plain[one].size();
            const std::uint32_t value = below(12) != 0 ? 0 : others[below(others.size())];
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
            QVERIFY(std::ranges::equal(columns[0], plain[0]));
            QCOMPARE(columns[0].empty(), plain[0].empty());
        }
        columns[0].clear();
        columns[0].push_back(7);
        QCOMPARE(valuesOf(columns[0]), Plain{7});
    }
}

void TestIdColumn::tellsHowOftenEachOccurs()
{
    const auto counted = [](const Column &column) {
        std::map<std::uint32_t, std::size_t> times;
        column.forEach([&](std::uint32_t id, std::size_t each) { times[id] += each; });
        return times;
    };
    Column column;
    QVERIFY(counted(column).empty());
    for (int at = 0; at < 5; ++at)
        column.push_back(3);
    int visits = 0;
    column.forEach([&](std::uint32_t, std::size_t) { ++visits; });
    QCOMPARE(visits, 1);
    QVERIFY(counted(column) == (std::map<std::uint32_t, std::size_t>{{3, 5}}));
    column.push_back(4);
    QVERIFY(counted(column) == (std::map<std::uint32_t, std::size_t>{{3, 5}, {4, 1}}));
    column.push_back(70000);
    QVERIFY(counted(column) == (std::map<std::uint32_t, std::size_t>{{3, 5}, {4, 1}, {70000, 1}}));
}

VRAMSCOPE_TEST(TestIdColumn)
#include "tst_id_column.moc"
