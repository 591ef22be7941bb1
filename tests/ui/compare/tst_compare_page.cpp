// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/difference_tree.h"
#include "core/readers/read_trace.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_view.h"
#include "ui/compare/sites_table.h"
#include "ui/models/data_table_model.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/text.h"
#include "ui/trace/stack_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

ComparedTrace compared(const QString &title, std::shared_ptr<const Trace> trace)
{
    ComparedTrace made{title, u"/runs/"_s + title, analyse(std::move(trace)), 0};
    made.device = made.document->mainDevice();
    return made;
}

ComparedTrace sample(const QString &title, const test::SampleOptions &options)
{
    return compared(title, test::SampleTrace(options).finish());
}

/// A recording of the final state alone: no events, one block.
ComparedTrace withoutHistory(const QString &title, Bytes bytes)
{
    TraceBuilder builder;
    builder.internStream(0);
    const FrameId frame = builder.internFrame("main", "/home/me/project/train.py", 88);
    const FinalBlock block{.address = 512,
                           .size = bytes,
                           .requested = bytes,
                           .stack = builder.internStack(std::span(&frame, 1)),
                           .state = BlockState::Allocated};
    builder.addSegment(0, {.address = 512, .size = bytes}, std::span(&block, 1));
    return compared(title, builder.finish().value());
}

// A page on a widget that no screen shows, laid out, everything worked out.
struct Scene
{
    explicit Scene(std::vector<ComparedTrace> traces)
        : page(std::make_shared<ComparisonDocument>(ComparisonDocument{std::move(traces)}))
        , view(page.findChild<CompareView *>())
        , alignment(page.findChild<AlignmentBar *>())
        , sites(page.findChild<SitesTable *>())
        , differences(page.findChild<DifferenceView *>())
    {
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.resize(1200, 900);
        page.show();
        page.workNow();
        QApplication::processEvents();
    }

    [[nodiscard]] const SceneTrack &track(std::size_t trace) const
    {
        return *page.scene().trackOf(trace);
    }
    [[nodiscard]] const Study &device(std::size_t trace) const
    {
        return page.traces()[trace].shown();
    }
    // Where an event of a recording is painted.
    [[nodiscard]] QPoint pointOf(std::size_t trace, EventIndex event) const
    {
        const LinearScale across{page.state()->visible().x, view->plot().width()};
        const LinearScale up{page.state()->visible().bytes, view->plot().height()};
        const auto bytes = static_cast<double>(track(trace).curve->at(event));
        return QPointF(view->plot().left() +
                           across.toPixel(CompareScene::markOf(track(trace), event)),
                       view->plot().bottom() - up.toPixel(bytes))
            .toPoint();
    }
    [[nodiscard]] bool hasColor(std::size_t trace) const
    {
        const QImage image = view->grab().toImage();
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixel(x, y) == colorOf(trace))
                    return true;
            }
        }
        return false;
    }
    [[nodiscard]] QComboBox *box(const QString &name) const
    {
        QApplication::processEvents(); // new ones are shown, old ones deleted
        for (auto *each : page.findChildren<QComboBox *>()) {
            if (each->accessibleName() == name && !each->isHidden())
                return each;
        }
        return nullptr;
    }
    [[nodiscard]] Bytes delta() const { return page.pair()->bytesB - page.pair()->bytesA; }

    ComparePage page;
    CompareView *view;
    AlignmentBar *alignment;
    SitesTable *sites;
    DifferenceView *differences;
};

std::vector<ComparedTrace> twoSamples()
{
    return {sample(u"small.pickle"_s, {.outOfMemory = false, .layers = 12}),
            sample(u"large.pickle"_s, {.outOfMemory = false, .steps = 4, .layers = 16})};
}

} // namespace

