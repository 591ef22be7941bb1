// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "tests/support/test.h"
#include "tests/ui/timeline/random_device.h"
#include "ui/support/theme.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/stack_geometry.h"
#include "ui/timeline/stacked_body.h"

#include <QPainter>

#include <map>

namespace vramscope {

namespace {

struct Sample
{
    explicit Sample(std::uint32_t seed, int events = 600)
        : device(test::randomDevice(seed, events))
        , allocations(device)
        , curve(device)
    {
        colors.colors.assign(seriesColors().begin(), seriesColors().end());
        for (const StackId stack : allocations.stack)
            colors.of.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(stack) % 12));
    }

    [[nodiscard]] StackGeometry geometry(const Viewport &viewport, int columns, int rows) const
    {
        return {{&allocations, &curve.active(), &colors},
                EventAxis(curve.count()),
                viewport,
                columns,
                rows};
    }

    [[nodiscard]] Viewport whole() const
    {
        return {{-1, static_cast<double>(curve.count())},
                {0, static_cast<double>(curve.active(curve.peakActiveEvent())) * 1.05}};
    }

    DeviceTrace device;
    Allocations allocations;
    UsageCurve curve;
    BandColors colors;
};

QImage painted(const StackGeometry &geometry)
{
    QImage image(geometry.columns(), geometry.rows(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    paintStack(geometry, linesFromBelow(image, image.rect()));
    return image;
}

// The life of every row, as the changes of a walk leave it.
class WalkedRows
{
public:
    explicit WalkedRows(const StackGeometry &geometry)
        : m_rows(static_cast<std::size_t>(geometry.rows()), kNoLife)
    {
    }

    const std::vector<LifeIndex> &after(const StackGeometry::Change &change)
    {
        for (const StackGeometry::Band &band : change.bands)
            std::fill(m_rows.begin() + band.from, m_rows.begin() + band.to, band.life);
        return m_rows;
    }

private:
    std::vector<LifeIndex> m_rows;
};

// A random part of the whole, from everything down to a few events and bytes.
Viewport randomPart(const Viewport &whole, test::Dice &dice)
{
    const auto part = [&dice](const Range &range) {
        const double length = range.length() / (1 << dice.below(7));
        const double low = range.low + (range.length() - length) * dice.share();
        return Range{low, low + length};
    };
    return {part(whole.x), part(whole.bytes)};
}

// What the rule says, looked up afresh for one pixel.
AllocationIndex naive(const Sample &sample, const Viewport &viewport, int columns, int rows,
                      int column, int row)
{
    const double perColumn = viewport.x.length() / columns;
    const double left = viewport.x.low + column * perColumn;
    const double right = viewport.x.low + (column + 1) * perColumn;
    EventIndex shown = -2;
    for (EventIndex event = -1; event < sample.curve.count(); ++event) {
        const bool overlaps = event + 1 > left && event < right;
        if (overlaps && (shown == -2 || sample.curve.active(event) > sample.curve.active(shown)))
            shown = event;
    }
    const double byte = viewport.bytes.low + row * viewport.bytes.length() / rows;
    Bytes top = 0;
    for (AllocationIndex at = 0; at < sample.allocations.count(); ++at) {
        if (sample.allocations.birth[at] > shown || sample.allocations.death[at] <= shown)
            continue;
        top += sample.allocations.size[at];
        if (byte < static_cast<double>(top))
            return at;
    }
    return kNoAllocation;
}

} // namespace

class StackGeometryTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPixelShowsWhatANaiveReplayShowsThere();
    void theHitTestIsTheInverseOfThePaintedGeometry();
    void aWalkFromTheMiddleSeesTheSame();
    void columnsThatShowAnAllocationAreThoseOfItsSlices();
    void theHighestPaintedPixelOfTheFittedViewIsThePeak();
    void nothingActiveGivesAnEmptyPicture();
    void neighboursOfOneStackDifferInShade();
    void rowsOfSeveralLinesHaveThemAllAlikeButForTheLine();
    void whatIsNarrowIsFilledAsPaintersFill();
};

