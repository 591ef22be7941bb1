// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/form_search.h"

#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QShortcut>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

void HiddenFields::add(const HiddenBecause &because)
{
    const auto found = std::ranges::find(m_counts, because, &std::pair<HiddenBecause, int>::first);
    if (found == m_counts.end())
        m_counts.emplace_back(because, 1);
    else
        ++found->second;
}

QString HiddenFields::text() const
{
    int total = 0;
    QStringList reasons;
    for (const auto &[because, count] : m_counts) {
        total += count;
        const QString subject = toQString(because.subject);
        const QString reason = toQString(because.reason);
        reasons += u"%1 (%2)"_s.arg(subject, reason);
    }
    const bool isOne = total == 1;
    const QString count = countedText(total, "setting");
    const QString verb = isOne ? u"does not apply"_s : u"do not apply"_s;
    return m_counts.size() == 1
               ? u"%1 of %2 %3: %4"_s.arg(count, toQString(m_counts.front().first.subject), verb,
                                          toQString(m_counts.front().first.reason))
               : u"%1 %2: %3"_s.arg(count, verb, reasons.join(u", "_s));
}

FormHead::FormHead(QWidget *parent)
    : QWidget(parent)
    , m_search(new QLineEdit(this))
    , m_reset(quietButton({}))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_search->setPlaceholderText(u"Search the settings"_s);
    m_search->setAccessibleName(u"Search the settings"_s);
    m_search->setToolTip(u"Words of names and explanations (Ctrl+F); Enter goes to the first"_s);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    setLayout(vramscope::row({{m_search, 1}, m_reset}, kStyleSpacing, {14, 10, 14, 4}));
    showChanged(0, {});
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
        Q_EMIT searchChanged();
    });
    connect(m_search, &QLineEdit::returnPressed, this, &FormHead::leaveWanted);
    connect(m_reset, &QToolButton::clicked, this, &FormHead::resetAllWanted);
    connect(new QShortcut(Qt::CTRL | Qt::Key_F, this), &QShortcut::activated, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
}

QString FormHead::text() const
{
    return m_search->text().trimmed();
}

bool FormHead::finds(const Field &field) const
{
    if (m_words.isEmpty())
        return true;
    const QString text = u"%1 %2 %3 %4"_s.arg(toQString(field.label), toQString(field.path),
                                              toQString(field.help), toQString(field.group));
    return std::ranges::all_of(
        m_words, [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

void FormHead::clear()
{
    m_search->clear();
}

void FormHead::showChanged(int count, const QString &baseline)
{
    const QString text = u"reset all (%1)"_s.arg(count);
    if (m_reset->text() != text)
        m_reset->setText(text);
    const QString way = u"Every setting back to %1; can be undone"_s.arg(baseline);
    if (m_reset->toolTip() != way)
        m_reset->setToolTip(way);
    m_reset->setVisible(count > 0);
}

bool FormHead::eventFilter(QObject *, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape && isSearching()) {
        clear();
        return true;
    }
    if (key != Qt::Key_Down)
        return false;
    Q_EMIT leaveWanted();
    return true;
}

} // namespace vramscope
