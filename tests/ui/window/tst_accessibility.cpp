// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"
#include "core/exchange/import.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/ui/window/walk.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/recommendation_view.h"
#include "ui/planner/scenario_bar.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/ways_list.h"
#include "ui/window/commands.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAccessibleInterface>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// What a screen reader calls it.
QString nameOf(QWidget *widget)
{
    QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
    return accessible ? accessible->text(QAccessible::Name).trimmed() : QString();
}

/// Where it is, to be found in the code: "QLineEdit 'ask' in AskBox in PlanPage".
QString placeOf(const QWidget *widget)
{
    QStringList parents;
    for (const QWidget *at = widget; at && parents.size() < 5; at = at->parentWidget())
        parents += QString::fromLatin1(at->metaObject()->className()) +
                   (at->objectName().isEmpty() ? QString() : u" '%1'"_s.arg(at->objectName()));
    return parents.join(u" in "_s);
}

/// Whether keys come to it: not where another stands for it.
bool takesFocus(const QWidget &widget)
{
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && !widget.focusProxy();
}

/// The controls that are seen in a window, take focus and have no name; a label without text is
/// none.
QStringList namelessIn(QWidget *window)
{
    QStringList nameless;
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        const auto *label = qobject_cast<QLabel *>(widget);
        const bool isEmpty = label && label->text().isEmpty();
        // A box speaks for the line in it.
        const bool isPart = widget->parentWidget() && nameOf(widget).isEmpty() &&
                            (qobject_cast<QComboBox *>(widget->parentWidget()) ||
                             widget->parentWidget()->inherits("QAbstractSpinBox"));
        if (widget->isVisible() && takesFocus(*widget) && !isEmpty && !isPart &&
            nameOf(widget).isEmpty())
            nameless += placeOf(widget);
    }
    nameless.removeDuplicates();
    return nameless;
}

/// The buttons that are seen in a window and whose name lacks their text: who says it aloud does
/// not reach them. Nobody says signs, figures, what is cut or the state of a check box.
QStringList misnamedIn(const QWidget &window)
{
    QStringList misnamed;
    for (auto *button : window.findChildren<QAbstractButton *>()) {
        QString text = button->text().remove(u'&');
        text.remove(QRegularExpression(u"[^\\w\\s]+\\s*$"_s));
        static const QRegularExpression unsaid(u"[…\\d]"_s);
        if (button->isVisible() && !qobject_cast<QCheckBox *>(button) && !text.contains(unsaid) &&
            !nameOf(button).contains(text.trimmed(), Qt::CaseInsensitive))
            misnamed += u"'%1' is named '%2': %3"_s.arg(text, nameOf(button), placeOf(button));
    }
    misnamed.removeDuplicates();
    return misnamed;
}

QByteArray linesOf(const QStringList &places)
{
    return places.join(u'\n').toUtf8();
}

} // namespace

class TestAccessibility : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void everyControlOfEveryPageHasAName_data();
    void everyControlOfEveryPageHasAName();
    void everyControlOfEveryDialogHasAName();
    void everyDialogOfAPageHasNames_data();
    void everyDialogOfAPageHasNames();
    void theStartPageHasNames();
    void aPlanIsReachedByTabAlone();
    void theFocusIsSeen();
    void aWordOfTheAnswerIsChangedByKeys();
    void changesAndScenariosAreTakenByKeys();

private:
    /// Shows each page behind each bar of tabs in turn.
    void walkTabs(const std::function<void()> &look) const;
    /// Looks at each dialog that `open` shows, and closes it.
    void visitDialog(const QString &name, const std::function<void()> &open);
    [[nodiscard]] PlanPage *page() const { return qobject_cast<PlanPage *>(tab()->page()); }
    /// Goes by Tab until `reached`; false where the keys come round without it.
    [[nodiscard]] bool tabTo(const std::function<bool(QWidget *)> &reached) const;
    void startWithPlan();
};

