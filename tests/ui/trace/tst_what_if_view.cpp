// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/describe/allocator_tables.h"
#include "core/print/replay_report.h"
#include "core/readers/read_trace.h"
#include "core/simulator/recommendation.h"
#include "core/table/row_order.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"
#include "ui/models/what_if_model.h"
#include "ui/support/setting_field.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/reserved_plot.h"
#include "ui/trace/what_if_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTableView>

#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const Trace> example()
{
    const QString file = test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s);
    return *readTrace(file.toStdString());
}

// The view of a recording, as the page shows it.
struct ShownWhatIf
{
    explicit ShownWhatIf(const std::shared_ptr<const Trace> &trace = example())
        : document(analyse(trace))
        , studied(study(*document, 0))
        , view(document, &state)
    {
        const UsageCurve &curve = document->devices[0]->curve();
        state.reset(EventAxis(curve.count(), document->devices[0]->times()), {0, 1e12});
        view.setStudy(0, studied);
        view.resize(1200, 700);
        view.show();
        view.workNow();
    }

    [[nodiscard]] const WhatIfs &whatIfs() const { return view.findings()->whatIfs; }
    [[nodiscard]] const WhatIfModel &model() const { return *view.model(); }
    [[nodiscard]] QString cell(std::size_t setting, int column) const
    {
        return model().index(model().placeOf(setting), column).data().toString();
    }
    [[nodiscard]] QString ownRow() const
    {
        return cell(view.findings()->rowCount() - 1, WhatIfModel::Setting);
    }
    // Types into a field and waits for what that leads to.
    void type(QLineEdit *field, const QString &text)
    {
        const WhatIfFindings *before = view.findings();
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(view.findings() != before);
    }

    std::shared_ptr<const TraceDocument> document;
    std::shared_ptr<const Study> studied;
    TimelineState state;
    WhatIfView view;
};

} // namespace

class WhatIfViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void memoryThatRunsOutEarlierIsWorse()
    {
        const auto endingAt = [](std::optional<std::int32_t> event) {
            WhatIf asked;
            asked.result.outOfMemoryEvent = event;
            return asked;
        };
        auto findings = std::make_shared<WhatIfFindings>();
        findings->whatIfs.recorded = endingAt(5);
        findings->whatIfs.others = {endingAt(std::nullopt), endingAt(-1), endingAt(0)};
        const DataTable table = whatIfsTable(findings);
        std::vector<std::uint32_t> rows{0, 1, 2, 3};
        sortRows(rows, table, table.columnOf("failure").value(), true);
        QCOMPARE(rows, (std::vector<std::uint32_t>{2, 3, 0, 1}));
    }

    void theTableShowsWhatTheSimulationGives();
    void rowsAreSortedByAnyColumn();
    void theRecommendedSettingIsCopied();
    void anOwnSettingBecomesARow();
    void aWrongKeyIsNamedWhileItIsTyped();
    void aSmallerDeviceRunsOutOfMemory();
    void aSizeIsReadInAnyUnit();
    void onlyCheckedRowsAreDrawn();
    void theKeysGoFromChangeToChange();
    void aCurveShowsWhatIsReservedAfterEachEvent();
    void nothingIsPaintedThatTheCurveDoesNotReach();
    void linesAreToldApartWithoutColour();
    void nothingIsSimulatedBeforeItIsSeen();
    void theLatestWishIsShown();
    void aRecordingWithoutAllocationsSaysSo();
    void whatIsServedUpToTheFailureIsNotYetTheStep();
};

void WhatIfViewTest::whatIsServedUpToTheFailureIsNotYetTheStep()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QString file = test::corpusFolder() + u"/fsdp_oom_rank0.pickle"_s;
    const ShownWhatIf shown(*readTrace(file.toStdString()));
    const QString advice = toQString(replayAdvice(shown.whatIfs(), ByteUnit::Binary));
    QVERIFY2(advice.contains(u"every request that the recording holds is served"),
             qPrintable(advice));
    QVERIFY2(advice.contains(u"The recording ends with this failure"), qPrintable(advice));
    QVERIFY2(advice.contains(u"what the rest of the step needs is unknown"), qPrintable(advice));
    QVERIFY2(advice.contains(u"at most 641 MiB would be left for it"), qPrintable(advice));
}