void StackGeometryTest::everyPixelShowsWhatANaiveReplayShowsThere()
{
    test::Dice dice(7);
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const Sample sample(seed, 300);
        for (int round = 0; round < 6; ++round) {
            const Viewport viewport = randomPart(sample.whole(), dice);
            const int columns = 37;
            const int rows = 23;
            const StackGeometry geometry = sample.geometry(viewport, columns, rows);
            WalkedRows walked(geometry);
            geometry.walk(0, columns, [&](const StackGeometry::Change &change) {
                const std::vector<LifeIndex> &lives = walked.after(change);
                for (int row = 0; row < rows; ++row)
                    QCOMPARE(lives[static_cast<std::size_t>(row)],
                             naive(sample, viewport, columns, rows, change.column, row));
            });
        }
    }
}

void StackGeometryTest::theHitTestIsTheInverseOfThePaintedGeometry()
{
    test::Dice dice(11);
    for (std::uint32_t seed = 10; seed < 14; ++seed) {
        const Sample sample(seed, 2000);
        const Viewport viewport = randomPart(sample.whole(), dice);
        const StackGeometry geometry = sample.geometry(viewport, 160, 90);
        const QImage image = painted(geometry);
        for (int column = 0; column < image.width(); ++column) {
            for (int row = 0; row < image.height(); ++row) {
                const AllocationIndex hit = geometry.lifeAt(column, row);
                const QRgb painted = image.pixel(column, image.height() - 1 - row);
                if (hit == kNoAllocation)
                    QCOMPARE(painted, QRgb(0));
                else
                    QVERIFY(painted == sample.colors.color(hit) ||
                            painted == sample.colors.color(hit, true));
            }
        }
    }
}

void StackGeometryTest::aWalkFromTheMiddleSeesTheSame()
{
    const Sample sample(21, 3000);
    const StackGeometry geometry = sample.geometry(sample.whole(), 120, 60);
    std::map<int, std::vector<LifeIndex>> seen;
    WalkedRows all(geometry);
    geometry.walk(0, 120, [&](const StackGeometry::Change &change) {
        seen[change.column] = all.after(change);
    });
    WalkedRows rest(geometry);
    geometry.walk(50, 120, [&](const StackGeometry::Change &change) {
        QCOMPARE(rest.after(change), std::prev(seen.upper_bound(change.column))->second);
    });
}

void StackGeometryTest::columnsThatShowAnAllocationAreThoseOfItsSlices()
{
    const Sample sample(31, 800);
    const StackGeometry geometry = sample.geometry(sample.whole(), 200, 50);
    int shown = 0;
    for (AllocationIndex at = 0; at < sample.allocations.count(); at += 7) {
        std::map<int, Bytes> expected;
        for (int column = 0; column < geometry.columns(); ++column) {
            Bytes below = 0;
            for (const AllocationIndex live :
                 sample.allocations.liveAfter(geometry.event(column))) {
                if (live == at)
                    expected[column] = below;
                below += sample.allocations.size[live];
            }
        }
        std::map<int, Bytes> found;
        for (const StackGeometry::Slice &slice : geometry.slices(at))
            found[slice.column] = slice.bottom;
        QCOMPARE(found, expected);
        shown += found.empty() ? 0 : 1;
    }
    QVERIFY(shown > 10);
    QVERIFY(geometry.slices(kNoAllocation).empty());
}

void StackGeometryTest::theHighestPaintedPixelOfTheFittedViewIsThePeak()
{
    for (std::uint32_t seed = 40; seed < 45; ++seed) {
        const Sample sample(seed, 5000);
        const Viewport whole = sample.whole();
        const StackGeometry geometry = sample.geometry(whole, 64, 200);
        int highest = 0; // rows up to the highest painted one
        for (int column = 0; column < geometry.columns(); ++column) {
            for (int row = highest; row < geometry.rows(); ++row) {
                if (geometry.lifeAt(column, row) != kNoAllocation)
                    highest = row + 1;
            }
        }
        const double peak =
            static_cast<double>(sample.curve.active(sample.curve.peakActiveEvent()));
        const double rowBytes = whole.bytes.length() / geometry.rows();
        QVERIFY(highest * rowBytes >= peak);
        QVERIFY((highest - 1) * rowBytes < peak);
    }
}

