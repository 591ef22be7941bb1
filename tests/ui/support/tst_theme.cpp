// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/support/color_distance.h"
#include "ui/support/icons.h"
#include "ui/support/theme.h"

#include <QDir>
#include <QWidget>

#include <array>

using namespace vramscope;
using test::contrast;
using test::leastDistance;
using namespace Qt::StringLiterals;

class TestTheme : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void textIsReadableOnEverySurface_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void textIsReadableOnEverySurface()
    {
        QFETCH(bool, dark);
        const Theme &theme = dark ? darkTheme() : lightTheme();
        for (const QColor &surface : {theme.window, theme.card, theme.raised, theme.selection}) {
            QVERIFY(contrast(theme.text, surface) >= 7);
            for (const QColor &color : {theme.dim, theme.hint, theme.good, theme.warn, theme.bad})
                QVERIFY2(contrast(color, surface) >= 4.5,
                         qPrintable(color.name() + u" on "_s + surface.name()));
        }
        QVERIFY(contrast(theme.good, theme.goodFill) >= 4.5);
        QVERIFY(contrast(theme.warn, theme.warnFill) >= 4.5);
        QVERIFY(contrast(theme.bad, theme.badFill) >= 4.5);
        QVERIFY(contrast(theme.onAccent(), theme.accent) >= 4.5);
        QVERIFY(contrast(theme.control, theme.card) >= 3); // what alone shows a control
        QVERIFY(contrast(theme.border, theme.card) >= 1.3);
    }

    void anyoneCanTellTwoCategoriesApart()
    {
        for (std::size_t a = 0; a < kCategoryCount; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const double distance = leastDistance(categoryColor(static_cast<Category>(a)),
                                                      categoryColor(static_cast<Category>(b)));
                QVERIFY2(distance >= 20,
                         qPrintable(u"%1 and %2: %3"_s.arg(a).arg(b).arg(distance)));
            }
        }
    }

    void anyoneCanTellTwoSeriesApart()
    {
        const auto &colors = seriesColors();
        for (std::size_t a = 0; a < colors.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(leastDistance(QColor(colors[a]), QColor(colors[b])) >= 15);
        }
    }

    void textIsReadableOnEveryCategory()
    {
        for (std::size_t at = 0; at < kCategoryCount; ++at) {
            const QColor color = categoryColor(static_cast<Category>(at));
            QVERIFY2(contrast(textOn(color), color) >= 4.5, qPrintable(color.name()));
        }
    }

    void everyFigureIsAsWideAsAnother()
    {
        for (const Type type : {Type::Lead, Type::Body, Type::Small}) {
            for (const bool bold : {false, true}) {
                const QFontMetricsF metrics(typeFont(type, bold));
                for (char digit = '1'; digit <= '9'; ++digit)
                    QVERIFY(std::abs(metrics.horizontalAdvance(QLatin1Char(digit)) -
                                     metrics.horizontalAdvance(u'0')) < 0.1);
            }
        }
    }

    void typeHasFiveSizesAtLeastTwelvePixelsHigh()
    {
        int larger = 1000;
        for (const Type type : {Type::Hero, Type::Head, Type::Lead, Type::Body, Type::Small}) {
            QVERIFY(typePixels(type) < larger && typePixels(type) >= 12);
            larger = typePixels(type);
            QCOMPARE(typeFont(type).pointSizeF(), larger * 0.75); // at 96 dots per inch
        }
        QWidget doubled;
        doubled.setFont(typeFont());
        QFont font = doubled.font();
        font.setPointSizeF(2 * font.pointSizeF());
        doubled.setFont(font);
        QCOMPARE(typeFont(&doubled, Type::Small).pointSizeF(), 2 * 12 * 0.75);
    }

    void linksAreReadableOnEverySurface_data() { textIsReadableOnEverySurface_data(); }

    // Links in rich text have the accent, those of the help and of plain labels the palette's.
    void linksAreReadableOnEverySurface()
    {
        QFETCH(bool, dark);
        const Theme &theme = dark ? darkTheme() : lightTheme();
        const QPalette palette = themePalette(theme);
        for (const QColor &surface : {theme.window, theme.card, theme.selection}) {
            for (const QColor &link :
                 {theme.accent, theme.dim, theme.text, palette.color(QPalette::Link),
                  palette.color(QPalette::LinkVisited)})
                QVERIFY2(contrast(link, surface) >= 4.5,
                         qPrintable(u"%1 on %2: %3"_s.arg(link.name(), surface.name())
                                        .arg(contrast(link, surface))));
        }
    }

    void styleSheetNamesNoColourThatDoesNotExist_data() { textIsReadableOnEverySurface_data(); }

    void styleSheetNamesNoColourThatDoesNotExist()
    {
        QFETCH(bool, dark);
        const QString sheet = themeStyleSheet(dark ? darkTheme() : lightTheme());
        QVERIFY(!sheet.contains(u'@'));
        QVERIFY(sheet.contains((dark ? darkTheme() : lightTheme()).card.name()));
    }

    void themeIsRecognisedByAWidgetsPalette()
    {
        QWidget widget;
        widget.setPalette(themePalette(darkTheme()));
        QVERIFY(themeOf(&widget).dark);
        widget.setPalette(themePalette(lightTheme()));
        QVERIFY(!themeOf(&widget).dark);
    }

    void everyIconTakesTheColourAskedFor()
    {
        const QColor color(0x12, 0xab, 0x34);
        for (const QString &name : {u"open"_s, u"plus"_s, u"save"_s, u"undo"_s, u"redo"_s,
                                    u"copy"_s, u"plan"_s, u"trace"_s, u"picture"_s}) {
            const QImage image = tintedPixmap(name, color, 16, 2).toImage();
            QCOMPARE(image.size(), QSize(32, 32));
            bool drawn = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    drawn = drawn || image.pixelColor(x, y) == color;
            }
            QVERIFY2(drawn, qPrintable(name));
        }
    }

    void unknownIconIsEmpty() { QVERIFY(tintedIcon(u"no-such-icon"_s, Qt::black).isNull()); }

    void applicationIconIsThere() { QVERIFY(!applicationIcon().pixmap(64).isNull()); }
};

VRAMSCOPE_TEST(TestTheme)
#include "tst_theme.moc"