void WhatIfViewTest::theTableShowsWhatTheSimulationGives()
{
    const ShownWhatIf shown;
    const Trace &trace = *shown.document->trace;
    const Study &device = *shown.document->devices[0];
    const auto expected = whatIf(device, usualConfigurations(true, newestVersion(trace)));
    QCOMPARE(shown.model().rowCount(), int(expected->others.size() + 1));
    QCOMPARE(shown.cell(0, WhatIfModel::Setting), u"as recorded"_s);
    const Bytes recorded = expected->recorded.result.figures.peakReserved;
    for (std::size_t row = 1; row <= expected->others.size(); ++row) {
        const WhatIf &asked = expected->others[row - 1];
        const AllocatorFigures &figures = asked.result.figures;
        if (!asked.configuration.empty())
            QCOMPARE(shown.cell(row, WhatIfModel::Setting), toQString(asked.configuration));
        QCOMPARE(shown.cell(row, WhatIfModel::Reserved), bytesText(figures.peakReserved));
        const Bytes change = figures.peakReserved - recorded;
        const QString sign = change < 0 ? u"−"_s : change > 0 ? u"+"_s : QString();
        QCOMPARE(shown.cell(row, WhatIfModel::Delta), sign + bytesText(std::abs(change)));
        const QModelIndex changed =
            shown.model().index(shown.model().placeOf(row), WhatIfModel::Delta);
        const QString exact = changed.data(Qt::ToolTipRole).toString();
        QVERIFY2(exact.startsWith(u"<p>"_s + sign) && !exact.contains(u'-'), qPrintable(exact));
        QCOMPARE(shown.cell(row, WhatIfModel::Stranded), bytesText(asked.result.strandedAtPeak));
        QCOMPARE(shown.cell(row, WhatIfModel::Calls),
                 countText(figures.driverAllocations + figures.driverFrees));
        QCOMPARE(shown.cell(row, WhatIfModel::Retries), countText(figures.retries));
        if (asked.result.runsOut())
            QVERIFY(shown.cell(row, WhatIfModel::Failure)
                        .contains(countText(*asked.result.outOfMemoryEvent)));
        const QModelIndex cell =
            shown.model().index(shown.model().placeOf(row), WhatIfModel::Reserved);
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(countText(figures.peakReserved)));
    }
}

void WhatIfViewTest::rowsAreSortedByAnyColumn()
{
    ShownWhatIf shown;
    const QAbstractItemModelTester tester(shown.view.model());
    shown.view.table()->sortByColumn(WhatIfModel::Calls, Qt::DescendingOrder);
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    for (int row = 0; row < shown.model().rowCount(); ++row) {
        const AllocatorFigures &figures =
            shown.view.findings()->row(shown.model().rowAt(row)).result.figures;
        QVERIFY(figures.driverAllocations + figures.driverFrees <= before);
        before = figures.driverAllocations + figures.driverFrees;
    }
    shown.view.table()->sortByColumn(WhatIfModel::Setting, Qt::AscendingOrder);
    QCOMPARE(shown.model().rowAt(0), 0U);
}

void WhatIfViewTest::theRecommendedSettingIsCopied()
{
    const ShownWhatIf shown;
    QVERIFY(shown.whatIfs().best);
    QVERIFY(shown.view.copyButton()->isVisible());
    shown.view.copyButton()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             u"PYTORCH_CUDA_ALLOC_CONF="_s +
                 toQString(shown.whatIfs().others[*shown.whatIfs().best].configuration));
}

void WhatIfViewTest::anOwnSettingBecomesARow()
{
    ShownWhatIf shown;
    const int rows = shown.model().rowCount();
    const QString own = u"max_split_size_mb:64,roundup_power2_divisions:2"_s;
    shown.type(shown.view.ownField(), own);
    QCOMPARE(shown.model().rowCount(), rows + 1);
    QCOMPARE(shown.ownRow(), own);
    QCOMPARE(shown.view.plot()->lines().back().name, own);         // drawn at once
    shown.type(shown.view.ownField(), u"max_split_size_mb:128"_s); // one of the usual
    QCOMPARE(shown.model().rowCount(), rows);
}

