// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The nodes of an address space are held to a std::map of the same addresses.

#include "core/analysis/replayed/space_nodes.h"
#include "tests/support/test.h"

#include <iterator>
#include <map>
#include <random>

using namespace vramscope;

namespace {

using Map = std::map<std::uint64_t, SpaceNodes::Index>;

/// Whether the nodes are those of the map, in both directions.
bool isSame(const SpaceNodes &nodes, const Map &map)
{
    SpaceNodes::Index at = nodes.first();
    SpaceNodes::Index before = SpaceNodes::kNone;
    for (const auto &[address, index] : map) {
        if (at != index || nodes[at].address != address || nodes.previous(at) != before)
            return false;
        before = at;
        at = nodes.next(at);
    }
    return at == SpaceNodes::kNone;
}

SpaceNodes::Index lastUpTo(const Map &map, std::uint64_t address)
{
    const auto behind = map.upper_bound(address);
    return behind == map.begin() ? SpaceNodes::kNone : std::prev(behind)->second;
}

} // namespace

class TestSpaceNodes : public test::Test
{
    Q_OBJECT

private slots:
    void theyAreFoundAsInAMap();
    void allMayGoAndComeAgain();
};

void TestSpaceNodes::theyAreFoundAsInAMap()
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        const std::uint64_t most = seed % 2 == 0 ? 1'000 : 1'000'000'000; // places
        SpaceNodes nodes;
        Map map;
        for (int step = 0; step < 6'000; ++step) {
            const std::uint64_t address = 512 * (random() % most);
            QCOMPARE(nodes.lastUpTo(address), lastUpTo(map, address));
            const auto known = map.find(address);
            QCOMPARE(nodes.beginningAt(address),
                     known == map.end() ? SpaceNodes::kNone : known->second);
            const bool grows = step % 3'000 < 2'000 || random() % 4 == 0;
            if (known != map.end()) {
                nodes.erase(known->second);
                map.erase(known);
            } else if (grows) {
                const SpaceNodes::Index before = nodes.lastUpTo(address);
                const SpaceNode node{.address = address, .size = 512};
                const bool isBeside = before != SpaceNodes::kNone && random() % 3 == 0;
                map[address] =
                    isBeside ? nodes.insertBeside(before, node) : nodes.insertBehind(before, node);
                if (random() % 8 == 0)
                    nodes.keep(map[address]);
            } else if (!map.empty()) {
                const auto gone =
                    std::next(map.begin(), static_cast<std::ptrdiff_t>(random() % map.size()));
                nodes.erase(gone->second);
                map.erase(gone);
            }
            if (step % 500 == 0)
                QVERIFY(isSame(nodes, map));
        }
        QVERIFY(isSame(nodes, map));
    }
}

void TestSpaceNodes::allMayGoAndComeAgain()
{
    constexpr std::uint64_t kCount = 2'000;
    SpaceNodes nodes;
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t at = kCount; at-- > 0;) { // each before all others
            const SpaceNodes::Index added =
                nodes.insertBehind(SpaceNodes::kNone, {.address = at * 512, .size = 512});
            QVERIFY(added < kCount); // where one went before
        }
        QCOMPARE(nodes.lastUpTo(512 * kCount), nodes.lastUpTo(512 * (kCount - 1)));
        for (std::uint64_t at = 0; at < kCount; ++at)
            nodes.erase(nodes.first());
        QCOMPARE(nodes.first(), SpaceNodes::kNone);
        QCOMPARE(nodes.lastUpTo(512), SpaceNodes::kNone);
    }
}

VRAMSCOPE_TEST(TestSpaceNodes)
#include "tst_space_nodes.moc"
