// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/comparison.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedWidget;

namespace vramscope {

class ElidedLabel;
class FlameView;

/// The difference of two recordings as a flame graph: a box is as wide as the sites below it differ
/// one by one, and its colour and sign say which of the two holds more. Searched by text.
class DifferenceView : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit DifferenceView(QWidget *parent = nullptr);

    void setPair(std::shared_ptr<const TracePair> pair);
    void setSearch(const QString &text);

    [[nodiscard]] FlameView *flame() const { return m_flame; }
    /// "matches +1.2 GiB (34 %)"; empty without a search.
    [[nodiscard]] QString matchText() const { return m_matchText; }

private:
    void takeUnit() override { present(); }
    void present();
    void search();
    void nextMatch();

    std::shared_ptr<const TracePair> m_pair;
    QString m_matchText;
    std::vector<CallTree::NodeIndex> m_matched; ///< outermost, of most difference first
    std::size_t m_match = 0;                    ///< the one shown last

    ElidedLabel *m_about;
    QLabel *m_matches;
    QLineEdit *m_search;
    QStackedWidget *m_body;
    FlameView *m_flame;
    QLabel *m_empty;
    ElidedLabel *m_details;
};

} // namespace vramscope
