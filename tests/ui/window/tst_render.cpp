// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render.h"
#include "ui/support/theme.h"

#include <QFile>
#include <QImage>
#include <QLocale>
#include <QSet>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Distinct colours on a coarse grid: a page has many, a blank one few.
qsizetype colorCount(const QImage &image)
{
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    }
    return colors.size();
}

RenderRequest requestFor(const QString &file, const QString &view, const QString &out)
{
    RenderRequest request;
    request.files = {file};
    request.view = view;
    request.out = out;
    request.size = {900, 600};
    return request;
}

QByteArray contentOf(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestRender : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_out = m_folder.filePath(u"out.png"_s);

private Q_SLOTS:
    void drawsEveryViewOfEveryExampleInTheSizeAsked_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("dark");
        for (const bool dark : {true, false})
            QTest::addRow("trust, %s", dark ? "dark" : "light")
                << trustPath() << u"trust"_s << dark;
        for (const Example &example : examples()) {
            for (const bool whole : {true, false}) {
                for (const bool dark : {true, false}) {
                    const QString &view = example.plan ? (whole ? u"plan"_s : u"breakdown"_s)
                                                       : (whole ? u"trace"_s : u"active-memory"_s);
                    QTest::addRow("%s, %s, %s", qPrintable(example.title), whole ? "page" : "view",
                                  dark ? "dark" : "light")
                        << example.path << view << dark;
                }
            }
        }
    }

    void drawsEveryViewOfEveryExampleInTheSizeAsked()
    {
        QFETCH(QString, file);
        QFETCH(const QString, view);
        QFETCH(bool, dark);
        RenderRequest request = requestFor(file, view, m_out);
        request.dark = dark;
        const Outcome outcome = render(request);
        QVERIFY2(outcome.status == 0, qPrintable(outcome.message));
        const QImage image(m_out);
        QCOMPARE(image.size(), request.size);
        QVERIFY(colorCount(image) > 12);
        const int lightness = image.pixelColor(1, 1).lightness();
        QCOMPARE(lightness < 128, dark);
    }

    void theSizeMayBeSmallOrLarge_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(320, 200);
        QTest::newRow("large") << QSize(3840, 2160);
    }

    void theSizeMayBeSmallOrLarge()
    {
        QFETCH(QSize, size);
        for (const auto &[file, view] : {std::pair(examples().front().path, u"plan"_s),
                                         std::pair(examples().back().path, u"trace"_s)}) {
            RenderRequest request = requestFor(file, view, m_out);
            request.size = size;
            QCOMPARE(render(request).status, 0);
            QCOMPARE(QImage(m_out).size(), size);
        }
    }

    void aPlanShowsTheViewAskedForAndThePlansBesideIt()
    {
        const QString plan = examples()[0].path;
        constexpr QSize kTall(1280, 1000); // the views stand below the bars
        QList<QImage> pictures;
        for (const PlanView view :
             {PlanView::Step, PlanView::Sweep, PlanView::Layouts, PlanView::Scale,
              PlanView::Strategy, PlanView::Allocator, PlanView::Compare}) {
            RenderRequest request = requestFor(plan, u"plan"_s, m_out);
            request.planView = view;
            request.size = kTall;
            QCOMPARE(render(request).status, 0);
            pictures += QImage(m_out);
        }
        RenderRequest request = requestFor(plan, u"plan"_s, m_out);
        request.planView = PlanView::Compare;
        request.size = kTall;
        request.files += examples()[1].path;
        QCOMPARE(render(request).status, 0);
        pictures += QImage(m_out);
        for (qsizetype one = 0; one < pictures.size(); ++one) {
            for (qsizetype other = 0; other < one; ++other)
                QVERIFY(pictures[one] != pictures[other]);
        }
        request.files[1] = examples().back().path; // a recording
        const Outcome refused = render(request);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.message.contains(u"This is no plan"_s), qPrintable(refused.message));
    }

    void aViewOfTheOtherKindIsRefused()
    {
        for (const QString &view : {u"breakdown"_s, u"active-memory"_s, u"trace"_s}) {
            const Outcome figures = render(requestFor(trustPath(), view, m_out));
            QCOMPARE(figures.status, 1);
            QVERIFY(figures.message.contains(u"view is trust"_s));
        }
        const Outcome plan = render(requestFor(examples().front().path, u"active-memory"_s, m_out));
        QCOMPARE(plan.status, 1);
        QVERIFY(plan.message.contains(u"plan/VIEW and breakdown"_s));
        const Outcome trace = render(requestFor(examples().back().path, u"plan"_s, m_out));
        QCOMPARE(trace.status, 1);
        QVERIFY(trace.message.contains(u"its views are trace, active-memory"_s));
        const Outcome curves = render(requestFor(examples().back().path, u"series"_s, m_out));
        QCOMPARE(curves.status, 1);
        QVERIFY(curves.message.contains(u"its views are trace, active-memory"_s));
    }

    void drawsCurvesOverTimeAndNoOtherViewOfThem()
    {
        const QString log = m_folder.filePath(u"usage.csv"_s);
        QFile file(log);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("timestamp, index, memory.used [MiB], memory.total [MiB]\n");
        for (int second = 0; second < 100; ++second) {
            for (int gpu = 0; gpu < 2; ++gpu)
                file.write(QByteArray::number(1'700'000'000 + second) + ", " +
                           QByteArray::number(gpu) + ", " +
                           QByteArray::number(1000 + second * 50 * (gpu + 1)) +
                           " MiB, 16000 MiB\n");
        }
        file.close();
        RenderRequest request = requestFor(log, u"series"_s, m_out);
        const Outcome all = render(request);
        QVERIFY2(all.status == 0, qPrintable(all.message));
        const QImage both(m_out);
        QCOMPARE(both.size(), request.size);
        QVERIFY(colorCount(both) > 12);
        request.device = 1;
        QCOMPARE(render(request).status, 0);
        QVERIFY(QImage(m_out) != both);
        request.device = 7;
        QVERIFY(render(request).message.contains(u"no device 7"_s));
        request.view = u"active-memory"_s;
        QVERIFY(render(request).message.contains(u"its view is series"_s));
    }

    void drawsEachViewOfATraceAlone_data()
    {
        QTest::addColumn<QString>("name");
        for (const TraceViewRow &row : traceViews())
            QTest::newRow(qPrintable(row.name)) << row.name;
    }

    void drawsEachViewOfATraceAlone()
    {
        QFETCH(QString, name);
        RenderRequest request = requestFor(examples().back().path, u"active-memory"_s, m_out);
        request.trace.view = *traceViewNamed(name);
        QCOMPARE(rowOf(request.trace.view).name, name);
        for (const bool dark : {false, true}) {
            request.dark = dark;
            const Outcome outcome = render(request);
            QVERIFY2(outcome.status == 0, qPrintable(outcome.message));
            const QImage image(m_out);
            QCOMPARE(image.size(), request.size);
            QCOMPARE(image.pixelColor(1, 1).lightness() < 128, dark);
            if (request.trace.view != TraceView::Lanes) // one pool, one stream: a sentence
                QVERIFY(colorCount(image) > 12);
            QVERIFY(image.save(test::pictureFolder() +
                               u"/alone-%1-%2.png"_s.arg(name, dark ? u"dark"_s : u"light"_s)));
        }
    }

    void coloursCostAndEventChangeWhatTheyAreOf_data()
    {
        QTest::addColumn<TraceView>("view");
        QTest::addColumn<bool>("coloured");
        QTest::addColumn<bool>("costed");
        QTest::addColumn<bool>("cursor");
        QTest::addColumn<bool>("ranged");
        QTest::newRow("active memory") << TraceView::Active << true << false << true << true;
        QTest::newRow("reserved") << TraceView::Reserved << false << false << true << true;
        QTest::newRow("bands") << TraceView::Bands << false << false << true << true;
        QTest::newRow("state") << TraceView::State << true << false << true << false;
        QTest::newRow("steps") << TraceView::Steps << false << false << true << false;
        QTest::newRow("what if") << TraceView::WhatIf << false << false << true << true;
        QTest::newRow("events") << TraceView::Events << false << false << true << false;
        QTest::newRow("stacks") << TraceView::Stacks << false << true << false << false;
    }

    void coloursCostAndEventChangeWhatTheyAreOf()
    {
        QFETCH(TraceView, view);
        QFETCH(bool, coloured);
        QFETCH(bool, costed);
        QFETCH(bool, cursor);
        QFETCH(bool, ranged);
        RenderRequest plain = requestFor(examples().back().path, u"active-memory"_s, m_out);
        plain.trace.view = view;
        const auto picture = [this](const RenderRequest &request) {
            return render(request).status == 0 ? QImage(m_out) : QImage();
        };
        const QImage usual = picture(plain);
        plain.trace.colorBy = ColorBy::Category; // what a timeline of this recording usually has
        QCOMPARE(picture(plain) == usual, !coloured || rowOf(view).timeline.has_value());
        plain.trace.colorBy = ColorBy::Stack;
        const QImage before = picture(plain);
        QVERIFY(!before.isNull());
        for (const ColorBy by : {ColorBy::Category, ColorBy::Size, ColorBy::Age}) {
            RenderRequest other = plain;
            other.trace.colorBy = by;
            QCOMPARE(picture(other) != before, coloured);
        }
        RenderRequest other = plain;
        other.trace.cost = Cost::Temporary;
        QCOMPARE(picture(other) != before, costed);
        other = plain;
        other.trace.event = 40;
        QCOMPARE(picture(other) != before, cursor);
        other = plain;
        other.trace.range = EventSpan{10, 90};
        QCOMPARE(picture(other) != before, ranged);
    }

    void stacksThatAreLiveAreThoseAtTheEvent()
    {
        RenderRequest request = requestFor(examples().back().path, u"active-memory"_s, m_out);
        request.trace.view = TraceView::Stacks;
        request.trace.cost = Cost::Live;
        request.trace.event = 20;
        QCOMPARE(render(request).status, 0);
        const QImage early(m_out);
        request.trace.event = 400;
        QCOMPARE(render(request).status, 0);
        QVERIFY(QImage(m_out) != early);
    }

    void thePageShowsTheEventAndTheRange()
    {
        RenderRequest request = requestFor(examples().back().path, u"trace"_s, m_out);
        QCOMPARE(render(request).status, 0);
        const QImage whole(m_out);
        request.trace.range = EventSpan{10, 90};
        QCOMPARE(render(request).status, 0);
        const QImage part(m_out);
        QVERIFY(part != whole);
        request.trace.event = 40;
        QCOMPARE(render(request).status, 0);
        QVERIFY(QImage(m_out) != part);
    }

    void anEventThatIsNotThereIsNamed()
    {
        for (const QString &view : {u"active-memory"_s, u"trace"_s}) {
            RenderRequest request = requestFor(examples().back().path, view, m_out);
            request.trace.event = 999'999'999;
            const Outcome outcome = render(request);
            QCOMPARE(outcome.status, 1);
            QVERIFY(outcome.message.contains(u"no event 999999999"_s));
            request.trace.event.reset();
            request.trace.range = EventSpan{999'999'998, 999'999'999};
            QVERIFY(render(request).message.contains(u"no event 999999998"_s));
            request.trace.range = EventSpan{0, 999'999'999}; // the rest of it is there
            QCOMPARE(render(request).status, 0);
        }
    }

    void aDeviceThatIsNotThereIsNamed()
    {
        RenderRequest request = requestFor(examples().back().path, u"active-memory"_s, m_out);
        request.device = 7;
        const Outcome outcome = render(request);
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.contains(u'7'));
    }

    void anUnusableFileIsNamedWithItsSentence()
    {
        const Outcome outcome = render(requestFor(u"/no/such/file"_s, u"plan"_s, m_out));
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.startsWith(u"/no/such/file: "_s));
        QVERIFY(outcome.message.endsWith(u'.'));
    }

    void whatIsReadIsNotOverwritten()
    {
        const QString plan = m_folder.filePath(u"plan.vramplan"_s);
        QVERIFY(
            QFile::copy(test::projectFile(u"resources/examples/gpt2-small-h100.vramplan"_s), plan));
        const QByteArray before = contentOf(plan);
        RenderRequest request = requestFor(plan, u"plan"_s, plan);
        request.format = ViewFormat::Json;
        const Outcome outcome = render(request);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.message.contains(u"is not overwritten"_s), qPrintable(outcome.message));
        QCOMPARE(contentOf(plan), before);
    }

    void aFullDiskIsSaidToBeFull()
    {
        RenderRequest request = requestFor(examples().front().path, u"plan"_s, u"/dev/full"_s);
        request.format = ViewFormat::Json;
        const Outcome outcome = render(request);
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.message,
                 u"/dev/full: The file could not be written: No space left on device."_s);
    }

    void aTableIsTheSameInEveryLocale()
    {
        const QString out = m_folder.filePath(u"table.csv"_s);
        QByteArrayList tables;
        for (const QLocale::Language language : {QLocale::C, QLocale::German, QLocale::Turkish}) {
            QLocale::setDefault(QLocale(language));
            const Outcome outcome = render(
                requestFor(u":/examples/training-out-of-memory.pickle"_s, u"active-memory"_s, out));
            QLocale::setDefault(QLocale::c());
            QCOMPARE(outcome.message, QString());
            tables += contentOf(out);
        }
        QVERIFY(tables.front().size() > 100);
        QCOMPARE(tables[1], tables[0]);
        QCOMPARE(tables[2], tables[0]);
    }

    void aPictureThatCannotBeWrittenIsSaidSo()
    {
        const Outcome outcome = render(requestFor(examples().front().path, u"plan"_s,
                                                  m_folder.filePath(u"no/such/folder.png"_s)));
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.contains(u"folder.png"_s));
    }
};

VRAMSCOPE_TEST(TestRender)
#include "tst_render.moc"
