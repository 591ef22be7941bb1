// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/stacks/random_tree.h"
#include "ui/stacks/call_tree_model.h"
#include "ui/stacks/call_tree_view.h"

#include <QAbstractItemModelTester>

namespace vramscope {

using NodeIndex = CallTree::NodeIndex;

class CallTreeModelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void itIsAProperModelInBothDirections();
    void rowsAreTheNodesWithCostTheMostExpensiveFirst();
    void anotherCostKeepsWhatIsOpenAndCurrent();
    void theHeavyPathIsOpenAtFirst();
    void rightAndLeftOpenAndClose();

private:
    static void visit(const CallTreeModel &model, const QModelIndex &parent,
                      std::vector<NodeIndex> &nodes)
    {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex index = model.index(row, 0, parent);
            nodes.push_back(model.nodeAt(index));
            QCOMPARE(index.parent(), parent);
            QCOMPARE(model.hasChildren(index), model.rowCount(index) > 0);
            visit(model, index, nodes);
        }
    }
};

void CallTreeModelTest::itIsAProperModelInBothDirections()
{
    const auto trace = test::randomStacks(2, 120);
    for (const auto direction : {CallTree::Direction::TopDown, CallTree::Direction::BottomUp}) {
        CallTreeModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTree(test::randomTree(trace, 2, direction), {.cost = Cost::Peak});
        std::vector<NodeIndex> nodes;
        visit(model, {}, nodes);
        model.setStyle({.cost = Cost::Total});
        model.setTree(test::randomTree(trace, 3, direction), {.cost = Cost::Peak});
        model.setTree(nullptr, {});
        QCOMPARE(model.rowCount(), 0);
    }
}

void CallTreeModelTest::rowsAreTheNodesWithCostTheMostExpensiveFirst()
{
    const auto tree = test::randomTree(test::randomStacks(4, 120), 4);
    CallTreeModel model;
    model.setTree(tree, {.cost = Cost::Peak});
    std::vector<NodeIndex> nodes;
    visit(model, {}, nodes);
    std::ranges::sort(nodes);
    std::vector<NodeIndex> expected;
    for (NodeIndex node = 0; node < tree->tree.size(); ++node) {
        if (tree->tree.total(node).peak.bytes > 0)
            expected.push_back(node);
    }
    QCOMPARE(nodes, expected);
    QVERIFY(nodes.size() < tree->tree.size());
    for (const NodeIndex node : nodes) {
        const QModelIndex index = model.indexOf(node, CallTreeModel::Total);
        QCOMPARE(model.nodeAt(index), node);
        const CostStyle style{.cost = Cost::Peak};
        QCOMPARE(index.data().toString(), style.text(tree->tree.total(node)));
        if (index.row() > 0)
            QVERIFY(
                tree->tree.total(model.nodeAt(index.siblingAtRow(index.row() - 1))).peak.bytes >=
                tree->tree.total(node).peak.bytes);
    }
}

void CallTreeModelTest::anotherCostKeepsWhatIsOpenAndCurrent()
{
    const auto trace = test::randomStacks(5, 120);
    const auto tree = test::randomTree(trace, 5);
    CallTreeView view;
    view.rows()->setTree(tree, {.cost = Cost::Total});
    const QModelIndex root = view.rows()->index(0, 0);
    view.collapseAll();
    view.expand(root);
    const QModelIndex second = view.rows()->index(1, 0, root);
    const NodeIndex node = view.rows()->nodeAt(second);
    view.expand(second);
    view.setCurrentIndex(second);
    view.rows()->setTree(test::randomTree(trace, 77), {.cost = Cost::Total});
    QCOMPARE(view.rows()->nodeAt(view.currentIndex()), node);
    for (int row = 0; row < view.rows()->rowCount(view.rows()->index(0, 0)); ++row) {
        const QModelIndex index = view.rows()->index(row, 0, view.rows()->index(0, 0));
        QCOMPARE(view.isExpanded(index), view.rows()->nodeAt(index) == node);
    }
}

void CallTreeModelTest::theHeavyPathIsOpenAtFirst()
{
    CallTreeView view;
    view.rows()->setTree(test::randomTree(test::randomStacks(6, 1), 6), {.cost = Cost::Total});
    QModelIndex at = view.rows()->index(0, 0);
    int depth = 0;
    for (; view.rows()->hasChildren(at); at = view.rows()->index(0, 0, at), ++depth)
        QVERIFY(view.isExpanded(at));
    QVERIFY(depth > 0);
    QCOMPARE(view.currentIndex(), view.rows()->index(0, 0));
}

void CallTreeModelTest::rightAndLeftOpenAndClose()
{
    CallTreeView view;
    view.rows()->setTree(test::randomTree(test::randomStacks(8, 60), 8), {.cost = Cost::Total});
    view.collapseAll();
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QModelIndex root = view.rows()->index(0, 0);
    view.setCurrentIndex(root);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.isExpanded(root));
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(!view.isExpanded(root));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::CallTreeModelTest)
#include "tst_call_tree_model.moc"
