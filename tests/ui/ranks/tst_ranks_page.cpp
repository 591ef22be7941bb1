// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/describe/rank_tables.h"
#include "core/print/run_coverage_report.h"
#include "core/ranks/run_study.h"
#include "core/ranks/summarize_folder.h"
#include "core/readers/read_trace.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"
#include "ui/document/document_page.h"
#include "ui/models/data_table_view.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_details.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/ranks_document.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/exact_role.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

void write(const QString &path, const std::string &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), qint64(bytes.size()));
}

/// The recorded run of one rank, to which `more` bytes are allocated at its first event.
std::string snapshot(Bytes more)
{
    test::Story story = test::trainingOutOfMemory();
    for (test::ModelEvent &event : story.events) {
        if (more > 0 && event.action == Action::Alloc) {
            event.size += more;
            break;
        }
    }
    return test::snapshotOf(story);
}

constexpr int kRanks = 8;
constexpr std::size_t kOutlier = 5;

/// A folder with the ranks of a run, one of them heavier, a damaged file and one of another kind.
class Run
{
public:
    Run()
    {
        const std::string usual = snapshot(0);
        for (int rank = 0; rank < kRanks; ++rank)
            write(file(rank), rank == kOutlier ? snapshot(3 * kGiB) : usual);
        write(m_folder.filePath(u"rank_9.pickle"_s), usual.substr(0, usual.size() / 2));
        write(m_folder.filePath(u"README.md"_s), "What these files are.");
        write(m_folder.filePath(u"rank_0.pickle.vramscope.json"_s), "{}"); // not told of
    }
    [[nodiscard]] QString path() const { return m_folder.path(); }
    [[nodiscard]] QString file(int rank) const
    {
        return m_folder.filePath(u"rank_%1.pickle"_s.arg(rank));
    }
    [[nodiscard]] RunStudyPointer read() const { return readRunStudy(nativePath(path())).value(); }

private:
    QTemporaryDir m_folder;
};

/// The column of a title in the table of the ranks; -1 where it is not shown.
int columnOf(const RanksPage &page, const QString &title)
{
    const auto &columns = page.view()->table().columns;
    const auto found = std::ranges::find(columns, title.toStdString(), &DataTable::Column::title);
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

void showOffScreen(QWidget &page)
{
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1000, 700);
    page.show();
    QApplication::processEvents();
}

} // namespace

class TestRanksPage : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<Run> m_run;

private slots:
    void initTestCase() { m_run = std::make_unique<Run>(); }
    void theFiguresAreThoseOfTheFiles();
    void theOutlierIsNamedAndMarked();
    void whatCouldNotBeReadIsNamedWithWhy();
    void ofTwoRanksNoneIsCalledUsual();
    void equalRanksHaveNoOutlier();
    void tilesShareTheirAxes();
    void ranksAreSortedByPeak();
    void aClickChoosesARankAndADoubleClickOpensIt();
    void outOfMemoryIsTheHeadlineOfThePageAndOfTheRank();
    void shortNamesLeaveTheirRoomToRemarks();
    void whereTheOutlierDiffersComesFirst();
    void placesThatAreNotInTheFileAreNotMadeUp();
    void fewRanksFillTheWidth();
    void namesOfPeopleLeaveWhatIsKeptOfARank();
    void theTableFollowsItsFilter();
    void timesOfProfilerTracesStandBesideTheMemory();
    void theSnapshotIsLookedForAndThenAskedFor();
    void keysReachEveryRank();
    void theOutlierIsComparedWithTheTypicalRank();
    void readingIsCancelled();
    void foldersWithoutRecordingsSaySo();
    void aFileWithSeveralDevicesHoldsSeveralRanks();
};

