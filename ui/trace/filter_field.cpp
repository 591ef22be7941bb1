// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/filter_field.h"

#include "ui/support/text.h"

#include <QKeyEvent>
#include <QStyle>
#include <QTimer>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRest = 120; // ms

} // namespace

FilterField::FilterField(QWidget *parent)
    : QLineEdit(parent)
    , m_rest(new QTimer(this))
{
    setPlaceholderText(u"Filter: forward  size>10MiB  alive   ( / )"_s);
    setAccessibleName(u"Filter"_s);
    setClearButtonEnabled(true);
    setToolTip(u"<p>Words are looked for in function names and paths; /…/ is a regular "
               "expression.</p><p>size&gt;10MiB &nbsp; life&lt;2ms &nbsp; life&gt;100ev &nbsp; "
               "stack:12 &nbsp; stream:0 &nbsp; pool:private &nbsp; category:activations &nbsp; "
               "alive &nbsp; "
               "alive:1234 &nbsp; freed &nbsp; unfreed</p>"_s);
    setProperty("help", toolTip());
    m_rest->setSingleShot(true);
    m_rest->setInterval(kRest);
    connect(m_rest, &QTimer::timeout, this, &FilterField::parse);
    connect(this, &QLineEdit::textChanged, m_rest, qOverload<>(&QTimer::start));
    connect(this, &QLineEdit::returnPressed, this, &FilterField::parse);
}

void FilterField::setFilter(const QString &text)
{
    if (text != this->text()) {
        clear();
        parse();
        setText(text);
    }
    parse();
}

bool FilterField::event(QEvent *event)
{
    // Ctrl+D makes a bookmark, here too, where line edits take it for the Delete key.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->keyCombination() == (Qt::CTRL | Qt::Key_D))
        return false;
    return QLineEdit::event(event);
}

void FilterField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        parse();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FilterField::parse()
{
    m_rest->stop();
    const Result<AllocationFilter> filter = parseAllocationFilter(text().toStdString());
    m_complaint = filter.ok() ? QString() : toQString(filter.error().text());
    setProperty("bad", !filter.ok());
    style()->unpolish(this);
    style()->polish(this);
    setToolTip(filter.ok() ? property("help").toString() : m_complaint);
    if (!filter.ok() || *filter == m_filter)
        return;
    m_filter = *filter;
    Q_EMIT filterChanged(m_filter);
}

} // namespace vramscope
