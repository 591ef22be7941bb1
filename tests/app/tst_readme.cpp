// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rank_run.h"
#include "tests/support/test.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

const QString kReadme = u"README.md"_s;

/// A command of a page and what it prints there; a line "…" stands for any lines.
struct Sample
{
    QString command;
    QStringList printed;
};

/// The README and the pages of the help, by their paths in the project.
QStringList pages()
{
    QStringList found{kReadme};
    const QDir folder(test::projectFile(u"resources/help"_s));
    for (const QString &name : folder.entryList({u"*.md"_s}, QDir::Files, QDir::Name))
        found += u"resources/help/"_s + name;
    return found;
}

/// The lines of a page. Fenced code is indented by four, as other code is.
QStringList linesOfPage(const QString &page)
{
    QFile file(test::projectFile(page));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n');
    bool fenced = false;
    for (QString &line : lines) {
        if (line.startsWith(u"```"))
            fenced = !fenced;
        else if (fenced && !line.isEmpty())
            line.prepend(u"    ");
    }
    return lines;
}

QList<Sample> samples(const QString &page)
{
    QList<Sample> found;
    bool inside = false;
    for (const QString &line : linesOfPage(page)) {
        const bool code = line.startsWith(u"    ");
        if (code && line.mid(4).startsWith(u"$ ")) {
            found += {line.mid(6), {}};
            inside = true;
        } else if (inside && (code || line.isEmpty())) {
            found.back().printed += line.mid(4);
        } else {
            inside = false;
        }
    }
    for (Sample &each : found) {
        while (!each.printed.isEmpty() && each.printed.back().isEmpty())
            each.printed.removeLast();
    }
    return found;
}

/// The arguments of each line of a page that runs this program and shows no output.
QList<QStringList> commands(const QString &page, const QString &program)
{
    QList<QStringList> found;
    for (const QString &line : linesOfPage(page)) {
        if (line.startsWith(u"    "_s + program + u' '))
            found += QProcess::splitCommand(line.section(u" #"_s, 0, 0).trimmed()).mid(1);
    }
    return found;
}

/// The first line of a sample that is not printed where it should be; empty: all are.
QString missing(const Sample &sample, const QStringList &printed)
{
    qsizetype at = 0;
    bool anywhere = false;
    for (const QString &line : sample.printed) {
        if (line.trimmed() == u"…") {
            anywhere = true;
            continue;
        }
        if (anywhere && line.isEmpty())
            continue; // one of those left out
        const qsizetype found = anywhere ? printed.indexOf(line, at) : at;
        if (found < 0 || found >= printed.size() || printed[found] != line)
            return line;
        at = found + 1;
        anywhere = false;
    }
    if (!anywhere && at < printed.size())
        return u"more is printed: "_s + printed[at];
    return {};
}

/// Runs in a folder that has what the commands name, and nothing of the project to write over.
QStringList linesOf(const QString &program, const QStringList &arguments, const QString &folder,
                    int &status)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool ended = process.waitForFinished(120'000);
    status = ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    QStringList lines = QString::fromUtf8(process.readAll()).split(u'\n');
    for (QString &line : lines) { // an editor takes blanks from the ends of lines
        while (line.endsWith(u' '))
            line.chop(1);
    }
    while (!lines.isEmpty() && lines.back().isEmpty())
        lines.removeLast();
    return lines;
}

} // namespace