void TestRanksPage::theFiguresAreThoseOfTheFiles()
{
    const auto study = m_run->read();
    QCOMPARE(study->count(), std::size_t(kRanks));
    for (int number = 0; number < kRanks; ++number) {
        const auto at = static_cast<std::size_t>(number);
        const RankSummary &rank = study->rank(at);
        QCOMPARE(study->number(at), number);
        const auto file = recordingOf(*study, rank);
        QCOMPARE(pathText(file.value().native()), m_run->file(number));
        const auto trace = readTrace(*file).value();
        const Study recorded(trace, trace->devices()[0]);
        const UsageCurve &curve = recorded.curve();
        QCOMPARE(rank.figures.peakActive, curve.active(curve.peakActiveEvent()));
        QCOMPARE(std::ranges::max(rank.active.highest), rank.figures.peakActive);
        QCOMPARE(rank.active.events, curve.count());
    }
}

void TestRanksPage::theOutlierIsNamedAndMarked()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    QVERIFY(page.heading().contains(u"8 ranks"_s));
    QVERIFY2(page.heading().contains(u"Rank 5 (device 0) is an outlier. Its peak is 3.00 GiB above "
                                     "the median of the 7 other ranks"_s),
             qPrintable(page.heading()));
    for (std::size_t rank = 0; rank < kRanks; ++rank)
        QCOMPARE(page.grid()->badgeOf(rank).contains(u"outlier +3.00 GiB"_s), rank == kOutlier);
    QVERIFY(page.grid()->badgeOf(0).contains(u"out of memory"_s));
    QVERIFY(page.grid()->badgeOf(0).contains(u"typical"_s));
    QVERIFY(page.grid()
                ->toolTipAt(page.grid()->tileRect(kOutlier).center())
                .contains(u"3,221,225,472 bytes"_s));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(page.heading().contains(u"3.22 GB above"_s));
}

void TestRanksPage::whatCouldNotBeReadIsNamedWithWhy()
{
    const auto study = m_run->read();
    QCOMPARE(study->run.unusable.size(), std::size_t(1));
    QCOMPARE(study->run.unusable.front().source.path, std::string("rank_9.pickle"));
    QVERIFY(!study->run.unusable.front().error.empty());
    QCOMPARE(study->run.others, 1);
    QCOMPARE(study->run.missing, (std::vector<RankRange>{{8, 8}}));
    const RanksPage page(study);
    const QString told = page.findChild<QLabel *>(u"coverage"_s)->toolTip();
    for (const auto &part : {u"Rank 8 left no snapshot."_s, u"rank_9.pickle cannot be used. "_s,
                             u"1 file in the folder is no recording"_s})
        QVERIFY2(told.contains(part), qPrintable(told));
}

void TestRanksPage::ofTwoRanksNoneIsCalledUsual()
{
    const QTemporaryDir two;
    write(two.filePath(u"rank0.pickle"_s), snapshot(0));
    write(two.filePath(u"rank1.pickle"_s), snapshot(1));
    const RanksPage page(readRunStudy(nativePath(two.path())).value());
    QVERIFY(page.heading().contains(u"With two ranks there is no majority to compare against."_s));
    QVERIFY(!page.heading().contains(u"typical of"_s));
}

void TestRanksPage::equalRanksHaveNoOutlier()
{
    const QTemporaryDir equal;
    const std::string usual = snapshot(0);
    for (int rank = 0; rank < 3; ++rank)
        write(equal.filePath(u"rank%1.pickle"_s.arg(rank)), usual);
    const auto study = readRunStudy(nativePath(equal.path())).value();
    const RanksPage page(study);
    QVERIFY2(page.heading().startsWith(u"Rank 0 (device 0) "_s), qPrintable(page.heading()));
    QVERIFY(page.heading().contains(u"of 3 ranks that ran out of memory"_s));
    QVERIFY(page.heading().contains(u". It failed in "_s)); // not in the headline
    QVERIFY(page.heading().contains(u"No outliers."_s));
    QVERIFY(page.heading().contains(u"All 3 ranks peak at "_s));
    QVERIFY(!isIncomplete(*study));
}

