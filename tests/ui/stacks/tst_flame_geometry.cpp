// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/stacks/random_tree.h"
#include "ui/stacks/flame_geometry.h"

#include <cmath>

namespace vramscope {

namespace {

constexpr double kWidth = 1000;

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-6;
}

} // namespace

class FlameGeometryTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void boxesLieInTheirCallersBox();
    void widthsAreSharesOfTheFocus();
    void everyBoxOfHalfAPixelIsThereAndNoOther();
    void thePointInABoxFindsIt();
    void callersOfTheFocusTakeTheWholeWidth();
    void whatCostsNothingHasNoBoxes();
};

void FlameGeometryTest::boxesLieInTheirCallersBox()
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const auto tree = test::randomTree(test::randomStacks(seed, 300), seed);
        const FlameGeometry geometry(tree->tree, Cost::Peak, CallTree::kRoot, kWidth);
        for (const FlameBox &box : geometry.boxes()) {
            if (box.node == CallTree::kRoot)
                continue;
            const FlameBox *parent = geometry.boxOf(tree->tree.node(box.node).parent);
            QVERIFY(parent);
            QCOMPARE(box.row, parent->row + 1);
            QVERIFY(box.x >= parent->x - 1e-6);
            QVERIFY(box.x + box.width <= parent->x + parent->width + 1e-6);
        }
        for (int row = 0; row < geometry.rowCount(); ++row) {
            double end = 0;
            QVERIFY(!geometry.row(row).empty());
            for (const FlameBox &box : geometry.row(row)) {
                QCOMPARE(box.row, row);
                QVERIFY(box.x >= end - 1e-6);
                end = box.x + box.width;
            }
        }
    }
}

void FlameGeometryTest::widthsAreSharesOfTheFocus()
{
    const auto tree = test::randomTree(test::randomStacks(7, 200), 7);
    for (const Cost cost : {Cost::Peak, Cost::Total}) {
        for (const CallTree::NodeIndex focus : {0U, 1U, 2U, 40U}) {
            const FlameGeometry geometry(tree->tree, cost, focus, kWidth);
            const auto whole = static_cast<double>(tree->tree.total(focus).amount(cost));
            for (const FlameBox &box : geometry.boxes()) {
                const auto part = static_cast<double>(tree->tree.total(box.node).amount(cost));
                const double expected = box.row < geometry.focusRow() ? 1 : part / whole;
                QVERIFY(isNear(box.width, expected * kWidth));
            }
        }
    }
}

void FlameGeometryTest::everyBoxOfHalfAPixelIsThereAndNoOther()
{
    const auto tree = test::randomTree(test::randomStacks(3, 2000), 3);
    const FlameGeometry geometry(tree->tree, Cost::Total, CallTree::kRoot, kWidth);
    const auto whole = static_cast<double>(tree->tree.total(0).amount(Cost::Total));
    std::size_t expected = 0;
    for (CallTree::NodeIndex node = 0; node < tree->tree.size(); ++node) {
        const auto part = static_cast<double>(tree->tree.total(node).amount(Cost::Total));
        const bool wide = part * (kWidth / whole) >= FlameGeometry::kNarrowest;
        expected += wide ? 1 : 0;
        QCOMPARE(geometry.boxOf(node) != nullptr, wide);
    }
    QCOMPARE(geometry.boxes().size(), expected);
    QVERIFY(expected < tree->tree.size());
}

void FlameGeometryTest::thePointInABoxFindsIt()
{
    const auto tree = test::randomTree(test::randomStacks(5, 400), 5);
    const FlameGeometry geometry(tree->tree, Cost::Peak, CallTree::kRoot, kWidth);
    for (const FlameBox &box : geometry.boxes()) {
        for (const double share : {0.001, 0.5, 0.999}) {
            const FlameBox *found = geometry.boxAt(box.row, box.x + share * box.width);
            QVERIFY(found);
            QCOMPARE(found->node, box.node);
        }
    }
    for (int row = 0; row < geometry.rowCount(); ++row) {
        for (double x = -3; x < kWidth + 3; x += 0.37) {
            const FlameBox *found = geometry.boxAt(row, x);
            QVERIFY(!found || (found->row == row && found->x <= x && x < found->x + found->width));
        }
    }
    QVERIFY(!geometry.boxAt(-1, 5));
    QVERIFY(!geometry.boxAt(geometry.rowCount(), 5));
    QVERIFY(!geometry.boxAt(0, -1));
    QVERIFY(!geometry.boxAt(0, kWidth + 1));
}

void FlameGeometryTest::callersOfTheFocusTakeTheWholeWidth()
{
    const auto tree = test::randomTree(test::randomStacks(9, 100), 9);
    CallTree::NodeIndex deepest = 0;
    for (CallTree::NodeIndex node = 0; node < tree->tree.size(); ++node) {
        if (tree->pathTo(node).size() > tree->pathTo(deepest).size())
            deepest = node;
    }
    const auto path = tree->pathTo(deepest);
    const FlameGeometry geometry(tree->tree, Cost::Total, deepest, kWidth);
    QCOMPARE(geometry.focusRow(), static_cast<int>(path.size()) - 1);
    for (std::size_t at = 0; at < path.size(); ++at) {
        const FlameBox *box = geometry.boxOf(path[at]);
        QVERIFY(box);
        QCOMPARE(box->row, static_cast<int>(at));
        QVERIFY(isNear(box->x, 0) && isNear(box->width, kWidth));
    }
}

void FlameGeometryTest::whatCostsNothingHasNoBoxes()
{
    const auto tree = test::randomTree(test::randomStacks(1, 50), 1);
    QVERIFY(FlameGeometry(tree->tree, Cost::Live, 0, kWidth).boxes().empty());
    QVERIFY(FlameGeometry(tree->tree, Cost::Peak, 0, 0).boxes().empty());
    QCOMPARE(FlameGeometry().rowCount(), 0);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::FlameGeometryTest)
#include "tst_flame_geometry.moc"
