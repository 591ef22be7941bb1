// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/stack_view.h"

#include "core/analysis/costs/frame_rules.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QResizeEvent>
#include <QTextCursor>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isInteresting(FrameOrigin origin)
{
    return origin == FrameOrigin::User || origin == FrameOrigin::Library;
}

} // namespace

StackView::StackView(std::shared_ptr<const Trace> trace, QWidget *parent)
    : QTextBrowser(parent)
    , m_trace(std::move(trace))
{
    setProperty("role", u"stack"_s);
    setReadOnly(true);
    setFrameShape(NoFrame);
    setLineWrapMode(NoWrap);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setOpenLinks(false);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        const auto frame = static_cast<FrameId>(link.path().toUInt());
        const Frame &content = m_trace->frame(frame);
        Q_EMIT placeWanted(toQString(m_trace->text(content.file)), content.line);
    });
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
}

void StackView::setStack(StackId stack)
{
    m_stack = stack;
    refresh();
    fitHeight();
}

void StackView::setEveryFrame(bool every)
{
    m_every = every;
    refresh();
    fitHeight();
}

void StackView::resizeEvent(QResizeEvent *event)
{
    QTextBrowser::resizeEvent(event);
    if (event->size().width() != m_width) // the height stays: lines are elided, never wrapped
        refresh();
}

void StackView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        refresh();
        fitHeight();
    }
}

void StackView::refresh()
{
    m_width = width();
    clear();
    QTextCursor cursor(document());
    const auto frames = m_trace->stack(m_stack);
    bool anyInteresting = false;
    bool anyOwn = false;
    for (const FrameId frame : frames) {
        anyInteresting |= isInteresting(frameOrigin(*m_trace, frame));
        anyOwn |= frameOrigin(*m_trace, frame) == FrameOrigin::User;
    }
    int folded = 0;
    for (const FrameId frame : frames) {
        const FrameOrigin origin = frameOrigin(*m_trace, frame);
        // If the stack has no other frames, shows the framework's.
        const bool shown = m_every || isInteresting(origin) ||
                           (!anyInteresting && origin == FrameOrigin::Framework);
        if (!shown) {
            ++folded;
            continue;
        }
        addFolded(cursor, std::exchange(folded, 0));
        addFrame(cursor, frame, origin == FrameOrigin::User || (!anyOwn && isInteresting(origin)));
    }
    addFolded(cursor, folded);
    if (frames.empty()) {
        QTextCharFormat dim;
        dim.setForeground(themeOf(this).dim);
        cursor.insertText(u"not recorded"_s, dim);
    }
}

void StackView::fitHeight()
{
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 1);
}

void StackView::addFrame(QTextCursor &cursor, FrameId frame, bool own) const
{
    const Theme &theme = themeOf(this);
    const Frame &content = m_trace->frame(frame);
    const FrameLabel text = frameLabel(*m_trace, frame);
    const QFontMetrics metrics(font());
    QTextCharFormat format;
    format.setToolTip(
        u"%1\n%2:%3"_s.arg(text.name, foreignText(m_trace->text(content.file))).arg(content.line));
    const int space = metrics.horizontalAdvance(u"  "_s);
    const QString place = metrics.elidedText(text.place, Qt::ElideMiddle, m_width * 3 / 5);
    const int room = m_width - space - metrics.horizontalAdvance(place) - 2;
    if (!cursor.atStart())
        cursor.insertBlock();
    format.setForeground(own ? theme.text : theme.dim);
    cursor.insertText(metrics.elidedText(text.name, Qt::ElideMiddle, room), format);
    format.setForeground(theme.dim);
    cursor.insertText(u"  "_s, format);
    if (content.line > 0) {
        format.setAnchor(true);
        format.setAnchorHref(u"frame:%1"_s.arg(static_cast<quint32>(frame)));
        format.setToolTip(format.toolTip() + u'\n' + u"Click to open it in an editor"_s);
    }
    cursor.insertText(place, format);
}

void StackView::addFolded(QTextCursor &cursor, int count) const
{
    if (count == 0)
        return;
    QTextCharFormat format;
    format.setForeground(themeOf(this).dim);
    if (!cursor.atStart())
        cursor.insertBlock();
    cursor.insertText(u"… %1 of the framework"_s.arg(countedText(count, "frame")), format);
}

} // namespace vramscope
