// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/groups.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/stacks/call_tree_view.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/stacks_view.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>

namespace vramscope {

using namespace Qt::StringLiterals;
using NodeIndex = CallTree::NodeIndex;

namespace {

void useStacksTheme(const Theme &theme)
{
    qApp->setPalette(themePalette(theme));
    qApp->setStyleSheet(themeStyleSheet(theme));
}

// A view of a document's main device, seen, the cursor at the peak.
struct Seen
{
    explicit Seen(std::shared_ptr<const TraceDocument> of)
        : document(std::move(of))
        , view(document, &state)
    {
        if (document->devices.empty())
            return;
        const Study &device = *document->devices[document->mainDevice()];
        state.reset(EventAxis(device.curve().count()), {0, kMostBytes});
        state.setCursor(device.curve().peakActiveEvent());
        view.setDevice(document->mainDevice());
        view.resize(900, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

    [[nodiscard]] Wide whole(Cost cost) const
    {
        return view.tree()->tree.total(CallTree::kRoot).amount(cost);
    }

    std::shared_ptr<const TraceDocument> document;
    TimelineState state;
    StacksView view;
};

std::shared_ptr<const TraceDocument> stacksDocument(test::SampleOptions options = {})
{
    return analyse(test::SampleTrace(options).finish());
}

Wide naiveSum(const Study &device, EventIndex live, Cost cost)
{
    const CostMeter meter(device.device(), device.allocations(), live,
                          device.curve().peakActiveEvent());
    Costs sum;
    for (AllocationIndex at = 0; at < device.allocations().count(); ++at)
        sum += meter.of(at);
    return sum.amount(cost);
}

NodeIndex firstLeaf(const CallTree &tree, Cost cost)
{
    NodeIndex at = CallTree::kRoot;
    while (!tree.isLeaf(at) || tree.total(at).amount(cost) <= 0)
        ++at;
    return at;
}

} // namespace

class StacksViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qApp->setStyle(u"Fusion"_s); }
    void everyCostIsThatOfAllAllocationsTogether();
    void whatIsLiveFollowsTheCursor();
    void aLargeRecordingIsAddedUpAsideAndTheLatestCursorWins();
    void onlyTheKeptAllocationsCount();
    void theFrameworksFramesCanBeHidden();
    void bottomUpBeginsWhereMemoryIsAllocated();
    void zoomLastsWhileTheCursorMovesAndTheCostChanges();
    void searchSaysWhatMatches();
    void aLeafLeadsToItsStack();
    void whereNothingIsToBeSeenASentenceSaysWhy();
    void looksRight_data();
    void looksRight();
};

void StacksViewTest::everyCostIsThatOfAllAllocationsTogether()
{
    Seen seen(stacksDocument());
    auto *costs = seen.view.findChild<QComboBox *>();
    QCOMPARE(costs->count(), int(kCostCount));
    const Study &device = *seen.document->devices[0];
    for (const auto form :
         {StacksView::Form::Flame, StacksView::Form::TopDown, StacksView::Form::BottomUp}) {
        seen.view.setForm(form);
        for (std::size_t at = 0; at < kCostCount; ++at) {
            const auto cost = static_cast<Cost>(at);
            costs->setCurrentIndex(static_cast<int>(at));
            const Wide expected = naiveSum(device, seen.state.cursor(), cost);
            QVERIFY(seen.whole(cost) == expected);
            QVERIFY(expected > 0);
            const CostStyle style{.cost = cost};
            const QString text = style.text(seen.view.tree()->tree.total(CallTree::kRoot));
            if (form != StacksView::Form::Flame)
                QCOMPARE(seen.view.rows()->rows()->index(0, CallTreeModel::Total).data().toString(),
                         text);
        }
    }
}

void StacksViewTest::whatIsLiveFollowsTheCursor()
{
    Seen seen(stacksDocument());
    seen.view.setCost(Cost::Live);
    const UsageCurve &curve = seen.document->devices[0]->curve();
    for (EventIndex event = 0; event < curve.count(); event += 17) {
        seen.state.setCursor(event);
        QVERIFY(seen.whole(Cost::Live) == curve.active(event));
    }
    seen.view.setCost(Cost::Total);
    const auto before = seen.view.tree();
    seen.state.setCursor(3);
    QCOMPARE(seen.view.tree(), before); // what does not depend on the cursor is not made again
    seen.view.setCost(Cost::Live);
    QVERIFY(seen.whole(Cost::Live) == curve.active(3));
}

void StacksViewTest::aLargeRecordingIsAddedUpAsideAndTheLatestCursorWins()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    const StackId stack =
        builder.internStack(std::vector{builder.internFrame("forward", "/home/me/model.py", 3)});
    for (std::uint64_t at = 1; at <= 200'000; ++at)
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = at * 512,
                             .size = 512,
                             .stack = stack,
                             .stream = stream});
    Seen seen(analyse(std::move(*builder.finish())));
    QVERIFY(!seen.view.tree());
    seen.view.setCost(Cost::Live);
    for (const EventIndex event : {5, 100, 3000, 77, 150'000, 41})
        seen.state.setCursor(event);
    QTRY_VERIFY(seen.view.tree() && seen.whole(Cost::Live) == 42 * 512);
    QVERIFY(seen.view.emptyText().isEmpty());
}

void StacksViewTest::onlyTheKeptAllocationsCount()
{
    Seen seen(stacksDocument());
    const Study &device = *seen.document->devices[0];
    auto kept = std::make_shared<std::vector<std::uint8_t>>(device.allocations().stack.size());
    Wide expected = 0;
    for (std::size_t at = 0; at < kept->size(); at += 3) {
        (*kept)[at] = 1;
        if (device.allocations().birth[at] >= 0)
            expected += device.allocations().size[at];
    }
    seen.state.setKept(kept);
    QVERIFY(seen.whole(Cost::Total) == expected);
    seen.state.setKept(std::make_shared<std::vector<std::uint8_t>>(kept->size()));
    QVERIFY(seen.view.emptyText().contains(u"filter"));
    seen.state.setKept(nullptr);
    QVERIFY(seen.whole(Cost::Total) == naiveSum(device, 0, Cost::Total));
}

void StacksViewTest::theFrameworksFramesCanBeHidden()
{
    Seen seen(stacksDocument());
    const auto has = [&](QStringView name) {
        const StackTree &tree = *seen.view.tree();
        for (NodeIndex node = 0; node < tree.tree.size(); ++node) {
            if (nodeName(tree, node) == name)
                return true;
        }
        return false;
    };
    QVERIFY(has(u"_call_impl"));
    QVERIFY(!has(u"_PyEval_EvalFrameDefault"));
    const Wide whole = seen.whole(Cost::Peak);
    seen.view.setHideFramework(true);
    QVERIFY(!has(u"_call_impl"));
    QVERIFY(has(u"main"));
    QVERIFY(seen.whole(Cost::Peak) == whole);
}

void StacksViewTest::bottomUpBeginsWhereMemoryIsAllocated()
{
    Seen seen(stacksDocument());
    seen.view.setHideFramework(true);
    const auto first = [&](StacksView::Form form) {
        seen.view.setForm(form);
        const CallTreeModel *model = seen.view.rows()->rows();
        return model->index(0, 0, model->index(0, 0)).data().toString();
    };
    QCOMPARE(first(StacksView::Form::TopDown), u"main"_s);
    QCOMPARE(first(StacksView::Form::BottomUp), u"FeedForward.forward"_s);
}

void StacksViewTest::zoomLastsWhileTheCursorMovesAndTheCostChanges()
{
    Seen seen(stacksDocument());
    FlameView *flame = seen.view.flame();
    seen.view.setCost(Cost::Live);
    flame->zoomTo(2);
    const QString name = nodeName(*flame->tree(), 2);
    seen.state.setCursor(seen.state.cursor() - 9);
    seen.view.setCost(Cost::Total);
    seen.view.setForm(StacksView::Form::BottomUp);
    seen.view.setForm(StacksView::Form::Flame);
    QCOMPARE(nodeName(*flame->tree(), flame->focus()), name);
}

void StacksViewTest::searchSaysWhatMatches()
{
    Seen seen(stacksDocument());
    QVERIFY(seen.view.matchText().isEmpty());
    auto *search = seen.view.findChild<QLineEdit *>();
    QTest::keyClicks(search, u"ATTENTION"_s);
    const QString text = seen.view.matchText();
    QVERIFY2(text.startsWith(u"matches ") && text.endsWith(u" %)"), qPrintable(text));
    QTest::keyClick(search, Qt::Key_Return);
    FlameView *flame = seen.view.flame();
    QCOMPARE(nodeName(*flame->tree(), flame->selected()), u"Attention.forward"_s);
    QTest::keyClicks(search, u" nowhere"_s);
    QCOMPARE(seen.view.matchText(), u"no match"_s);
}

void StacksViewTest::aLeafLeadsToItsStack()
{
    Seen seen(stacksDocument());
    QSignalSpy chosen(&seen.state, &TimelineState::selectedChanged);
    FlameView *flame = seen.view.flame();
    const CallTree &tree = flame->tree()->tree;
    flame->select(1);
    QTest::keyClick(flame, Qt::Key_Return);
    QCOMPARE(chosen.count(), 0);
    const NodeIndex leaf = firstLeaf(tree, Cost::Peak);
    flame->select(leaf);
    QTest::keyClick(flame, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(seen.document->devices[0]->allocations().stack[seen.state.selected()],
             tree.stacks(leaf).front());
}

void StacksViewTest::whereNothingIsToBeSeenASentenceSaysWhy()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (const auto action : {Action::Alloc, Action::FreeRequested, Action::FreeCompleted})
        builder.addEvent(0, {.action = action, .address = 512, .size = 512, .stream = stream});
    const Seen bare(analyse(std::move(*builder.finish())));
    QVERIFY(bare.view.emptyText().contains(u"_record_memory_history"));

    TraceBuilder other;
    const StreamId otherStream = other.internStream(0);
    const StackId stack =
        other.internStack(std::vector{other.internFrame("forward", "/home/me/model.py", 3)});
    for (const auto action : {Action::Alloc, Action::FreeRequested, Action::FreeCompleted})
        other.addEvent(
            0,
            {.action = action, .address = 512, .size = 512, .stack = stack, .stream = otherStream});
    Seen freed(analyse(std::move(*other.finish())));
    QVERIFY(freed.view.emptyText().isEmpty());
    freed.view.setCost(Cost::NeverFreed);
    QCOMPARE(freed.view.emptyText(), nothingText(Cost::NeverFreed));
    freed.view.setCost(Cost::Live);
    freed.state.setCursor(-1);
    QCOMPARE(freed.view.emptyText(), nothingText(Cost::Live));
}

void StacksViewTest::looksRight_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("sample") << QString();
    for (const char *file :
         {"fsdp_oom_rank0", "torch211_train_orphans", "mini_nightly_depth259", "big_27k_entries"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void StacksViewTest::looksRight()
{
    QFETCH(QString, file);
    std::shared_ptr<const TraceDocument> document = stacksDocument();
    if (!file.isEmpty()) {
        if (test::corpusFolder().isEmpty())
            QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
        const QString path = u"%1/%2.pickle"_s.arg(test::corpusFolder(), file);
        const auto trace = readTrace(path.toStdString());
        QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().text().c_str());
        document = analyse(*trace);
    }
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        useStacksTheme(*theme);
        Seen seen(document);
        for (const QSize size : {QSize(1000, 700), QSize(2560, 1440)}) {
            seen.view.resize(size);
            const auto save = [&](const QString &form) {
                for (int turn = 0; turn < 5; ++turn)
                    QApplication::processEvents();
                const QString name = u"%1/stacks-%2-%3-%4-%5.png"_s.arg(
                    test::pictureFolder(), file.isEmpty() ? u"sample"_s : file, form,
                    QString::number(size.width()), theme->dark ? u"dark"_s : u"light"_s);
                QVERIFY(seen.view.grab().toImage().save(name));
            };
            seen.view.setForm(StacksView::Form::Flame);
            seen.view.workNow();
            save(u"flame"_s);
            if (size.width() == 1000) {
                seen.view.setSearch(u"forward"_s);
                save(u"search"_s);
                seen.view.setSearch({});
                seen.view.setForm(StacksView::Form::TopDown);
                seen.view.workNow();
                save(u"tree"_s);
            }
        }
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::StacksViewTest)
#include "tst_stacks_view.moc"