class TestComparePage : public test::Test
{
    Q_OBJECT

private slots:
    void everyRecordingHasItsOwnColourAndStrokes();
    void curvesAreDrawnAndHiddenByTheLegend();
    void theTableIsThatOfTheCore();
    void theTableSortsAndFilters();
    void selectingASiteShowsBothStacksInFull();
    void theFlameGraphAddsUpAndIsSearched();
    void theBaseCanBeSwapped();
    void theCursorTellsAndComparesEveryRecording();
    void keysExploreTheCurves();
    void stepsFallTogether();
    void annotationsFallTogether();
    void whatCannotBeAlignedSaysWhy();
    void byTimeTheMomentsAreMerged();
    void theCursorStaysWhereItIsInTheBase();
    void reservedIsDrawnWhereSegmentsWereRecorded();
    void recordingsWithoutHistoryAreComparedInTheirFinalState();
    void severalDevicesCanBeChosen();
    void settingsThatDifferAreListed();
    void sizesFollowTheUnit();
    void eightRecordingsFit();
    void ranksOfARealRunAreCompared();
};

void TestComparePage::everyRecordingHasItsOwnColourAndStrokes()
{
    for (std::size_t a = 0; a < kMostCompared; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            QVERIFY(colorOf(a) != colorOf(b));
            QVERIFY(strokesOf(a) != strokesOf(b));
            QVERIFY(letterOf(a) != letterOf(b));
        }
    }
}

void TestComparePage::curvesAreDrawnAndHiddenByTheLegend()
{
    const Scene scene(twoSamples());
    QVERIFY(scene.hasColor(0));
    QVERIFY(scene.hasColor(1));
    const auto buttons = scene.page.findChild<CompareLegend *>()->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 2);
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QVERIFY(scene.hasColor(0));
    QVERIFY(!scene.hasColor(1));
    QTest::keyClick(buttons[1], Qt::Key_Space);
    QVERIFY(scene.hasColor(1));
}

void TestComparePage::theTableIsThatOfTheCore()
{
    const Scene scene(twoSamples());
    const auto &traces = scene.page.traces();
    const Comparison core = compareTraces(peakMoment(*traces[0].document->devices[0]),
                                          peakMoment(*traces[1].document->devices[0]));
    const DataTableModel &model = *scene.sites->model();
    QCOMPARE(model.rowCount(), static_cast<int>(core.sites.size()));
    const auto cell = [&](int row, std::string_view key, int role = Qt::DisplayRole) {
        return model.data(model.index(row, model.columnOf(key)), role).toString();
    };
    Bytes sum = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const ComparedSite &site = core.sites[static_cast<std::size_t>(row)];
        sum += site.delta();
        QCOMPARE(scene.sites->site(row).bytesA, site.bytesA);
        QCOMPARE(scene.sites->site(row).bytesB, site.bytesB);
        QCOMPARE(cell(row, "b"), bytesText(site.bytesB));
        QCOMPARE(cell(row, "count_a"), countText(site.countA));
        QVERIFY(
            cell(row, "delta", Qt::ToolTipRole).contains(countText(site.delta()) + u" bytes"_s));
        QVERIFY(cell(row, "match", Qt::ToolTipRole).contains(u"every frame"_s));
    }
    QCOMPARE(sum, core.b.active - core.a.active);
    QCOMPARE(scene.delta(), sum);
    QVERIFY(scene.sites->totalText().contains(bytesText(core.a.active)));
    QVERIFY(scene.sites->totalText().contains(bytesText(core.b.active)));
    QVERIFY(scene.sites->totalText().contains(signedBytesText(sum, ByteUnit::Binary)));
}

void TestComparePage::theTableSortsAndFilters()
{
    const Scene scene(twoSamples());
    const DataTableModel &model = *scene.sites->model();
    const int all = model.rowCount();
    scene.sites->view()->sortByColumn(model.columnOf("a"), Qt::AscendingOrder);
    for (int row = 1; row < all; ++row)
        QVERIFY(scene.sites->site(row - 1).bytesA <= scene.sites->site(row).bytesA);
    scene.sites->view()->sortByColumn(model.columnOf("delta"), Qt::DescendingOrder);
    for (int row = 1; row < all; ++row)
        QVERIFY(scene.sites->site(row - 1).delta() >= scene.sites->site(row).delta());
    scene.sites->view()->sortByColumn(model.columnOf("site"), Qt::AscendingOrder);
    for (int row = 1; row < all; ++row)
        QVERIFY(model.data(model.index(row - 1, 0), Qt::DisplayRole).toString() <=
                model.data(model.index(row, 0), Qt::DisplayRole).toString());
    auto *filter = scene.sites->findChild<QLineEdit *>();
    QTest::keyClicks(filter, u"feedforward"_s);
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(scene.sites->totalText().startsWith(u"1 of %1 sites"_s.arg(all)));
    QVERIFY(scene.sites->totalText().contains(bytesText(scene.sites->site(0).bytesA)));
    filter->setText(u"no such function"_s);
    QCOMPARE(model.rowCount(), 0);
    filter->clear();
    QCOMPARE(model.rowCount(), all);
}

