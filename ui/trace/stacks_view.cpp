// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/stacks_view.h"

#include "core/analysis/categories/groups.h"
#include "core/analysis/replayed/usage_curve.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/stacks/call_tree_model.h"
#include "ui/stacks/call_tree_view.h"
#include "ui/stacks/flame_view.h"
#include "ui/stacks/stack_tree.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

StacksView::StacksView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
                       QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_state(state)
    , m_forms(new QButtonGroup(this))
    , m_costs(choiceBox(u"Cost"_s))
    , m_hideFramework(new QCheckBox(u"Hide framework frames"_s))
    , m_about(elidedLabel())
    , m_crumbs(new QLabel)
    , m_search(searchField(u"Find a function or file"_s, 32))
    , m_matches(noteLabel())
    , m_body(new QStackedWidget)
    , m_flame(new FlameView)
    , m_rows(new CallTreeView)
    , m_empty(emptyLabel())
    , m_details(elidedLabel(Qt::ElideMiddle))
{
    m_crumbs->setProperty("role", u"dim"_s);
    for (QWidget *widget : {static_cast<QWidget *>(m_flame), static_cast<QWidget *>(m_rows),
                            static_cast<QWidget *>(m_empty)})
        m_body->addWidget(widget);
    setLayout(column({choices(), finder(), {m_body, 1}, m_details}, 4, {0, 4, 0, 4}));
    connectParts();
    present();
}

QWidget *StacksView::choices()
{
    QHBoxLayout *bar = tabButtons(*m_forms, {u"Flame graph"_s, u"Top-down"_s, u"Bottom-up"_s});
    m_forms->button(static_cast<int>(m_form))->setChecked(true);
    m_forms->button(static_cast<int>(Form::TopDown))
        ->setToolTip(u"From where the program starts to where it allocates"_s);
    m_forms->button(static_cast<int>(Form::BottomUp))
        ->setToolTip(u"From where memory is allocated to who called it"_s);
    for (std::size_t at = 0; at < kCostCount; ++at) {
        const auto cost = static_cast<Cost>(at);
        m_costs->addItem(costTitle(cost));
        m_costs->setItemData(static_cast<int>(at), costExplanation(cost), Qt::ToolTipRole);
    }
    m_costs->setCurrentIndex(static_cast<int>(m_style.cost));
    bar->addSpacing(8);
    bar->addWidget(m_costs);
    bar->addSpacing(6);
    bar->addWidget(m_about, 1);
    bar->addWidget(m_hideFramework);
    return panel(bar);
}

QWidget *StacksView::finder()
{
    m_crumbs->setTextFormat(Qt::RichText);
    m_crumbs->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_crumbs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_crumbs->setAccessibleName(u"What is zoomed to"_s);
    return panel(row({{m_crumbs, 1}, EmptyRoom{0}, m_matches, m_search}, 10));
}

void StacksView::connectParts()
{
    connect(m_forms, &QButtonGroup::idClicked, this,
            [this](int id) { setForm(static_cast<Form>(id)); });
    connect(m_costs, &QComboBox::currentIndexChanged, this,
            [this](int at) { setCost(static_cast<Cost>(at)); });
    connect(m_hideFramework, &QCheckBox::toggled, this, &StacksView::refresh);
    connect(m_search, &QLineEdit::textChanged, this, &StacksView::search);
    connect(m_search, &QLineEdit::returnPressed, this, &StacksView::nextMatch);
    connect(m_state, &TimelineState::cursorChanged, this, &StacksView::refresh);
    connect(m_state, &TimelineState::keptChanged, this, &StacksView::refresh);
    connect(m_flame, &FlameView::focusChanged, this, &StacksView::updateCrumbs);
    connect(m_flame, &FlameView::described, m_details, &ElidedLabel::setFullText);
    connect(m_flame, &FlameView::activated, this, &StacksView::choose);
    connect(m_rows, &CallTreeView::nodeActivated, this, &StacksView::choose);
    connect(m_crumbs, &QLabel::linkActivated, this,
            [this](const QString &link) { m_flame->zoomTo(link.toUInt()); });
}

void StacksView::setDevice(std::size_t device)
{
    m_device = device;
    refresh();
    present();
}

void StacksView::setUnit(ByteUnit unit)
{
    m_style.unit = unit;
    present();
}

