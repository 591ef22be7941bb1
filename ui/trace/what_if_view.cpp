// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/what_if_view.h"

#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/what_if/replay.h"
#include "core/base/sentence.h"
#include "core/base/written_size.h"
#include "core/print/replay_report.h"
#include "core/simulator/recommendation.h"
#include "ui/jobs/job.h"
#include "ui/models/what_if_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/setting_field.h"
#include "ui/support/text.h"
#include "ui/timeline/reserved_plot.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 200; // ms

} // namespace

std::optional<Bytes> readSize(const QString &text, ByteUnit unit)
{
    QString given = text.trimmed().remove(u',');
    if (!given.isEmpty() && given.back().isDigit())
        given += QLatin1StringView(gigaUnit(unit));
    const std::optional<Bytes> bytes = writtenBytes(given.toStdString());
    return bytes && *bytes > 0 ? bytes : std::nullopt;
}

WhatIfView::WhatIfView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
                       QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_body(new QWidget)
    , m_exact(new QLabel)
    , m_advice(new QLabel)
    , m_copy(new QPushButton)
    , m_own(new SettingField)
    , m_capacity(new QLineEdit)
    , m_problems(new QLabel)
    , m_progress(new QProgressBar)
    , m_run(new QPushButton)
    , m_patience(new QTimer(this))
    , m_parts(new QSplitter)
    , m_model(new WhatIfModel(this))
    , m_table(new QTableView)
    , m_plot(new ReservedPlot(state))
    , m_basis(elidedLabel())
    , m_empty(emptyLabel())
{
    build();
    m_patience->setSingleShot(true);
    m_patience->setInterval(kPatience);
    connect(m_patience, &QTimer::timeout, m_progress, &QWidget::show);
    connect(m_patience, &QTimer::timeout, m_run, &QWidget::show);
    connect(m_own, &SettingField::textChanged, this, &WhatIfView::refresh);
    connect(m_capacity, &QLineEdit::textChanged, this, &WhatIfView::refresh);
    connect(m_own, &SettingField::editingFinished, this, &WhatIfView::readFields);
    connect(m_capacity, &QLineEdit::editingFinished, this, &WhatIfView::readFields);
    connect(m_run, &QPushButton::clicked, this, [this] {
        m_job ? stop() : simulate();
        refresh();
    });
    connect(m_copy, &QPushButton::clicked, this, &WhatIfView::copyBest);
    connect(m_model, &WhatIfModel::drawnChanged, this, &WhatIfView::refreshLines);
    refreshSamples();
    refresh();
}

void WhatIfView::setStudy(std::size_t device, const std::shared_ptr<const Study> &study)
{
    if (device == m_device && study == m_study)
        return;
    m_device = device;
    m_study = study;
    take(nullptr);
    simulate();
}

std::optional<Table> WhatIfView::asTable(const QString &title, qsizetype most) const
{
    return tableOf(*m_model, title, most);
}

void WhatIfView::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_model->setUnit(unit);
    m_plot->setUnit(unit);
    refresh();
}

QString WhatIfView::problems() const
{
    QStringList lines = settingProblems(m_own->configuration(), newestVersion(*m_document->trace));
    if (!m_capacity->text().trimmed().isEmpty() && !readSize(m_capacity->text(), m_unit))
        lines << u"The memory of the device is a size such as 80 GiB."_s;
    return lines.join(u'\n');
}

QString WhatIfView::emptyText() const
{
    if (!m_study)
        return u"The recording is being looked through."_s;
    if (m_findings && m_findings->replay.end == ReplayEnd::NothingRecorded)
        return toQString(capitalized(exactnessText(m_findings->replay)));
    return {};
}

void WhatIfView::readFields()
{
    Wish wish{m_own->configuration(), -1};
    if (!m_capacity->text().trimmed().isEmpty()) {
        const auto capacity = readSize(m_capacity->text(), m_unit);
        if (!capacity)
            return;
        wish.capacity = *capacity;
        if (m_capacity->text().back().isDigit()) // keeps its meaning when the unit changes
            m_capacity->setText(m_capacity->text() + u' ' + QLatin1StringView(gigaUnit(m_unit)));
    }
    if (wish == m_wish)
        return;
    m_wish = wish;
    simulate();
}

