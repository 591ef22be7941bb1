// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

bool ran(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

bool isInstalled(const QString &program)
{
    return !QStandardPaths::findExecutable(program).isEmpty();
}

struct Difference
{
    double mean = 0;  ///< of the lightness, of 255
    double worst = 0; ///< the same of the square of kSquare pixels that differs most
    QPoint at;        ///< its place
};

/// How many pixels wide a square is that may not be missing.
constexpr int kSquare = 24;

/// Squares are compared by their mean colours, so that edges which fall between pixels weigh
/// little, and pixels by theirs.
Difference difference(const QImage &one, const QImage &other)
{
    const auto away = [](const QImage &a, const QImage &b, int x, int y) {
        const QColor p = a.pixelColor(x, y);
        const QColor q = b.pixelColor(x, y);
        return std::max({std::abs(p.red() - q.red()), std::abs(p.green() - q.green()),
                         std::abs(p.blue() - q.blue())});
    };
    const auto scaled = [](const QImage &image, int by) {
        return image.convertToFormat(QImage::Format_RGB32)
            .scaled(image.size() / by, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    Difference result;
    const QImage a = scaled(one, 4);
    const QImage b = scaled(other, 4);
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x)
            result.mean += away(a, b, x, y);
    }
    result.mean /= double(a.width()) * a.height();
    const QImage c = scaled(one, kSquare);
    const QImage d = scaled(other, kSquare);
    for (int y = 0; y < c.height(); ++y) {
        for (int x = 0; x < c.width(); ++x) {
            if (const int here = away(c, d, x, y); here > result.worst) {
                result.worst = here;
                result.at = QPoint(x, y) * kSquare;
            }
        }
    }
    return result;
}

/// Every view there is: the file and the name on the command line, as a request.
struct View
{
    const char *name;
    QString file;
    RenderRequest request;
};

/// A log of nvidia-smi: a device that fills.
void writeLog(const QString &name)
{
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("timestamp, index, memory.used [MiB], memory.total [MiB]\n");
    for (int second = 0; second < 60; ++second)
        file.write("2026/01/05 10:00:" + QByteArray::number(second).rightJustified(2, '0') +
                   ".000, 0, " + QByteArray::number(2000 + 1000 * (second % 12)) +
                   " MiB, 40960 MiB\n");
}

/// Every view there is. What no example holds is written into `folder`.
std::vector<View> everyView(const QString &folder)
{
    const QString plan = examples().front().path;
    const QString trace = examples().back().path;
    const QString other = examples()[examples().size() - 2].path;
    const QString log = folder + u"/smi.csv"_s;
    const QString ranks = folder + u"/ranks"_s;
    writeLog(log);
    QDir().mkpath(ranks);
    QFile::copy(trace, ranks + u"/rank_0.pickle"_s);
    QFile::copy(other, ranks + u"/rank_1.pickle"_s);
    std::vector<View> views;
    const auto add = [&views](const char *name, const QStringList &files, const QString &view) {
        RenderRequest request;
        request.files = files;
        request.view = view;
        request.size = {1200, 800};
        request.captioned = true;
        views.push_back({name, files.first(), request});
        return &views.back().request;
    };
    add("breakdown", {plan}, u"breakdown"_s);
    add("plan/step", {plan}, u"plan"_s)->planView = PlanView::Step;
    add("plan/sweep", {plan}, u"plan"_s)->planView = PlanView::Sweep;
    add("plan/layouts", {plan}, u"plan"_s)->planView = PlanView::Layouts;
    add("plan/compare", {plan, examples()[1].path}, u"plan"_s)->planView = PlanView::Compare;
    static const std::array kNames = {"active-memory", "reserved", "state", "bands",  "lanes",
                                      "events",        "stacks",   "steps", "what-if"};
    for (const char *name : kNames)
        add(name, {trace}, u"active-memory"_s)->trace.view =
            *traceViewNamed(QString::fromLatin1(name));
    add("trace", {trace}, u"trace"_s);
    add("compare", {other, trace}, u"compare"_s);
    add("reconcile", {u":/examples/training-out-of-memory-as-planned.vramplan"_s, trace},
        u"reconcile"_s);
    add("ranks", {ranks}, u"ranks"_s);
    add("series", {log}, u"series"_s);
    add("trust", {trustPath()}, u"trust"_s);
    return views;
}

} // namespace