void StacksView::setCost(Cost cost)
{
    m_style.cost = cost;
    m_costs->setCurrentIndex(static_cast<int>(cost));
    refresh();
    present();
}

void StacksView::setForm(Form form)
{
    m_form = form;
    m_forms->button(static_cast<int>(form))->setChecked(true);
    refresh();
    present();
}

void StacksView::setHideFramework(bool hide)
{
    m_hideFramework->setChecked(hide);
}

void StacksView::setSearch(const QString &text)
{
    m_search->setText(text);
}

void StacksView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

// Only the cost of live memory depends on the event.
StacksQuery StacksView::wanted() const
{
    StacksQuery query{m_device,
                      m_form == Form::BottomUp ? CallTree::Direction::BottomUp
                                               : CallTree::Direction::TopDown,
                      m_hideFramework->isChecked(), m_state->kept(), m_state->cursor()};
    if (m_style.cost != Cost::Live && m_tree && m_query.device == m_device)
        query.live = m_query.live;
    return query;
}

bool StacksView::isCurrent() const
{
    return m_tree && m_query.device == m_device && m_query.direction == wanted().direction;
}

// A request made while a job runs waits until it ends: then the latest one counts.
void StacksView::refresh()
{
    if (!isVisible() || m_job || m_document->devices.empty())
        return;
    const StacksQuery query = wanted();
    if (m_tree && query == m_query)
        return;
    if (isQuick(*m_document, query)) {
        take(query, stackTree(*m_document, query));
        return;
    }
    m_job = new Job([document = m_document, query](
                        const Progress &progress) { return stackTree(*document, query, progress); },
                    [this, query](std::shared_ptr<const StackTree> tree) {
                        std::exchange(m_job, nullptr)->deleteLater();
                        take(query, std::move(tree));
                        refresh();
                    },
                    this);
    showProgress(*m_job, this);
    connect(m_job, &Job::failed, this, [this] { std::exchange(m_job, nullptr)->deleteLater(); });
}

void StacksView::workNow()
{
    const StacksQuery query = wanted();
    if (!m_tree || query != m_query)
        take(query, stackTree(*m_document, query));
}

void StacksView::take(const StacksQuery &query, std::shared_ptr<const StackTree> tree)
{
    m_query = query;
    m_tree = std::move(tree);
    m_style.isTimed = m_tree->isTimed;
    present();
}

// A tree for another event or filter is shown on the way to the requested one; a tree for another
// device or direction is not.
void StacksView::present()
{
    const bool flame = m_form == Form::Flame;
    m_about->setFullText(costExplanation(m_style.cost));
    if (isCurrent() && flame)
        m_flame->setTree(m_tree, m_style);
    else if (isCurrent())
        m_rows->rows()->setTree(m_tree, m_style);
    search();
    updateCrumbs();
    m_empty->setText(isCurrent() ? emptyText() : u"Adding up the stacks …"_s);
    QWidget *form = flame ? static_cast<QWidget *>(m_flame) : m_rows;
    m_body->setCurrentWidget(m_empty->text().isEmpty() ? form : m_empty);
    m_crumbs->setVisible(flame);
    m_details->setVisible(flame);
}

QString StacksView::emptyText() const
{
    if (m_document->trace->stackCount() == 0)
        return u"No stacks were recorded: call "
               "torch.cuda.memory._record_memory_history(stacks=\"all\") before the work "
               "begins."_s;
    if (!m_tree || m_tree->tree.total(CallTree::kRoot).amount(m_style.cost) > 0)
        return {};
    if (m_state->kept())
        return u"The filter leaves nothing that has this cost."_s;
    return nothingText(m_style.cost);
}

QString StacksView::selectedText() const
{
    if (!isCurrent() || !m_empty->text().isEmpty())
        return {};
    const QModelIndex row = m_rows->currentIndex();
    const CallTree::NodeIndex node = m_form == Form::Flame ? m_flame->selected()
                                     : row.isValid()       ? m_rows->rows()->nodeAt(row)
                                                           : FlameView::kNone;
    if (node == FlameView::kNone)
        return {};
    QStringList lines;
    for (const CallTree::NodeIndex at : m_tree->pathTo(node))
        lines += u"%1  %2"_s.arg(nodeName(*m_tree, at), nodePlace(*m_tree, at)).trimmed();
    lines += u"%1: %2"_s.arg(costTitle(m_style.cost), m_style.exactText(m_tree->tree.total(node)));
    return lines.join(u'\n');
}

