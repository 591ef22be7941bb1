// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "core/readers/read_trace.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"
#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_page.h"
#include "ui/compare/rank_text.h"
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
    void aClickOpensARank();
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
        QVERIFY(rank.active.highest.size() <= 256);
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
    QVERIFY(page.heading().startsWith(u"All 3 ranks ran out of memory. All 3 ranks peak at "_s));
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

void TestRankPage::aClickOpensARank()
{
    RankPage page(m_run->read());
    showOffScreen(page);
    QSignalSpy opened(&page, &RankPage::openWanted);
    QTest::mouseClick(page.grid()->viewport(), Qt::LeftButton, {},
                      page.grid()->tileRect(3).center());
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toString(), m_run->file(3));
    QVERIFY(page.statusText().startsWith(u"rank 3 · rank_3.pickle"_s));
    QTest::mouseClick(page.grid()->viewport(), Qt::LeftButton, {}, {1, 1});
    QCOMPARE(opened.size(), 1);
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
    auto *button = page.findChild<QPushButton *>();
    QCOMPARE(button->text(), u"Compare rank 5 with the typical rank 0"_s);
    QTest::mouseClick(button, Qt::LeftButton);
    QTest::keyClick(page.grid(), Qt::Key_C);
    QCOMPARE(compared.size(), 2);
    const auto traces = compared[0][0].value<std::vector<ComparedTrace>>();
    QCOMPARE(traces.size(), std::size_t(2));
    QCOMPARE(traces[0].path, m_run->file(0));
    QCOMPARE(traces[1].path, m_run->file(kOutlier));
    page.grid()->setCurrent(0);
    QVERIFY(!button->isEnabled()); // the typical one itself
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
