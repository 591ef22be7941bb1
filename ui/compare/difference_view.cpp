// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_view.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/stacks/flame_view.h"
#include "ui/stacks/stack_tree.h"
#include "ui/support/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

CostStyle styleOf(ByteUnit unit)
{
    CostStyle style;
    style.cost = Cost::Total;
    style.unit = unit;
    style.isDifference = true;
    return style;
}

} // namespace

DifferenceView::DifferenceView(QWidget *parent)
    : QWidget(parent)
    , m_about(elidedLabel())
    , m_matches(noteLabel())
    , m_search(searchField(u"Find a function or file"_s, 32))
    , m_body(new QStackedWidget)
    , m_flame(new FlameView)
    , m_empty(emptyLabel())
    , m_details(elidedLabel(Qt::ElideMiddle))
{
    m_flame->setAccessibleName(u"Flame graph of differences"_s);
    m_body->addWidget(m_flame);
    m_body->addWidget(m_empty);
    QHBoxLayout *finder = row({{m_about, 1}, m_matches, m_search}, 10);
    setLayout(column({finder, {m_body, 1}, m_details}, 4));
    connect(m_search, &QLineEdit::textChanged, this, &DifferenceView::search);
    connect(m_search, &QLineEdit::returnPressed, this, &DifferenceView::nextMatch);
    connect(m_flame, &FlameView::described, m_details, &ElidedLabel::setFullText);
}

void DifferenceView::setPair(std::shared_ptr<const TracePair> pair)
{
    m_pair = std::move(pair);
    present();
}

void DifferenceView::setSearch(const QString &text)
{
    m_search->setText(text);
}

void DifferenceView::present()
{
    if (!m_pair)
        return;
    const QString a = letterOf(m_pair->a.at);
    const QString b = letterOf(m_pair->b.at);
    m_about->setFullText(u"Width: how far the sites below differ, each by itself. "
                         "Orange and +: more in %1; blue and -: more in %2."_s.arg(b, a));
    m_flame->setTree(m_pair->tree, styleOf(m_unit));
    const Costs all = m_pair->tree->tree.total(CallTree::kRoot);
    m_empty->setText(m_pair->sites.empty()
                         ? u"Nothing is active on either side at these moments."_s
                         : u"Every site holds the same bytes in %1 and %2."_s.arg(a, b));
    m_body->setCurrentWidget(all.total.bytes > 0 ? static_cast<QWidget *>(m_flame) : m_empty);
    search();
}

void DifferenceView::search()
{
    if (!m_pair)
        return;
    const StackTree &tree = *m_pair->tree;
    const std::vector<bool> matching = matchingFrames(*tree.trace, m_search->text());
    m_matched = matchedNodes(tree.tree, matching, Cost::Total);
    m_match = 0;
    m_flame->setMatching(matching);
    m_matchText.clear();
    if (!matching.empty() && m_matched.empty()) {
        m_matchText = u"no match that differs"_s;
    } else if (!matching.empty()) {
        const Costs part = matchedCosts(tree.tree, matching);
        const CostStyle style = styleOf(m_unit);
        m_matchText = u"matches %1 (%2 of all differences)"_s.arg(
            style.text(part), style.shareText(part, tree.tree.total(CallTree::kRoot)));
    }
    m_matches->setText(m_matchText);
    m_matches->setVisible(!m_matchText.isEmpty());
}

void DifferenceView::nextMatch()
{
    if (!m_matched.empty())
        m_flame->select(m_matched[m_match++ % m_matched.size()]);
}

} // namespace vramscope