void StacksView::search()
{
    m_matching = matchingFrames(*m_document->trace, m_search->text());
    m_matched.clear();
    if (m_tree)
        m_matched = matchedNodes(m_tree->tree, m_matching, m_style.cost);
    m_match = 0;
    m_flame->setMatching(m_matching);
    m_rows->rows()->setMatching(m_matching);
    m_matches->setText(matchText());
    m_matches->setVisible(!m_matching.empty());
}

QString StacksView::matchText() const
{
    if (m_matching.empty() || !m_tree)
        return {};
    if (m_matched.empty())
        return u"no match"_s;
    const Costs part = matchedCosts(m_tree->tree, m_matching);
    return u"matches %1 (%2)"_s.arg(m_style.text(part),
                                    m_style.shareText(part, m_tree->tree.total(CallTree::kRoot)));
}

void StacksView::nextMatch()
{
    if (m_matched.empty())
        return;
    const CallTree::NodeIndex node = m_matched[m_match++ % m_matched.size()];
    if (m_form == Form::Flame)
        m_flame->select(node);
    else
        m_rows->reveal(node);
}

void StacksView::choose(CallTree::NodeIndex node)
{
    const std::span<const StackId> stacks = m_tree->tree.stacks(node);
    if (!m_tree->tree.isLeaf(node) || stacks.size() != 1 || stacks.front() == StackId::None)
        return;
    const auto &all = m_document->devices[m_device]->allocations().stack;
    m_state->select(static_cast<AllocationIndex>(
        std::ranges::distance(all.begin(), std::ranges::find(all, stacks.front()))));
}

std::optional<Table> StacksView::asTable(const QString &title, qsizetype most) const
{
    CallTreeModel model;
    model.setTree(m_tree, m_style);
    return tableOf(model, title, most);
}

// The innermost callers of the zoomed node, as links.
void StacksView::updateCrumbs()
{
    constexpr std::size_t kMost = 4;
    constexpr std::size_t kLongest = 26;
    m_crumbs->clear();
    const std::shared_ptr<const StackTree> &tree = m_flame->tree();
    if (!tree)
        return;
    const std::vector<CallTree::NodeIndex> path = tree->pathTo(m_flame->focus());
    QStringList parts;
    for (std::size_t at = 0; at < path.size(); ++at) {
        if (at > 0 && at + kMost < path.size()) {
            if (at == 1)
                parts << u"…"_s;
            continue;
        }
        QString name = nodeName(*tree, path[at]);
        if (name.size() > qsizetype(kLongest))
            name = name.left(kLongest - 1) + u'…';
        name = name.toHtmlEscaped();
        const bool last = at + 1 == path.size();
        parts << (last ? name : u"<a href=\"%1\">%2</a>"_s.arg(path[at]).arg(name));
    }
    m_crumbs->setText(parts.join(u" › "_s));
}

std::shared_ptr<const StackTree> stackTree(const TraceDocument &document, const StacksQuery &query,
                                           const Progress &progress)
{
    const Study &device = *document.devices[query.device];
    const CostMeter meter(device.device(), device.allocations(), query.live,
                          device.curve().peakActiveEvent());
    std::span<const std::uint8_t> kept;
    if (query.kept)
        kept = *query.kept;
    FrameFilter filter = defaultFrameFilter();
    if (query.hideFramework)
        filter.rules.push_back({.hide = true, .origin = FrameOrigin::Framework, .pattern = {}});
    const auto result = std::make_shared<StackTree>();
    result->trace = document.trace;
    const std::vector<Costs> costs =
        costsByStack(*document.trace, meter, kept, partOf(progress, 0, 0.3));
    result->tree =
        CallTree(*document.trace, costs, query.direction, filter, partOf(progress, 0.3, 1));
    result->isTimed = meter.isTimed();
    return result;
}

bool isQuick(const TraceDocument &document, const StacksQuery &query)
{
    constexpr std::size_t kWorkOfAStack = 30; // in allocations, with some thirty frames
    constexpr std::size_t kQuick = 150'000;   // allocations in about 5 ms
    const std::size_t allocations = document.devices[query.device]->allocations().stack.size();
    return allocations + kWorkOfAStack * document.trace->stackCount() <= kQuick;
}

} // namespace vramscope