void TestComparePage::selectingASiteShowsBothStacksInFull()
{
    const Scene scene(twoSamples());
    QVERIFY(scene.sites->findChildren<StackView *>().isEmpty());
    scene.sites->view()->selectRow(0);
    QApplication::processEvents();
    const auto stacks = scene.sites->findChildren<StackView *>();
    QCOMPARE(stacks.size(), 2);
    for (const StackView *stack : stacks) {
        QVERIFY(stack->toPlainText().contains(u"_PyEval_EvalFrameDefault"_s));
        QVERIFY(stack->toPlainText().contains(u"train.py:88"_s));
    }
    QTest::keyClick(scene.sites->view(), Qt::Key_Down);
    QCOMPARE(scene.sites->view()->currentIndex().row(), 1);
}

void TestComparePage::theFlameGraphAddsUpAndIsSearched()
{
    const Scene scene(twoSamples());
    const CallTree &tree = scene.page.pair()->tree->tree;
    const Costs all = tree.total(CallTree::kRoot);
    QCOMPARE(differenceOf(all), scene.delta());
    Bytes apart = 0;
    for (const ComparedSite &site : scene.page.pair()->sites)
        apart += std::abs(site.delta());
    QCOMPARE(all.total.bytes, apart);
    FlameView *flame = scene.differences->flame();
    QSignalSpy described(flame, &FlameView::described);
    flame->select(CallTree::kRoot);
    QVERIFY(described.last().first().toString().contains(toQString(formatChange(scene.delta()))));
    scene.differences->setSearch(u"feedforward"_s);
    QVERIFY(scene.differences->matchText().contains(u"+"_s));
    scene.differences->setSearch(u"no such function"_s);
    QVERIFY(scene.differences->matchText().contains(u"no match"_s));
}

void TestComparePage::theBaseCanBeSwapped()
{
    Scene scene(twoSamples());
    const Bytes before = scene.delta();
    for (auto *button : scene.page.findChildren<QPushButton *>()) {
        if (button->text() == u"Swap"_s)
            QTest::mouseClick(button, Qt::LeftButton);
    }
    QTRY_COMPARE(scene.page.pair()->a.at, std::size_t(1));
    QCOMPARE(scene.delta(), -before);
    QCOMPARE(scene.sites->model()->headerData(scene.sites->model()->columnOf("a"), Qt::Horizontal,
                                              Qt::DisplayRole),
             u"B"_s);
    // Choosing the other as base swaps as well: a recording is not compared with itself.
    QComboBox *base = scene.box(u"Base of the comparison"_s);
    base->setCurrentIndex(0);
    Q_EMIT base->activated(0);
    QTRY_COMPARE(scene.page.pair()->a.at, std::size_t(0));
    QCOMPARE(scene.page.pair()->b.at, std::size_t(1));
}

void TestComparePage::theCursorTellsAndComparesEveryRecording()
{
    Scene scene(twoSamples());
    const EventIndex event = 20;
    scene.page.state()->setCursor(event);
    for (const std::size_t trace : {0U, 1U}) {
        const Bytes bytes = scene.device(trace).curve().active(event);
        QVERIFY(
            scene.page.statusText().contains(u"%1 %2"_s.arg(letterOf(trace), bytesText(bytes))));
    }
    const QString tip = scene.view->textAt(scene.pointOf(0, event)).join(u'\n');
    QVERIFY(tip.contains(u"A  small.pickle"_s));
    QVERIFY(tip.contains(u" bytes)"_s));
    scene.page.setMoment(ComparePage::Moment::Cursor);
    QTRY_COMPARE(scene.page.pair()->a.event, event);
    QCOMPARE(scene.page.pair()->bytesA, scene.device(0).curve().active(event));
    QCOMPARE(scene.page.pair()->bytesB, scene.device(1).curve().active(event));
    // Beyond its end a recording stands as it ended, and the curve tells nothing.
    const EventIndex end = scene.device(0).device().events.count();
    QVERIFY(end < scene.device(1).device().events.count());
    scene.page.state()->setCursor(end + 10);
    QTRY_COMPARE(scene.page.pair()->a.event, end - 1);
    QVERIFY(!scene.page.statusText().contains(u"A "_s));
}

