// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/curves/series_metrics.h"
#include "core/print/series_report.h"
#include "core/readers/read_trace.h"
#include "core/trace/series_builder.h"
#include "tests/support/test.h"
#include "ui/series/series_items.h"
#include "ui/series/series_page.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QWheelEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr Bytes kMebi = Bytes(1) << 20;
constexpr std::int64_t kSecond = 1'000'000'000;

// A profiler's curve: allocated climbs in steps of 1 MiB a µs and falls, once far above the rest.
std::shared_ptr<const Series> profilerSeries(int samples = 20'000, int spike = 12'345)
{
    SeriesBuilder builder("chrome-trace");
    builder.setClock(Clock::Epoch);
    SeriesDevice device;
    device.ordinal = 0;
    device.label = "cuda:0";
    device.name = "Test GPU";
    device.total = 4096 * kMebi;
    ByteCurve allocated{"allocated", CurveRole::Allocated, {}};
    ByteCurve reserved{"reserved", CurveRole::Reserved, {}};
    const StringId quiet = builder.internText("aten::add");
    const StringId loud = builder.internText("aten::mm");
    for (int at = 0; at < samples; ++at) {
        device.time.push_back(1'700'000'000 * kSecond + at * 1000);
        allocated.values.push_back((at == spike ? 2500 : 200 + at % 300) * kMebi);
        reserved.values.push_back(3000 * kMebi);
        device.operation.push_back(at == spike ? loud : quiet);
        device.change.push_back(kMebi);
    }
    device.bytes = {std::move(allocated), std::move(reserved)};
    builder.addDevice(std::move(device));
    return builder.finish();
}

// Two GPUs of a log: one pauses and has a sample without a value.
std::shared_ptr<const Series> logSeries()
{
    SeriesBuilder builder("nvidia-smi");
    builder.setClock(Clock::LocalTime);
    for (int gpu = 0; gpu < 2; ++gpu) {
        SeriesDevice device;
        device.ordinal = gpu;
        device.label = "GPU " + std::to_string(gpu);
        device.total = 1000 * kMebi;
        ByteCurve used{"memory.used", CurveRole::DeviceUsed, {}};
        for (int second = 0; second < 100; ++second) {
            if (gpu == 1 && 40 <= second && second < 60)
                continue;
            device.time.push_back(second * kSecond + gpu * 1000);
            used.values.push_back(gpu == 1 && second == 70 ? kNoBytes : (300 + gpu * 300) * kMebi);
        }
        device.bytes = {std::move(used)};
        device.numbers = {{"utilization.gpu", "%", std::vector<double>(device.time.size(), 50)}};
        builder.addDevice(std::move(device));
    }
    return builder.finish();
}

// A page on a widget that no screen shows, laid out.
struct Scene
{
    explicit Scene(std::shared_ptr<const Series> series)
        : document(analyse(std::move(series)))
        , page(document)
        , view(page.findChild<SeriesView *>())
    {
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.resize(1200, 800);
        page.show();
        QApplication::processEvents();
    }

    [[nodiscard]] QImage picture() const { return view->grab().toImage(); }
    // The pixel rows from the top of the plot of the first of a colour in a column of the plot.
    [[nodiscard]] int firstRow(const QImage &image, int x, QRgb color) const
    {
        const QRect plot = view->plot().toRect();
        for (int y = plot.top(); y <= plot.bottom(); ++y) {
            if (image.pixel(x, y) == color)
                return y;
        }
        return -1;
    }
    [[nodiscard]] int highestRow(QRgb color) const
    {
        const QImage image = picture();
        int highest = image.height();
        for (int x = view->plot().toRect().left(); x < view->plot().right(); ++x) {
            const int row = firstRow(image, x, color);
            highest = row >= 0 ? std::min(highest, row) : highest;
        }
        return highest;
    }
    [[nodiscard]] double rowOf(Bytes bytes) const
    {
        const LinearScale up{page.state()->visible().bytes, view->plot().height()};
        return view->plot().bottom() - up.toPixel(static_cast<double>(bytes));
    }
    void wheel(QPoint at, int angle)
    {
        QWheelEvent event(at, view->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view, &event);
    }

    std::shared_ptr<const SeriesDocument> document;
    SeriesPage page;
    SeriesView *view;
};

QStringList textsOf(const QWidget &page)
{
    QStringList texts;
    for (const QLabel *label : page.findChildren<QLabel *>())
        texts += label->text();
    return texts;
}

} // namespace

class SeriesPageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theTableSaysWhatTheReportSays();
    void theHighestPixelIsThePeakAtEveryZoom();
    void aGapIsLeftOpen();
    void aRowLeadsToItsPeak();
    void theMouseTellsTheSampleInFull();
    void gesturesAreThoseOfEveryTimeline();
    void aCurveIsHiddenAndShown();
    void allDevicesStandTogetherAndEachAlone();
    void ofVeryManyDevicesThoseWithMostInUseAreDrawn();
    void nothingRecordedExplainsItself();
    void memoryThatIsNotReportedIsSaid();
    void oneSampleExplainsItself();
    void severalDevicesAtOneMomentAreOneSample();
    void theUnitIsTheSameEverywhere();
    void opensEveryRecording_data();
    void opensEveryRecording();
};

/// A cell of the column with a title; empty where the table has no such column.
static QString cellOf(const ChoiceTable &table, int row, const QString &title,
                      int role = Qt::DisplayRole)
{
    for (int column = 0; column < table.columnCount(); ++column)
        if (table.headerItem()->text(column) == title)
            return table.topLevelItem(row)->data(column, role).toString();
    return {};
}

void SeriesPageTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
    qApp->setPalette(themePalette(lightTheme()));
    qApp->setStyleSheet(themeStyleSheet(lightTheme()));
}

void SeriesPageTest::theTableSaysWhatTheReportSays()
{
    for (const auto &series : {profilerSeries(), logSeries()}) {
        Scene scene(series);
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(seriesJson(*series, "")));
        const auto *table = scene.page.findChild<ChoiceTable *>();
        int row = 0;
        for (const QJsonValue device : json[u"devices"_s].toArray()) {
            for (const QJsonValue curve : device[u"curves"_s].toArray()) {
                if (curve[u"unit"_s].toString() == u"B") {
                    const auto most = static_cast<Bytes>(curve[u"max"_s].toInteger());
                    const auto least = static_cast<Bytes>(curve[u"min"_s].toInteger());
                    QCOMPARE(cellOf(*table, row, u"Highest"_s, Qt::ToolTipRole),
                             exactBytesText(most));
                    QCOMPARE(cellOf(*table, row, u"Lowest"_s, Qt::ToolTipRole),
                             exactBytesText(least));
                    QCOMPARE(cellOf(*table, row, u"Highest in"_s),
                             curve[u"max_operation"_s].toString());
                }
                ++row;
            }
        }
        QCOMPARE(table->topLevelItemCount(), row);
    }
}

