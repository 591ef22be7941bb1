// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test.h"
#include "tests/ui/window/system_events.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace vramscope::test {

/// Base of the walks of a user through the program. Every test function has a window and a folder
/// of its own, and goes by itself the way to where it looks around: by functions that are true
/// where they came there.
class Walk : public Test
{
protected:
    void init() override
    {
        Test::init();
        m_window.reset();
        m_folder.emplace();
    }

    /// Starts the program; it ends first where it runs.
    void start(QSize size, Questions questions = {})
    {
        m_window.reset();
        MainWindow::Options options;
        options.preferencesFile = inFolder(QStringLiteral("settings.ini"));
        options.questions = std::move(questions);
        m_window = std::make_unique<MainWindow>(std::move(options));
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow(); // without a window manager nobody else does
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    /// Opens files: "compare", "reconcile", as "ranks" of a folder, else one by one. Another word
    /// is the name of a file that has the first text as its content.
    void open(const QStringList &files, const QString &how = {}) const
    {
        if (how == QStringLiteral("compare")) {
            m_window->compareFiles(files);
        } else if (how == QStringLiteral("reconcile")) {
            m_window->reconcileFiles(files[0], files[1]);
        } else if (how == QStringLiteral("ranks")) {
            const QString run = inFolder(QStringLiteral("run"));
            QVERIFY(QDir().mkdir(run));
            for (qsizetype rank = 0; rank < files.size(); ++rank)
                QVERIFY(QFile::copy(files[rank],
                                    QStringLiteral("%1/rank%2.pickle").arg(run).arg(rank)));
            m_window->openFiles({run});
        } else if (!how.isEmpty()) {
            QFile file(inFolder(how));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(files.front().toUtf8());
            file.close();
            m_window->openFiles({file.fileName()});
        } else {
            m_window->openFiles(files);
        }
    }

    [[nodiscard]] QString inFolder(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] MainWindow &window() const { return *m_window; }
    [[nodiscard]] DocumentTab *tab() const { return m_window->tabs()->current(); }
    [[nodiscard]] bool tabIsReady() const
    {
        return tab() && tab()->state() == DocumentTab::State::Ready;
    }
    /// Waits for what a thread works on.
    template<class Condition>
    [[nodiscard]] static bool waitFor(const Condition &condition)
    {
        constexpr int kMilliseconds = 30'000;
        return QTest::qWaitFor(condition, kMilliseconds);
    }

    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::keyClick(handleOf(*m_window), code, modifiers);
    }
    void type(const QString &text) const
    {
        for (const QChar letter : text)
            QTest::keyClick(handleOf(*m_window), letter.toLatin1());
    }
    void look(const QString &name) const
    {
        QVERIFY(m_window->grab().save(pictureFolder() + QStringLiteral("/walk-%1.png").arg(name)));
    }

private:
    std::optional<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace vramscope::test