void WhatIfViewTest::aWrongKeyIsNamedWhileItIsTyped()
{
    ShownWhatIf shown;
    QVERIFY(shown.view.problems().isEmpty());
    QTest::keyClicks(shown.view.ownField(), u"max_split_size:128"_s);
    QVERIFY2(shown.view.problems().contains(u"max_split_size"_s),
             qPrintable(shown.view.problems()));
    const QList<QLabel *> labels = shown.view.findChildren<QLabel *>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel *label) {
        return label->isVisible() && label->text() == shown.view.problems();
    }));
    shown.view.ownField()->setText(u"max_split_size_mb"_s);
    QVERIFY(!shown.view.problems().isEmpty()); // it has no value
    shown.view.ownField()->setText(u"max_split_size_mb:128"_s);
    QVERIFY(shown.view.problems().isEmpty());
    shown.view.capacityField()->setText(u"much"_s);
    QVERIFY(!shown.view.problems().isEmpty());
}

void WhatIfViewTest::aSmallerDeviceRunsOutOfMemory()
{
    ShownWhatIf shown;
    QVERIFY(!shown.whatIfs().recorded.result.runsOut());
    const Bytes half = shown.whatIfs().recorded.result.figures.peakReserved / 2;
    shown.type(shown.view.capacityField(), u"%1 bytes"_s.arg(half));
    QCOMPARE(shown.whatIfs().capacity, half);
    QVERIFY(shown.whatIfs().recorded.result.runsOut());
    QVERIFY(shown.cell(0, WhatIfModel::Failure)
                .contains(countText(*shown.whatIfs().recorded.result.outOfMemoryEvent)));
    shown.type(shown.view.capacityField(), QString());
    QVERIFY(!shown.whatIfs().recorded.result.runsOut());
}