void TestComparePage::keysExploreTheCurves()
{
    Scene scene(twoSamples());
    scene.view->setFocus();
    QTest::keyClick(scene.view, Qt::Key_P);
    QCOMPARE(scene.page.state()->cursor(), scene.device(0).curve().peakActiveEvent());
    scene.page.setPair(1, 0);
    QTest::keyClick(scene.view, Qt::Key_P);
    QCOMPARE(scene.page.state()->cursor(), scene.device(1).curve().peakActiveEvent());
    const Range whole = scene.page.state()->visible().x;
    QTest::keyClick(scene.view, Qt::Key_W);
    QVERIFY(scene.page.state()->visible().x.length() < whole.length());
    QTest::keyClick(scene.view, Qt::Key_F);
    QCOMPARE(scene.page.state()->visible().x, whole);
    // A click takes the highest event of the nearest curve.
    const EventIndex peak = scene.device(1).curve().peakActiveEvent();
    QTest::mouseClick(scene.view, Qt::LeftButton, {}, scene.pointOf(1, peak));
    QVERIFY(std::abs(scene.page.state()->cursor() - peak) <= 1);
}

void TestComparePage::stepsFallTogether()
{
    // The second begins in the middle of its first step.
    test::SampleTrace late({.outOfMemory = false, .steps = 4, .layers = 16});
    Scene scene({sample(u"a.pickle"_s, {.outOfMemory = false, .steps = 5}),
                 compared(u"b.pickle"_s, late.finish())});
    QVERIFY(scene.alignment->isEnabled(AlignmentBar::By::Step));
    scene.alignment->setBy(AlignmentBar::By::Step);
    const SceneOptions options = scene.alignment->options();
    const auto shared = [&](std::size_t trace) {
        return CompareScene::markOf(scene.track(trace), options.anchors[trace]);
    };
    QCOMPARE(shared(0), shared(1));
    QVERIFY(scene.alignment->anchorText().contains(u"B: step"_s));
    // Another step of one moves its curve alone.
    scene.alignment->setStep(0, 2);
    const SceneOptions moved = scene.alignment->options();
    QVERIFY(moved.anchors[0] > options.anchors[0]);
    QCOMPARE(moved.anchors[1], options.anchors[1]);
    QCOMPARE(CompareScene::markOf(scene.track(0), moved.anchors[0]),
             CompareScene::markOf(scene.track(1), moved.anchors[1]));
    QVERIFY(scene.box(u"Step of A"_s));
    scene.alignment->setBy(AlignmentBar::By::Start);
    QVERIFY(!scene.box(u"Step of A"_s));
    QCOMPARE(scene.track(0).shift, 0);
}

void TestComparePage::annotationsFallTogether()
{
    Scene scene(twoSamples());
    QVERIFY(scene.alignment->isEnabled(AlignmentBar::By::Annotation));
    scene.alignment->setBy(AlignmentBar::By::Annotation);
    QComboBox *names = scene.box(u"Annotation that falls together"_s);
    const int backward = names->findText(u"backward"_s);
    QVERIFY(backward >= 0);
    names->setCurrentIndex(backward);
    Q_EMIT names->activated(backward);
    const SceneOptions options = scene.alignment->options();
    QVERIFY(options.anchors[0] != options.anchors[1]); // more layers, a longer forward
    QCOMPARE(scene.track(0).shift + options.anchors[0], scene.track(1).shift + options.anchors[1]);
    QCOMPARE(scene.alignment->anchorText(), u"backward begins"_s);
}