void TestRanksPage::tilesShareTheirAxes()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    const QSize size = page.grid()->tileRect(0).size();
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        QCOMPARE(page.grid()->tileRect(rank).size(), size);
        QCOMPARE(page.grid()->rankAt(page.grid()->tileRect(rank).center()), std::optional(rank));
        for (std::size_t other = 0; other < rank; ++other)
            QVERIFY(!page.grid()->tileRect(rank).intersects(page.grid()->tileRect(other)));
    }
    QVERIFY(!page.grid()->rankAt({1, 1}));
}

void TestRanksPage::ranksAreSortedByPeak()
{
    RanksPage page(m_run->read());
    auto *order = page.findChild<QComboBox *>();
    Q_EMIT order->activated(static_cast<int>(RankOrder::Peak));
    QCOMPARE(page.grid()->order().front(), kOutlier);
    QCOMPARE(page.grid()->order()[1], std::size_t(0)); // equals by number
    Q_EMIT order->activated(0);
    QCOMPARE(page.grid()->order().front(), std::size_t(0));
}

void TestRanksPage::aClickChoosesARankAndADoubleClickOpensIt()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy opened(&page, &RanksPage::openWanted);
    const QPoint third = page.grid()->tileRect(3).center();
    QTest::mouseClick(page.grid()->viewport(), Qt::LeftButton, {}, third);
    QCOMPARE(opened.size(), 0);
    QVERIFY(page.statusText().startsWith(u"rank 3 · rank_3.pickle"_s));
    QTest::mouseClick(page.findChild<QPushButton *>(u"openRank"_s), Qt::LeftButton);
    QTest::mouseDClick(page.grid()->viewport(), Qt::LeftButton, {}, third);
    QCOMPARE(opened.size(), 2);
    for (const QList<QVariant> &each : opened)
        QCOMPARE(each[0].toString(), m_run->file(3));
    QTest::mouseDClick(page.grid()->viewport(), Qt::LeftButton, {}, {1, 1});
    QCOMPARE(opened.size(), 2);
}

void TestRanksPage::outOfMemoryIsTheHeadlineOfThePageAndOfTheRank()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    bool isHeadline = false;
    for (const auto *label : page.findChildren<QLabel *>())
        isHeadline = isHeadline ||
                     (label->font().bold() && // the verdict alone has its colour
                      label->text().contains(
                          u" of 8 ranks that <span style=\"color:%1\">ran "
                          "out of memory</span>, asking for "_s.arg(themeOf(&page).bad.name())));
    QVERIFY(isHeadline);
    const auto *answer = page.findChild<QLabel *>(u"rankAnswer"_s);
    QVERIFY(answer->text().startsWith(
        u"Out of memory: at event 3,939 it asked for 2.44 GiB in cross_entropy at "_s));
    QVERIFY(answer->text().contains(u"; the device had "_s));
}

void TestRanksPage::shortNamesLeaveTheirRoomToRemarks()
{
    RanksPage page(m_run->read());
    page.resize(1000, 600);
    showOffScreen(page);
    const auto *view = page.findChild<DataTableView *>();
    const int name = view->fontMetrics().horizontalAdvance(u"rank_0.pickle"_s);
    QVERIFY(view->columnWidth(0) > name);
    QVERIFY2(view->columnWidth(0) < name + 40, qPrintable(QString::number(view->columnWidth(0))));
}

void TestRanksPage::whereTheOutlierDiffersComesFirst()
{
    const auto study = m_run->read();
    const RankSummary &outlier = study->rank(kOutlier);
    const auto bytesIn = [](const DataTable &table, std::size_t row, const char *key) {
        return std::get<std::int64_t>(table.cell(row, *table.columnOf(key)).value);
    };
    const DataTable kinds = rankCategoriesTable(*study, kOutlier);
    QCOMPARE(bytesIn(kinds, 0, "delta"), 3 * kGiB);
    QCOMPARE(bytesIn(kinds, kinds.rows - 1, "bytes"), outlier.figures.peakActive);
    Bytes sum = 0;
    for (std::size_t row = 0; row + 1 < kinds.rows; ++row)
        sum += bytesIn(kinds, row, "bytes");
    QCOMPARE(sum, outlier.figures.peakActive);
    const DataTable sites = rankSitesTable(*study, kOutlier);
    QCOMPARE(bytesIn(sites, 0, "delta"), 3 * kGiB);
    QCOMPARE(bytesIn(sites, 1, "delta"), Bytes(0));
    // The typical rank differs from itself in nothing, and says nothing of it.
    const DataTable own = rankSitesTable(*study, study->typicalOf(kOutlier));
    QVERIFY(own.rows > 0);
    for (std::size_t row = 0; row < own.rows; ++row)
        QCOMPARE(own.cell(row, *own.columnOf("delta")), DataTable::Cell(""));
}

