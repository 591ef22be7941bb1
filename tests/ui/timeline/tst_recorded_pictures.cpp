// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/reference.h"
#include "tests/support/test.h"
#include "ui/timeline/timeline_body.h"
#include "ui/trace/timeline_source.h"
#include "ui/trace/trace_document.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const TraceDocument> documentOf(const QString &file)
{
    const auto trace = readTrace(file.toStdString());
    return trace.ok() ? analyse(*trace) : nullptr;
}

// Active memory as its body paints it, without axes and marks.
struct Picture
{
    Picture(const TimelineData &data, const TimelineState &state, QSize size)
        : area{QRectF(QPointF(), size),
               state.axis(),
               state.visible(),
               {lightTheme(), ByteUnit::Binary, {}, 1}}
        , body(makeBody(TimelineKind::Active, data, area))
        , image(size, QImage::Format_ARGB32_Premultiplied)
    {
        image.fill(Qt::transparent);
        QPainter painter(&image);
        body->paint(painter, {});
    }

    // Rows from the bottom; the byte that a row stands for is its lowest.
    [[nodiscard]] QRgb pixel(int column, int row) const
    {
        return image.pixel(column, image.height() - 1 - row);
    }
    [[nodiscard]] AllocationIndex hit(int column, int row) const
    {
        return body->allocationAt({column + 0.5, image.height() - row - 0.5});
    }
    // The rows that show bytes of [bottom, bottom + size): first and behind the last.
    [[nodiscard]] std::pair<int, int> rows(double bottom, double size) const
    {
        const LinearScale up = area.up();
        const auto row = [&](double byte) {
            return std::clamp(static_cast<int>(std::ceil(up.toPixel(byte))), 0, image.height());
        };
        return {row(bottom), row(bottom + size)};
    }

    ChartArea area;
    std::unique_ptr<TimelineBody> body;
    QImage image;
};

// What lives after an event, from the bottom, looked up one by one.
struct Standing
{
    AllocationIndex allocation;
    Bytes bottom;
};
std::vector<Standing> stackAfter(const Allocations &allocations, EventIndex event)
{
    std::vector<Standing> stack;
    Bytes top = 0;
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        if (allocations.birth[at] > event || allocations.death[at] <= event)
            continue;
        stack.push_back({at, top});
        top += allocations.size[at];
    }
    return stack;
}

// A picture zoomed to where a band stands at an event, and what a user sees and meets there.
void probe(const TimelineData &data, TimelineState &state, const Standing &band, EventIndex event)
{
    constexpr QSize kSize(4, 1024);
    constexpr int kColumn = 1;
    const auto size = static_cast<double>(data.allocations->size[band.allocation]);
    const double half = std::max(size, TimelineState::kFewestBytes / 2);
    const double middle = std::floor(static_cast<double>(band.bottom) + size / 2);
    state.show({{event - 1.0, event + 3.0}, {middle - half, middle + half}});
    const Picture picture(data, state, kSize);
    // At the ends of the recording what is visible stays inside it.
    const int column = picture.area.columnAt(picture.area.x(state.axis().mark(event)));
    QCOMPARE(picture.body->eventAt(column + 0.5), event);
    QVERIFY(column == kColumn || event < 1 || event + 3 > state.axis().count());
    const auto [from, to] = picture.rows(static_cast<double>(band.bottom), size);
    QVERIFY2(from < to, "the band has no pixel although it is zoomed to");
    for (const int row : {from, (from + to) / 2, to - 1})
        QCOMPARE(picture.hit(column, row), band.allocation);
    if (from > 0)
        QVERIFY(picture.hit(column, from - 1) != band.allocation);
    if (to < kSize.height())
        QVERIFY(picture.hit(column, to) != band.allocation);
    const QRgb color = data.colors->color(band.allocation);
    const QRgb edge = data.colors->color(band.allocation, true);
    for (int row = from; row < to; ++row)
        QVERIFY(picture.pixel(column, row) == color ||
                (row == to - 1 && picture.pixel(column, row) == edge));
}

} // namespace

class RecordedPicturesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyAllocationIsHitWhereItIsPainted();
    void theFittedPictureEndsAtThePeakOfTheReference_data();
    void theFittedPictureEndsAtThePeakOfTheReference();
};

