// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/stacks/random_tree.h"
#include "ui/stacks/flame_colors.h"
#include "ui/stacks/flame_view.h"
#include "ui/stacks/stack_tree.h"

#include <QScrollBar>
#include <QSignalSpy>

namespace vramscope {

using namespace Qt::StringLiterals;
using NodeIndex = CallTree::NodeIndex;

namespace {

// main calls forward (3 MiB: 2 in matmul, 1 in relu) and step (1 MiB).
std::shared_ptr<const Trace> smallTrace()
{
    TraceBuilder builder;
    const auto frame = [&](const char *name) {
        return builder.internFrame(name, "/home/me/train.py", 7);
    };
    const FrameId outermost = frame("main");
    builder.internStack(std::vector{frame("matmul"), frame("forward"), outermost});
    builder.internStack(std::vector{frame("relu"), frame("forward"), outermost});
    builder.internStack(std::vector{frame("step"), outermost});
    return std::move(*builder.finish());
}

std::shared_ptr<const StackTree> treeOf(const std::shared_ptr<const Trace> &trace,
                                        std::vector<Bytes> sizes)
{
    std::vector<Costs> costs(1);
    for (const Bytes size : sizes)
        costs.push_back(size == 0 ? Costs{} : test::costOf(size, size));
    const auto tree = std::make_shared<StackTree>();
    tree->trace = trace;
    tree->tree = CallTree(*trace, costs, CallTree::Direction::TopDown);
    return tree;
}

std::shared_ptr<const StackTree> smallTree()
{
    return treeOf(smallTrace(), {2 * kMiB, kMiB, kMiB});
}

NodeIndex named(const StackTree &tree, QStringView name)
{
    for (NodeIndex node = 0; node < tree.tree.size(); ++node) {
        if (nodeName(tree, node) == name)
            return node;
    }
    return FlameView::kNone;
}

} // namespace

class FlameViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void cleanup() { delete std::exchange(m_view, nullptr); }
    void aClickZoomsInAndItsCallersLeadBack();
    void escapeZoomsToTheNearestCallerThatCostsMore();
    void altArrowsWalkThroughWhatWasZoomedTo();
    void arrowsMoveTheSelectionAndEnterZooms();
    void deepTreesScroll();
    void anotherTreeKeepsThePlaceByItsFrames();
    void theSelectedBoxIsToldInWords();
    void namesOfAFileStayOnOneLine();
    void searchCountsEachStackOnce();
    void searchChangesThePicture();
    void whatIsPaintedAnewLeavesTheViewAsIfAllOfItWereNew();
    void aNameIsCutWhereItsBoxEnds();
    void aFileHasOneColourAndTheProgramsOwnIsStrongest();

private:
    void click(NodeIndex node);

    std::shared_ptr<const StackTree> m_tree;
    FlameView *m_view = nullptr;
};

void FlameViewTest::init()
{
    test::Test::init();
    m_tree = smallTree();
    m_view = new FlameView;
    m_view->resize(800, 300);
    m_view->setTree(m_tree);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view));
}

void FlameViewTest::click(NodeIndex node)
{
    const QRectF box = m_view->boxRect(node);
    QVERIFY(!box.isNull());
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, box.center().toPoint());
}

void FlameViewTest::aClickZoomsInAndItsCallersLeadBack()
{
    const NodeIndex forward = named(*m_tree, u"forward");
    const QSignalSpy activated(m_view, &FlameView::activated);
    QVERIFY(m_view->boxRect(forward).width() < 0.8 * m_view->viewport()->width());
    click(forward);
    QCOMPARE(m_view->focus(), forward);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(m_view->boxRect(forward).width(), double(m_view->viewport()->width()));
    QVERIFY(m_view->boxRect(named(*m_tree, u"step")).isNull());
    click(named(*m_tree, u"main"));
    QCOMPARE(m_view->focus(), named(*m_tree, u"main"));
    QVERIFY(!m_view->boxRect(named(*m_tree, u"step")).isNull());
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {400, 290}); // below all boxes
    QCOMPARE(m_view->focus(), named(*m_tree, u"main"));
}

void FlameViewTest::escapeZoomsToTheNearestCallerThatCostsMore()
{
    click(named(*m_tree, u"matmul"));
    QTest::keyClick(m_view, Qt::Key_Escape);
    QCOMPARE(m_view->focus(), named(*m_tree, u"forward"));
    QTest::keyClick(m_view, Qt::Key_Backspace);
    QCOMPARE(m_view->focus(), named(*m_tree, u"main"));
    QTest::keyClick(m_view, Qt::Key_Escape);
    QCOMPARE(m_view->focus(), CallTree::kRoot);
    QTest::keyClick(m_view, Qt::Key_Escape);
    QCOMPARE(m_view->focus(), CallTree::kRoot);
}