void TestRanksPage::placesThatAreNotInTheFileAreNotMadeUp()
{
    auto study = std::make_shared<RunStudy>(*m_run->read());
    study->run.ranks[kOutlier].lacks = {"sites peak"};
    QCOMPARE(rankSitesTable(*study, kOutlier).rows, std::size_t(0));
    const RankDetails details(study);
    bool isTold = false;
    for (const auto *label : details.findChildren<QLabel *>())
        isTold = isTold || label->text().contains(u"is not in this file"_s);
    QVERIFY(!isTold); // of rank 0, which is compared with itself
    RankDetails of(study);
    of.setRank(kOutlier);
    for (const auto *label : of.findChildren<QLabel *>())
        isTold = isTold || label->text().contains(u"is not in this file"_s);
    QVERIFY(isTold);
}

void TestRanksPage::namesOfPeopleLeaveWhatIsKeptOfARank()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"home/mirabelle"_s));
    auto study = std::make_shared<RunStudy>(*m_run->read());
    study->run.ranks.front().source.path = "home/mirabelle/rank_0.pickle";
    study->run.ranks.front().source.node = "mirabelles-host-3";
    study->run.ranks.front().settings.push_back({"note", "\"/home/mirabelle/run\""});
    const DocumentPointer document = std::make_shared<const RanksDocument>(study);
    Redaction redaction;
    redaction.gather("/home/mirabelle/project/train.py", Redaction::Kind::Path);
    document->gatherNames(redaction);
    const DocumentPointer redacted = document->withoutNames(redaction, {});
    for (const auto &[of, isNamed] : {std::pair(document, true), std::pair(redacted, false)}) {
        QWidget parent;
        const auto page = of->makePage(u"run"_s, u"run"_s, &parent);
        QString all;
        for (const auto &row : page->table(100).rows) {
            for (const Table::Cell &cell : row)
                all += cell.text;
        }
        QCOMPARE(all.contains(u"mirabelle"_s), isNamed);
    }
}

void TestRanksPage::theTableFollowsItsFilter()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    page.setFilter(u"outlier"_s);
    QCOMPARE(page.view()->model()->rowCount(), 1);
    QCOMPARE(page.rank(0), kOutlier);
    QCOMPARE(page.grid()->order(), std::vector<std::size_t>{kOutlier});
    page.setFilter(u"rank<3 oom"_s);
    QCOMPARE(page.view()->model()->rowCount(), 3);
    page.setFilter(u"peak>"_s); // changes nothing
    QCOMPARE(page.view()->model()->rowCount(), 3);
    page.setFilter({});
    QCOMPARE(page.view()->model()->rowCount(), kRanks);
    page.view()->sortByColumn(columnOf(page, u"Peak"_s), Qt::DescendingOrder);
    QCOMPARE(page.rank(0), kOutlier);
    page.view()->setCurrentIndex(page.view()->model()->index(2, 0));
    QCOMPARE(page.current(), page.rank(2));
    QCOMPARE(page.grid()->current(), page.current());
}

