// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/field_row.h"

#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QAbstractButton>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QMenu>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLabelWidth = 96;

} // namespace

FieldRow::FieldRow(const Field &field, QWidget *parent)
    : QWidget(parent)
    , m_field(field)
    , m_label(new WrappedLabel(toQString(field.label), this))
    , m_reset(new QToolButton(this))
    , m_control(makeControl(field, this))
    , m_issue(new WrappedLabel({}, this))
{
    setObjectName(toQString(field.path));
    const QString help = u"<p>%1</p><p><tt>%2</tt></p>"_s.arg(
        toQString(field.help).toHtmlEscaped(), toQString(field.path).toHtmlEscaped());
    m_label->setToolTip(help);
    m_label->setBuddy(m_control);
    for (QWidget *part : m_control->findChildren<QWidget *>()) {
        if (part->accessibleName().isEmpty() && !qobject_cast<QAbstractButton *>(part))
            part->setAccessibleName(m_label->text());
    }
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_reset->setText(u"↺"_s);
    m_reset->setProperty("role", u"reset"_s);
    m_reset->setAccessibleName(u"Reset %1"_s.arg(m_label->text()));
    m_reset->setFixedSize(14, 18);
    m_reset->setVisible(false);
    m_issue->setFont(typeFont(m_issue, Type::Small));
    m_issue->setVisible(false);

    QHBoxLayout *name = row({{m_label, 1}, m_reset});
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnMinimumWidth(0, kLabelWidth);
    grid->setColumnStretch(1, 1);
    grid->addLayout(name, 0, 0);
    grid->addWidget(m_control, 0, 1);
    grid->addWidget(m_issue, 1, 0, 1, 2);

    connect(m_control, &FieldControl::edited, this,
            [this](const FieldValue &value) { Q_EMIT edited(this, value); });
    connect(m_control, &FieldControl::gestureEnded, this, &FieldRow::gestureEnded);
    connect(m_reset, &QToolButton::clicked, this, [this] { Q_EMIT resetWanted(this); });
}

void FieldRow::showValue(const FieldValue &stated, const FieldValue &effective, bool changed)
{
    m_control->showValue(stated, effective);
    const QPalette::ColorRole role = changed ? QPalette::Link : QPalette::WindowText;
    if (m_label->foregroundRole() != role) // setting it repaints even where it stays
        m_label->setForegroundRole(role);
    m_reset->setVisible(changed);
}

void FieldRow::showBaseline(const QString &name, const QString &value)
{
    m_baseline = name;
    const QString text = u"Back to %1: %2"_s.arg(name, value);
    if (m_reset->toolTip() != text)
        m_reset->setToolTip(text);
}

void FieldRow::showRecording(const QString &file)
{
    if (!m_recording) {
        if (file.isEmpty())
            return;
        m_recording = new ElidedLabel(Qt::ElideMiddle, this);
        m_recording->setFont(typeFont(m_recording, Type::Small));
        m_recording->setForegroundRole(QPalette::PlaceholderText);
        static_cast<QGridLayout *>(layout())->addWidget(m_recording, 2, 0, 1, 2);
    }
    const QString text = file.isEmpty() ? QString() : u"calibrated from %1"_s.arg(file);
    if (m_recording->text() != text)
        m_recording->setFullText(text);
    m_recording->setVisible(!text.isEmpty());
}

void FieldRow::showIssue(Issue::Severity severity, const QString &text)
{
    if (text.isEmpty() && m_control->isRefused())
        return; // why what stands there was refused
    const bool refused = severity == Issue::Severity::Blocking;
    m_control->setState(text.isEmpty() ? BoxState::Normal
                        : refused      ? BoxState::Error
                                       : BoxState::Warning);
    if (text != m_issue->text())
        m_issue->setText(text);
    setRole(*m_issue, refused ? u"bad"_s : u"warn"_s);
    m_issue->setVisible(!text.isEmpty());
}

void FieldRow::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    QAction *opened = menu.addAction(m_baseline.isEmpty() ? u"Back to the opened plan"_s
                                                          : u"Back to %1"_s.arg(m_baseline));
    QAction *standard = menu.addAction(u"Back to the default"_s);
    opened->setEnabled(isChanged());
    const QAction *chosen = menu.exec(event->globalPos());
    if (chosen == opened)
        Q_EMIT resetWanted(this);
    else if (chosen == standard)
        Q_EMIT edited(this, FieldValue());
}

} // namespace vramscope