class TestExports : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::vector<View> m_views;

    /// The bytes that a request gives under that ending.
    QByteArray exportedAs(RenderRequest request, const QString &ending)
    {
        request.out = m_folder.filePath(u"out."_s + ending);
        QFile::remove(request.out);
        const Outcome outcome = render(request);
        if (outcome.status != 0)
            qInfo("%s", qPrintable(outcome.message));
        return test::contentOf(request.out);
    }

    /// A file as another program draws it.
    QImage drawn(const QString &ending)
    {
        const QString file = m_folder.filePath(u"out."_s + ending);
        const QString out = m_folder.filePath(u"drawn.png"_s);
        QFile::remove(out);
        if (ending == u"svg")
            ran(u"rsvg-convert"_s, {u"-o"_s, out, file});
        else
            ran(u"pdftoppm"_s, {u"-r"_s, u"192"_s, u"-png"_s, u"-singlefile"_s, file,
                                m_folder.filePath(u"drawn"_s)});
        const QImage found(out);
        // Viewers of PDF leave out rows of an image that has more of them than the page.
        return ending == u"svg" ? found
                                : found.scaled(found.size() / 2, Qt::IgnoreAspectRatio,
                                               Qt::SmoothTransformation);
    }

private Q_SLOTS:
    void initTestCase() { m_views = everyView(m_folder.path()); }

    void everyViewIsOnePictureInEveryFormatAndTheSameBytesEveryTime_data()
    {
        QTest::addColumn<int>("view");
        int at = 0;
        for (const View &view : m_views)
            QTest::newRow(view.name) << at++;
    }

    void everyViewIsOnePictureInEveryFormatAndTheSameBytesEveryTime()
    {
        QFETCH(int, view);
        RenderRequest request = m_views[static_cast<std::size_t>(view)].request;
        request.title = u"A title of <its> own"_s;
        // One theme a view: what they differ in are colours.
        request.dark = view % 2 == 1;
        // Vectors are laid out for a fine screen, which has more places to break a row at.
        request.scale = 2;
        const QByteArray png = exportedAs(request, u"png"_s);
        const QImage fine = QImage::fromData(png);
        QCOMPARE(fine.size(), request.size * 2);
        const QImage picture =
            fine.scaled(request.size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        for (const QString &ending : {u"svg"_s, u"pdf"_s}) {
            const QByteArray first = exportedAs(request, ending);
            QVERIFY(!first.isEmpty());
            if (ending == u"svg") { // text stays text
                QVERIFY(first.count("<text") > 3);
                QVERIFY(first.contains(">A title of &lt;its&gt; own</text>"));
            }
            if (!isInstalled(ending == u"svg" ? u"rsvg-convert"_s : u"pdftoppm"_s))
                QSKIP("needs rsvg-convert and pdftoppm");
            const QImage other = drawn(ending);
            QCOMPARE(other.size(), picture.size());
            const Difference away = difference(picture, other);
            const QByteArray found = ending.toLatin1() + ": " + QByteArray::number(away.mean) +
                                     " on average, " + QByteArray::number(away.worst) + " about " +
                                     QByteArray::number(away.at.x()) + ", " +
                                     QByteArray::number(away.at.y());
            if (qEnvironmentVariableIsSet("VRAMSCOPE_SHOW"))
                qInfo("%s", found.constData());
            // Viewers of SVG have their own Inter and space letters by their own measure, which
            // adds up along a line as wide as the page.
            const bool svg = ending == u"svg";
            QVERIFY2(away.mean < (svg ? 6 : 4) && away.worst < (svg ? 60 : 20), found.constData());
            if (svg == (view % 2 == 0)) // the other format with the next view
                QVERIFY(exportedAs(request, ending) == first);
        }
        if (view % 2 == 0)
            QVERIFY(exportedAs(request, u"png"_s) == png);
        const QByteArray table = exportedAs(request, u"csv"_s);
        QVERIFY(!table.isEmpty());
        QVERIFY(exportedAs(request, u"csv"_s) == table);
    }

    // In one process the order of hashes is one.
    void anotherProcessGivesTheSameBytes()
    {
        for (const QString &view : {u"plan/sweep"_s, u"breakdown"_s}) {
            for (const QString &ending : {u"png"_s, u"svg"_s, u"pdf"_s, u"json"_s}) {
                QByteArrayList found;
                for (const QString &seed : {u"1"_s, u"2"_s}) {
                    const QString out = m_folder.filePath(u"process."_s + ending);
                    QFile::remove(out);
                    QProcess process;
                    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                    environment.insert(u"QT_HASH_SEED"_s, seed);
                    process.setProcessEnvironment(environment);
                    process.start(QStringLiteral(VRAMSCOPE_BINARY_DIR "/bin/vramscope"),
                                  {u"render"_s, examples().front().path, u"--view"_s, view,
                                   u"--caption"_s, u"--out"_s, out});
                    QVERIFY(process.waitForFinished(60'000));
                    QCOMPARE(process.exitCode(), 0);
                    found += test::contentOf(out);
                }
                QVERIFY(!found[0].isEmpty());
                QVERIFY2(found[0] == found[1], qPrintable(view + u' ' + ending));
            }
        }
    }

    void theAxesOfATimelineAreText()
    {
        for (const View &view : m_views) {
            if (qstrcmp(view.name, "active-memory") != 0)
                continue;
            const QByteArray svg = exportedAs(view.request, u"svg"_s);
            QVERIFY(svg.contains(">GiB</text>"));
        }
    }

    void aPictureMayHaveMorePixels()
    {
        RenderRequest request = m_views.front().request;
        request.scale = 3;
        const QImage large = QImage::fromData(exportedAs(request, u"png"_s));
        QCOMPARE(large.size(), request.size * 3);
        request.scale = 1;
        const QImage small = QImage::fromData(exportedAs(request, u"png"_s));
        const QImage reduced =
            large.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QVERIFY(difference(small, reduced).mean < 4);
    }

    void theTableHoldsExactBytes()
    {
        const QByteArray json = exportedAs(m_views.front().request, u"json"_s);
        const QJsonObject table = QJsonDocument::fromJson(json).object();
        const QJsonArray rows = table[u"rows"_s].toArray();
        QVERIFY(rows.size() > 3);
        QCOMPARE(rows[0][u"Part"_s].toString(), u"Parameters"_s);
        QVERIFY(rows[0][u"Per GPU"_s].isDouble());
        const QByteArray csv = exportedAs(m_views.front().request, u"csv"_s);
        QVERIFY(csv.startsWith("Part,Per GPU (bytes),"));
        QVERIFY(csv.contains("\r\nParameters," +
                             QByteArray::number(rows[0][u"Per GPU"_s].toInteger()) + ','));
        QVERIFY(exportedAs(m_views.front().request, u"md"_s).contains("| GiB") ||
                exportedAs(m_views.front().request, u"md"_s).contains("GiB |"));
    }

    void anUnknownEndingIsRefused()
    {
        RenderRequest request = m_views.front().request;
        request.out = m_folder.filePath(u"out.bmp"_s);
        QVERIFY(render(request).message.contains(u"png, svg, pdf, csv, md or json"_s));
        request.format = ViewFormat::Svg;
        QCOMPARE(render(request).status, 0);
    }

    void aRedactedExportNamesNoPersonAndNoHome_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"active-memory", "reserved", "state", "bands", "lanes", "events",
                                 "stacks", "steps", "what-if"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void aRedactedExportNamesNoPersonAndNoHome()
    {
        if (test::corpusFolder().isEmpty())
            QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
        QFETCH(QString, name);
        const QByteArray recording =
            test::contentOf(test::corpusFolder() + u"/oom_expandable_3of4gpus.pickle"_s);
        QVERIFY(recording.contains("/home/"));
        // What the recording itself says of homes: the person after "/home/".
        std::set<QByteArray> people;
        for (qsizetype at = recording.indexOf("/home/"); at >= 0;
             at = recording.indexOf("/home/", at + 1)) {
            const QByteArray rest = recording.mid(at + 6, 64);
            people.insert(rest.left(rest.indexOf('/')));
        }
        QVERIFY(!people.empty());
        const QString copy = m_folder.filePath(*people.cbegin() + u".pickle"_s);
        QFile::remove(copy);
        QVERIFY(QFile::copy(test::corpusFolder() + u"/oom_expandable_3of4gpus.pickle"_s, copy));
        RenderRequest request;
        request.files = {copy};
        request.view = u"trace"_s;
        request.trace.view = *traceViewNamed(name);
        request.captioned = true;
        request.redacted = true;
        for (const QString &ending : {u"svg"_s, u"pdf"_s, u"csv"_s, u"md"_s, u"json"_s}) {
            QByteArray text = exportedAs(request, ending);
            QVERIFY(!text.isEmpty());
            if (ending == u"pdf") {
                if (!isInstalled(u"pdftotext"_s))
                    QSKIP("needs pdftotext");
                const QString out = m_folder.filePath(u"out.txt"_s);
                QVERIFY(ran(u"pdftotext"_s, {m_folder.filePath(u"out.pdf"_s), out}));
                QVERIFY(test::contentOf(out).size() > 100);
                text += test::contentOf(out);
            }
            QVERIFY(!text.contains("/home/"));
            for (const QByteArray &person : people)
                QVERIFY2(!text.toLower().contains(person.toLower()), qPrintable(ending));
        }
    }
};

VRAMSCOPE_TEST(TestExports)
#include "tst_exports.moc"
