// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// A command of the README and what it prints there; a line "…" stands for any lines.
struct Sample
{
    QString command;
    QStringList printed;
};

QStringList readmeLines()
{
    QFile file(test::projectFile(u"README.md"_s));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n')
                                          : QStringList();
}

QList<Sample> samples()
{
    QList<Sample> found;
    bool inside = false;
    for (const QString &line : readmeLines()) {
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

/// Holds the README to the truth: what it prints is what the programs print.
class ReadmeTest : public test::Test
{
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        for (const QString &name : {u"resources"_s, u"tests"_s})
            QVERIFY(QFile::link(test::projectFile(name), m_folder.filePath(name)));
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
        for (const Sample &each : samples())
            QTest::newRow(qPrintable(each.command)) << each.command << each.printed;
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

    void thereAreSamples() { QVERIFY(samples().size() >= 8); }

#ifdef VRAMSCOPE_WINDOW
    void everyPictureAndReportCanBeMade()
    {
        int made = 0;
        for (const QString &line : readmeLines()) {
            QStringList words = QProcess::splitCommand(line.trimmed());
            if (!line.startsWith(u"    vramscope ") || !line.contains(u" resources/"))
                continue;
            words.removeFirst();
            int status = -1;
            const QStringList lines =
                linesOf(QStringLiteral(VRAMSCOPE_WINDOW), words, m_folder.path(), status);
            QVERIFY2(status == 0, qPrintable(line + u'\n' + lines.join(u'\n')));
            QVERIFY2(QFileInfo(m_folder.filePath(words.back())).size() > 0, qPrintable(line));
            ++made;
        }
        QVERIFY(made >= 6);
    }
#endif
};

VRAMSCOPE_TEST(ReadmeTest)
#include "tst_readme.moc"
