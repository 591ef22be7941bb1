// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/support/file_path.h"
#include "ui/window/command_line.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

using Mode = CommandLine::Mode;

class TestCommandLine : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void opensTheWindowWithTheFilesNamed()
    {
        const CommandLine line = parseCommandLine({u"a.pickle"_s, u"b.vramplan"_s});
        QCOMPARE(line.mode, Mode::Window);
        QCOMPARE(line.files, QStringList({u"a.pickle"_s, u"b.vramplan"_s}));
        QVERIFY(!line.isOffscreen());
        QVERIFY(line.needsApplication());
    }

    void takesFilesWhoseNamesLookLikeOptionsAfterTwoDashes()
    {
        QCOMPARE(parseCommandLine({u"--"_s, u"--check"_s}).files, QStringList(u"--check"_s));
    }

    void comparesTwoToEightFiles()
    {
        const CommandLine two = parseCommandLine({u"--compare"_s, u"a"_s, u"b"_s});
        QCOMPARE(two.mode, Mode::Window);
        QVERIFY(two.compares);
        QCOMPARE(two.files.size(), 2);
        QCOMPARE(parseCommandLine({u"--compare"_s, u"a"_s}).mode, Mode::Mistake);
        QCOMPARE(parseCommandLine(QStringList{u"--compare"_s} + QStringList(9, u"a"_s)).mode,
                 Mode::Mistake);
        const QStringList picture{u"render"_s, u"--view"_s, u"compare"_s, u"--out"_s, u"a.png"_s};
        QCOMPARE(parseCommandLine(picture + QStringList{u"a"_s}).mode, Mode::Mistake);
        const auto tab = [](const QString &view) {
            return parseCommandLine({u"render"_s, u"--view"_s, view, u"--out"_s, u"a.png"_s});
        };
        QCOMPARE(tab(u"trust/throughput"_s).render.view, u"trust"_s);
        QCOMPARE(tab(u"trust/throughput"_s).render.place, u"throughput"_s);
        QCOMPARE(tab(u"trust/sideways"_s).mode, Mode::Mistake);
        const CommandLine three = parseCommandLine(picture + QStringList{u"a"_s, u"b"_s, u"c"_s});
        QCOMPARE(three.render.view, u"compare"_s);
        QCOMPARE(three.render.files.size(), 3);
    }

    void holdsAPlanAgainstARecording()
    {
        const CommandLine line = parseCommandLine({u"--reconcile"_s, u"a"_s, u"b"_s});
        QCOMPARE(line.mode, Mode::Window);
        QVERIFY(line.reconciles);
        QCOMPARE(line.files, QStringList({u"a"_s, u"b"_s}));
        for (const QStringList &wrong :
             {QStringList{u"--reconcile"_s, u"a"_s},
              QStringList{u"--reconcile"_s, u"a"_s, u"b"_s, u"c"_s},
              QStringList{u"--reconcile"_s, u"--compare"_s, u"a"_s, u"b"_s},
              QStringList{u"--reconcile"_s, u"--check"_s, u"a"_s, u"b"_s}})
            QCOMPARE(parseCommandLine(wrong).mode, Mode::Mistake);
        const QStringList picture{u"render"_s, u"--view"_s, u"reconcile"_s, u"--out"_s, u"a.png"_s};
        QCOMPARE(parseCommandLine(picture + QStringList{u"a"_s}).mode, Mode::Mistake);
        const CommandLine drawn = parseCommandLine(picture + QStringList{u"a"_s, u"b"_s});
        QCOMPARE(drawn.render.view, u"reconcile"_s);
        QCOMPARE(drawn.render.files.size(), 2);
    }

    void opensAndRendersThePageAboutMeasuredFiguresWithoutAFile()
    {
        QCOMPARE(parseCommandLine({u"--trust"_s}).files, QStringList{trustPath()});
        const QStringList picture{u"render"_s, u"--view"_s, u"trust"_s, u"--out"_s, u"a.png"_s};
        const CommandLine line = parseCommandLine(picture);
        QCOMPARE(line.mode, Mode::Render);
        QCOMPARE(line.render.view, u"trust"_s);
        QCOMPARE(line.render.files, QStringList{trustPath()});
        QCOMPARE(parseCommandLine(picture + QStringList{u"a"_s}).mode, Mode::Mistake);
    }

    void checksAndRendersWithoutAScreen()
    {
        QVERIFY(parseCommandLine({u"--check"_s}).isOffscreen());
        const CommandLine line =
            parseCommandLine({u"render"_s, u"a"_s, u"--view"_s, u"plan"_s, u"--out"_s, u"a.png"_s});
        QCOMPARE(line.mode, Mode::Render);
        QVERIFY(line.isOffscreen());
    }

    void aPictureTakesShortOptionsAndFilesThatLookLikeThem()
    {
        const auto parsed = [](const QString &text) { return parseCommandLine(text.split(u' ')); };
        const CommandLine line = parsed(u"render a --view plan -o b.png"_s);
        QCOMPARE(line.mode, Mode::Render);
        QCOMPARE(line.render.out, u"b.png"_s);
        QCOMPARE(line.render.files, QStringList{u"a"_s});
        QCOMPARE(parsed(u"render -h"_s).mode, Mode::Help);
        QVERIFY(parsed(u"render a --view plan -x b.png"_s).message.contains(u"no option -x"_s));
        const CommandLine odd = parsed(u"render --view plan -o b.png -- -o"_s);
        QCOMPARE(odd.mode, Mode::Render);
        QCOMPARE(odd.render.files, QStringList{u"-o"_s});
    }

    void needsNoApplicationToAnswerInText_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("help") << QStringList{u"--help"_s};
        QTest::newRow("short help") << QStringList{u"-h"_s};
        QTest::newRow("version") << QStringList{u"--version"_s};
        QTest::newRow("render help") << QStringList{u"render"_s, u"--help"_s};
        QTest::newRow("mistake") << QStringList{u"--nonsense"_s};
    }

    void needsNoApplicationToAnswerInText()
    {
        QFETCH(QStringList, arguments);
        QVERIFY(!parseCommandLine(arguments).needsApplication());
    }

    void readsEveryOptionOfAPicture()
    {
        const CommandLine line =
            parseCommandLine({u"render"_s, u"--size"_s, u"640x360"_s, u"run.pickle"_s, u"--view"_s,
                              u"active-memory"_s, u"--theme"_s, u"dark"_s, u"--unit"_s, u"gb"_s,
                              u"--device"_s, u"3"_s, u"--out"_s, u"x.png"_s});
        QCOMPARE(line.mode, Mode::Render);
        QCOMPARE(line.render.files, QStringList{u"run.pickle"_s});
        QCOMPARE(line.render.view, u"active-memory"_s);
        QCOMPARE(line.render.size, QSize(640, 360));
        QVERIFY(line.render.dark);
        QCOMPARE(line.render.unit, ByteUnit::Decimal);
        QCOMPARE(line.render.device, 3);
        QCOMPARE(line.render.out, u"x.png"_s);
    }

    void readsWhichViewOfAPlanIsShownAndWhatStandsBesideIt()
    {
        const CommandLine line =
            parseCommandLine(QString(u"render a b c --view plan/compare --out d"_s).split(u' '));
        QVERIFY2(line.mode == Mode::Render, qPrintable(line.message));
        QCOMPARE(line.render.view, u"plan"_s);
        QCOMPARE(line.render.planView, std::optional(PlanView::Compare));
        QCOMPARE(line.render.files.size(), 3);
    }

    void readsWhatOfATraceIsShown()
    {
        const CommandLine stacks = parseCommandLine(
            QString(u"render a --view stacks --cost live --event 120 --out b"_s).split(u' '));
        QVERIFY2(stacks.mode == Mode::Render, qPrintable(stacks.message));
        QCOMPARE(stacks.render.trace.cost, Cost::Live);
        QCOMPARE(stacks.render.trace.event, EventIndex(120));
        const CommandLine bands = parseCommandLine(
            QString(u"render a --view bands --range 7:90 --color age --out b"_s).split(u' '));
        QVERIFY2(bands.mode == Mode::Render, qPrintable(bands.message));
        QCOMPARE(bands.render.trace.range, (EventSpan{7, 90}));
        QCOMPARE(bands.render.trace.colorBy, ColorBy::Age);
    }

    void theHelpNamesEveryViewAndColour()
    {
        const QString help = parseCommandLine({u"render"_s, u"--help"_s}).message;
        for (const TraceViewRow &row : traceViews())
            QVERIFY(help.contains(row.name));
        QVERIFY(help.contains(u"\n  active-memory, reserved, bands, lanes    of a recorded"_s));
        for (std::size_t at = 0; at < kColorByCount; ++at)
            QVERIFY(help.contains(colorByName(static_cast<ColorBy>(at))));
        for (std::size_t at = 0; at < kCostCount; ++at)
            QVERIFY(help.contains(
                QString::fromStdString(std::string(costName(static_cast<Cost>(at))))));
    }

    void theProgramAndEachOfItsCommandsHaveTheirHelp()
    {
        const QString program = parseCommandLine({u"--help"_s}).message;
        QVERIFY(program.startsWith(u"usage: vramscope [OPTION…] [FILE…]\n"_s));
        for (const QString &command : {u"render"_s, u"report"_s, u"present"_s}) {
            QVERIFY(program.contains(u"\n  "_s + command + u' '));
            const CommandLine own = parseCommandLine({command, u"--help"_s});
            QCOMPARE(own.mode, Mode::Help);
            QVERIFY(own.message.startsWith(u"usage: vramscope "_s + command + u' '));
        }
    }

    void aMistakenOptionNamesTheNearestAndWhereToLook()
    {
        QCOMPARE(parseCommandLine({u"render"_s, u"a"_s, u"--colour=size"_s}).message,
                 u"render: there is no option --colour (did you mean '--color'?); see vramscope "
                 "render --help."_s);
        QCOMPARE(parseCommandLine({u"--chekc"_s}).message,
                 u"there is no option --chekc (did you mean '--check'?); see vramscope --help."_s);
    }

    void aFileKeepsTheBytesOfItsName()
    {
        const QString name = pathText("caf\xe9.pickle");
        QCOMPARE(parseCommandLine({name}).files, QStringList{name});
        QCOMPARE(parseCommandLine({u"report"_s, name, u"-o"_s, u"r.html"_s}).report.files,
                 QStringList{name});
    }

    void aPresentationIsOfTheFormatNamedOrOfItsEnding()
    {
        const auto asked = [](const QStringList &words) {
            return parseCommandLine(QStringList{u"present"_s, u"a"_s, u"b"_s} + words);
        };
        const CommandLine slides = asked({u"--out"_s, u"d.PPTX"_s, u"--title"_s, u"Which?"_s});
        QCOMPARE(slides.mode, Mode::Present);
        QVERIFY(slides.isOffscreen());
        QCOMPARE(slides.present.files, QStringList({u"a"_s, u"b"_s}));
        QCOMPARE(slides.present.format, DeckFormat::Pptx);
        QCOMPARE(slides.present.title, u"Which?"_s);
        QCOMPARE(asked({u"-o"_s, u"-"_s, u"--format"_s, u"pdf"_s}).present.format, DeckFormat::Pdf);
        for (const QStringList &wrong : {QStringList{},
                                         {u"-o"_s, u"-"_s},
                                         {u"-o"_s, u"d.odp"_s},
                                         {u"-o"_s, u"d.pdf"_s, u"--format"_s, u"html"_s}})
            QCOMPARE(asked(wrong).mode, Mode::Mistake);
    }

    void aPictureIsOfTheViewNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("view");
        QTest::addColumn<TraceView>("traceView");
        QTest::newRow("curves") << u"series"_s << u"series"_s << TraceView::Active;
        QTest::newRow("page") << u"trace"_s << u"trace"_s << TraceView::Active;
        QTest::newRow("page of a view") << u"trace/state"_s << u"trace"_s << TraceView::State;
        QTest::newRow("state") << u"state"_s << u"state"_s << TraceView::State;
        QTest::newRow("events") << u"events"_s << u"events"_s << TraceView::Events;
        QTest::newRow("stacks") << u"stacks"_s << u"stacks"_s << TraceView::Stacks;
        QTest::newRow("view") << u"reserved"_s << u"reserved"_s << TraceView::Reserved;
    }

    void aPictureIsOfTheViewNamed()
    {
        QFETCH(QString, name);
        QFETCH(const QString, view);
        QFETCH(TraceView, traceView);
        const CommandLine line =
            parseCommandLine({u"render"_s, u"a"_s, u"--view"_s, name, u"--out"_s, u"b.png"_s});
        QVERIFY2(line.mode == Mode::Render, qPrintable(line.message));
        QCOMPARE(line.render.view, view);
        QCOMPARE(line.render.trace.view, traceView);
    }

    void aValueMayBeJoinedToItsOption()
    {
        const CommandLine picture = parseCommandLine(
            {u"render"_s, u"a"_s, u"--view=plan"_s, u"--size=300x200"_s, u"-o=a=b.png"_s});
        QCOMPARE(picture.mode, Mode::Render);
        QCOMPARE(picture.message, QString());
        QCOMPARE(picture.render.view, u"plan"_s);
        QCOMPARE(picture.render.size, QSize(300, 200));
        QCOMPARE(picture.render.out, u"a=b.png"_s);
        const CommandLine page =
            parseCommandLine({u"report"_s, u"a=b"_s, u"--out=r.html"_s, u"--unit=gb"_s});
        QCOMPARE(page.mode, Mode::Report);
        QCOMPARE(page.report.files, QStringList(u"a=b"_s));
        QCOMPARE(page.report.out, u"r.html"_s);
        QCOMPARE(page.report.unit, ByteUnit::Decimal);
    }

    void aReportIsAPageOrAPdf()
    {
        const auto format = [](const QStringList &words) {
            return parseCommandLine(QStringList{u"report"_s, u"a"_s} + words).report.format;
        };
        QVERIFY(format({u"-o"_s, u"r.HTML"_s}) == ReportFormat::Html);
        QVERIFY(format({u"-o"_s, u"r.htm"_s}) == ReportFormat::Html);
        QVERIFY(format({u"-o"_s, u"r.pdf"_s}) == ReportFormat::Pdf);
        QVERIFY(format({u"-o"_s, u"-"_s}) == ReportFormat::Html);
        QVERIFY(format({u"-o"_s, u"/dev/null"_s}) == ReportFormat::Html);
        QVERIFY(format({u"-o"_s, u"-"_s, u"--format"_s, u"pdf"_s}) == ReportFormat::Pdf);
        QVERIFY(format({u"-o"_s, u"r.out"_s, u"--format=html"_s}) == ReportFormat::Html);
    }

    void namesTheMistake_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("unknown option") << u"--nonsense"_s << u"--nonsense"_s;
        QTest::newRow("no file") << u"render --view plan --out a.png"_s << u"a file"_s;
        QTest::newRow("two files") << u"render a b --view state --out a.png"_s << u"one file"_s;
        QTest::newRow("ten plans")
            << u"render a b c d e f g h i j --view plan --out a.png"_s << u"8 others at most"_s;
        QTest::newRow("view of a plan")
            << u"render a --view plan/steps --out a.png"_s << u"plan/steps"_s;
        QTest::newRow("no view") << u"render a --out a.png"_s << u"--view"_s;
        QTest::newRow("no picture") << u"render a --view plan"_s << u"--out"_s;
        QTest::newRow("unknown view") << u"render a --view pie --out a.png"_s << u"pie"_s;
        QTest::newRow("size of one number")
            << u"render a --view plan --size 7 --out b"_s << u"“7”"_s;
        QTest::newRow("no size") << u"render a --view plan --size 0x10 --out b"_s << u"0x10"_s;
        QTest::newRow("vast size")
            << u"render a --view plan --size 99999x99999 --out b"_s << u"99999x99999"_s;
        QTest::newRow("theme") << u"render a --view plan --theme pink --out b"_s << u"pink"_s;
        QTest::newRow("unit") << u"render a --view plan --unit mb --out b"_s << u"mb"_s;
        QTest::newRow("device") << u"render a --view plan --device x --out b"_s << u"--device"_s;
        QTest::newRow("event") << u"render a --view state --event -3 --out b"_s << u"--event"_s;
        QTest::newRow("range back") << u"render a --view bands --range 9:3 --out b"_s << u"“9:3”"_s;
        QTest::newRow("range of one") << u"render a --view bands --range 9 --out b"_s << u"“9”"_s;
        QTest::newRow("cost") << u"render a --view stacks --cost gold --out b"_s << u"gold"_s;
        QTest::newRow("cost elsewhere")
            << u"render a --view bands --cost peak --out b"_s << u"--cost goes with"_s;
        QTest::newRow("range elsewhere")
            << u"render a --view state --range 1:2 --out b"_s << u"--range goes with"_s;
        QTest::newRow("event of a plan")
            << u"render a --view plan --event 1 --out b"_s << u"--event goes with"_s;
        QTest::newRow("option of render")
            << u"render a --view plan --out b --colour c"_s << u"--colour"_s;
        QTest::newRow("report of no known kind")
            << u"report rec.pickle -o rec.pickle"_s << u".pdf"_s;
        QTest::newRow("report of another kind") << u"report a -o - --format=png"_s << u"“png”"_s;
        QTest::newRow("flag with a value")
            << u"render a --view plan --caption=1 --out b"_s << u"--caption takes no value"_s;
        QTest::newRow("flag of a report with a value")
            << u"report a -o r.html --redact=1"_s << u"--redact takes no value"_s;
        QTest::newRow("value left out") << u"render a --view plan --out"_s << u"--out"_s;
    }

    void namesTheMistake()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, named);
        const CommandLine line = parseCommandLine(arguments.split(u' '));
        QCOMPARE(line.mode, Mode::Mistake);
        QVERIFY2(line.message.contains(named), qPrintable(line.message));
        QVERIFY(line.message.endsWith(u'.'));
    }
};

VRAMSCOPE_TEST(TestCommandLine)
#include "tst_command_line.moc"
