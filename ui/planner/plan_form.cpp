// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_form.h"

#include "core/settings/calibration_marks.h"
#include "core/settings/settings.h"
#include "ui/page/layout.h"
#include "ui/planner/checkpoint_card.h"
#include "ui/planner/field_text.h"
#include "ui/planner/form_search.h"
#include "ui/planner/model_card.h"
#include "ui/support/elided_label.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What the user has to deal with first.
int gravity(Issue::Severity severity)
{
    switch (severity) {
    case Issue::Severity::Blocking:
        return 2;
    case Issue::Severity::Warning:
        return 1;
    case Issue::Severity::Note:
        break;
    }
    return 0;
}

/// The gravest issue of a field; a note is no objection and stays in the list of the page.
const Issue *objection(const std::vector<Issue> &issues, std::string_view path)
{
    const Issue *found = nullptr;
    for (const Issue &issue : issues) {
        if (issue.field == path && gravity(issue.severity) > (found ? gravity(found->severity) : 0))
            found = &issue;
    }
    return found;
}

/// The list of models shows the pipeline that a plan names.
FieldValue statedValue(const Field &field, const Plan &plan)
{
    if (field.path == "model.preset" && plan.model.pipeline)
        return *plan.model.pipeline;
    return field.get(plan);
}

QString hiddenBecause(const Settings &settings)
{
    if (settings.diffusion)
        return u"the model is a diffusion pipeline"_s;
    return settings.workload == Workload::Training ? u"the workload is training"_s
                                                   : u"the workload is inference"_s;
}

} // namespace

PlanForm::PlanForm(QWidget *parent)
    : QWidget(parent)
    , m_head(new FormHead)
    , m_task(new TaskBar)
    , m_scroll(new QScrollArea)
    , m_settings(std::make_shared<const Settings>())
    , m_baselineSettings(m_settings)
{
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus); // its rows have it, and it follows them
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setBackgroundRole(QPalette::Base);
    auto *page = new ScrolledPage;
    page->setBackgroundRole(QPalette::Base);
    m_nothing = dimLabel();
    QVBoxLayout *layout = column({m_task, m_nothing}, 0, {16, 4, 6, 16});
    page->setLayout(layout);
    for (auto rest = formFields(); !rest.empty();) {
        const auto other = std::ranges::find_if(
            rest, [&](const Field *field) { return field->group != rest.front()->group; });
        const auto count = static_cast<std::size_t>(other - rest.begin());
        addGroup(rest.first(count), layout);
        rest = rest.subspan(count);
    }
    m_hiddenGroups = dimLabel();
    layout->addWidget(m_hiddenGroups);
    layout->addStretch();
    m_scroll->setWidget(page);
    setLayout(column({m_head, {m_scroll, 1}}));
    connect(m_task, &TaskBar::taskChosen, this, &PlanForm::taskChosen);
    connect(m_head, &FormHead::searchChanged, this, &PlanForm::refresh);
    connect(m_head, &FormHead::resetAllWanted, this, &PlanForm::resetAllWanted);
    connect(m_head, &FormHead::leaveWanted, this, &PlanForm::goToFirst);
}

void PlanForm::addGroup(std::span<const Field *const> fields, QLayout *layout)
{
    Group &target = m_groups.emplace_back();
    target.title = toQString(fields.front()->group);
    target.box = new QWidget;
    target.more = quietButton({});
    QVBoxLayout *rows = column(
        {vramscope::row({headingLabel(target.title), EmptyRoom{0}, target.more}, kStyleSpacing)}, 3,
        {0, 2, 0, 10});
    target.box->setLayout(rows);
    connect(target.more, &QToolButton::clicked, this,
            [this, &target] { setMoreShown(target, !target.moreShown); });
    for (const Field *field : fields) {
        auto *row = new FieldRow(*field);
        rows->addWidget(row);
        target.rows.push_back(row);
        connect(row, &FieldRow::edited, this,
                [this](const FieldRow *from, const FieldValue &value) {
                    Q_EMIT edited(from->field(), value);
                });
        connect(row, &FieldRow::resetWanted, this,
                [this](const FieldRow *from) { Q_EMIT resetWanted(from->field()); });
        connect(row, &FieldRow::gestureEnded, this, &PlanForm::gestureEnded);
        if (field->path == "model.preset") {
            m_modelCard = new ModelCard;
            rows->addWidget(m_modelCard);
            m_checkpointCard = new CheckpointCard;
            rows->addWidget(m_checkpointCard);
        }
    }
    target.hidden = new ElidedLabel(Qt::ElideRight);
    target.hidden->setForegroundRole(QPalette::PlaceholderText);
    target.hidden->setFont(typeFont(target.hidden, Type::Small));
    rows->addWidget(target.hidden);
    layout->addWidget(target.box);
}

FieldRow *PlanForm::row(std::string_view path) const
{
    for (const Group &group : m_groups) {
        for (FieldRow *row : group.rows) {
            if (row->field().path == path)
                return row;
        }
    }
    return nullptr;
}

PlanForm::~PlanForm()
{
    // A box that loses the focus while it goes away ends its gesture; no one is there to hear it.
    for (const Group &group : m_groups) {
        for (FieldRow *row : group.rows)
            row->disconnect(this);
    }
}

