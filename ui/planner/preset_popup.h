// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QTreeView;

namespace vramscope {

class PresetModel;

/// The models that plans know by name with their numbers, to choose one from: a search, which keeps
/// the focus, above a table that a click on a title sorts, and a line on the current row. Up and
/// down walk through what is found, Enter or a click takes it, Escape leaves. A model that is not
/// computed is not taken: the line says why. The row that Enter takes is the accessible description
/// of the search.
class PresetPopup : public QFrame
{
    Q_OBJECT

public:
    explicit PresetPopup(QWidget *parent);

    /// Opens below (or above) a place on the screen, at that architecture.
    void openAt(const QRect &place, const QString &current);
    [[nodiscard]] QLineEdit *search() const { return m_search; }
    [[nodiscard]] QTreeView *list() const { return m_list; }
    [[nodiscard]] QLabel *about() const { return m_about; }

Q_SIGNALS:
    void chosen(const QString &preset);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void find(const QString &text);
    void goToPreset(const QString &preset);
    void describe();
    void take(const QModelIndex &index);

    PresetModel *m_models;
    QLineEdit *m_search;
    QLabel *m_count;
    QTreeView *m_list;
    QLabel *m_about;
    QString m_current;
};

} // namespace vramscope