void TestRanksPage::timesOfProfilerTracesStandBesideTheMemory()
{
    const auto shown = [](const RunStudyPointer &study) {
        const RanksPage page(study);
        QStringList columns;
        for (const QString &title :
             {u"Step"_s, u"Compute"_s, u"Exposed comm."_s, u"Idle"_s, u"Waited"_s}) {
            if (columnOf(page, title) >= 0)
                columns << title;
        }
        return columns;
    };
    const RunStudyPointer memory = m_run->read();
    QCOMPARE(shown(memory), QStringList());

    RunStudy both = *memory;
    for (std::size_t rank = 0; rank < both.count(); rank += 2) { // half of them left a trace
        ProfileSummary profile;
        profile.devices = 1;
        profile.times = TimeBreakdown{};
        profile.times->span = 10'000'000;
        profile.times->compute = 6'500'000;
        profile.times->idle = static_cast<std::int64_t>(rank) * 1'000'000;
        both.run.ranks[rank].profile = std::make_shared<const ProfileSummary>(profile);
    }
    both.findings = findingsOf(both.run);
    const auto study = std::make_shared<const RunStudy>(both);
    QCOMPARE(shown(study), // no steps, no collectives
             (QStringList{u"Compute"_s, u"Exposed comm."_s, u"Idle"_s}));
    const RanksPage page(study);
    const auto cell = [&](std::size_t rank, const QString &title) {
        return page.view()
            ->model()
            ->index(page.rowOf(rank), columnOf(page, title))
            .data()
            .toString();
    };
    QCOMPARE(cell(4, u"Compute"_s), u"6.5 ms"_s);
    QCOMPARE(cell(4, u"Idle"_s), u"4 ms"_s);
    QCOMPARE(cell(3, u"Idle"_s), u"–"_s);
    const int idle = columnOf(page, u"Idle"_s);
    page.view()->sortByColumn(idle, Qt::DescendingOrder);
    QCOMPARE(page.rank(0), std::size_t(6));
    const QAbstractItemModel &model = *page.view()->model();
    QCOMPARE(model.headerData(idle, Qt::Horizontal, kUnitRole).toString(), u"ns"_s);
    QCOMPARE(model.index(0, idle).data(kExactRole).toLongLong(), 6'000'000LL);
    QVERIFY(page.bar() != nullptr && page.grid() != nullptr); // a picture of each
    RanksPage filtered(study);
    filtered.setFilter(u"idle>30%"_s);
    QCOMPARE(filtered.view()->model()->rowCount(), 2); // 4 and 6
}

void TestRanksPage::theSnapshotIsLookedForAndThenAskedFor()
{
    const QTemporaryDir away;
    const QString summaries = away.filePath(u"summaries"_s);
    SummaryTask task;
    task.folder = nativePath(m_run->path());
    task.out = nativePath(summaries);
    QVERIFY(summarizeFolder(task).ok());
    // Nothing lies beside the summaries, and the folder that was summarised is not known.
    auto study = std::make_shared<RunStudy>(*readRunStudy(nativePath(summaries)).value());
    QVERIFY(study->isSummary);
    study->recordings = "/nowhere";
    RanksPage page(study);
    showOffScreen(page);
    int asked = 0;
    QString answer;
    page.askForFolder = [&] {
        ++asked;
        return answer;
    };
    QSignalSpy opened(&page, &RanksPage::openWanted);
    const auto press = [&] {
        QTest::mouseClick(page.findChild<QPushButton *>(u"openRank"_s), Qt::LeftButton);
    };
    press();
    QCOMPARE(asked, 1);
    QCOMPARE(opened.size(), 0);
    answer = away.path(); // the wrong one
    press();
    QVERIFY2(page.statusText().contains(u"is not in that folder"_s), qPrintable(page.statusText()));
    answer = m_run->path();
    press();
    press(); // it is not asked twice
    QCOMPARE(asked, 3);
    QCOMPARE(opened.size(), 2);
    QCOMPARE(opened[0][0].toString(), m_run->file(kOutlier));
}

