// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_form.h"

#include "core/planner/parameters.h"
#include "ui/support/text.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isStated(const FieldValue &value)
{
    return !std::holds_alternative<std::monostate>(value);
}

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

QString modelFacts(const Architecture &a)
{
    if (a.layers == 0)
        return {};
    const ParameterCounts counts = countParameters(a);
    QString text = u"%1 parameters"_s.arg(countText(counts.total));
    if (counts.active != counts.total)
        text += u"\n%1 active for a token"_s.arg(countText(counts.active));
    text += u"\n%1 layers · hidden %2"_s.arg(countText(a.layers), countText(a.hidden));
    text += u"\n%1 heads, %2 KV · vocabulary %3"_s.arg(countText(a.heads), countText(a.kvHeads),
                                                       countText(a.vocab));
    if (a.moe())
        text +=
            u"\n%1 experts, %2 per token"_s.arg(countText(a.experts), countText(a.expertsPerToken));
    return text;
}

} // namespace

PlanForm::PlanForm(QWidget *parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    auto *page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(14, 10, 14, 14);
    layout->setSpacing(0);
    for (std::size_t group = 0; group < kFormGroupCount; ++group)
        addGroup(static_cast<FormGroup>(group), layout);
    layout->addStretch();
    setWidget(page);
}

void PlanForm::addGroup(FormGroup group, QLayout *layout)
{
    Group &target = m_groups[static_cast<std::size_t>(group)];
    target.box = new QWidget;
    auto *rows = new QVBoxLayout(target.box);
    rows->setContentsMargins(0, 2, 0, 10);
    rows->setSpacing(3);
    auto *head = new QHBoxLayout;
    head->addWidget(headingLabel(formGroupTitle(group)));
    head->addStretch();
    target.more = quietButton({});
    connect(target.more, &QToolButton::clicked, this,
            [this, group, &target] { setMoreShown(group, !target.moreShown); });
    head->addWidget(target.more);
    rows->addLayout(head);
    for (const Placement &placement : formPlacements()) {
        const Field *field = placement.group == group ? findField(placement.path) : nullptr;
        if (!field)
            continue;
        auto *row = new FieldRow(*field, placement);
        rows->addWidget(row);
        target.rows.push_back(row);
        connect(row, &FieldRow::edited, this,
                [this](const FieldRow *from, const FieldValue &value) {
                    Q_EMIT edited(from->field(), value);
                });
        connect(row, &FieldRow::resetWanted, this,
                [this](const FieldRow *from) { Q_EMIT resetWanted(from->field()); });
        connect(row, &FieldRow::gestureEnded, this, &PlanForm::gestureEnded);
        if (placement.path == "model.preset") {
            m_modelFacts = dimLabel();
            m_modelFacts->setFont(scaledFont(m_modelFacts, 0.88));
            m_modelFacts->setContentsMargins(0, 2, 0, 2);
            rows->addWidget(m_modelFacts);
        }
    }
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

void PlanForm::showPlan(const Plan &plan, const Plan &opened, const ResolvedPlan &resolved)
{
    m_plan = plan;
    m_opened = opened;
    m_resolved = resolved;
    refresh();
}

void PlanForm::refresh()
{
    const QString facts = modelFacts(m_resolved.settings.architecture);
    if (m_modelFacts && m_modelFacts->text() != facts)
        m_modelFacts->setText(facts);
    if (m_modelFacts)
        m_modelFacts->setVisible(!facts.isEmpty());
    if (auto *name = row("model.preset")->findChild<QLineEdit *>())
        name->setPlaceholderText(m_plan.model.config ? u"own config"_s : u"choose a model"_s);
    for (Group &group : m_groups)
        showGroup(group);
}

void PlanForm::showGroup(Group &group)
{
    int foldable = 0;
    bool any = false;
    for (FieldRow *row : group.rows) {
        const Field &field = row->field();
        const Placement &placement = row->placement();
        const Issue *issue = objection(m_resolved.issues, field.path);
        const FieldValue stated = field.get(m_plan);
        const bool applies = !placement.applies || placement.applies(m_resolved.settings);
        const bool changed = stated != field.get(m_opened);
        const bool pinned = issue || (applies && (changed || isStated(stated)));
        const bool folds = placement.more && applies && !pinned;
        foldable += folds;
        const bool visible = pinned || (applies && (!placement.more || group.moreShown));
        row->setVisible(visible);
        any |= visible || folds;
        if (!visible)
            continue;
        row->showValue(
            stated, isStated(stated) ? stated : effectiveValue(m_plan, m_resolved.settings, field),
            changed);
        row->showIssue(issue ? issue->severity : Issue::Severity::Note,
                       issue ? toQString(issue->text) : QString());
    }
    group.box->setVisible(any);
    group.more->setVisible(foldable > 0);
    const QString text = group.moreShown ? u"fewer"_s : u"%1 more"_s.arg(foldable);
    if (group.more->text() != text)
        group.more->setText(text);
}

void PlanForm::setMoreShown(FormGroup group, bool shown)
{
    m_groups[static_cast<std::size_t>(group)].moreShown = shown;
    refresh();
}

void PlanForm::setUnit(ByteUnit unit)
{
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
    if (target->placement().more)
        setMoreShown(target->placement().group, true);
    widget()->layout()->activate();
    ensureWidgetVisible(target, 0, 60);
    target->control()->setFocus(Qt::OtherFocusReason);
}

} // namespace vramscope