// Every allocation is probed once, while it stands. A stack is looked at just before one that was
// not met yet ends, and then all that stand in it are.
void RecordedPicturesTest::everyAllocationIsHitWhereItIsPainted()
{
    const QString file = QDir(test::corpusFolder()).filePath(u"big_27k_entries.pickle"_s);
    if (test::corpusFolder().isEmpty() || !QFileInfo::exists(file))
        QSKIP("The recording is not there (VRAMSCOPE_CORPUS).");
    const auto document = documentOf(file);
    QVERIFY(document);
    const Study &device = *document->devices.front();
    const Allocations &allocations = device.allocations();
    const TimelineData data = timelineData(*document, 0, nullptr, ByteUnit::Binary);
    TimelineState state;
    state.reset(data.axis(), data.wholeBytes());

    std::vector<EventIndex> seenAt(allocations.count(), -2);
    std::vector<std::vector<AllocationIndex>> endingAfter(
        static_cast<std::size_t>(device.curve().count()) + 1);
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        endingAfter[static_cast<std::size_t>(allocations.death[at])].push_back(at);
    std::size_t probed = 0;
    for (EventIndex event = -1; event < device.curve().count(); ++event) {
        const auto &ending = endingAfter[static_cast<std::size_t>(event) + 1];
        if (std::ranges::all_of(ending, [&](AllocationIndex at) { return seenAt[at] > -2; }))
            continue;
        for (const Standing &band : stackAfter(allocations, event)) {
            if (std::exchange(seenAt[band.allocation], event) > -2)
                continue;
            probe(data, state, band, event);
            if (QTest::currentTestFailed())
                return;
            ++probed;
        }
    }
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        QVERIFY(seenAt[at] > -2 || allocations.birth[at] == allocations.death[at]);
    QVERIFY(probed >= 8'768); // the allocations recorded, beside those from before
}

void RecordedPicturesTest::theFittedPictureEndsAtThePeakOfTheReference_data()
{
    const QStringList files = test::recordedSnapshots();
    const test::ReferenceFigures figures = test::referenceFigures(files);
    if (!figures.missing.isEmpty())
        QSKIP(qPrintable(figures.missing));
    QCOMPARE(figures.files.size(), files.size());
    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonObject>("reference");
    for (qsizetype at = 0; at < files.size(); ++at)
        QTest::newRow(qPrintable(QFileInfo(files[at]).fileName()))
            << files[at] << figures.files[at];
}

void RecordedPicturesTest::theFittedPictureEndsAtThePeakOfTheReference()
{
    QFETCH(QString, file);
    QFETCH(QJsonObject, reference);
    const auto document = documentOf(file);
    QCOMPARE(document == nullptr, reference.contains("error"_L1));
    const QJsonArray devices = reference["devices"_L1].toArray();
    QCOMPARE(document ? static_cast<qsizetype>(document->devices.size()) : 0, devices.size());
    for (qsizetype at = 0; at < devices.size(); ++at) {
        const auto index = static_cast<std::size_t>(at);
        // What the reference calls active is what was requested; the picture shows the blocks.
        const DeviceSummary &summary = document->devices[index]->summary();
        QCOMPARE(static_cast<double>(summary.peakRequested),
                 devices[at].toObject()["peak_active"_L1].toDouble());
        const auto peak = static_cast<double>(summary.peakActive);
        const TimelineData data = timelineData(*document, index, nullptr, ByteUnit::Binary);
        for (const auto kind : {EventAxis::Kind::Event, EventAxis::Kind::Time}) {
            TimelineState state;
            state.reset(data.axis(kind), data.wholeBytes());
            QVERIFY(state.visible().bytes.high >= peak);
            QCOMPARE(state.visible().bytes.low, 0.0);
            const Picture picture(data, state, {1200, 700});
            int highest = 0;
            for (int column = 0; column < picture.image.width(); ++column) {
                for (int row = highest; row < picture.image.height(); ++row)
                    highest = qAlpha(picture.pixel(column, row)) != 0 ? row + 1 : highest;
            }
            QCOMPARE(highest, picture.rows(0, peak).second);
        }
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::RecordedPicturesTest)
#include "tst_recorded_pictures.moc"