void FlameViewTest::altArrowsWalkThroughWhatWasZoomedTo()
{
    const NodeIndex forward = named(*m_tree, u"forward");
    const NodeIndex relu = named(*m_tree, u"relu");
    click(forward);
    click(relu);
    QTest::keyClick(m_view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_view->focus(), forward);
    QTest::keyClick(m_view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_view->focus(), CallTree::kRoot);
    QTest::keyClick(m_view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_view->focus(), CallTree::kRoot);
    QTest::keyClick(m_view, Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(m_view, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(m_view->focus(), relu);
}

void FlameViewTest::arrowsMoveTheSelectionAndEnterZooms()
{
    QTest::keyClick(m_view, Qt::Key_Down);
    QCOMPARE(m_view->selected(), CallTree::kRoot);
    QTest::keyClick(m_view, Qt::Key_Down);
    QTest::keyClick(m_view, Qt::Key_Down);
    QCOMPARE(m_view->selected(), named(*m_tree, u"forward")); // the wider child
    QTest::keyClick(m_view, Qt::Key_Right);
    QCOMPARE(m_view->selected(), named(*m_tree, u"step"));
    QTest::keyClick(m_view, Qt::Key_Left);
    QTest::keyClick(m_view, Qt::Key_Down);
    QCOMPARE(m_view->selected(), named(*m_tree, u"matmul"));
    QTest::keyClick(m_view, Qt::Key_Up);
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(m_view->focus(), named(*m_tree, u"forward"));
}

void FlameViewTest::deepTreesScroll()
{
    TraceBuilder builder;
    std::vector<FrameId> frames;
    for (int at = 0; at < 100; ++at)
        frames.push_back(
            builder.internFrame("f" + std::to_string(1000 + at), "/home/me/deep.py", at));
    builder.internStack(frames);
    const auto deep = treeOf(std::move(*builder.finish()), {kMiB});
    m_view->setTree(deep);
    QVERIFY(m_view->verticalScrollBar()->maximum() > 1000);
    const auto last = static_cast<NodeIndex>(deep->tree.size() - 1);
    m_view->select(last);
    QVERIFY(QRectF(m_view->viewport()->rect()).contains(m_view->boxRect(last)));
    m_view->zoomTo(60);
    QVERIFY(QRectF(m_view->viewport()->rect()).contains(m_view->boxRect(60)));
    QCOMPARE(m_view->nodeAt(m_view->boxRect(60).center()), NodeIndex(60));
}

void FlameViewTest::anotherTreeKeepsThePlaceByItsFrames()
{
    click(named(*m_tree, u"forward"));
    click(named(*m_tree, u"relu"));
    const auto without = treeOf(m_tree->trace, {0, kMiB, 3 * kMiB});
    m_view->setTree(without);
    QCOMPARE(nodeName(*without, m_view->focus()), u"relu"_s);
    m_view->setTree(treeOf(m_tree->trace, {0, 0, 3 * kMiB}));
    QCOMPARE(nodeName(*m_view->tree(), m_view->focus()), u"main"_s);
    m_view->setTree(nullptr);
    QVERIFY(!m_view->grab().isNull());
    QCOMPARE(m_view->nodeAt({10, 10}), FlameView::kNone);
    QTest::keyClick(m_view, Qt::Key_Down);
    QTest::keyClick(m_view, Qt::Key_Return);
}

void FlameViewTest::theSelectedBoxIsToldInWords()
{
    m_view->select(named(*m_tree, u"matmul"));
    QCOMPARE(m_view->accessibleDescription(),
             u"matmul  train.py:7 · 2.00 MiB · 1 allocation · 50.0 % of all, 66.7 % of forward"_s);
    const QString tip = nodeToolTip(*m_tree, named(*m_tree, u"matmul"), {});
    QVERIFY2(tip.contains(u"/home/me/train.py:7"), qPrintable(tip));
    QVERIFY2(tip.contains(u"2,097,152 bytes"), qPrintable(tip));
}

void FlameViewTest::namesOfAFileStayOnOneLine()
{
    TraceBuilder builder;
    builder.internStack(std::vector{builder.internFrame("for\nward\u202E", "/a\n/train.py", 7)});
    const auto tree = treeOf(std::move(*builder.finish()), {kMiB});
    QCOMPARE(nodeName(*tree, 1), u"for?ward?"_s);
    QVERIFY(nodeToolTip(*tree, 1, {}).startsWith(u"for?ward?\n/a?/train.py:7\n"_s));
}

void FlameViewTest::searchCountsEachStackOnce()
{
    const auto matched = [&](QStringView text) {
        return matchedCosts(m_tree->tree, matchingFrames(*m_tree->trace, text.toString()))
            .peak.bytes;
    };
    QCOMPARE(matched(u"MATMUL"), 2 * kMiB);
    QCOMPARE(matched(u"m"), 4 * kMiB); // main, and matmul under it
    QCOMPARE(matched(u"train.PY"), 4 * kMiB);
    QCOMPARE(matched(u"nowhere"), Bytes(0));
    QVERIFY(matchingFrames(*m_tree->trace, {}).empty());
    const auto nodes =
        matchedNodes(m_tree->tree, matchingFrames(*m_tree->trace, u"l"_s), Cost::Peak);
    QCOMPARE(nodes, (std::vector{named(*m_tree, u"matmul"), named(*m_tree, u"relu")}));
}

void FlameViewTest::searchChangesThePicture()
{
    const QImage before = m_view->grab().toImage();
    m_view->setMatching(matchingFrames(*m_tree->trace, u"relu"_s));
    const QImage searched = m_view->grab().toImage();
    QVERIFY(searched != before);
    const QPoint relu = m_view->boxRect(named(*m_tree, u"relu")).topLeft().toPoint() + QPoint(2, 2);
    QVERIFY(searched.pixelColor(relu).saturation() > before.pixelColor(relu).saturation());
    m_view->setMatching({});
    QCOMPARE(m_view->grab().toImage(), before);
}

void FlameViewTest::whatIsPaintedAnewLeavesTheViewAsIfAllOfItWereNew()
{
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view));
    const auto shown = [this] {
        QCoreApplication::processEvents();
        return m_view->screen()
            ->grabWindow(m_view->winId())
            .toImage()
            .convertToFormat(QImage::Format_RGB32);
    };
    const auto whole = [this] {
        return m_view->grab().toImage().convertToFormat(QImage::Format_RGB32);
    };
    const auto hover = [this](NodeIndex node) {
        QTest::mouseMove(m_view->viewport(), m_view->boxRect(node).center().toPoint());
    };
    (void)shown();
    for (NodeIndex node = 0; node < m_tree->tree.size(); ++node) {
        hover(node);
        QCOMPARE(shown(), whole());
        m_view->select(node);
        QCOMPARE(shown(), whole());
    }
    m_view->setMatching(matchingFrames(*m_tree->trace, u"relu"_s));
    QCOMPARE(shown(), whole());
    click(named(*m_tree, u"matmul"));
    QCOMPARE(shown(), whole());
    click(named(*m_tree, u"main"));
    QCOMPARE(shown(), whole());
    m_view->setMatching({});
    for (const auto &tree : {treeOf(m_tree->trace, {}), m_tree, treeOf(m_tree->trace, {0, 0, kMiB}),
                             std::shared_ptr<const StackTree>(), m_tree}) {
        m_view->setTree(tree);
        QCOMPARE(shown(), whole());
    }
    QFont larger = m_view->font();
    larger.setPointSizeF(larger.pointSizeF() * 1.5);
    for (const QFont &font : {larger, m_view->font()}) {
        m_view->setFont(font);
        QCOMPARE(shown(), whole());
    }
}

