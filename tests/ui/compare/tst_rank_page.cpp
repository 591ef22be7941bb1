// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "core/readers/read_trace.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"
#include "ui/compare/opened_ranks.h"
#include "ui/compare/rank_details.h"
#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_page.h"
#include "ui/compare/rank_text.h"
#include "ui/document/document_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

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
    [[nodiscard]] std::shared_ptr<const RankFolder> read() const
    {
        return readRankFolder(nativePath(path()), {}).value();
    }

private:
    QTemporaryDir m_folder;
};

void showOffScreen(QWidget &page)
{
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1000, 700);
    page.show();
    QApplication::processEvents();
}

} // namespace

class TestRankPage : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<Run> m_run;

private slots:
    void initTestCase() { m_run = std::make_unique<Run>(); }
    void theFiguresAreThoseOfTheFiles();
    void whatIsKeptOfARankIsSmall();
    void theOutlierIsNamedAndMarked();
    void whatCouldNotBeReadIsNamedWithWhy();
    void equalRanksHaveNoOutlier();
    void tilesShareTheirAxes();
    void ranksAreSortedByPeak();
    void aClickChoosesARankAndADoubleClickOpensIt();
    void outOfMemoryIsTheHeadlineOfThePageAndOfTheRank();
    void whereTheOutlierDiffersComesFirst();
    void aPlaceThatWasNotKeptHasNoDifference();
    void fewRanksFillTheWidth();
    void namesOfPeopleLeaveWhatIsKeptOfARank();
    void keysReachEveryRank();
    void theOutlierIsComparedWithTheTypicalRank();
    void readingIsCancelled();
    void foldersWithoutRecordingsSaySo();
    void hundredsOfRanksScroll();
    void aFileWithSeveralDevicesHoldsSeveralRanks();
};

void TestRankPage::theFiguresAreThoseOfTheFiles()
{
    const auto folder = m_run->read();
    QCOMPARE(folder->ranks.size(), std::size_t(kRanks));
    for (int number = 0; number < kRanks; ++number) {
        const Rank &rank = folder->ranks[static_cast<std::size_t>(number)];
        QCOMPARE(rank.number, number);
        QCOMPARE(toQString(rank.file), m_run->file(number));
        const auto trace = readTrace(rank.file).value();
        const UsageCurve curve(trace->devices()[rank.device]);
        QCOMPARE(rank.summary.peakActive, curve.active(curve.peakActiveEvent()));
        QCOMPARE(std::ranges::max(rank.active.highest), rank.summary.peakActive);
        QCOMPARE(rank.active.events, curve.count());
    }
}

void TestRankPage::whatIsKeptOfARankIsSmall()
{
    const auto folder = m_run->read();
    for (const Rank &rank : folder->ranks) {
        QVERIFY(rank.active.highest.size() <= 600);
        QVERIFY(rank.peak.sites.size() <= 40);
        QCOMPARE(rank.active.highest.size(), rank.active.lowest.size());
    }
}

void TestRankPage::theOutlierIsNamedAndMarked()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    QVERIFY(page.heading().contains(u"8 ranks"_s));
    QVERIFY(page.heading().contains(u"Rank 5 stands out with 3.00 GiB more."_s));
    for (std::size_t rank = 0; rank < kRanks; ++rank)
        QCOMPARE(page.grid()->badgeOf(rank).contains(u"outlier +3.00 GiB"_s), rank == kOutlier);
    QVERIFY(page.grid()->badgeOf(0).contains(u"out of memory"_s));
    QVERIFY(page.grid()->badgeOf(0).contains(u"typical"_s));
    QVERIFY(page.grid()->toolTipOf(kOutlier).contains(u"3,221,225,472 bytes"_s));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(page.heading().contains(u"3.22 GB more"_s));
}

void TestRankPage::whatCouldNotBeReadIsNamedWithWhy()
{
    const auto folder = m_run->read();
    QCOMPARE(folder->unread.size(), std::size_t(1));
    QCOMPARE(folder->unread.front().name, std::string("rank_9.pickle"));
    QVERIFY(!folder->unread.front().why.empty());
    QCOMPARE(folder->skipped, std::size_t(1));
    const RankPage page(folder);
    bool named = false;
    for (const auto *label : page.findChildren<QLabel *>())
        named = named || (label->text().contains(u"rank_9.pickle cannot be used: "_s) &&
                          label->text().contains(u"1 other file is no recording."_s));
    QVERIFY(named);
}