void StackGeometryTest::nothingActiveGivesAnEmptyPicture()
{
    const DeviceTrace device;
    const Allocations allocations(device);
    const UsageCurve curve(device);
    const BandColors colors;
    const Stacked stacked{&allocations, &curve.active(), &colors};
    const StackGeometry geometry(stacked, EventAxis(0), {{-1, 0}, {0, 1024}}, 8, 8);
    QCOMPARE(geometry.lifeAt(3, 0), kNoAllocation);
    const QImage image = painted(geometry);
    QCOMPARE(image.size(), QSize(8, 8));
    QCOMPARE(image.pixel(4, 7), QRgb(0));
    const StackGeometry none(stacked, EventAxis(0), {{-1, 0}, {0, 1024}}, 0, 0);
    paintStack(none, {}); // nothing to paint on
}

void StackGeometryTest::neighboursOfOneStackDifferInShade()
{
    const Sample sample(51);
    QVERIFY(sample.colors.color(4) != sample.colors.color(5));
    QVERIFY(sample.colors.color(4) != sample.colors.color(4, true));
}

// What is over the body has lines of its own.
void StackGeometryTest::rowsOfSeveralLinesHaveThemAllAlikeButForTheLine()
{
    constexpr int kColumns = 90;
    constexpr int kRows = 41;
    constexpr QRgb kLine = qRgb(10, 20, 30);
    const QRgb hairline = qPremultiply(qRgba(0, 0, 0, 70));
    const Sample sample(23);
    const StackGeometry geometry = sample.geometry(sample.whole(), kColumns, kRows);
    QImage rows(kColumns, kRows, QImage::Format_ARGB32_Premultiplied);
    rows.fill(Qt::white);
    paintStack(geometry, linesFromBelow(rows, rows.rect()));
    for (const int lines : {2 * kRows - 1, 2 * kRows}) {
        test::Dice dice(5);
        PlotOverlay over{{{3, 4, 60}, hairline}, {}};
        over.line.color = kLine;
        for (int column = 0; column < kColumns; ++column) {
            const auto from = static_cast<int>(dice.below(lines));
            over.line.columns.push_back({from, from + 1});
        }
        QImage expected(kColumns, lines, QImage::Format_ARGB32_Premultiplied);
        for (int line = 0; line < lines; ++line) { // from below
            for (int column = 0; column < kColumns; ++column) {
                QRgb color = rows.pixel(column, kRows - 1 - line / 2);
                if (std::ranges::count(over.hairlines.columns, column) > 0)
                    color = blended(hairline, color);
                const auto &at = over.line.columns[static_cast<std::size_t>(column)];
                if (at.from <= line && line < at.to)
                    color = kLine;
                expected.setPixel(column, lines - 1 - line, color);
            }
        }
        QImage image(kColumns, lines, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        paintStack(geometry, linesFromBelow(image, image.rect()), over, 2);
        QCOMPARE(image, expected);
    }
}

void StackGeometryTest::whatIsNarrowIsFilledAsPaintersFill()
{
    test::Dice dice(9);
    for (const double ratio : {1.0, 2.0, 1.5}) {
        for (int round = 0; round < 20; ++round) {
            std::array<QImage, 2> images;
            const auto channel = [&dice] { return static_cast<int>(dice.below(256)); };
            const QColor ground(channel(), channel(), channel());
            const QColor color(channel(), channel(), channel(), channel());
            const QRectF place(double(dice.below(60)) - 3, double(dice.below(9)), 3, 200);
            for (QImage &image : images) {
                image = QImage(QSize(64, 150) * ratio, QImage::Format_RGB32);
                image.setDevicePixelRatio(ratio);
                image.fill(ground);
                QPainter painter(&image);
                painter.setClipRect(QRectF(2, 5, 60, 140));
                if (&image == &images[0])
                    fillNarrow(painter, place & QRectF(2, 5, 60, 140), color);
                else
                    painter.fillRect(place, color);
            }
            QCOMPARE(images[0], images[1]);
        }
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::StackGeometryTest)
#include "tst_stack_geometry.moc"