void SeriesPageTest::theHighestPixelIsThePeakAtEveryZoom()
{
    Scene scene(profilerSeries());
    scene.page.showCurve(1, false); // reserved
    const QRgb color = scene.page.scene().main().color;
    for (const double half : {10'000.0, 3000.0, 100.0, 4.0}) {
        scene.page.state()->showX({12'345 - half, 12'345 + half * 0.7});
        const double wanted = scene.rowOf(2500 * kMebi);
        QVERIFY2(std::abs(scene.highestRow(color) - std::floor(wanted)) <= 0,
                 qPrintable(u"%1 %2"_s.arg(scene.highestRow(color)).arg(wanted)));
    }
}

void SeriesPageTest::aGapIsLeftOpen()
{
    Scene scene(logSeries());
    const QImage image = scene.picture();
    const QRgb color = scene.page.scene().curves()[1].color;
    const LinearScale across{scene.page.state()->visible().x, scene.view->plot().width()};
    const auto paintedAt = [&](double second) {
        const auto x = static_cast<int>(scene.view->plot().left() + across.toPixel(second * 1e6));
        return scene.firstRow(image, x, color) >= 0;
    };
    QVERIFY(paintedAt(20));
    QVERIFY(!paintedAt(50));
    QVERIFY(paintedAt(65));
    QVERIFY(!paintedAt(70.5));
    QVERIFY(paintedAt(80));
}

void SeriesPageTest::aRowLeadsToItsPeak()
{
    Scene scene(profilerSeries());
    scene.page.state()->showX({0, 100});
    auto *table = scene.page.findChild<ChoiceTable *>();
    table->setCurrentItem(table->topLevelItem(0));
    QCOMPARE(scene.page.state()->cursor(), 12'345);
    QVERIFY(scene.page.state()->visible().x.contains(12'345));
    QVERIFY(scene.page.statusText().contains(u"allocated 2.44 GiB"_s));
}

void SeriesPageTest::theMouseTellsTheSampleInFull()
{
    Scene scene(profilerSeries());
    scene.page.state()->showX({12'340, 12'350});
    const LinearScale across{scene.page.state()->visible().x, scene.view->plot().width()};
    const QPointF mouse(scene.view->plot().left() + across.toPixel(12'345.5),
                        scene.view->plot().center().y());
    const QString text = scene.view->textAt(mouse).join(u'\n');
    QVERIFY2(text.startsWith(u"cuda:0 · 12.3 ms"_s), qPrintable(text));
    QVERIFY2(text.contains(u"allocated  2.44 GiB (2,621,440,000 bytes)"_s), qPrintable(text));
    QVERIFY2(text.contains(u"reserved  2.93 GiB (3,145,728,000 bytes)"_s), qPrintable(text));
    QVERIFY2(text.endsWith(u"in aten::mm"_s), qPrintable(text));
    QVERIFY(scene.view->textAt({1, 1}).isEmpty());
}

void SeriesPageTest::gesturesAreThoseOfEveryTimeline()
{
    Scene scene(profilerSeries());
    TimelineState *state = scene.page.state();
    const Range whole = state->whole().x;
    scene.wheel({600, 200}, 120);
    QVERIFY(state->visible().x.length() < whole.length());
    QTest::keyClick(scene.view, Qt::Key_F);
    QCOMPARE(state->visible().x, whole);
    QTest::keyClick(scene.view, Qt::Key_W);
    const Range zoomed = state->visible().x;
    QVERIFY(zoomed.length() < whole.length());
    QTest::keyClick(scene.view, Qt::Key_D);
    QVERIFY(state->visible().x.low > zoomed.low);
    QTest::keyClick(scene.view, Qt::Key_A);
    QTest::keyClick(scene.view, Qt::Key_S);
    QVERIFY(std::abs(state->visible().x.length() - whole.length()) < 1);
    QTest::keyClick(scene.view, Qt::Key_P);
    QCOMPARE(state->cursor(), 12'345);
    QTest::keyClick(scene.view, Qt::Key_Left);
    QCOMPARE(state->cursor(), 12'344);
    auto *overview = scene.page.findChild<Overview *>();
    const QPoint middle = overview->brush().center().toPoint();
    QTest::mousePress(overview, Qt::LeftButton, {}, middle);
    QTest::mouseMove(overview, middle + QPoint(200, 0));
    QTest::mouseRelease(overview, Qt::LeftButton, {}, middle + QPoint(200, 0));
    QVERIFY(state->visible().x.length() < whole.length() / 2);
}

void SeriesPageTest::aCurveIsHiddenAndShown()
{
    Scene scene(profilerSeries());
    const QRgb color = scene.page.scene().curves()[1].color;
    QVERIFY(scene.highestRow(color) < scene.view->height());
    const auto buttons = scene.page.findChildren<QPushButton *>();
    const auto reserved = std::ranges::find(buttons, u"reserved"_s, &QPushButton::text);
    QVERIFY(reserved != buttons.end());
    (*reserved)->click();
    QCOMPARE(scene.highestRow(color), scene.view->height());
    (*reserved)->click();
    QVERIFY(scene.highestRow(color) < scene.view->height());
}

void SeriesPageTest::allDevicesStandTogetherAndEachAlone()
{
    Scene scene(logSeries());
    QCOMPARE(scene.page.scene().curves().size(), std::size_t(2));
    QCOMPARE(scene.page.scene().limit(), 1000 * kMebi);
    QVERIFY(scene.page.scene().showsLimit());
    QVERIFY(scene.page.state()->whole().bytes.high > 1000.0 * kMebi);
    scene.page.showDevice(1);
    QCOMPARE(scene.page.scene().curves().size(), std::size_t(1));
    QCOMPARE(scene.page.state()->axis().count(), 80);
    scene.page.goToPeak();
    QVERIFY(scene.page.statusText().contains(u"memory.used 600 MiB"_s));
    scene.page.showDevices(std::nullopt);
    QCOMPARE(scene.page.state()->axis().count(), 180);
}

void SeriesPageTest::ofVeryManyDevicesThoseWithMostInUseAreDrawn()
{
    SeriesBuilder builder("nvidia-smi");
    for (int gpu = 0; gpu < 1000; ++gpu) {
        SeriesDevice device;
        device.ordinal = gpu;
        device.label = "GPU " + std::to_string(gpu);
        device.time = {0, kSecond};
        device.bytes = {{"memory.used", CurveRole::DeviceUsed, {0, (gpu * 7 % 1000) * kMebi}}};
        builder.addDevice(std::move(device));
    }
    Scene scene(builder.finish());
    QCOMPARE(scene.page.scene().curves().size(), SeriesScene::kMostTogether);
    QCOMPARE(scene.page.scene().main().name, u"GPU 857"_s); // 857 * 7 = 5999
    QCOMPARE(scene.page.findChild<ChoiceTable *>()->topLevelItemCount(),
             static_cast<int>(SeriesScene::kMostTogether));
    QVERIFY(scene.page.findChildren<QPushButton *>().size() < 30); // or none could be read
    const QString text = textsOf(scene.page).join(u'\n');
    QVERIFY2(text.contains(u"those 128 of the 1,000 devices"_s), qPrintable(text));
    QVERIFY2(text.contains(u"112 more curves"_s), qPrintable(text));
    scene.page.showDevice(999);
    QCOMPARE(scene.page.scene().main().name, u"memory.used"_s);
    QVERIFY(!textsOf(scene.page).join(u'\n').contains(u"Drawn together"_s));
}

void SeriesPageTest::nothingRecordedExplainsItself()
{
    const Scene scene(SeriesBuilder("nvidia-smi").finish());
    QVERIFY(!scene.page.state());
    const QString text = textsOf(scene.page).join(u'\n');
    QVERIFY2(text.contains(u"No memory in this log of nvidia-smi"_s), qPrintable(text));
    QVERIFY2(text.contains(u"--query-gpu"_s), qPrintable(text));
}

void SeriesPageTest::memoryThatIsNotReportedIsSaid()
{
    const std::string_view log = "timestamp, index, memory.used [MiB]\n1700000000, 0, [N/A]\n";
    const auto recording = readRecording(std::as_bytes(std::span(log))).value();
    const Scene scene(std::get<std::shared_ptr<const Series>>(recording));
    const QString text = textsOf(scene.page).join(u'\n');
    QVERIFY2(text.contains(u"memory.used is not reported ([N/A]) by the driver"_s),
             qPrintable(text));
}

void SeriesPageTest::oneSampleExplainsItself()
{
    Scene scene(profilerSeries(1, 0));
    QVERIFY(textsOf(scene.page).join(u'\n').contains(u"One sample only"_s));
    QVERIFY(scene.highestRow(scene.page.scene().main().color) < scene.view->height());
    QTest::keyClick(scene.view, Qt::Key_W);
    QTest::keyClick(scene.view, Qt::Key_P);
    QCOMPARE(scene.page.state()->cursor(), 0);
    // One moment has no peak after a start. Page and slide say the same.
    const StagedSeries staged{scene.document, 0, ByteUnit::Binary};
    QCOMPARE(seriesItems(staged).front().scene().headline,
             u"cuda:0 has 2.44 of 4.00 GiB in use (allocated)."_s);
    QVERIFY(textsOf(scene.page).contains(u"cuda:0 has 2.44 of 4.00 GiB in use (allocated)."_s));
}

void SeriesPageTest::severalDevicesAtOneMomentAreOneSample()
{
    SeriesBuilder builder("nvidia-smi");
    builder.setClock(Clock::LocalTime);
    for (int gpu = 0; gpu < 2; ++gpu) {
        SeriesDevice device;
        device.ordinal = gpu;
        device.label = "GPU " + std::to_string(gpu);
        device.time = {kSecond};
        device.bytes = {{"memory.used", CurveRole::DeviceUsed, {(300 + gpu) * kMebi}}};
        builder.addDevice(std::move(device));
    }
    Scene scene(builder.finish());
    QCOMPARE(recordedText(*scene.document, scene.page.scene()), u"one sample · local times"_s);
}

void SeriesPageTest::theUnitIsTheSameEverywhere()
{
    Scene scene(profilerSeries());
    scene.page.setUnit(ByteUnit::Decimal);
    for (const QString &text : textsOf(scene.page) + QStringList{scene.page.statusText()})
        QVERIFY2(!text.contains(u"iB"), qPrintable(text));
    const auto *table = scene.page.findChild<ChoiceTable *>();
    QCOMPARE(cellOf(*table, 0, u"Highest"_s), u"2.62 GB"_s);
}

void SeriesPageTest::opensEveryRecording_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(test::corpusFolder());
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    for (const QString &name : folder.entryList({u"memory_timeline*"_s, u"smi_*"_s}, QDir::Files))
        QTest::addRow("%s", qPrintable(name)) << folder.filePath(name);
}

void SeriesPageTest::opensEveryRecording()
{
    QFETCH(QString, file);
    const auto recording = readRecording(QFileInfo(file).filesystemFilePath());
    QVERIFY(recording.ok());
    const auto *series = std::get_if<std::shared_ptr<const Series>>(&*recording);
    QVERIFY(series);
    Scene scene(*series);
    QVERIFY(!scene.page.grab().isNull());
    if (!scene.page.state())
        return;
    for (std::size_t at = 0; at < scene.document->devices.size(); ++at) {
        scene.page.showDevice(at);
        const SceneCurve &main = scene.page.scene().main();
        const auto figures = curveMetrics(
            scene.document->devices[at]
                .recorded
                ->curve(main.device->recorded->curve(CurveRole::Allocated) ? CurveRole::Allocated
                                                                           : CurveRole::DeviceUsed)
                ->values);
        scene.page.goToPeak();
        QVERIFY(scene.page.statusText().contains(bytesText(figures->most)));
        QCOMPARE(scene.page.state()->cursor(), static_cast<EventIndex>(figures->mostAt));
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SeriesPageTest)
#include "tst_series_page.moc"