void TestRanksPage::fewRanksFillTheWidth()
{
    const QTemporaryDir two;
    for (int rank = 0; rank < 2; ++rank)
        write(two.filePath(u"rank%1.pickle"_s.arg(rank)), snapshot(0));
    RanksPage page(readRunStudy(nativePath(two.path())).value());
    showOffScreen(page);
    QVERIFY(page.grid()->tileRect(1).right() > page.grid()->width() - 30);
}

void TestRanksPage::keysReachEveryRank()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy opened(&page, &RanksPage::openWanted);
    QCOMPARE(page.grid()->current(), kOutlier); // who stands out first
    QTest::keyClick(page.grid(), Qt::Key_Home);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        QCOMPARE(page.grid()->current(), rank);
        QTest::keyClick(page.grid(), Qt::Key_Right);
    }
    QTest::keyClick(page.grid(), Qt::Key_Up);
    QVERIFY(page.grid()->current() < kRanks - 1);
    QTest::keyClick(page.grid(), Qt::Key_End);
    QTest::keyClick(page.grid(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toString(), m_run->file(kRanks - 1));
}

void TestRanksPage::theOutlierIsComparedWithTheTypicalRank()
{
    RanksPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy compared(&page, &RanksPage::comparisonWanted);
    auto *button = page.findChild<QPushButton *>(u"compareRank"_s);
    QCOMPARE(button->text(), u"Compare with rank 0"_s);
    const auto *whyNot = page.findChild<QLabel *>(u"whyNotCompared"_s);
    QVERIFY(!whyNot->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QTest::keyClick(page.grid(), Qt::Key_C);
    QCOMPARE(compared.size(), 2);
    const auto traces = compared[0][0].value<std::vector<ComparedTrace>>();
    QCOMPARE(traces.size(), std::size_t(2));
    QCOMPARE(traces[0].path, m_run->file(0));
    QCOMPARE(traces[1].path, m_run->file(kOutlier));
    page.grid()->setCurrent(0);
    QVERIFY(!button->isVisible()); // the typical one itself
    QVERIFY(whyNot->isVisible());
    QCOMPARE(whyNot->text(),
             u"This is the typical rank of its group: choose another to compare with it."_s);
}

void TestRanksPage::readingIsCancelled()
{
    const auto read = readRunStudy(nativePath(m_run->path()), [](double) { return false; });
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::Cancelled);
}

void TestRanksPage::foldersWithoutRecordingsSaySo()
{
    const QTemporaryDir empty;
    QVERIFY(!readRunStudy(nativePath(empty.path())));
    write(empty.filePath(u"notes.txt"_s), "nothing");
    const auto other = readRunStudy(nativePath(empty.path()));
    QVERIFY(!other);
    QVERIFY(toQString(other.error().text()).contains(u"holds no recordings"_s));
    write(empty.filePath(u"rank0.pickle"_s), snapshot(0).substr(0, 5000));
    const auto damaged = readRunStudy(nativePath(empty.path()));
    QVERIFY(!damaged);
    QVERIFY(toQString(damaged.error().text()).contains(u"rank0.pickle: "_s));
    QVERIFY(!readRunStudy(nativePath(empty.filePath(u"gone"_s))));
}

void TestRanksPage::aFileWithSeveralDevicesHoldsSeveralRanks()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const QTemporaryDir one;
    const QString name = u"oom_expandable_3of4gpus.pickle"_s;
    QVERIFY(QFile::copy(test::corpusFolder() + u'/' + name, one.filePath(name)));
    const auto study = readRunStudy(nativePath(one.path())).value();
    QCOMPARE(study->count(), std::size_t(3));
    RanksPage page(study);
    QSignalSpy wanted(&page, &RanksPage::openWanted);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        QCOMPARE(study->number(rank), study->rank(rank).device);
        page.setCurrent(rank);
        QTest::mouseClick(page.findChild<QPushButton *>(u"openRank"_s), Qt::LeftButton);
        QCOMPARE(wanted.back()[1].value<std::size_t>(), rank);
    }
}

VRAMSCOPE_TEST(TestRanksPage)
#include "tst_ranks_page.moc"