// Where the name and its cost end, in pixels of the box, by what is not of its colour.
void FlameViewTest::aNameIsCutWhereItsBoxEnds()
{
    const NodeIndex node = named(*m_tree, u"matmul");
    const auto inkIn = [&](double from, double to) {
        const QImage image = m_view->viewport()->grab().toImage();
        const QRectF box = m_view->boxRect(node);
        const int y = static_cast<int>(box.top()) + 1;
        const QRgb ground = image.pixel(static_cast<int>(box.left()) + 1, y);
        int ink = 0;
        for (int x = static_cast<int>(box.left() + from); x < box.left() + to; ++x) {
            for (int line = y; line < box.bottom() - 2; ++line)
                ink += image.pixel(x, line) != ground ? 1 : 0;
        }
        return ink;
    };
    for (const int width : {900, 300, 160, 120}) {
        m_view->resize(width, 300);
        const double box = m_view->boxRect(node).width();
        QVERIFY(inkIn(0, 5) == 0); // the padding
        QVERIFY(inkIn(box - 6, box - 1) == 0);
        QCOMPARE(inkIn(5, box - 6) > 0, box > 50);
    }
}

void FlameViewTest::aFileHasOneColourAndTheProgramsOwnIsStrongest()
{
    TraceBuilder builder;
    const FrameId own = builder.internFrame("forward", "/home/me/model.py", 1);
    const FrameId other = builder.internFrame("backward", "/home/me/model.py", 90);
    const FrameId torch = builder.internFrame("linear", "/x/site-packages/torch/nn/f.py", 5);
    const auto trace = std::move(*builder.finish());
    for (const bool dark : {false, true}) {
        QCOMPARE(frameColor(*trace, own, dark), frameColor(*trace, other, dark));
        QVERIFY(frameColor(*trace, own, dark).hslSaturation() >
                frameColor(*trace, torch, dark).hslSaturation());
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::FlameViewTest)
#include "tst_flame_view.moc"
