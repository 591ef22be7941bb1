// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "tests/ui/stage/shown_keys.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/planner/plan_items.h"
#include "ui/stage/order_dialog.h"
#include "ui/trace/trace_items.h"

#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Scenario scenario(QChar letter, const QString &name, const Plan &plan)
{
    return {letter, name, plan, estimate(plan)};
}

std::vector<StageItem> sampleItems()
{
    const Plan plan = test::samplePlan();
    Plan second = plan;
    second.batch.microBatch = 2;
    Plan third = plan;
    third.batch.microBatch = 4;
    return planItems({third,
                      estimate(third),
                      {scenario(u'A', u"one"_s, plan), scenario(u'B', u"two"_s, second)},
                      ByteUnit::Binary});
}

const StageItem &item(const std::vector<StageItem> &items, const char *key)
{
    return *std::ranges::find(items, key, &StageItem::key);
}

Bookmark named(const char *name, const char *note)
{
    Bookmark bookmark;
    bookmark.name = name;
    bookmark.note = note;
    return bookmark;
}

} // namespace

class RunningOrderTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanTellsItsAnswerItsScenariosItsStepAndTheWaysToFit()
    {
        const std::vector<StageItem> items = sampleItems();
        QCOMPARE(test::shownKeys(items),
                 u"answer where scenario:A scenario:B way:A:B way:B:this step ways"_s);
        QVERIFY(!item(items, "moment:loss").shown); // there to be asked for
        for (const StageItem &one : items) {
            const StageScene scene = one.scene();
            QVERIFY2(!scene.headline.isEmpty(), one.key.c_str());
            QVERIFY(scene.view);
            QCOMPARE(scene.verdict.has_value(), one.key == "answer"); // the headline's colour
        }
        QVERIFY(item(items, "way:A:B").scene().headline.startsWith(u"From A one to B two: +"));
    }

    void aPlanWithoutFiguresSaysWhy()
    {
        const std::vector<StageItem> items = planItems({Plan(), estimate(Plan()), {}, {}});
        QCOMPARE(test::shownKeys(items), u"answer"_s);
        QVERIFY(items[0].scene().headline.startsWith(u"Not computed."));
    }

    void aFrameInAnAnonymousNamespaceIsNamed()
    {
        TraceBuilder builder;
        const std::array frames{builder.internFrame(
            "(anonymous namespace)::work<int>(at::Tensor const&)", "/home/me/kernel.cpp", 7)};
        const StackId stack = builder.internStack(frames);
        const StreamId stream = builder.internStream(0);
        const auto add = [&](Action action, std::uint64_t address, Bytes size) {
            builder.addEvent(0, {.action = action,
                                 .address = address,
                                 .size = size,
                                 .stack = stack,
                                 .stream = stream});
        };
        add(Action::SegmentAlloc, 0x7f0000000000U, 20 * kMiB);
        add(Action::Alloc, 0x7f0000000000U, 20 * kMiB);
        const auto document = analyse(std::move(*builder.finish()));
        const std::vector<StageItem> items = traceItems({document, 0, {}, ByteUnit::Binary});
        QCOMPARE(item(items, "peak").scene().headline,
                 u"At the peak 20.0 MiB are in use, most by work: 20.0 MiB."_s);
    }

    void aTraceTellsItsPeakItsBookmarksAndItsEnd()
    {
        test::SampleTrace sample;
        const auto document = analyse(sample.finish());
        const std::vector<StageItem> items =
            traceItems({document,
                        0,
                        {named("leak", "Look here."), named("leak", "And here.")},
                        ByteUnit::Binary});
        QCOMPARE(test::shownKeys(items),
                 u"answer peak bookmark:leak bookmark:leak#2 out-of-memory"_s);
        QCOMPARE(item(items, "bookmark:leak#2").note, u"And here."_s);
        QVERIFY(item(items, "answer").scene().headline.startsWith(u"Out of memory: "));
        QVERIFY(item(items, "peak").scene().headline.startsWith(u"At the peak "));
        QCOMPARE(item(items, "bookmark:leak").scene().headline, u"leak"_s);
    }

    void anOrderIsKeptAndWhatIsNewFollowsWhatItFollows()
    {
        std::vector<StageItem> items;
        for (const char *key : {"a", "b", "c", "d"})
            items.push_back({key, {}, QString::fromLatin1(key), true, {}});
        const RunningOrder order{{"d", true, "say"}, {"gone", true, ""}, {"a", false, ""}};
        const std::vector<StageItem> shown = arranged(items, order);
        QCOMPARE(test::shownKeys(shown), u"d b c"_s); // b and c follow a, which is not shown
        QCOMPARE(shown[0].note, u"say"_s);
        QCOMPARE(shown[2].note, u"b"_s);
        const RunningOrder again = orderOf(items, shown);
        QCOMPARE(again.size(), std::size_t(4));
        QVERIFY(again[0] == (OrderEntry{"d", true, "say"}));
        QVERIFY(again[1] == (OrderEntry{"a", false, ""}));
        QCOMPARE(again[2].note, std::string()); // its own stays with it
        QCOMPARE(test::shownKeys(arranged(items, {})), u"a b c d"_s);
    }

    void theDialogTicksMovesAndNotes()
    {
        OrderDialog dialog(sampleItems(), {});
        QVERIFY(dialog.order().empty()); // untouched
        QListWidget *list = dialog.list();
        list->setCurrentRow(1);
        dialog.note()->setPlainText(u"States, not weights."_s);
        dialog.up()->click();
        QCOMPARE(list->currentRow(), 0);
        QVERIFY(!dialog.up()->isEnabled());
        list->item(1)->setCheckState(Qt::Unchecked);
        list->setCurrentRow(1);
        QCOMPARE(dialog.note()->toPlainText(), QString());
        const RunningOrder order = dialog.order();
        QVERIFY(order[0] == (OrderEntry{"where", true, "States, not weights."}));
        QVERIFY(order[1] == (OrderEntry{"answer", false, ""}));
        OrderDialog again(sampleItems(), order);
        QVERIFY(again.order() == order);
    }

    void whatThePageShowsIsAddedOnceAndOnlyWhereItIsTicked()
    {
        const StageItem view{"bookmark:here", u"Bookmark: here"_s, {}, true, {}};
        OrderDialog dialog(sampleItems(), {}, view);
        const int before = dialog.list()->count();
        dialog.list()->setCurrentRow(1);
        dialog.add()->click();
        QCOMPARE(dialog.list()->count(), before + 1);
        QCOMPARE(dialog.list()->currentRow(), 2); // after what was chosen
        QVERIFY(!dialog.add()->isEnabled());
        QVERIFY(dialog.isViewWanted());
        QVERIFY(dialog.order()[2] == (OrderEntry{"bookmark:here", true, ""}));
        dialog.list()->currentItem()->setCheckState(Qt::Unchecked);
        QVERIFY(!dialog.isViewWanted());
        QVERIFY(dialog.order().empty()); // no bookmark is made for it, so all is as it was
        QVERIFY(OrderDialog(sampleItems(), {}).add()->isHidden()); // a plan has no such view
    }

    void keysMoveAndTickAndNothingTickedIsSaid()
    {
        OrderDialog dialog(sampleItems(), {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QListWidget *list = dialog.list();
        QVERIFY(list->hasFocus());
        const QString first = list->item(0)->text();
        QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(list->item(1)->text(), first);
        QCOMPARE(list->currentRow(), 1);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(list->item(1)->checkState(), Qt::Unchecked);
        for (int row = 0; row < list->count(); ++row)
            list->item(row)->setCheckState(Qt::Unchecked);
        QVERIFY(dialog.countText().startsWith(u"Nothing is ticked"));
        QVERIFY(!dialog.presentButton()->isEnabled());
        list->item(0)->setCheckState(Qt::Checked);
        QVERIFY(dialog.countText().startsWith(u"1 of "));
        QVERIFY(dialog.presentButton()->isEnabled());
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::RunningOrderTest)
#include "tst_running_order.moc"