void TestAccessibility::walkTabs(const std::function<void()> &look) const
{
    look();
    for (auto *bar : tab()->findChildren<QTabBar *>()) {
        for (int at = 0; at < bar->count(); ++at) {
            if (!bar->isTabEnabled(at) || !bar->isTabVisible(at))
                continue;
            bar->setCurrentIndex(at);
            QApplication::processEvents();
            look();
        }
    }
    for (auto *stack : tab()->findChildren<QStackedWidget *>()) {
        for (int at = 0; at < stack->count(); ++at) {
            stack->setCurrentIndex(at);
            QApplication::processEvents();
            look();
        }
    }
}

void TestAccessibility::everyControlOfEveryPageHasAName_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("how");
    for (const Example &example : examples())
        QTest::newRow(qPrintable(QFileInfo(example.path).fileName()))
            << QStringList{example.path} << QString();
    const auto data = [](const QString &name) {
        return test::projectFile(u"tests/data/"_s + name);
    };
    const QString failed = u":/examples/training-out-of-memory.pickle"_s;
    const QString grows = u":/examples/training-expandable-segments.pickle"_s;
    QTest::newRow("validation") << QStringList{trustPath()} << QString();
    QTest::newRow("profile") << QStringList{data(u"profiles/apart/rank0.json.gz"_s)} << QString();
    QTest::newRow("profiles of ranks") << QStringList{data(u"profiles/apart"_s)} << QString();
    QTest::newRow("two profiles") << QStringList{data(u"profiles/apart/rank0.json.gz"_s),
                                                 data(u"profiles/apart/rank1.json.gz"_s)}
                                  << u"compare"_s;
    QTest::newRow("GGUF") << QStringList{data(u"weight_files/experts.gguf"_s)} << QString();
    QTest::newRow("recording with steps") << QStringList{data(u"gpu/gpt.pickle.gz"_s)} << QString();
    QTest::newRow("two recordings") << QStringList{failed, grows} << u"compare"_s;
    QTest::newRow("a plan and its recording")
        << QStringList{u":/examples/training-out-of-memory-as-planned.vramplan"_s, failed}
        << u"reconcile"_s;
    QTest::newRow("ranks") << QStringList{failed, grows} << u"ranks"_s;
    QTest::newRow("serving log")
        << QStringList{u"INFO [c.py:2] Initializing a V1 LLM engine (v0.10.2) with config: "
                       "model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, "
                       "max_seq_len=8192\nINFO [w.py:1] Model loading took 14.99 GiB memory and "
                       "4.0 seconds\nINFO [w.py:2] Available KV cache memory: 17.00 GiB\n"_s}
        << u"vllm.log"_s;
    QTest::newRow("curves") << QStringList{u"timestamp, index, memory.used [MiB], memory.total "
                                           "[MiB]\n2026/01/02 03:04:05.000, 0, 100 MiB, 81559 MiB\n"
                                           "2026/01/02 03:04:06.000, 0, 900 MiB, 81559 MiB\n"_s}
                            << u"smi.csv"_s;
    QTest::newRow("a file that cannot be read") << QStringList{u"nothing"_s} << u"odd.pickle"_s;
}

void TestAccessibility::everyControlOfEveryPageHasAName()
{
    QFETCH(QStringList, files);
    QFETCH(QString, how);
    start({1280, 720});
    open(files, how);
    QVERIFY(waitFor([&] { return tab() && tab()->state() != DocumentTab::State::Loading; }));
    QTest::qWait(50); // for what a page makes once it is shown
    QStringList nameless;
    walkTabs([&] { nameless += namelessIn(&window()) + misnamedIn(window()); });
    nameless.removeDuplicates();
    QVERIFY2(nameless.isEmpty(), linesOf(nameless));
}

void TestAccessibility::theStartPageHasNames()
{
    start({1280, 720});
    const QStringList nameless = namelessIn(&window());
    QVERIFY2(nameless.isEmpty(), linesOf(nameless));
}

