// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QStackedLayout;
class QTabBar;

namespace vramscope {

/// The card below the bars of a plan: several views of it behind one line of tabs, as on the page
/// of a recording. Only the page in front is visible, so a page brings itself up to date when it is
/// shown and may rest while it is not.
class LowerCard : public QFrame
{
    Q_OBJECT

public:
    explicit LowerCard(QWidget *parent = nullptr);

    /// Adds a page behind the others and takes it over.
    void addPage(const QString &title, QWidget *page);
    void setPageTitle(QWidget *page, const QString &title);
    void setCurrentPage(QWidget *page);
    [[nodiscard]] QWidget *currentPage() const;
    [[nodiscard]] QTabBar *tabs() const { return m_tabs; }

Q_SIGNALS:
    /// Another page is in front now.
    void pageShown(QWidget *page);

private:
    /// The widest page does not decide how narrow the card may be, nor the highest how low.
    void giveRoom();

    [[nodiscard]] int indexOf(const QWidget *page) const;

    QTabBar *m_tabs;
    QStackedLayout *m_pages;
};

} // namespace vramscope
