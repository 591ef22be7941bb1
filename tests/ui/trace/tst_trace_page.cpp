// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/models/live_groups_model.h"
#include "ui/support/elided_label.h"
#include "ui/support/theme.h"
#include "ui/timeline/active_memory_view.h"
#include "ui/timeline/overview.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/live_table.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const TraceDocument> sampleDocument(test::SampleOptions options = {})
{
    return analyse(test::SampleTrace(options).finish());
}

void useTheme(const Theme &theme)
{
    qApp->setPalette(themePalette(theme));
    qApp->setStyleSheet(themeStyleSheet(theme));
}

// Layouts pass a new size hint on by one level at each turn of the event loop.
void settle()
{
    for (int turn = 0; turn < 5; ++turn)
        QApplication::processEvents();
}

} // namespace

class TracePageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void looksRightInBothThemes();
    void opensEveryRecording_data();
    void opensEveryRecording();
};

void TracePageTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
}

void TracePageTest::looksRightInBothThemes()
{
    const auto document = sampleDocument();
    QVERIFY(document);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        useTheme(*theme);
        TracePage page(document);
        page.resize(1600, 900);
        page.show();
        page.state()->select(20);
        settle();
        const QString name = test::pictureFolder() + u"/trace-page-sample-%1.png"_s;
        const QImage picture = page.grab().toImage();
        QVERIFY(picture.save(name.arg(theme->dark ? u"dark"_s : u"light"_s)));
        const QImage chart =
            renderActiveMemory(*document, 0, {1200, 700}, *theme, ByteUnit::Binary);
        QVERIFY(chart.save(test::pictureFolder() + u"/active-memory-sample-%1.png"_s.arg(
                                                       theme->dark ? u"dark"_s : u"light"_s)));
    }
}

void TracePageTest::opensEveryRecording_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file :
         {"big_27k_entries", "fsdp_oom_rank0", "oom_expandable_3of4gpus", "decomfl_windows_py_23k",
          "empty_no_segments", "diffusers_2dev_state_only"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TracePageTest::opensEveryRecording()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("the folder of recorded files is not there");
    QFETCH(QString, file);
    const QString path = u"%1/%2.pickle"_s.arg(test::corpusFolder(), file);
    const auto trace = readTrace(path.toStdString());
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().text().c_str());
    const auto document = analyse(*trace);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        useTheme(*theme);
        TracePage page(document);
        page.resize(1600, 900);
        page.show();
        if (!document->devices.empty()) {
            const auto &device = *document->devices[document->mainDevice()];
            const auto live = device.allocations.liveAfter(device.curve.peakActiveEvent());
            page.state()->select(live.empty() ? kNoAllocation : live.back());
        }
        settle();
        const QString name = u"%1/trace-page-%2-%3.png"_s.arg(test::pictureFolder(), file,
                                                              theme->dark ? u"dark"_s : u"light"_s);
        QVERIFY(page.grab().toImage().save(name));
    }
}

} // namespace vramscope

QTEST_MAIN(vramscope::TracePageTest)
#include "tst_trace_page.moc"