void TestAccessibility::visitDialog(const QString &name, const std::function<void()> &open)
{
    bool seen = false;
    QStringList nameless;
    QTimer timer;
    timer.setInterval(20);
    connect(&timer, &QTimer::timeout, this, [&] {
        for (QWidget *top : QApplication::topLevelWidgets()) {
            auto *dialog = qobject_cast<QDialog *>(top);
            if (!dialog || !dialog->isVisible())
                continue;
            nameless += namelessIn(dialog);
            seen = true;
            dialog->reject();
        }
    });
    timer.start();
    open();
    QVERIFY2(waitFor([&] { return seen; }), qPrintable(name + u" shows no dialog"_s));
    timer.stop();
    QVERIFY2(nameless.isEmpty(), name.toUtf8() + ": " + linesOf(nameless));
}

void TestAccessibility::everyControlOfEveryDialogHasAName()
{
    start({1280, 720});
    window().tabs()->startUnsaved(newPlan());
    QVERIFY(waitFor([&] { return tabIsReady(); }));
    for (const auto &[name, command] :
         {std::pair("help", Command::Help), std::pair("about", Command::About),
          std::pair("export of a plan", Command::ExportPlan),
          std::pair("picture", Command::ExportPicture), std::pair("order", Command::ArrangeOrder)})
        visitDialog(QString::fromLatin1(name), [&, command = command] { window().run(command); });
}

void TestAccessibility::everyDialogOfAPageHasNames_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("least");
    QTest::newRow("plan") << u":/examples/qwen2.5-vl-7b-8xh100.vramplan"_s << 1;
    QTest::newRow("plan of a checkpoint") << QString() << 2;
    QTest::newRow("profile") << test::projectFile(u"tests/data/profiles/apart/rank0.json.gz"_s)
                             << 1;
}

// A button whose text ends in "…" opens a dialog, whatever the page.
void TestAccessibility::everyDialogOfAPageHasNames()
{
    QFETCH(QString, file);
    QFETCH(int, least);
    start({1280, 720});
    if (file.isEmpty()) {
        const std::string folder = inFolder(u"llama"_s).toStdString();
        test::writeCheckpoint("llama-tied", folder);
        const auto imported = importFile({}, folder);
        QVERIFY(imported);
        window().tabs()->startUnsaved(imported->plan);
    } else {
        window().openFiles({file});
    }
    QVERIFY(waitFor([&] { return tabIsReady(); }));
    QTest::qWait(50);
    int opened = 0;
    for (auto *button : tab()->page()->findChildren<QAbstractButton *>()) {
        if (!button->isVisible() || !button->isEnabled() || !button->text().endsWith(u'…'))
            continue;
        visitDialog(button->text(), [&] { button->click(); });
        ++opened;
    }
    QVERIFY2(opened >= least, QByteArray::number(opened));
}

void TestAccessibility::startWithPlan()
{
    start({1280, 720});
    Plan plan = newPlan();
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h200-sxm-141gb";
    window().tabs()->startUnsaved(plan);
    QVERIFY(waitFor([&] { return tabIsReady() && page(); }));
    QVERIFY(waitFor([&] { return !page()->ways()->ways().empty(); }));
    QVERIFY(waitFor([&] { return page()->recommendation()->isVisible(); }));
}

bool TestAccessibility::tabTo(const std::function<bool(QWidget *)> &reached) const
{
    constexpr int kMost = 400;
    for (int step = 0; step < kMost; ++step) {
        if (reached(QApplication::focusWidget()))
            return true;
        key(Qt::Key_Tab);
    }
    return false;
}