void WhatIfView::simulate()
{
    stop();
    m_stale = !isVisible();
    if (m_stale || !m_study)
        return;
    m_run->hide();
    m_run->setText(u"Cancel"_s);
    m_progress->setValue(0);
    m_patience->start();
    m_job = new Job(
        work(),
        [this](Found findings) {
            std::exchange(m_job, nullptr)->deleteLater(); // it is the caller
            take(std::move(findings));
        },
        this);
    connect(m_job, &Job::progressed, m_progress,
            [this](double share) { m_progress->setValue(static_cast<int>(share * 1000)); });
    connect(m_job, &Job::failed, this, &WhatIfView::stop);
    refresh();
}

void WhatIfView::stop()
{
    m_patience->stop();
    m_progress->hide();
    m_run->setText(u"Simulate"_s);
    delete std::exchange(m_job, nullptr);
}

void WhatIfView::workNow()
{
    stop();
    m_stale = false;
    if (m_study)
        take(work()({}));
}

std::function<WhatIfView::Found(const Progress &)> WhatIfView::work() const
{
    return [study = m_study, wish = m_wish](const Progress &progress) -> Found {
        if (!study->make({Study::Part::Replay}, partOf(progress, 0, 0.5)))
            return nullptr;
        WhatIfFindings findings{study->replay(), {}};
        if (findings.replay.end == ReplayEnd::NothingRecorded)
            return std::make_shared<const WhatIfFindings>(std::move(findings));
        const bool capacityKnown = wish.capacity >= 0 || findings.replay.capacity >= 0;
        auto whatIfs = whatIf(
            *study, usualConfigurations(capacityKnown, newestVersion(study->trace()), wish.own),
            wish.capacity, partOf(progress, 0.5, 1));
        if (!whatIfs)
            return nullptr;
        findings.whatIfs = *std::move(whatIfs);
        return std::make_shared<const WhatIfFindings>(std::move(findings));
    };
}

void WhatIfView::take(Found findings)
{
    stop();
    m_run->hide();
    const bool first = !m_findings && findings;
    m_plot->setLines({}, {}); // they look into the findings before
    m_findings = std::move(findings);
    const bool shown = m_findings && m_findings->replay.end != ReplayEnd::NothingRecorded;
    m_model->setFindings(shown ? m_findings : nullptr);
    if (shown) {
        const WhatIfs &found = m_findings->whatIfs;
        if (first)
            m_model->setDrawn(m_model->nameOf(0), true);
        if (first)
            m_model->setDrawn(m_model->nameOf(found.best.value_or(0) + 1), true);
        if (!m_wish.own.empty())
            m_model->setDrawn(toQString(printable(m_wish.own)), true);
        fitColumns();
        m_table->setCurrentIndex(
            m_model->index(m_model->placeOf(found.best ? *found.best + 1 : 0), 0));
    }
    refreshLines();
    refresh();
}

void WhatIfView::refresh()
{
    const QString empty = emptyText();
    m_empty->setText(empty);
    m_empty->setVisible(!empty.isEmpty());
    m_body->setVisible(empty.isEmpty());
    const QString wrong = problems();
    m_problems->setText(wrong);
    m_problems->setVisible(!wrong.isEmpty());
    const bool found = m_findings && empty.isEmpty();
    m_exact->setText(found   ? toQString(capitalized(exactnessText(m_findings->replay)))
                     : m_job ? u"The settings are being simulated."_s
                             : u"Nothing has been simulated."_s);
    m_exact->setToolTip(found ? toQString(m_findings->replay.difference) : QString());
    m_advice->setText(found ? toQString(replayAdvice(m_findings->whatIfs, m_unit)) : QString());
    m_basis->setFullText(
        found ? toQString(trustText(m_findings->replay, m_findings->whatIfs, m_unit)) : QString());
    const bool best = found && m_findings->whatIfs.best;
    m_copy->setVisible(best);
    if (best)
        m_copy->setToolTip(
            assignmentText(m_findings->whatIfs.others[*m_findings->whatIfs.best].configuration));
    const Bytes known = m_findings ? m_findings->replay.capacity : -1;
    m_capacity->setPlaceholderText(known >= 0 ? u"%1, as recorded"_s.arg(bytesText(known, m_unit))
                                              : u"not limited"_s);
}

void WhatIfView::copyBest() const
{
    const WhatIfs &found = m_findings->whatIfs;
    QGuiApplication::clipboard()->setText(assignmentText(found.others[*found.best].configuration));
}

void WhatIfView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale)
        simulate();
}

} // namespace vramscope
