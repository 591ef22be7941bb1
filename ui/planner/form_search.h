// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <QWidget>

#include <utility>
#include <vector>

class QLineEdit;
class QToolButton;

namespace vramscope {

/// Settings that are hidden because they do not apply, by their reason, as one line.
class HiddenFields
{
public:
    void add(const HiddenBecause &because);
    [[nodiscard]] bool isEmpty() const { return m_counts.empty(); }
    /// "3 of pipelines hidden: one stage".
    [[nodiscard]] QString text() const;

private:
    std::vector<std::pair<HiddenBecause, int>> m_counts;
};

/// What stands above the form: the search (Ctrl+L, Ctrl+F) and, where something differs from the
/// plan that changes are marked against, the way back for all of it.
class FormHead : public QWidget
{
    Q_OBJECT

public:
    explicit FormHead(QWidget *parent = nullptr);

    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isSearching() const { return !m_words.isEmpty(); }
    /// Whether label, path, help text or group of a field have all words that are searched for.
    [[nodiscard]] bool finds(const Field &field) const;
    void clear();
    /// How many settings differ from the plan of that name: "A" or "the opened plan".
    void showChanged(int count, const QString &baseline);

Q_SIGNALS:
    void searchChanged();
    void resetAllWanted();
    /// The keyboard is to go to what was found.
    void leaveWanted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *m_search;
    QToolButton *m_reset;
    QStringList m_words;
};

} // namespace vramscope