void WhatIfViewTest::aSizeIsReadInAnyUnit()
{
    QCOMPARE(readSize(u"80"_s, ByteUnit::Binary), 80 * kGiB);
    QCOMPARE(readSize(u" 80 "_s, ByteUnit::Decimal), Bytes(80'000'000'000));
    QCOMPARE(readSize(u"23.5gib"_s, ByteUnit::Decimal), 47 * kGiB / 2);
    QCOMPARE(readSize(u"81,920 MiB"_s, ByteUnit::Binary), 80 * kGiB);
    for (const QString &wrong :
         {u""_s, u"0"_s, u"-3"_s, u"80 apples"_s, u"1e30"_s, u"9999999 TiB"_s})
        QVERIFY2(!readSize(wrong, ByteUnit::Binary), qPrintable(wrong));
}

void WhatIfViewTest::onlyCheckedRowsAreDrawn()
{
    ShownWhatIf shown;
    QCOMPARE(shown.view.plot()->lines().size(), 2U); // as recorded, and the recommended one
    QTableView *table = shown.view.table();
    const std::size_t setting = 3;
    table->setCurrentIndex(shown.model().index(shown.model().placeOf(setting), WhatIfModel::Calls));
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(shown.view.plot()->lines().size(), 3U);
    QCOMPARE(shown.view.plot()->lines().back().name, shown.cell(setting, WhatIfModel::Setting));
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(shown.view.plot()->lines().size(), 2U);
}

void WhatIfViewTest::theKeysGoFromChangeToChange()
{
    ShownWhatIf shown;
    std::set<EventIndex> changes;
    for (const ReservedLine &line : shown.view.plot()->lines()) {
        for (const ReservedFrom &from : line.result->reserved)
            changes.insert(from.event);
    }
    QVERIFY(changes.size() > 10);
    shown.state.setCursor(-1);
    for (auto change = changes.upper_bound(-1); change != changes.end(); ++change) {
        QTest::keyClick(shown.view.plot(), Qt::Key_Right);
        QCOMPARE(shown.state.cursor(), *change);
    }
    QTest::keyClick(shown.view.plot(), Qt::Key_Right); // there is none after the last
    QCOMPARE(shown.state.cursor(), *changes.rbegin());
    QTest::keyClick(shown.view.plot(), Qt::Key_Left);
    QCOMPARE(shown.state.cursor(), *std::next(changes.rbegin()));
}

void WhatIfViewTest::aCurveShowsWhatIsReservedAfterEachEvent()
{
    const ShownWhatIf shown;
    const ReservedChart &chart = shown.view.plot()->chart();
    const SimulationResult &recorded = shown.whatIfs().recorded.result;
    for (const ReservedFrom &from : {recorded.reserved[3], recorded.reserved.back()}) {
        const EventIndex event = chart.eventAt(chart.xOf(from.event));
        const Bytes bytes =
            std::ranges::find(recorded.reserved, event, &ReservedFrom::event)->bytes;
        const QStringList text = chart.textAt({chart.xOf(event), chart.plot().center().y()});
        QCOMPARE(text.at(1), u"as recorded: "_s + bytesText(bytes));
    }
    // At the end of the line stands what is reserved last, and the highest point is the peak.
    const QPolygonF line = chart.line(0);
    const double peak = std::ranges::min(line, {}, &QPointF::y).y();
    const double share = double(recorded.figures.reserved) / double(recorded.figures.peakReserved);
    const double bottom = chart.plot().bottom();
    QVERIFY(std::abs((bottom - line.last().y()) - share * (bottom - peak)) < 2);
    QVERIFY(chart.textAt({0, 0}).isEmpty());
}

void WhatIfViewTest::nothingIsPaintedThatTheCurveDoesNotReach()
{
    // Many changes fall into each column: up, down a little, up again.
    constexpr int kEvents = 20'000;
    SimulationResult result;
    for (int event = 0; event < kEvents; ++event)
        result.reserved.push_back({event, event * 1000 + (event % 7 == 3 ? -200'000 : 0)});
    result.figures.peakReserved = kEvents * 1000;
    const QRectF area(0, 0, 600, 400);
    const ChartStyle style{lightTheme(), ByteUnit::Binary, QFont(), 1};
    const ReservedChart chart({{u"line"_s, 0, &result}}, std::nullopt, EventAxis(kEvents),
                              {0, kEvents}, area, style);
    QImage image(area.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    chart.paint(painter);
    painter.end();
    const QPolygonF line = chart.line(0);
    int painted = 0;
    for (int x = int(chart.plot().left()) + 20; x < int(chart.plot().right()) - 20; ++x) {
        double top = 1e9;
        double bottom = -1e9;
        for (const QPointF &at : line) {
            if (std::abs(at.x() - x) <= 2) {
                top = std::min(top, at.y());
                bottom = std::max(bottom, at.y());
            }
        }
        for (int y = int(chart.plot().top()); y < int(chart.plot().bottom()) - 3; ++y) {
            if (image.pixelColor(x, y) != style.theme.text)
                continue;
            ++painted;
            QVERIFY2(y >= top - 2 && y <= bottom + 2, qPrintable(u"%1, %2"_s.arg(x).arg(y)));
        }
    }
    QVERIFY(painted > 400);
}

void WhatIfViewTest::linesAreToldApartWithoutColour()
{
    for (std::size_t look = 1; look < 24; ++look) {
        const QPen pen = reservedPen(look, lightTheme());
        for (std::size_t other = 0; other < look; ++other) {
            const QPen another = reservedPen(other, lightTheme());
            QVERIFY(pen.color() != another.color() || pen.dashPattern() != another.dashPattern());
            if (look < 6) // whatever the colours look like
                QVERIFY(pen.dashPattern() != another.dashPattern());
        }
    }
}

void WhatIfViewTest::nothingIsSimulatedBeforeItIsSeen()
{
    const auto document = analyse(example());
    TimelineState state;
    WhatIfView view(document, &state);
    view.setStudy(0, study(*document, 0));
    QTest::qWait(0);
    QVERIFY(!view.findings());
    view.show();
    QTRY_VERIFY(view.findings());
}

void WhatIfViewTest::theLatestWishIsShown()
{
    ShownWhatIf shown;
    for (const int size : {33, 65, 97}) {
        shown.view.ownField()->setText(u"max_split_size_mb:%1"_s.arg(size));
        QTest::keyClick(shown.view.ownField(), Qt::Key_Return);
    }
    QTRY_COMPARE(shown.ownRow(), u"max_split_size_mb:97"_s);
}

void WhatIfViewTest::aRecordingWithoutAllocationsSaysSo()
{
    TraceBuilder builder;
    builder.setFormat("pytorch-snapshot");
    builder.setProducer("PyTorch 2.8");
    for (int event = 0; event < 3; ++event) {
        Event none;
        none.action = Action::SegmentAlloc;
        none.address = 0x7f4000000000 + std::uint64_t(event) * 0x10000000;
        none.size = 20 * kMiB;
        builder.addEvent(0, none);
    }
    const ShownWhatIf shown(*builder.finish());
    QVERIFY(!shown.view.emptyText().isEmpty());
    QVERIFY(!shown.view.table()->isVisible());
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::WhatIfViewTest)
#include "tst_what_if_view.moc"
