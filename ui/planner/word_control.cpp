// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/word_control.h"

#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "ui/page/layout.h"
#include "ui/planner/field_control.h"
#include "ui/planner/look.h"
#include "ui/planner/preset_popup.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QCursor>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView kWordLink = u"word:";
constexpr int kControlWidth = 250;

/// Full, LoRA, QLoRA or Serve stands for several fields at once.
bool isTask(const Plan &plan, const Field &field)
{
    return field.path == "workload" && taskOf(resolve(plan).settings);
}

} // namespace

QString wordHtml(FieldPath path, const QString &text, const Theme &theme)
{
    return u"<a style=\"color:%1\" href=\"%2%3\">%4</a>"_s.arg(
        theme.text.name(), kWordLink, toQString(path.text()), text.toHtmlEscaped());
}

QString jobHtml(const Plan &plan, const Settings &settings, const Theme &theme)
{
    QString html;
    for (const JobWord &word : jobWords(plan, settings))
        html += word.field ? wordHtml(*word.field, toQString(word.text), theme)
                           : toQString(word.text).toHtmlEscaped();
    return html;
}

const Field *wordOf(const QString &link)
{
    return link.startsWith(kWordLink) ? findField(link.sliced(kWordLink.size()).toStdString())
                                      : nullptr;
}

WordControl::WordControl(QWidget *over)
    : QObject(over)
    , m_over(over)
{
}

QWidget *WordControl::popup() const
{
    if (m_frame)
        return m_frame;
    return m_models && m_models->isVisible() ? m_models : nullptr;
}

void WordControl::open(const Plan &plan, const Field &field, ByteUnit unit)
{
    const QPoint below = m_over->mapToGlobal(m_over->rect().bottomLeft());
    const QPoint pointer = QCursor::pos();
    const bool byPointer = m_over->rect().contains(m_over->mapFromGlobal(pointer));
    const QPoint at = byPointer ? pointer + QPoint(-20, 14) : below;
    if (field.path == "model.preset")
        return openModels(plan, at);
    delete m_frame;
    m_field = &field;
    m_frame = new QFrame(m_over, Qt::Popup);
    m_frame->setAttribute(Qt::WA_DeleteOnClose);
    m_frame->setProperty("role", u"list"_s);
    QWidget *control = makeControl(plan, field, unit);
    m_frame->setLayout(
        column({headingLabel(toQString(isTask(plan, field) ? "Task" : field.label)), control}, 6,
               {12, 8, 12, 10}));
    m_frame->adjustSize();
    const QRect screen = m_over->screen()->availableGeometry();
    m_frame->move(std::clamp(at.x(), screen.left(),
                             std::max(screen.left(), screen.right() - m_frame->width())),
                  std::min(at.y(), screen.bottom() - m_frame->height()));
    m_frame->show();
    control->setFocus(Qt::PopupFocusReason);
}

void WordControl::openModels(const Plan &plan, QPoint at)
{
    if (!m_models) {
        m_models = new PresetPopup(m_over);
        connect(m_models, &PresetPopup::chosen, this, [this](const QString &preset) {
            Q_EMIT edited(fieldAt("model.preset"), FieldValue(preset.toStdString()));
        });
    }
    m_models->openAt({at, QSize(0, 0)}, toQString(plan.model.preset.value_or(
                                            plan.model.pipeline.value_or(std::string()))));
}

QWidget *WordControl::makeControl(const Plan &plan, const Field &field, ByteUnit unit)
{
    if (isTask(plan, field)) {
        auto *tasks = new TaskBar(m_frame);
        tasks->showTask(taskOf(resolve(plan).settings));
        connect(tasks, &TaskBar::taskChosen, this, [this](Task task) {
            m_frame->close();
            Q_EMIT taskChosen(task);
        });
        return tasks;
    }
    m_control = vramscope::makeControl(field, m_frame);
    m_control->setMinimumWidth(kControlWidth);
    m_control->setUnit(unit);
    showPlan(plan);
    connect(m_control, &FieldControl::edited, this, [this](const FieldValue &value) {
        const Field &of = *m_field;
        if (!of.choices.empty() || of.path == "hardware.gpu")
            m_frame->close(); // one choice is all that is wanted of it
        Q_EMIT edited(of, value);
    });
    return m_control;
}

void WordControl::showPlan(const Plan &plan)
{
    if (m_control)
        m_control->showValue(m_field->get(plan),
                             effectiveValue(plan, resolve(plan).settings, *m_field));
}

} // namespace vramscope
