// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/walk.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/plan_form.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>

#include <algorithm>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize kScreen(1280, 720);
constexpr int kLeastHigh = 40; // pixels: lower views are bars and strips of a line
constexpr int kSmallest = 12;  // pixels of type

/// The part of a widget that no parent cuts off.
QRect placeIn(const QWidget &window, const QWidget &widget)
{
    QRect place(widget.mapTo(&window, QPoint()), widget.size());
    for (const QWidget *in = widget.parentWidget(); in && in != &window; in = in->parentWidget())
        place &= QRect(in->mapTo(&window, QPoint()), in->size());
    return place;
}

bool hasText(const QWidget &widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        return !label->text().isEmpty();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        return !button->text().isEmpty();
    return qobject_cast<const QComboBox *>(&widget) || qobject_cast<const QLineEdit *>(&widget);
}

/// Whether it is a chart, a timeline or a table: a view of ours that has no parts, or one of items.
bool isData(const QWidget &widget)
{
    if (widget.height() < kLeastHigh || hasText(widget))
        return false;
    if (qobject_cast<const QAbstractItemView *>(&widget))
        return true;
    const bool isOurs = QByteArray(widget.metaObject()->className()).startsWith("vramscope::");
    if (qobject_cast<const QAbstractScrollArea *>(&widget))
        return isOurs && !qobject_cast<const QScrollArea *>(&widget);
    const auto children = widget.findChildren<QWidget *>();
    return isOurs &&
           std::ranges::none_of(children, [](const QWidget *child) { return child->isVisible(); });
}

/// What a window shows at first.
struct FirstScreen
{
    int top = kScreen.height(); ///< of the first view of data
    int lines = 0;              ///< of text above it, in its columns
    int smallest = 1000;        ///< type, in pixels
    double share = 0;           ///< of the window that is data
    QStringList views;
};

FirstScreen measure(const QWidget &window, const QWidget &page)
{
    FirstScreen screen;
    QRect first;
    qint64 area = 0;
    for (const QWidget *widget : page.findChildren<QWidget *>()) {
        if (!widget->isVisible() || !isData(*widget))
            continue;
        const QRect place = placeIn(window, *widget);
        area += qint64(place.width()) * place.height();
        screen.views += QString::fromLatin1(widget->metaObject()->className()).section(u':', -1) +
                        u" %1x%2"_s.arg(place.width()).arg(place.height());
        constexpr int kLeastWide = 300; // no panel at a side
        if (place.width() >= kLeastWide && place.height() > 0 && place.top() < screen.top) {
            screen.top = place.top();
            first = place;
        }
    }
    screen.share = double(area) / (kScreen.width() * kScreen.height());
    std::set<int> rows;
    for (const QWidget *widget : page.findChildren<QWidget *>()) {
        if (!widget->isVisible() || !hasText(*widget) || placeIn(window, *widget).isEmpty())
            continue;
        screen.smallest = std::min(screen.smallest, QFontInfo(widget->font()).pixelSize());
        const QRect place = placeIn(window, *widget);
        if (place.bottom() > screen.top || place.right() < first.left() ||
            place.left() > first.right())
            continue;
        const int high = widget->fontMetrics().lineSpacing();
        const auto *label = qobject_cast<const QLabel *>(widget);
        const int lines = label && label->wordWrap() ? std::max(1, place.height() / high) : 1;
        for (int line = 0; line < lines; ++line) // texts side by side are one line
            rows.insert((place.center().y() + line * high - (lines - 1) * high / 2) / 16);
    }
    screen.lines = int(rows.size());
    return screen;
}

} // namespace

/// What stands before the first figure that is drawn, on a small screen.
class TestFirstScreen : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void dataComesFirst_data();
    void dataComesFirst();
    void noSettingIsCut();
};

