// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "ui/models/data_table_view.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/event_panel.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/support/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct PageScene
{
    explicit PageScene(std::shared_ptr<const Profile> profile = test::twoStepProfile(),
                       QSize size = {1280, 720})
        : document(analyse(std::move(profile)))
        , page(document)
    {
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.resize(size);
        page.show();
        page.workNow();
        QApplication::processEvents();
    }

    [[nodiscard]] QStringList column(int at) const
    {
        const QAbstractItemModel &model = *page.tables()->view()->model();
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, at).data().toString();
        return texts;
    }
    void clickRow(const QString &name) const
    {
        QTableView &view = *page.tables()->view();
        const auto found = view.model()->match(view.model()->index(0, 0), Qt::DisplayRole, name, 1,
                                               Qt::MatchContains);
        QVERIFY(!found.isEmpty());
        Q_EMIT view.clicked(found.front());
    }

    std::shared_ptr<const ProfileDocument> document;
    ProfilePage page;
};

} // namespace

class ProfilePageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theBarAddsUpToTheSpan();
    void thePartsOfTheBarFollowEachOther();
    void aPartFiltersTheTimeline();
    void aChosenStretchIsTheOneOfBarAndTables();
    void everyTabHasItsRows();
    void operatorsAreGroupedAsIsChosen();
    void theBreakdownCanBeThatOfHta();
    void completeStepsAreWhatTheBarIsAbout();
    void aRowLeadsToItsEventAndBack();
    void theSearchFiltersTableAndTimeline();
    void theSelectedEventIsToldInFull();
    void aCallLeadsToWhatItLaunched();
    void memoryNamesTheOperatorThatChangedItLast();
    void nothingRecordedExplainsItself();
    void theHostAloneExplainsItself();
    void whatIsWrongWithAFileStandsFirst();
    void nothingLeavesASmallWindow();
    void namesStayReadableBesideManyFigures();
    void looks();
};

void ProfilePageTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
    qApp->setPalette(themePalette(lightTheme()));
    qApp->setStyleSheet(themeStyleSheet(lightTheme()));
}

