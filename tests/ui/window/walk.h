// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test.h"
#include "tests/ui/window/system_events.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"
#include "ui/window/main_window.h"

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