void TestComparePage::whatCannotBeAlignedSaysWhy()
{
    TraceBuilder builder;
    builder.internStream(0);
    for (int at = 0; at < 4; ++at)
        builder.addEvent(
            0, {.action = Action::Alloc, .address = 512 * std::uint64_t(at + 1), .size = 512});
    Scene scene({sample(u"a.pickle"_s, {}), compared(u"b.pickle"_s, builder.finish().value())});
    QVERIFY(!scene.alignment->isEnabled(AlignmentBar::By::Step));
    QVERIFY(scene.alignment->whyNot(AlignmentBar::By::Step).startsWith(u"B has no steps: "_s));
    QVERIFY(scene.alignment->whyNot(AlignmentBar::By::Annotation).contains(u"same name"_s));
    scene.alignment->setBy(AlignmentBar::By::Step); // asked for all the same
    QCOMPARE(scene.alignment->by(), AlignmentBar::By::Start);
    scene.alignment->setKind(EventAxis::Kind::Time); // one has no times
    QCOMPARE(scene.page.scene().axis().kind(), EventAxis::Kind::Event);
}

void TestComparePage::byTimeTheMomentsAreMerged()
{
    Scene scene(twoSamples());
    scene.alignment->setKind(EventAxis::Kind::Time);
    const EventAxis axis = scene.page.scene().axis();
    QCOMPARE(axis.kind(), EventAxis::Kind::Time);
    const EventIndex peak = scene.device(1).curve().peakActiveEvent();
    QTest::keyClick(scene.view, Qt::Key_P); // of A
    QCOMPARE(scene.page.scene().eventOf(scene.track(0), scene.page.state()->cursor()),
             std::optional(scene.device(0).curve().peakActiveEvent()));
    const EventIndex shared = scene.page.scene().sharedEvent(scene.track(1), peak);
    QCOMPARE(axis.start(shared), static_cast<double>(scene.device(1).timeOf(peak)));
    QVERIFY(scene.hasColor(1));
}

void TestComparePage::theCursorStaysWhereItIsInTheBase()
{
    Scene scene(twoSamples());
    const auto ownEvent = [&] {
        return scene.page.scene().eventOf(scene.track(0), scene.page.state()->cursor());
    };
    scene.page.state()->setCursor(33);
    scene.alignment->setKind(EventAxis::Kind::Time);
    QCOMPARE(ownEvent(), std::optional(EventIndex(33)));
    scene.alignment->setBy(AlignmentBar::By::Step);
    scene.alignment->setStep(1, 2);
    QVERIFY(scene.track(0).shift > 0);
    QCOMPARE(ownEvent(), std::optional(EventIndex(33)));
    scene.alignment->setKind(EventAxis::Kind::Event);
    QCOMPARE(ownEvent(), std::optional(EventIndex(33)));
}

void TestComparePage::reservedIsDrawnWhereSegmentsWereRecorded()
{
    Scene scene(twoSamples());
    scene.alignment->setQuantity(Quantity::Reserved);
    QVERIFY(scene.page.scene().valid());
    QCOMPARE(scene.track(0).curve, &scene.device(0).curve().reserved());
    scene.alignment->setQuantity(Quantity::Active);
    QCOMPARE(scene.track(0).curve, &scene.device(0).curve().active());
}

void TestComparePage::recordingsWithoutHistoryAreComparedInTheirFinalState()
{
    Scene scene({withoutHistory(u"a.pickle"_s, 4096), withoutHistory(u"b.pickle"_s, 10240)});
    QVERIFY(!scene.page.state());
    QVERIFY(!scene.view->isVisible());
    QCOMPARE(scene.delta(), Bytes(6144));
    QCOMPARE(scene.sites->model()->rowCount(), 1);
    QVERIFY(scene.page.statusText().contains(u"no history"_s));
    // Beside one with a history it has no curve, and the table still compares.
    Scene mixed({sample(u"a.pickle"_s, {}), withoutHistory(u"b.pickle"_s, 10240)});
    QVERIFY(mixed.page.state());
    QVERIFY(!mixed.page.scene().trackOf(1));
    QCOMPARE(mixed.page.pair()->bytesB, Bytes(10240));
    mixed.page.setMoment(ComparePage::Moment::Cursor);
    QTRY_COMPARE(mixed.page.pair()->a.event, EventIndex(-1));
}