void TestRankPage::equalRanksHaveNoOutlier()
{
    const QTemporaryDir equal;
    const std::string usual = snapshot(0);
    for (int rank = 0; rank < 3; ++rank)
        write(equal.filePath(u"rank%1.pickle"_s.arg(rank)), usual);
    const auto folder = readRankFolder(nativePath(equal.path()), {}).value();
    const RankPage page(folder);
    QVERIFY(page.heading().startsWith(
        u"All 3 ranks ran out of memory when they asked for 2.44 GiB. All 3 ranks peak at "_s));
    QVERIFY(page.heading().endsWith(u"None stands out."_s));
    QVERIFY(leftOutText(*folder).isEmpty());
}

void TestRankPage::tilesShareTheirAxes()
{
    RankPage page(m_run->read());
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

void TestRankPage::ranksAreSortedByPeak()
{
    RankPage page(m_run->read());
    auto *order = page.findChild<QComboBox *>();
    order->setCurrentIndex(1);
    Q_EMIT order->activated(1);
    QCOMPARE(page.grid()->order().front(), kOutlier);
    QCOMPARE(page.grid()->order()[1], std::size_t(0)); // equals by number
    Q_EMIT order->activated(0);
    QCOMPARE(page.grid()->order().front(), std::size_t(0));
}

void TestRankPage::aClickChoosesARankAndADoubleClickOpensIt()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy opened(&page, &RankPage::openWanted);
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

void TestRankPage::outOfMemoryIsTheHeadlineOfThePageAndOfTheRank()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    bool isHeadline = false;
    for (const auto *label : page.findChildren<QLabel *>())
        isHeadline = isHeadline || (label->text().startsWith(u"All 8 ranks ran out of memory"_s) &&
                                    label->font().bold() && label->property("role") == u"bad"_s);
    QVERIFY(isHeadline);
    const auto *answer = page.findChild<QLabel *>(u"rankAnswer"_s);
    QVERIFY(answer->text().startsWith(
        u"Out of memory: at event 3,939 it asked for 2.44 GiB in cross_entropy at "_s));
    QVERIFY(answer->text().contains(u"; the device had "_s));
}

void TestRankPage::whereTheOutlierDiffersComesFirst()
{
    const auto folder = m_run->read();
    const Rank &outlier = folder->ranks[kOutlier];
    const std::vector<FactRow> kinds = kindRows(*folder, kOutlier, ByteUnit::Binary);
    QCOMPARE(kinds.front().cells[3].exact, std::optional<qint64>(3 * kGiB));
    QCOMPARE(kinds.back().cells[1].exact, std::optional<qint64>(outlier.summary.peakActive));
    Bytes sum = 0;
    for (std::size_t row = 0; row + 1 < kinds.size(); ++row)
        sum += kinds[row].cells[1].exact.value_or(0);
    QCOMPARE(sum, outlier.summary.peakActive);
    const std::vector<FactRow> sites = siteRows(*folder, kOutlier, ByteUnit::Binary);
    QCOMPARE(sites.front().cells[3].exact, std::optional<qint64>(3 * kGiB));
    QCOMPARE(sites[1].cells[3].exact, std::optional<qint64>(0));
    // The typical rank differs from itself in nothing, and says nothing of it.
    for (const FactRow &row : siteRows(*folder, folder->active.typical, ByteUnit::Binary))
        QVERIFY(row.cells[3].text.isEmpty());
}

void TestRankPage::aPlaceThatWasNotKeptHasNoDifference()
{
    RankFolder folder = *m_run->read();
    RankPeak &typical = folder.ranks[folder.active.typical].peak;
    const RankSite last = typical.sites.back();
    typical.sites.pop_back();
    const auto differenceOf = [&] {
        for (const FactRow &row : siteRows(folder, kOutlier, ByteUnit::Binary)) {
            if (row.cells[0].text == toQString(last.name))
                return row.cells[3].exact;
        }
        return std::optional<qint64>(-1);
    };
    QCOMPARE(differenceOf(), std::optional<qint64>(last.bytes)); // all were kept: it holds nothing
    typical.areSitesAll = false;
    const auto unknown = differenceOf(); // or no longer among those shown
    QVERIFY(!unknown || *unknown == -1);
}

void TestRankPage::fewRanksFillTheWidth()
{
    const QTemporaryDir two;
    for (int rank = 0; rank < 2; ++rank)
        write(two.filePath(u"rank%1.pickle"_s.arg(rank)), snapshot(0));
    RankPage page(readRankFolder(nativePath(two.path()), {}).value());
    showOffScreen(page);
    QVERIFY(page.grid()->tileRect(1).right() > page.width() - 20);
    QVERIFY(page.grid()->height() < page.height() / 2); // the chosen rank has the rest
}

