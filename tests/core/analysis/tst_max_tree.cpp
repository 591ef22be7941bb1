// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/max_tree.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;

class TestMaxTree : public test::Test
{
    Q_OBJECT

private slots:
    void theGreatestOfARangeIsWhatAScanFinds() { compareWithScan<std::less<>>(); }
    void withTheOrderTurnedRoundItIsTheSmallest() { compareWithScan<std::greater<>>(); }

private:
    template<class Less>
    static void compareWithScan();
};

template<class Less>
void TestMaxTree::compareWithScan()
{
    std::mt19937 random(7);
    for (const std::size_t size : {1U, 2U, 15U, 16U, 17U, 255U, 256U, 257U, 5000U}) {
        std::vector<int> values(size);
        for (int &value : values)
            value = static_cast<int>(random() % 50);
        const MaxTree<int, Less> tree{std::span<const int>(values)};
        QCOMPARE(tree.size(), size);
        for (int trial = 0; trial < 50; ++trial) {
            const std::size_t first = random() % size;
            const std::size_t last = first + 1 + random() % (size - first);
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = values.begin() + static_cast<std::ptrdiff_t>(last);
            const auto place = std::max_element(begin, end, Less{}) - values.begin();
            QCOMPARE(tree.argMax(first, last), static_cast<std::size_t>(place));
            const int threshold = static_cast<int>(random() % 50);
            std::vector<std::size_t> above;
            tree.forEachAbove(first, last, threshold, [&](std::size_t at) { above.push_back(at); });
            std::vector<std::size_t> expected;
            for (std::size_t at = first; at < last; ++at) {
                if (Less{}(threshold, values[at]))
                    expected.push_back(at);
            }
            QCOMPARE(above, expected);
        }
    }
}

VRAMSCOPE_TEST(TestMaxTree)
#include "tst_max_tree.moc"
