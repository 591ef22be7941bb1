// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QTreeView;

namespace vramscope {

class PresetFilter;

/// The built-in architectures with their numbers, to choose one from: a search, which keeps the
/// focus, above a table. Up and down walk through what is found, Enter or a click takes it, Escape
/// leaves. The row that Enter takes is the accessible description of the search.
class PresetPopup : public QFrame
{
    Q_OBJECT

public:
    explicit PresetPopup(QWidget *parent);

    /// Opens below (or above) a place on the screen, at that architecture.
    void openAt(const QRect &place, const QString &current);
    [[nodiscard]] QLineEdit *search() const { return m_search; }
    [[nodiscard]] QTreeView *list() const { return m_list; }

Q_SIGNALS:
    void chosen(const QString &preset);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void find(const QString &text);
    void goToPreset(const QString &preset);
    void describe();
    void take(const QModelIndex &index);

    PresetFilter *m_filter;
    QLineEdit *m_search;
    QLabel *m_count;
    QTreeView *m_list;
    QString m_current;
};

} // namespace vramscope