void TestRankPage::namesOfPeopleLeaveWhatIsKeptOfARank()
{
    auto folder = std::make_shared<RankFolder>(*m_run->read());
    folder->names.gather("/home/mirabelle/project/train.py", Redaction::Kind::Path);
    for (Rank &rank : folder->ranks) {
        rank.peak.sites.front().name = "step  mirabelle.py:12";
        rank.failedIn = "step at /home/mirabelle/project/train.py:12";
    }
    const DocumentPointer document = opened(folder);
    Redaction redaction;
    document->gatherNames(redaction);
    const DocumentPointer redacted = document->withoutNames(redaction, {});
    for (const auto &[of, isNamed] : {std::pair(document, true), std::pair(redacted, false)}) {
        QWidget parent;
        const auto page = of->makePage(u"run"_s, u"run"_s, &parent);
        QString all = page->widget()->findChild<QLabel *>(u"rankAnswer"_s)->text();
        for (const auto *table : page->widget()->findChildren<FactTable *>()) {
            for (const FactRow &row : table->rows())
                all += row.cells.front().text + row.cells.front().tip;
        }
        QCOMPARE(all.contains(u"mirabelle"_s), isNamed);
    }
}

void TestRankPage::keysReachEveryRank()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy opened(&page, &RankPage::openWanted);
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

void TestRankPage::theOutlierIsComparedWithTheTypicalRank()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy compared(&page, &RankPage::comparisonWanted);
    auto *button = page.findChild<QPushButton *>(u"compareRank"_s);
    QCOMPARE(button->text(), u"Compare with rank 0, the typical one"_s);
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
    QCOMPARE(whyNot->text(), u"This is the typical rank: choose another to compare with it."_s);
}

void TestRankPage::readingIsCancelled()
{
    const auto read = readRankFolder(nativePath(m_run->path()), [](double) { return false; });
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::Cancelled);
}

void TestRankPage::foldersWithoutRecordingsSaySo()
{
    const QTemporaryDir empty;
    QVERIFY(!readRankFolder(nativePath(empty.path()), {}));
    write(empty.filePath(u"notes.txt"_s), "nothing");
    const auto other = readRankFolder(nativePath(empty.path()), {});
    QVERIFY(!other);
    QVERIFY(toQString(other.error().text()).contains(u"holds no recordings"_s));
    write(empty.filePath(u"rank0.pickle"_s), snapshot(0).substr(0, 5000));
    const auto damaged = readRankFolder(nativePath(empty.path()), {});
    QVERIFY(!damaged);
    QVERIFY(toQString(damaged.error().text()).contains(u"rank0.pickle: "_s));
    QVERIFY(!readRankFolder(nativePath(empty.filePath(u"gone"_s)), {}));
}

void TestRankPage::hundredsOfRanksScroll()
{
    auto many = std::make_shared<RankFolder>(*m_run->read());
    many->active = {};
    const Rank usual = many->ranks.front();
    many->ranks.assign(300, usual);
    for (std::size_t rank = 0; rank < many->ranks.size(); ++rank)
        many->ranks[rank].number = static_cast<int>(rank);
    RankPage page(many);
    showOffScreen(page);
    QTest::keyClick(page.grid(), Qt::Key_End);
    QCOMPARE(page.grid()->current(), std::size_t(299));
    const QRect last = page.grid()->tileRect(299);
    QVERIFY(page.grid()->viewport()->rect().contains(last));
    QVERIFY(!page.grid()->viewport()->rect().intersects(page.grid()->tileRect(0)));
    QVERIFY(page.grid()->height() < page.height() / 2); // the chosen one is to be seen too

    many->active.outliers = {200};
    RankPage outlier(many);
    showOffScreen(outlier);
    QVERIFY(outlier.grid()->viewport()->rect().contains(outlier.grid()->tileRect(200)));
}

void TestRankPage::aFileWithSeveralDevicesHoldsSeveralRanks()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const QTemporaryDir one;
    const QString name = u"oom_expandable_3of4gpus.pickle"_s;
    QVERIFY(QFile::copy(test::corpusFolder() + u'/' + name, one.filePath(name)));
    const auto folder = readRankFolder(nativePath(one.path()), {}).value();
    QCOMPARE(folder->ranks.size(), std::size_t(3));
    for (std::size_t rank = 0; rank < 3; ++rank) {
        QCOMPARE(folder->ranks[rank].device, rank);
        QCOMPARE(folder->ranks[rank].number, folder->ranks[rank].summary.device);
    }
}

VRAMSCOPE_TEST(TestRankPage)
#include "tst_rank_page.moc"