/// Holds the README and the help to the truth: what they print is what the programs print.
class ReadmeTest : public test::Test
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Runs a program that must succeed.
    void run(const QString &program, const QStringList &arguments)
    {
        int status = -1;
        const QStringList lines = linesOf(program, arguments, m_folder.path(), status);
        const QString all = arguments.join(u' ') + u'\n' + lines.join(u'\n');
        QVERIFY2(status == 0, qPrintable(all));
    }

    /// The run of 1,024 ranks that the help looks into: rank 77 left no snapshot, and that of rank
    /// 500 ends early.
    void makeRankRun()
    {
        const test::RankRun ranks;
        const QDir folder(m_folder.filePath(u"snapshots"_s));
        QVERIFY(folder.mkpath(u"."_s));
        for (int rank = 0; rank < ranks.ranks; ++rank) {
            QFile file(folder.filePath(QString::fromStdString(ranks.fileName(rank))));
            const std::string bytes = rank == 77 ? "" : test::rankSnapshot(ranks, rank).bytes;
            if (bytes.empty())
                continue;
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes.data(), rank == 500 ? 6'000 : qint64(bytes.size()));
        }
        const QString cli = QStringLiteral(VRAMSCOPE_CLI);
        run(cli, {u"summarize"_s, u"snapshots"_s, u"--ranks=1024"_s, u"--out=summaries"_s});
        run(cli, {u"collect"_s, u"summaries"_s, u"--ranks=1024"_s, u"--out=run.vramranks"_s});
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const QString &name : {u"resources"_s, u"tests"_s})
            QVERIFY(QFile::link(test::projectFile(name), m_folder.filePath(name)));
        makeRankRun();
    }

    void aLineThatIsNotPrintedIsFound()
    {
        const Sample sample{u"x"_s, {u"a"_s, u"  …"_s, u"c"_s}};
        QCOMPARE(missing(sample, {u"a"_s, u"b"_s, u"c"_s}), QString());
        QCOMPARE(missing(sample, {u"a"_s, u"b"_s}), u"c"_s);
        QCOMPARE(missing(sample, {u"b"_s, u"c"_s}), u"a"_s);
        QVERIFY(!missing(sample, {u"a"_s, u"c"_s, u"d"_s}).isEmpty());
    }

    void everySampleIsWhatTheCommandPrints_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("printed");
        for (const QString &page : pages()) {
            for (const Sample &each : samples(page))
                QTest::newRow(qPrintable(page + u": "_s + each.command))
                    << each.command << each.printed;
        }
    }

    void everySampleIsWhatTheCommandPrints()
    {
        QFETCH(QString, command);
        QFETCH(QStringList, printed);
        QStringList words = QProcess::splitCommand(command);
        QCOMPARE(words.takeFirst(), u"vramscope-cli"_s);
        int status = -1;
        const QStringList lines =
            linesOf(QStringLiteral(VRAMSCOPE_CLI), words, m_folder.path(), status);
        QVERIFY(status >= 0);
        const QString line = missing({command, printed}, lines);
        QVERIFY2(line.isEmpty(), qPrintable(u"%1\nof\n%2"_s.arg(line, lines.join(u'\n'))));
    }

    void thereAreSamples()
    {
        QVERIFY(!samples(kReadme).isEmpty());
        QVERIFY(samples(u"resources/help/command-line.md"_s).size() >= 22);
        QVERIFY(samples(u"resources/help/accuracy.md"_s).size() >= 2);
        QVERIFY(!samples(u"resources/help/compare.md"_s).isEmpty());
    }

    void theReadmeIsShort()
    {
        const qsizetype lines = linesOfPage(kReadme).size();
        QVERIFY2(lines > 1 && lines <= 151,
                 qPrintable(QString::number(lines))); // the last is empty
    }

    void everyCommandOfTheReadmeWorks()
    {
        const QList<QStringList> typed = commands(kReadme, u"vramscope-cli"_s);
        QVERIFY(typed.size() >= 7);
        for (QStringList each : typed) {
            each.replaceInStrings(u"FOLDER"_s, u"summaries"_s);
            run(QStringLiteral(VRAMSCOPE_CLI), each);
        }
    }

#ifdef VRAMSCOPE_WINDOW
    void everyPictureAndReportCanBeMade()
    {
        int made = 0;
        for (const QString &page : pages()) {
            for (const QStringList &each : commands(page, u"vramscope"_s)) {
                if (!each.join(u' ').contains(u" resources/"))
                    continue;
                run(QStringLiteral(VRAMSCOPE_WINDOW), each);
                QVERIFY2(QFileInfo(m_folder.filePath(each.back())).size() > 0,
                         qPrintable(each.join(u' ')));
                ++made;
            }
        }
        QVERIFY(made >= 6);
    }
#endif
};

VRAMSCOPE_TEST(ReadmeTest)
#include "tst_readme.moc"
