// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recovered_plan.h"
#include "ui/jobs/job.h"
#include "ui/jobs/job_line.h"
#include "ui/support/text.h"
#include "ui/trace/trace_page.h"

#include <QStringList>

#include <array>

// A plan made from the recording.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct MadePlan
{
    Plan plan;
    QString notice;
};

QString noticeOf(const RecoveredPlan &found)
{
    QStringList lines;
    for (const Certainty certainty :
         {Certainty::Determined, Certainty::Likely, Certainty::NotDetermined}) {
        QStringList subjects;
        for (const RecoveredField &field : found.fields) {
            if (field.certainty != certainty)
                continue;
            const QString value = toQString(field.value);
            subjects += toQString(field.subject) + (value.isEmpty() ? QString() : u": "_s + value);
        }
        constexpr std::array kNames = {"Determined by the recording", "Likely",
                                       "Not determined, left at a default"};
        if (!subjects.isEmpty())
            lines +=
                u"%1: %2."_s.arg(QString::fromLatin1(kNames[static_cast<std::size_t>(certainty)]),
                                 subjects.join(u"; "_s));
    }
    return lines.join(u'\n');
}

} // namespace

void TracePage::makePlan()
{
    if (m_document->devices.empty())
        return;
    delete std::exchange(m_planJob, nullptr);
    m_planJob = new Job(
        [document = m_document, device = m_device](const Progress &progress) {
            const RecoveredPlan found = planFromRecording(*document->devices[device], progress);
            return MadePlan{found.plan, noticeOf(found)};
        },
        [this](const MadePlan &made) { Q_EMIT planMade(made.plan, made.notice); }, this);
    showProgress(*m_planJob, this);
}

} // namespace vramscope