void TestFirstScreen::dataComesFirst_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("top");   // pixels
    QTest::addColumn<int>("lines"); // of text
    QTest::addColumn<int>("share"); // in percent
    const auto row = [](const char *page, const QStringList &files, const QString &how, int top,
                        int lines, int share) {
        QTest::newRow(page) << files << how << top << lines << share;
    };
    const auto data = [](const QString &name) {
        return test::projectFile(u"tests/data/"_s + name);
    };
    const QString failed = u":/examples/training-out-of-memory.pickle"_s;
    const QString grows = u":/examples/training-expandable-segments.pickle"_s;
    const QString planned = u":/examples/training-out-of-memory-as-planned.vramplan"_s;
    const QString rank0 = data(u"profiles/apart/rank0.json.gz"_s);
    row("plan that does not fit", {u":/examples/llama-70b-8xh200.vramplan"_s}, {}, 230, 5, 27);
    row("plan of serving", {u":/examples/llama-70b-serving-2xh200.vramplan"_s}, {}, 230, 5, 28);
    row("recording that failed", {failed}, {}, 236, 5, 40);
    row("recording", {grows}, {}, 236, 5, 38);
    row("profile", {rank0}, {}, 170, 3, 50);
    row("profiles of ranks", {data(u"profiles/apart"_s)}, {}, 135, 3, 45);
    row("two profiles", {rank0, data(u"profiles/apart/rank1.json.gz"_s)}, u"compare"_s, 135, 2, 60);
    row("two recordings", {failed, grows}, u"compare"_s, 155, 3, 50);
    row("plan and recording", {planned, failed}, u"reconcile"_s, 240, 7, 46);
    row("ranks", {failed, grows}, u"ranks"_s, 158, 4, 57);
    row("weight file", {data(u"weight_files/experts.gguf"_s)}, {}, 190, 5, 24);
    row("accuracy", {trustPath()}, {}, 165, 3, 60);
}

void TestFirstScreen::dataComesFirst()
{
    QFETCH(QStringList, files);
    QFETCH(QString, how);
    QFETCH(int, top);
    QFETCH(int, lines);
    QFETCH(int, share);
    start(kScreen);
    open(files, how);
    QVERIFY(waitFor([&] { return tabIsReady(); }));
    QTest::qWait(200); // for what a page makes once it is shown
    FirstScreen seen;
    static_cast<void>(waitFor([&] { // and what threads compute for it
        seen = measure(window(), *tab());
        return 100 * seen.share >= share;
    }));
    qInfo("%-24s first chart at %3d px, %2d lines above, %2.0f %% data, smallest type %d px: %s",
          QTest::currentDataTag(), seen.top, seen.lines, 100 * seen.share, seen.smallest,
          qPrintable(seen.views.join(u", "_s)));
    QVERIFY(seen.top <= top);
    QVERIFY(seen.lines <= lines);
    QVERIFY(100 * seen.share >= share);
    QVERIFY(seen.smallest >= kSmallest);
}

void TestFirstScreen::noSettingIsCut()
{
    start(kScreen);
    for (const Example &example : examples()) {
        if (!example.plan)
            continue;
        open({example.path});
        QVERIFY(waitFor([&] { return tabIsReady(); }));
        QTest::qWait(50); // scroll bars come and go
        const auto *scroll = tab()->findChild<PlanForm *>()->findChild<QScrollArea *>();
        const int room = scroll->viewport()->width();
        QStringList wide;
        for (const auto *part : scroll->widget()->findChildren<QWidget *>()) {
            if (part->isVisible() && part->minimumSizeHint().width() > room - 22)
                wide += QString::fromLatin1(part->metaObject()->className()) +
                        u" %1"_s.arg(part->minimumSizeHint().width());
        }
        QVERIFY2(scroll->widget()->width() <= room,
                 qPrintable(u"%1: %2 in %3: %4"_s.arg(example.path)
                                .arg(scroll->widget()->width())
                                .arg(room)
                                .arg(wide.join(u", "_s))));
    }
}

VRAMSCOPE_TEST(TestFirstScreen)
#include "tst_first_screen.moc"