void ProfilePageTest::theBarAddsUpToTheSpan()
{
    PageScene scene;
    QCOMPARE(scene.page.bar()->times().size(), std::size_t(1));
    const BarTimes &times = scene.page.bar()->times().front();
    QCOMPARE(times.span(), 170'000); // from 10 µs to 180 µs
    QCOMPARE(times.compute, 80'000);
    QCOMPARE(times.exposedCommunication, 30'000);
    QCOMPARE(times.exposedCopies, 20'000);
    QCOMPARE(times.idle, 40'000);
    QCOMPARE(times.hidden, 10'000);
    // What the strip of the timeline knows is the same.
    const DeviceCover &coverage = scene.document->devices.front().coverage;
    QCOMPARE(barTimes(times.name, coverage.within(coverage.start(), coverage.end())), times);
}

void ProfilePageTest::thePartsOfTheBarFollowEachOther()
{
    PageScene scene;
    const BreakdownBar &bar = *scene.page.bar();
    double left = bar.partRect(0, BarPart::Compute).left();
    for (const BarPart part :
         {BarPart::Compute, BarPart::Communication, BarPart::Copies, BarPart::Idle}) {
        const QRectF rect = bar.partRect(0, part);
        QCOMPARE(rect.left(), left);
        left = rect.right();
        QCOMPARE(bar.partAt(rect.center()), std::optional(part));
    }
    QCOMPARE(left, double(bar.width()));
    QCOMPARE(bar.partAt(bar.partRect(0, BarPart::Hidden).center()), std::optional(BarPart::Hidden));
}

void ProfilePageTest::aPartFiltersTheTimeline()
{
    PageScene scene;
    const QPoint part = scene.page.bar()->partRect(0, BarPart::Communication).center().toPoint();
    QTest::mouseClick(scene.page.bar(), Qt::LeftButton, {}, part);
    QTRY_VERIFY(scene.page.state()->found());
    QCOMPARE(scene.page.state()->found()->events, std::size_t(2));
    QTest::mouseClick(scene.page.bar(), Qt::LeftButton, {}, part);
    QTRY_VERIFY(!scene.page.state()->found());
}

void ProfilePageTest::aChosenStretchIsTheOneOfBarAndTables()
{
    PageScene scene;
    const std::int64_t origin = scene.document->origin;
    scene.page.state()->choose(TimeSpan{origin, origin + 50'000});
    const BarTimes &times = scene.page.bar()->times().front();
    QCOMPARE(times.span(), 50'000);
    QCOMPARE(times.compute, 40'000);
    QCOMPARE(times.hidden, 5'000);
    scene.page.workNow();
    QCOMPARE(scene.column(0).size(), 4); // no copy yet
    QVERIFY(!scene.column(0).join(u' ').contains(u"Memcpy"_s));
    scene.page.state()->choose({});
    scene.page.workNow();
    QCOMPARE(scene.column(0).size(), 5);
    QCOMPARE(scene.page.bar()->times().front().span(), 170'000);
}

void ProfilePageTest::everyTabHasItsRows()
{
    PageScene scene;
    QAbstractItemModelTester tester(scene.page.tables()->view()->model());
    const std::array<std::pair<ProfileTab, QString>, kProfileTabCount> first = {{
        {ProfileTab::Kernels, u"sm90_xmma_gemm_bf16"_s},
        {ProfileTab::Operators, u"aten::linear"_s},
        {ProfileTab::Collectives, u"allreduce"_s},
        {ProfileTab::Launches, u"from the start of a call to the start of its work"_s},
        {ProfileTab::Idle, u"GPU 0"_s},
        {ProfileTab::Steps, u"ProfilerStep#0"_s},
        {ProfileTab::Breakdown, u"GPU 0, stream 9"_s},
    }};
    for (const auto &[tab, name] : first) {
        scene.page.setTab(tab);
        scene.page.workNow();
        QVERIFY2(scene.column(0).join(u'\n').contains(name),
                 qPrintable(scene.column(0).join(u'\n')));
        const Table table = scene.page.tables()->exported(100);
        QCOMPARE(table.title, titleOf(tab));
        QCOMPARE(table.rows.size(), std::size_t(scene.column(0).size()));
        QCOMPARE(profileTabNamed(nameOf(tab)), std::optional(tab));
    }
}

void ProfilePageTest::operatorsAreGroupedAsIsChosen()
{
    PageScene scene;
    const auto names = [&](OperatorGrouping grouping) {
        scene.page.tables()->setChoice({ProfileTab::Operators, static_cast<std::size_t>(grouping)});
        scene.page.workNow();
        return scene.column(0).join(u'\n');
    };
    QVERIFY(!names(OperatorGrouping::Name).contains(u"›"_s));
    QVERIFY(names(OperatorGrouping::Path).contains(u"aten::linear › aten::addmm"_s));
    QCOMPARE(names(OperatorGrouping::Module), u"(no module recorded)"_s);
    (void)names(OperatorGrouping::Shapes);
    QVERIFY(scene.column(1).contains(u"[[4, 8], [8, 8]]"_s));
    // Another tab has its own choice, and this one keeps what was chosen.
    scene.page.setTab(ProfileTab::Kernels);
    QCOMPARE(scene.page.tables()->choice().choice, std::size_t(0));
    scene.page.setTab(ProfileTab::Operators);
    QCOMPARE(scene.page.tables()->choice().choice, std::size_t(OperatorGrouping::Shapes));
}

void ProfilePageTest::theBreakdownCanBeThatOfHta()
{
    PageScene scene;
    scene.page.tables()->setChoice({ProfileTab::Breakdown, 0});
    scene.page.workNow();
    QCOMPARE(scene.column(0),
             (QStringList{u"GPU 0"_s, u"GPU 0, stream 7"_s, u"GPU 0, stream 9"_s}));
    QCOMPARE(scene.column(1).front(), u"170 µs"_s);
    scene.page.tables()->setChoice({ProfileTab::Breakdown, 1});
    scene.page.workNow();
    const auto &hta = scene.document->study->hta();
    QCOMPARE(scene.column(0).size(), hta ? 1 : 0);
    if (hta)
        QCOMPARE(scene.column(1).front(), durationText(hta->kernelTime));
}

void ProfilePageTest::completeStepsAreWhatTheBarIsAbout()
{
    test::SampleProfile made;
    made.call("cudaLaunchKernel", 0, 1'000, 1); // before the first step
    made.work("gemm", 2'000, 5'000, 7, 1);
    for (const std::int64_t step : {0, 1}) {
        const std::int64_t at = 100'000 + step * 100'000;
        made.range("ProfilerStep#" + std::to_string(step), at, at + 100'000);
        made.call("cudaLaunchKernel", at, at + 1'000, 10 + step);
        made.work("gemm", at + 2'000, at + 50'000, 7, 10 + step);
    }
    PageScene scene(made.finish());
    QCOMPARE(scene.page.bar()->times().front().span(), 148'000);
    QCOMPARE(scene.page.bar()->times().front().compute, 96'000);
    QVERIFY(scene.page.findChild<QComboBox *>()->currentText().contains(u"2 complete steps"_s));
}

void ProfilePageTest::aRowLeadsToItsEventAndBack()
{
    PageScene scene;
    scene.clickRow(u"gemm"_s);
    QCOMPARE(eventName(*scene.document, scene.page.state()->selected()), u"sm90_xmma_gemm_bf16"_s);
    QTRY_VERIFY(scene.page.state()->found());
    QCOMPARE(scene.page.state()->found()->events, std::size_t(2));
}

void ProfilePageTest::theSearchFiltersTableAndTimeline()
{
    PageScene scene;
    scene.page.setSearch(u"ELEMENT"_s);
    QTRY_VERIFY(scene.page.state()->found());
    QCOMPARE(scene.page.state()->found()->events, std::size_t(2));
    QCOMPARE(scene.column(0), QStringList{u"vectorized_elementwise_kernel"_s});
    scene.page.setSearch({});
    QVERIFY(!scene.page.state()->found());
    QCOMPARE(scene.column(0).size(), 5);
}

void ProfilePageTest::theSelectedEventIsToldInFull()
{
    PageScene scene;
    scene.clickRow(u"gemm"_s);
    const QString text = scene.page.selectedText();
    for (const QString &wanted :
         {u"sm90_xmma_gemm_bf16"_s, u"compute, matrix product"_s, u"20 µs"_s, u"GPU 0, stream 7"_s,
          u"cudaLaunchKernel"_s, u"Launch delay: 7 µs"_s, u"aten::linear › aten::addmm"_s})
        QVERIFY2(text.contains(wanted), qPrintable(text));
    QCOMPARE(scene.page.findChild<EventPanel *>()->text(), text);
    scene.page.timeline()->setFocus();
    QTest::keyClick(scene.page.timeline(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), text);
}

void ProfilePageTest::aCallLeadsToWhatItLaunched()
{
    PageScene scene;
    scene.clickRow(u"gemm"_s);
    const ProfileEventId work = scene.page.state()->selected();
    const auto *panel = scene.page.findChild<EventPanel *>();
    QPushButton *link = nullptr;
    for (QPushButton *button : panel->findChildren<QPushButton *>()) {
        if (button->property("role").toString() == u"link"_s)
            link = button;
    }
    QVERIFY(link && link->isVisible());
    link->click();
    QCOMPARE(scene.page.state()->selected().kind, EventKind::Call);
    link->click();
    QCOMPARE(scene.page.state()->selected(), work);
}

void ProfilePageTest::memoryNamesTheOperatorThatChangedItLast()
{
    test::SampleProfile made;
    made.operation("aten::empty", 1'000, 3'000);
    made.memory(2'000, 512, 2'097'152);
    made.memory(5'000, 1'024, 2'097'152);
    made.work("gemm", 6'000, 9'000);
    const auto document = analyse(made.finish());
    const auto told = [&](std::int64_t time) {
        return memoryEventText(*document, document->memory.front(), time, ByteUnit::Binary)
            .join(u'|');
    };
    QCOMPARE(told(1'999), QString());
    QCOMPARE(told(2'000), u"last +512 B|in aten::empty"_s);
    QCOMPARE(told(6'500), u"last +512 B, 1.5 µs before|outside any recorded operator"_s);
}

void ProfilePageTest::nothingRecordedExplainsItself()
{
    test::SampleProfile made;
    PageScene scene(made.finish());
    QVERIFY(!scene.page.timeline());
    const auto *label = scene.page.findChild<QLabel *>();
    QVERIFY(label && label->text().contains(u"Nothing was recorded"_s));
    QCOMPARE(scene.page.statusText(), u"nothing recorded"_s);
}

void ProfilePageTest::theHostAloneExplainsItself()
{
    test::SampleProfile made;
    made.operation("aten::add", 0, 1000);
    PageScene scene(made.finish());
    QVERIFY(scene.page.timeline());
    QVERIFY(scene.page.bar()->isHidden());
    QStringList texts;
    for (const QLabel *label : scene.page.findChildren<QLabel *>())
        texts << label->text();
    QVERIFY(texts.join(u' ').contains(u"The recording has no device event."_s));
    QCOMPARE(scene.page.tables()->tab(), ProfileTab::Operators); // kernels would be an empty table
    const DataTable table = profileTable(*scene.document, {ProfileTab::Operators}, {});
    for (const DataTable::Column &column : table.columns)
        QVERIFY(column.title.find("Device") ==
                std::string::npos); // no time was recorded, which is not 0
    QCOMPARE(scene.column(0), QStringList{u"aten::add"_s});
}

void ProfilePageTest::whatIsWrongWithAFileStandsFirst()
{
    test::SampleProfile made;
    made.operation("aten::mm", 1'000, 30'000);
    made.call("cudaLaunchKernel", 3'000, 5'000, 1);
    made.builder().setCut();
    made.builder().addProblem("The file ends in the middle.");
    PageScene scene(made.finish());
    const QList<QLabel *> labels = scene.page.findChildren<QLabel *>();
    const auto warning = std::ranges::find_if(
        labels, [](const QLabel *label) { return label->property("role") == u"warn"_s; });
    QVERIFY(warning != labels.end() && (*warning)->isVisible());
    QVERIFY((*warning)->text().startsWith(u"The file ends in the middle."_s));
    QVERIFY2((*warning)->text().contains(u"1 launch (cudaLaunchKernel)"_s),
             qPrintable((*warning)->text()));
    for (const QLabel *label : labels)
        QVERIFY(!label->text().contains(u"Nothing ran"_s));
    for (const StageItem &item : profileItems(scene.document, {}, ByteUnit::Binary))
        QVERIFY2(item.scene().problem.startsWith(u"Problem: The file ends in the middle."_s),
                 item.key.c_str());
    Report report;
    addProfileSection(report, *scene.document, "a.json", 0, ByteUnit::Binary);
    const auto *first = std::get_if<Paragraph>(&report.blocks.at(1)); // below the heading
    QVERIFY(first && first->tone == Tone::Problem);                   // whose word comes before it
    QCOMPARE(first->text, std::string("The file ends in the middle."));
}

void ProfilePageTest::nothingLeavesASmallWindow()
{
    PageScene scene(test::twoStepProfile(), {900, 600});
    QVERIFY(scene.page.minimumSizeHint().width() <= 900);
    QVERIFY(scene.page.minimumSizeHint().height() <= 600);
}

// For people to look at.
void ProfilePageTest::namesStayReadableBesideManyFigures()
{
    for (const int width : {900, 2560}) {
        PageScene scene(test::twoStepProfile(), {width, 720});
        const DataTableView &view = *scene.page.tables()->view();
        QVERIFY(view.columnWidth(0) >= 30 * view.fontMetrics().averageCharWidth());
    }
    // Where there is room no column has to be scrolled to.
    PageScene scene(test::twoStepProfile(), {2560, 720});
    QVERIFY(!scene.page.tables()->view()->horizontalScrollBar()->isVisible());
}

void ProfilePageTest::looks()
{
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        qApp->setPalette(themePalette(*theme));
        qApp->setStyleSheet(themeStyleSheet(*theme));
        PageScene scene;
        scene.clickRow(u"gemm"_s);
        scene.page.state()->setFound(nullptr);
        const QString file = test::pictureFolder() +
                             (theme->dark ? u"/profile-dark.png"_s : u"/profile-light.png"_s);
        QVERIFY(scene.page.grab().save(file));
    }
    initTestCase();
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::ProfilePageTest)
#include "tst_profile_page.moc"
