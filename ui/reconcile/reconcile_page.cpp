// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_page.h"
#include "core/describe/reconcile_tables.h"

#include "core/estimate/estimate.h"
#include "core/print/plan_report.h"
#include "core/print/reconcile_report.h"
#include "core/reconcile/levels.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/jobs/job.h"
#include "ui/page/card.h"
#include "ui/planner/plan_document.h"
#include "ui/reconcile/reconcile_items.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/support/elided_label.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kMoment = u"moment"_s; ///< in what a page keeps

} // namespace

ReconcilePage::ReconcilePage(const std::shared_ptr<const ReconcileDocument> &recording,
                             QWidget *parent)
    : DocumentPage(recording, parent)
    , m_recording(recording->recording)
    , m_missing(u"The plan is being read."_s)
{
    build();
    refresh();
}

ReconcilePage::~ReconcilePage() = default;

void ReconcilePage::setPlan(const Plan &plan, const QString &title)
{
    const bool same = m_plan == plan;
    if (same && m_planTitle == title && m_missing.isEmpty())
        return;
    m_plan = plan;
    m_planTitle = title;
    m_missing.clear();
    if (!same) {
        const Estimate figures = estimate(plan);
        m_capacity = figures.capacity;
        m_noFigures = toQString(whyNotComputed(figures));
        if (!figures.computed)
            m_reconciliation.reset();
        compute();
    }
    refresh();
}

void ReconcilePage::setPlanMissing(const QString &why)
{
    m_missing = why;
    refresh();
}

void ReconcilePage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_bars->setUnit(unit);
    m_waterfall->setUnit(unit);
    refresh();
}

void ReconcilePage::showDevice(std::size_t device)
{
    if (device == m_recording.device || device >= m_recording.document->devices.size())
        return;
    m_recording.device = device;
    m_studyJob.reset();
    m_reconciliation.reset();
    m_device->setCurrentIndex(static_cast<int>(device));
    compute();
    refresh();
}

void ReconcilePage::selectMoment(std::size_t moment)
{
    if (!m_reconciliation || moment >= m_reconciliation->moments.size())
        return;
    m_moment = moment;
    m_momentName = m_reconciliation->moments[moment].name;
    refreshMoment();
}

QString ReconcilePage::emptyText() const
{
    if (!m_recording.shown().hasHistory())
        return u"This recording keeps no history of events, so no moment of a step can be found "
               "in it. Call torch.cuda.memory._record_memory_history() before the first step "
               "and record again."_s;
    if (!m_plan)
        return m_missing;
    if (!m_noFigures.isEmpty())
        return u"The plan gives no figures: %1"_s.arg(m_noFigures);
    if (!m_reconciliation)
        return u"The recording is being looked through."_s;
    if (m_reconciliation->moments.empty()) {
        QStringList why;
        for (const std::string &remark : m_reconciliation->remarks)
            why += toQString(remark);
        return why.join(u' ');
    }
    return {};
}

Table ReconcilePage::table(qsizetype) const
{
    return tableOf(*m_parts->model(), u"%1 against %2"_s.arg(m_planTitle, m_recording.title));
}

std::vector<StageItem> ReconcilePage::stageItems()
{
    if (!m_reconciliation)
        workNow();
    return reconcileItems({m_reconciliation ? *m_reconciliation : Reconciliation(),
                           m_bars->content().capacity, emptyText(), unit()});
}

std::vector<ReportSource> ReconcilePage::reportSources(const QString &, const QDateTime &) const
{
    std::vector<ReportSource> sources;
    if (m_plan)
        sources.push_back({m_planTitle, planDocument(*m_plan)});
    sources.push_back(reportSource(m_recording));
    return sources;
}

QVariantMap ReconcilePage::chosen(const Redaction *) const
{
    return {{kMoment, QVariant::fromValue(m_moment)}};
}

void ReconcilePage::restore(const QVariantMap &chosen)
{
    workNow();
    selectMoment(chosen[kMoment].value<std::size_t>());
}

std::vector<NamedPlan> ReconcilePage::plans() const
{
    return m_plan ? std::vector<NamedPlan>{{*m_plan, m_planTitle}} : std::vector<NamedPlan>();
}

QString ReconcilePage::statusText() const
{
    if (!m_reconciliation || m_reconciliation->moments.empty())
        return {};
    return m_job && m_job->isRunning() ? u"comparing…"_s : toQString(m_reconciliation->step);
}

// The recording is looked through once, then every plan is compared with what was found.
void ReconcilePage::compute()
{
    m_job.reset();
    m_stale = !isVisible();
    if (m_stale || !m_plan || !m_noFigures.isEmpty() || !m_recording.shown().hasHistory())
        return;
    if (!isStudiedToReconcile(m_recording)) {
        if (m_studyJob && m_studyJob->isRunning())
            return;
        m_studyJob = std::make_unique<Job>(
            [recording = m_recording](const Progress &progress) {
                return studyToReconcile(recording, progress);
            },
            [this](bool made) {
                if (made)
                    compute();
            });
        showProgress(*m_studyJob, this);
        return;
    }
    m_job = std::make_unique<Job>(
        [recording = m_recording, plan = *m_plan](const Progress &progress) {
            return heldAgainst(recording, plan, progress);
        },
        [this](std::shared_ptr<const Reconciliation> held) { take(std::move(held)); });
    showProgress(*m_job, this);
    Q_EMIT statusChanged();
}

