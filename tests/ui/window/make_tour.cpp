// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the frames of the README's tour from the real window: make_tour FOLDER. A frame is a PNG
// whose name ends with how long it stays: 012-1500.png, in milliseconds.
#include "tests/ui/window/system_events.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/recommendation_view.h"
#include "ui/stage/stage_window.h"
#include "ui/support/theme.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdio>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSize{1280, 720};
constexpr int kWait = 20'000; // milliseconds
constexpr int kLetter = 70;
constexpr int kGlance = 1'500;
constexpr int kLook = 3'000;

class Tour
{
public:
    explicit Tour(const QDir &folder)
        : m_folder(folder)
        , m_window({.preferencesFile = m_temporary.filePath(u"settings.ini"_s),
                    .desktopDark = false,
                    .reader = {},
                    .questions = {}})
    {
        m_window.resize(kSize);
        m_window.show();
    }

    /// Whether each part came where it goes.
    [[nodiscard]] bool make()
    {
        return QTest::qWaitForWindowExposed(&m_window) && askForAPlan() && makeItFit() &&
               openARecording() && present();
    }

private:
    /// A picture of a window as it is now, that stays so long.
    bool keep(QWidget &window, int milliseconds)
    {
        QApplication::processEvents();
        const QString name = u"%1-%2.png"_s.arg(m_frames++, 3, 10, QChar(u'0')).arg(milliseconds);
        return window.grab().save(m_folder.filePath(name));
    }

    [[nodiscard]] bool pageIsReady() const
    {
        const DocumentTab *tab = m_window.tabs()->current();
        return tab && tab->state() == DocumentTab::State::Ready && tab->page();
    }

    bool askForAPlan()
    {
        const QByteArray words = "llama 3.3 70b full fine-tuning on 8 h100, 8k";
        bool kept = keep(m_window, kGlance);
        for (qsizetype at = 0; at < words.size(); ++at) {
            QTest::keyClick(test::handleOf(m_window), words[at]);
            if (at % 2 == 1)
                kept = kept && keep(m_window, 2 * kLetter);
        }
        QTest::qWait(kGlance); // what it looks for on a thread
        kept = kept && keep(m_window, kLook);
        QTest::keyClick(test::handleOf(m_window), Qt::Key_Return);
        return kept && QTest::qWaitFor([this] { return pageIsReady(); }, kWait);
    }

    bool makeItFit()
    {
        auto *page = qobject_cast<PlanPage *>(m_window.tabs()->current()->page());
        auto *advice = page ? page->findChild<RecommendationView *>() : nullptr;
        const auto isFound = [advice] { return !advice->recommendation().options.empty(); };
        if (!advice || !QTest::qWaitFor(isFound, kWait))
            return false;
        bool kept = keep(m_window, kLook);
        Q_EMIT advice->linkActivated(u"0"_s);
        QTest::qWait(kGlance);
        return kept && keep(m_window, kLook);
    }

    bool openARecording()
    {
        m_window.openFiles({u":/examples/training-out-of-memory.pickle"_s});
        if (!QTest::qWaitFor([this] { return pageIsReady(); }, kWait))
            return false;
        QTest::qWait(kGlance); // what is studied on threads
        return keep(m_window, kLook);
    }

    bool present()
    {
        QTest::keyClick(test::handleOf(m_window), Qt::Key_F5);
        auto *stage = m_window.findChild<StageWindow *>();
        if (!stage)
            return false;
        stage->showNormal();
        stage->resize(kSize);
        for (int slide = 0; slide < std::min(stage->count(), 3); ++slide) {
            stage->goTo(slide);
            if (!keep(*stage, kGlance))
                return false;
        }
        return true;
    }

    QDir m_folder;
    QTemporaryDir m_temporary;
    int m_frames = 0;
    MainWindow m_window;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setAttribute(Qt::AA_Use96Dpi);
    QApplication::setFont(typeFont());
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fputs("usage: make_tour FOLDER\n", stderr);
        return 2;
    }
    if (Tour(QDir(QString::fromLocal8Bit(argv[1]))).make())
        return 0;
    std::fputs("The tour ended before its last part.\n", stderr);
    return 1;
}
