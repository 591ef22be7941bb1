// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/ask_box.h"

#include "core/ask/asked.h"
#include "core/planner/estimate.h"
#include "core/print/asked_report.h"
#include "core/print/plan_report.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView kHint =
    u"A model, a task and GPUs make a plan. What is not said is as in a new plan.";

Asked askedOf(const QString &text)
{
    return understand(text.trimmed().toStdString());
}

/// What the words come to: whether that plan fits, and what it assumes.
QString answerTo(const Asked &asked)
{
    switch (asked.kind) {
    case AskedKind::Path:
        return u"Enter opens this file."_s;
    case AskedKind::Document:
    case AskedKind::CommandLine:
        return u"Enter makes a plan of these settings."_s;
    case AskedKind::Words:
        break;
    }
    if (!asked.understood())
        return toQString(askedRefusal(asked));
    return toQString(answerLine(*asked.plan, estimate(*asked.plan))) + u' ' +
           toQString(askedAssumptions(asked));
}

} // namespace

AskBox::AskBox(QWidget *parent)
    : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 0);
    column->setSpacing(4);
    m_line = new QLineEdit;
    m_line->setObjectName(u"ask"_s);
    m_line->setPlaceholderText(u"Say what to plan: Qwen3-32B full fine-tune on 8 H100, 8k"_s);
    m_line->setAccessibleName(u"What to plan, in words"_s);
    m_line->setClearButtonEnabled(true);
    column->addWidget(m_line);
    m_answer = new QLabel(kHint.toString());
    m_answer->setObjectName(u"askAnswer"_s);
    m_answer->setProperty("role", u"dim"_s);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setWordWrap(true);
    column->addWidget(m_answer);
    connect(m_line, &QLineEdit::textChanged, this, &AskBox::answer);
    connect(m_line, &QLineEdit::returnPressed, this, &AskBox::submit);
}

void AskBox::answer()
{
    const QString text = m_line->text();
    m_answer->setText(text.trimmed().isEmpty() ? kHint.toString() : answerTo(askedOf(text)));
}

void AskBox::submit()
{
    const Asked asked = askedOf(m_line->text());
    if (asked.kind == AskedKind::Path)
        Q_EMIT documentWanted(m_line->text().trimmed());
    else if (asked.kind != AskedKind::Words)
        Q_EMIT settingsWanted(m_line->text());
    else if (asked.understood())
        Q_EMIT planWanted(*asked.plan);
}

} // namespace vramscope