void ReconcilePage::workNow()
{
    m_job.reset();
    m_studyJob.reset();
    if (!m_plan || !m_noFigures.isEmpty() || !m_recording.shown().hasHistory())
        return;
    m_stale = false;
    take(heldAgainst(m_recording, *m_plan, {}));
}

void ReconcilePage::take(std::shared_ptr<const Reconciliation> held)
{
    m_reconciliation = std::move(held);
    m_moment = m_reconciliation->compared;
    for (std::size_t at = 0; at < m_reconciliation->moments.size(); ++at) {
        if (m_reconciliation->moments[at].name == m_momentName)
            m_moment = at;
    }
    refresh();
}

void ReconcilePage::refresh()
{
    m_title->setFullText(m_planTitle.isEmpty()
                             ? m_recording.title
                             : u"%1 against %2"_s.arg(m_planTitle, m_recording.title));
    const QString empty = emptyText();
    m_empty->setText(empty);
    m_empty->setVisible(!empty.isEmpty());
    m_body->setVisible(empty.isEmpty());
    m_note->setText(m_plan ? m_missing : QString());
    m_note->setVisible(!m_note->text().isEmpty());
    if (empty.isEmpty()) {
        m_answer->setText(toQString(reconcileVerdict(*m_reconciliation, unit())));
        m_about->setText(failedText(*m_reconciliation, unit()));
        m_about->setVisible(!m_about->text().isEmpty());
        QStringList remarks{stepLine(*m_reconciliation)};
        for (const std::string &remark : m_reconciliation->remarks)
            remarks += toQString(remark);
        m_remarks->setText(remarks.join(u' '));
        m_answer->setToolTip(answerToolTip(*m_reconciliation, unit()));
        m_about->setToolTip(failedToolTip(*m_reconciliation, unit()));
        m_bars->setContent(reconcileBars(*m_reconciliation, m_capacity));
        const std::vector<WaterfallBar> way = reconcileWaterfall(*m_reconciliation);
        m_waterfall->setBars(way, u"The moment was not found in the recording."_s);
        // A row each, and no less than is readable.
        m_waterfall->setFixedHeight(static_cast<int>(std::max<std::size_t>(way.size(), 3)) * 34);
        m_wayCard->setTitle(u"From predicted to recorded, %1"_s.arg(
            toQString(momentPhrase(m_reconciliation->comparedMoment().name))));
        m_reasons->setTable(reasonsTable(*m_reconciliation), unit(), u"Try it"_s);
        m_candidates->setTable(candidatesTable(m_reconciliation->candidates), unit(), u"Try it"_s);
        m_others->setVisible(!m_reconciliation->candidates.empty());
        m_levels->setTable(levelPairsTable(m_reconciliation->levels), unit());
        m_constants->setTable(pickedColumns(calibrationsTable(m_reconciliation->calibrations),
                                            {"label", "planned", "recorded", "how"}),
                              unit(), u"Apply"_s);
        m_constantsCard->setVisible(!m_reconciliation->calibrations.empty());
        refreshMoment();
    }
    refreshButtons();
    Q_EMIT statusChanged();
}

void ReconcilePage::refreshMoment()
{
    const QSignalBlocker silent(m_momentBox);
    m_momentBox->clear();
    for (const MatchedMoment &moment : m_reconciliation->moments)
        m_momentBox->addItem(moment.found ? momentTitle(moment)
                                          : u"%1, not found"_s.arg(momentTitle(moment)));
    m_momentBox->setCurrentIndex(static_cast<int>(m_moment));
    const MatchedMoment &moment = m_reconciliation->moments[m_moment];
    const QString how = toQString(moment.how);
    m_where->setText(moment.found ? how : u"Not found: %1"_s.arg(how));
    m_parts->setTable(matchedPartsTable(moment), unit());
    m_bars->setSelectedBar(barOfMoment(m_bars->content(), m_moment));
}

void ReconcilePage::refreshButtons()
{
    for (FactTable *table : {m_reasons, m_candidates})
        table->setButtonsEnabled(
            m_missing.isEmpty(),
            m_missing.isEmpty() ? u"Changes the plan; you can undo this in its tab"_s : m_missing);
    m_constants->setButtonsEnabled(
        m_missing.isEmpty(),
        m_missing.isEmpty()
            ? u"Puts the recorded value into the plan; you can undo this in its tab"_s
            : m_missing);
}

void ReconcilePage::trySetting(const Reason &reason)
{
    const Plan after = withFields(*m_plan, reason.settings);
    Q_EMIT editWanted(after, u"try %1"_s.arg(toQString(reason.text)));
}

void ReconcilePage::takeOver(const Calibration &constant)
{
    const Plan after = calibrated(*m_plan, constant, m_recording.title.toStdString());
    QString name = toQString(constant.label);
    if (name.size() > 1 && name[1].isLower()) // unlike "CUDA context"
        name[0] = name[0].toLower();
    Q_EMIT editWanted(after, u"take over %1 from %2"_s.arg(name, m_recording.title));
}

void ReconcilePage::showEvent(QShowEvent *event)
{
    DocumentPage::showEvent(event);
    if (m_stale)
        compute();
}

} // namespace vramscope