void TestComparePage::severalDevicesCanBeChosen()
{
    test::SampleTrace writer({.outOfMemory = false});
    writer.builder().addEvent(3, {.action = Action::Alloc, .address = 512, .size = 100});
    writer.builder().addEvent(3, {.action = Action::Alloc, .address = 1024, .size = 200});
    const ComparedTrace both = compared(u"two.pickle"_s, writer.finish());
    Scene scene({both, both});
    QVERIFY(scene.box(u"Device of B"_s));
    QCOMPARE(scene.delta(), Bytes(0));
    scene.page.setDevice(1, 1);
    QTRY_COMPARE(scene.page.pair()->bytesB, Bytes(1024)); // two blocks of 512
    // Of a device without a history nothing is left to explore.
    test::SampleTrace state({.outOfMemory = false});
    const FinalBlock block{
        .address = 512, .size = 64, .requested = 64, .state = BlockState::Allocated};
    state.builder().addSegment(1, {.address = 512, .size = 64}, std::span(&block, 1));
    const ComparedTrace half = compared(u"half.pickle"_s, state.finish());
    Scene other({half, half});
    other.page.state()->setCursor(40);
    other.page.setDevice(0, 1);
    QVERIFY(other.page.state());
    other.page.setDevice(1, 1);
    QVERIFY(!other.page.state());
    QTRY_COMPARE(other.page.pair()->bytesA, Bytes(64));
}

void TestComparePage::settingsThatDifferAreListed()
{
    test::SampleTrace a;
    test::SampleTrace b;
    a.builder().addSetting("expandable_segments", "false");
    b.builder().addSetting("expandable_segments", "true");
    b.builder().addSetting("max_split_size", "-1");
    Scene scene({compared(u"a.pickle"_s, a.finish()), compared(u"b.pickle"_s, b.finish())});
    scene.page.setPart(ComparePage::Part::Settings);
    auto *table = scene.page.findChild<QTableWidget *>();
    QVERIFY(table->isVisible());
    QCOMPARE(table->rowCount(), 2);
    QCOMPARE(table->item(0, 0)->text(), u"expandable_segments"_s);
    QCOMPARE(table->item(0, 2)->text(), u"true"_s);
    QCOMPARE(table->item(1, 1)->text(), u"not recorded"_s);
}

void TestComparePage::sizesFollowTheUnit()
{
    Scene scene(twoSamples());
    QVERIFY(scene.sites->totalText().contains(u"GiB"_s));
    scene.page.setUnit(ByteUnit::Decimal);
    QVERIFY(!scene.sites->totalText().contains(u"GiB"_s));
    QVERIFY(scene.page.statusText().contains(u"GB"_s) || scene.page.statusText().contains(u"MB"_s));
}

void TestComparePage::eightRecordingsFit()
{
    std::vector<ComparedTrace> traces;
    for (int at = 0; at < 8; ++at)
        traces.push_back(sample(u"a_long_name_of_a_run_with_many_words_rank_%1.pickle"_s.arg(at),
                                {.outOfMemory = false, .layers = 6 + at}));
    Scene scene(std::move(traces));
    scene.page.resize(1000, 700);
    QApplication::processEvents();
    QVERIFY(scene.page.minimumSizeHint().width() <= 1000);
    for (std::size_t at = 0; at < kMostCompared; ++at)
        QVERIFY(scene.hasColor(at));
    scene.page.setPair(7, 2);
    QTRY_COMPARE(scene.page.pair()->a.at, std::size_t(7));
}

void TestComparePage::ranksOfARealRunAreCompared()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    std::vector<ComparedTrace> traces;
    for (const QString &name : {u"fsdp_oom_rank0.pickle"_s, u"fsdp_oom_rank1.pickle"_s}) {
        const auto file = test::corpusFolder() + u'/' + name;
        traces.push_back(compared(name, readTrace(file.toStdString()).value()));
    }
    Scene scene(std::move(traces));
    // Ranks of one run hold the same in the same places.
    QCOMPARE(scene.delta(), Bytes(0));
    QVERIFY(scene.sites->model()->rowCount() > 10);
    for (const ComparedSite &site : scene.page.pair()->sites)
        QCOMPARE(site.match, SiteMatch::Exact);
    QCOMPARE(scene.track(0).curve->at(scene.track(0).curve->peakEvent()),
             scene.track(1).curve->at(scene.track(1).curve->peakEvent()));
    QVERIFY(scene.alignment->isEnabled(AlignmentBar::By::Annotation));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TestComparePage)
#include "tst_compare_page.moc"