void PlanForm::showPlan(const Plan &plan, const Estimate &estimate, const Plan &baseline,
                        const Estimate &baselineEstimate, const QString &baselineName)
{
    m_plan = plan;
    m_settings = estimate.settings;
    m_issues = estimate.issues;
    m_baseline = baseline;
    m_baselineSettings = baselineEstimate.settings;
    m_baselineName = baselineName;
    refresh();
}

void PlanForm::refresh()
{
    m_task->showTask(taskOf(*m_settings));
    m_modelCard->showModel(m_settings->architecture, m_settings->model.parametersOverride);
    m_checkpointCard->showCheckpoint(m_settings);
    if (auto *name = row(FieldPath("model.preset"))->findChild<QComboBox *>())
        name->setPlaceholderText(m_plan.model.config       ? u"own config"_s
                                 : m_plan.model.components ? u"own pipeline"_s
                                                           : u"choose a model"_s);
    bool any = false;
    int changed = 0;
    QStringList hidden;
    for (Group &group : m_groups) {
        const Shown shown = showGroup(group);
        any |= shown.any;
        changed += shown.changed;
        const bool ofPictures = isOfGroup(group.rows.front()->field().path, "diffusion");
        if (!shown.any && (!ofPictures || m_settings->diffusion))
            hidden += group.title;
    }
    const bool searching = m_head->isSearching();
    m_head->showChanged(changed, m_baselineName);
    m_nothing->setText(u"No setting has “%1”."_s.arg(m_head->text()));
    m_nothing->setVisible(searching && !any);
    m_hiddenGroups->setText(
        u"Hidden: %1 (%2)."_s.arg(hidden.join(u", "_s), hiddenBecause(*m_settings)));
    m_hiddenGroups->setVisible(!searching && !hidden.isEmpty());
}

PlanForm::Shown PlanForm::showGroup(Group &group)
{
    const bool searching = m_head->isSearching();
    int foldable = 0;
    Shown shown;
    HiddenFields hidden;
    // Else each row that comes has Qt lay out at once all that it stands in.
    group.box->layout()->setEnabled(false);
    for (FieldRow *row : group.rows) {
        const Field &field = row->field();
        const Issue *issue = objection(m_issues, field.path);
        const FieldValue stated = statedValue(field, m_plan);
        const bool found = m_head->finds(field);
        const Condition *broken = field.condition->broken(*m_settings);
        const bool applies = broken == nullptr;
        const bool listed = field.path == "model.pipeline"; // in the list of models, too
        const bool changed = stated != statedValue(field, m_baseline);
        const bool pinned = issue || (applies && !listed && (changed || isStated(stated)));
        const bool folds = !searching && field.folded && applies && !pinned;
        const bool open = !field.folded || group.moreShown || searching;
        const bool visible = found && (pinned || (applies && open));
        foldable += folds;
        shown.changed += changed && !listed;
        shown.any |= visible || folds;
        if (found && !visible && !applies && open)
            hidden.add(broken->because);
        row->setVisible(visible);
        if (!visible)
            continue;
        row->showValue(stated, effectiveValue(m_plan, *m_settings, field), changed);
        if (changed)
            row->showBaseline(m_baselineName,
                              fieldValueText(field,
                                             effectiveValue(m_baseline, *m_baselineSettings, field),
                                             m_unit));
        row->showRecording(toQString(calibrationFile(m_plan, field.path)));
        row->showIssue(issue ? issue->severity : Issue::Severity::Note,
                       issue ? toQString(issue->text) : QString());
    }
    shown.any |= searching && !hidden.isEmpty();
    group.box->setVisible(shown.any);
    group.more->setVisible(foldable > 0 || !hidden.isEmpty());
    const QString text = group.moreShown ? u"fewer"_s
                         : foldable > 0  ? u"%1 more"_s.arg(foldable)
                                         : u"more"_s;
    if (group.more->text() != text)
        group.more->setText(text);
    if (const QString why = hidden.text(); group.hidden->text() != why)
        group.hidden->setFullText(why);
    group.hidden->setVisible(!hidden.isEmpty() && (group.moreShown || searching));
    group.box->layout()->setEnabled(true);
    return shown;
}

void PlanForm::goToFirst()
{
    for (const Group &group : m_groups) {
        for (FieldRow *row : group.rows) {
            if (row->isVisibleTo(this)) {
                m_scroll->ensureWidgetVisible(row, 0, 60);
                return row->control()->setFocus(Qt::OtherFocusReason);
            }
        }
    }
}

void PlanForm::setMoreShown(Group &group, bool shown)
{
    group.moreShown = shown;
    refresh();
}

void PlanForm::setUnit(ByteUnit unit)
{
    m_unit = unit;
    for (const Group &group : m_groups) {
        for (const FieldRow *row : group.rows)
            row->control()->setUnit(unit);
    }
}

void PlanForm::goTo(std::string_view path)
{
    FieldRow *target = row(path);
    if (!target)
        return;
    m_head->clear();
    if (target->field().folded)
        setMoreShown(*std::ranges::find(m_groups, toQString(target->field().group), &Group::title),
                     true);
    m_scroll->widget()->layout()->activate();
    m_scroll->ensureWidgetVisible(target, 0, 60);
    target->control()->setFocus(Qt::OtherFocusReason);
}

} // namespace vramscope
