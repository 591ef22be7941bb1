// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/support/icons.h"
#include "ui/support/theme.h"

#include <QDir>
#include <QWidget>

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

/// WCAG's contrast ratio, 1 to 21.
double contrast(const QColor &a, const QColor &b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

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
        for (const QColor &surface : {theme.window, theme.card, theme.selection()}) {
            QVERIFY(contrast(theme.text, surface) >= 7);
            QVERIFY(contrast(theme.dim, surface) >= 4.5);
            QVERIFY(contrast(theme.bad, surface) >= 4.5);
        }
        QVERIFY(contrast(theme.onAccent(), theme.accent) >= 4.5);
        QVERIFY(contrast(theme.track(), theme.card) >= 1.3);
    }

    void linksAreReadableOnEverySurface_data() { textIsReadableOnEverySurface_data(); }

    // Links in rich text have the accent, those of the help and of plain labels the palette's.
    void linksAreReadableOnEverySurface()
    {
        QFETCH(bool, dark);
        const Theme &theme = dark ? darkTheme() : lightTheme();
        const QPalette palette = themePalette(theme);
        for (const QColor &surface : {theme.window, theme.card, theme.selection()}) {
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