void TestAccessibility::aPlanIsReachedByTabAlone()
{
    startWithPlan();
    std::set<QWidget *> visited;
    constexpr int kMost = 600;
    for (int step = 0; step < kMost; ++step) {
        key(Qt::Key_Tab);
        QWidget *at = QApplication::focusWidget();
        QVERIFY(at);
        QVERIFY2(at->isVisible() && at->isEnabled(), placeOf(at).toUtf8());
        visited.insert(at);
    }
    QStringList missed;
    for (QWidget *widget : page()->findChildren<QWidget *>()) {
        if (!takesFocus(*widget) || !widget->isVisible() || !widget->isEnabled() ||
            visited.contains(widget))
            continue;
        const auto *button = qobject_cast<QAbstractButton *>(widget);
        if (button && button->isCheckable() && button->autoExclusive())
            continue; // arrows lead to the others of its group
        missed += placeOf(widget) + u": "_s + nameOf(widget);
    }
    QVERIFY2(missed.isEmpty(), linesOf(missed));
    QVERIFY(tabTo([&](QWidget *at) { return at && at->objectName() == u"ask"; }));
    key(Qt::Key_Backtab, Qt::ShiftModifier); // and the way back
    QVERIFY(QApplication::focusWidget()->objectName() != u"ask"_s);
}

// What has focus looks unlike itself without.
void TestAccessibility::theFocusIsSeen()
{
    startWithPlan();
    QVERIFY(tabTo([&](QWidget *at) { return at && page()->isAncestorOf(at); }));
    QStringList unseen;
    std::set<QWidget *> visited;
    while (visited.size() < 400) {
        QWidget *at = QApplication::focusWidget();
        if (!at || !visited.insert(at).second)
            break;
        QApplication::processEvents();
        const QRect around(at->mapTo(&window(), QPoint(-4, -4)), at->size() + QSize(8, 8));
        const QImage with = window().grab(around).toImage();
        at->clearFocus();
        QApplication::processEvents();
        const QImage without = window().grab(around).toImage();
        at->setFocus(Qt::TabFocusReason);
        if (with == without)
            unseen += placeOf(at) + u": "_s + nameOf(at);
        key(Qt::Key_Tab);
    }
    QVERIFY2(visited.size() > 20, QByteArray::number(qulonglong(visited.size())));
    QVERIFY2(unseen.isEmpty(), linesOf(unseen));
}

void TestAccessibility::aWordOfTheAnswerIsChangedByKeys()
{
    startWithPlan();
    const auto *label = page()->answer()->findChild<QLabel *>(u"subject"_s);
    QVERIFY(label);
    // The words of the subject are links: Tab goes from one to the next, Enter opens its control.
    QVERIFY(tabTo([&](QWidget *at) { return at == label; }));
    key(Qt::Key_Return);
    QVERIFY(waitFor([&] { return QApplication::activePopupWidget() != nullptr; }));
    QWidget *popup = QApplication::activePopupWidget();
    QTest::keyClick(popup, Qt::Key_Escape);
    QVERIFY(waitFor([&] { return QApplication::activePopupWidget() == nullptr; }));
    QVERIFY(QApplication::focusWidget() == label);
}

void TestAccessibility::changesAndScenariosAreTakenByKeys()
{
    startWithPlan();
    const Plan before = page()->plan();
    const auto *all = page()->ways()->findChild<QToolButton *>();
    QVERIFY(tabTo([&](QWidget *at) { return at == all; }));
    key(Qt::Key_Space);
    QVERIFY(tabTo([&](QWidget *at) { return at == page()->ways()->list(); }));
    key(Qt::Key_Home);
    key(Qt::Key_Return);
    QVERIFY(page()->plan() != before);
    key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(page()->plan() == before);
    QVERIFY(waitFor([&] { return page()->recommendation()->text().contains(u"Apply"_s); }));
    QVERIFY(tabTo([&](QWidget *at) { return at == page()->recommendation(); }));
    key(Qt::Key_Return);
    QVERIFY(page()->plan() != before);
    key(Qt::Key_Z, Qt::ControlModifier);
    // Pin, and take it up again, by Space.
    QVERIFY(tabTo([&](QWidget *at) {
        const auto *button = qobject_cast<QAbstractButton *>(at);
        return button && page()->scenarioBar()->isAncestorOf(button);
    }));
    key(Qt::Key_Space);
    QVERIFY(!page()->scenarios()->all().empty());
}

VRAMSCOPE_TEST(TestAccessibility)
#include "tst_accessibility.moc"
