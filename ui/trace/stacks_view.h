// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/cost_text.h"
#include "ui/stacks/stack_tree.h"
#include "ui/support/work_now.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_view_widget.h"

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace vramscope {

class CallTreeView;
class ElidedLabel;
class FlameView;
class Job;
class TimelineState;

/// Allocations to count: an entry for each, 0 to leave it out; null: all.
using KeptAllocations = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A query for a call tree.
struct StacksQuery
{
    std::size_t device = 0;
    CallTree::Direction direction = CallTree::Direction::TopDown;
    bool hideFramework = false; ///< in addition to the plumbing, which is always hidden
    KeptAllocations kept;
    EventIndex live = -1; ///< the event of Cost::Live
    bool operator==(const StacksQuery &) const = default;
};

/// The call tree for a query: linear in the device's allocations and in its distinct stacks.
[[nodiscard]] std::shared_ptr<const StackTree>
stackTree(const TraceDocument &document, const StacksQuery &query, const Progress &progress = {});

/// Whether building that tree fits in a frame: a few milliseconds.
[[nodiscard]] bool isQuick(const TraceDocument &document, const StacksQuery &query);

/// The stacks of one device with their cost, as a flame graph or as a tree: one cost of six, with
/// or without the framework's frames, searchable by text. Follows the cursor if the cost is live
/// memory there, and counts only what the filter keeps. A job makes trees that take long; the last
/// tree stays until the new one is ready, and only the latest of several requests is met. Works
/// only while visible.
class StacksView : public QWidget, public TraceViewWidget, public LateView
{
    Q_OBJECT

public:
    enum class Form { Flame, TopDown, BottomUp };

    StacksView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
               QWidget *parent = nullptr);

    [[nodiscard]] QWidget *widget() override { return this; }
    void setDevice(std::size_t device) override;
    void setUnit(ByteUnit unit) override;
    void setCost(Cost cost) override;
    void setForm(Form form);
    void setHideFramework(bool hide);
    void setSearch(const QString &text);
    /// Makes the requested tree now, on this thread: for pictures without an event loop.
    void workNow() override;

    /// The tree shown; null while nothing is.
    [[nodiscard]] std::shared_ptr<const StackTree> tree() const { return m_tree; }
    [[nodiscard]] const CostStyle &style() const { return m_style; }
    [[nodiscard]] FlameView *flame() const { return m_flame; }
    [[nodiscard]] CallTreeView *rows() const { return m_rows; }
    /// "matches 12.3 GiB (34 %)"; empty without a search.
    [[nodiscard]] QString matchText() const;
    /// The path to the selection, outermost first, with its cost; empty without a selection.
    [[nodiscard]] QString selectedText() const override;
    [[nodiscard]] std::optional<Table> asTable(const QString &title, qsizetype most) const override;
    /// The sentence shown if there is nothing else to show; otherwise empty.
    [[nodiscard]] QString emptyText() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    [[nodiscard]] QWidget *choices();
    [[nodiscard]] QWidget *finder();
    void connectParts();
    [[nodiscard]] StacksQuery wanted() const;
    [[nodiscard]] bool isCurrent() const;
    void refresh();
    void take(const StacksQuery &query, std::shared_ptr<const StackTree> tree);
    void present();
    void search();
    void nextMatch();
    /// Selects the first allocation of a leaf where exactly one stack ends.
    void choose(CallTree::NodeIndex node);
    void updateCrumbs();

    std::shared_ptr<const TraceDocument> m_document;
    TimelineState *m_state;
    StacksQuery m_query; ///< query of m_tree; its `live` is the event counted there
    std::size_t m_device = 0;
    CostStyle m_style;
    Form m_form = Form::Flame;
    std::shared_ptr<const StackTree> m_tree;
    std::vector<bool> m_matching;
    std::vector<CallTree::NodeIndex> m_matched; ///< outermost, the most expensive first
    std::size_t m_match = 0;                    ///< the one shown last
    Job *m_job = nullptr;

    QButtonGroup *m_forms;
    QComboBox *m_costs;
    QCheckBox *m_hideFramework;
    ElidedLabel *m_about;
    QLabel *m_crumbs;
    QLineEdit *m_search;
    QLabel *m_matches;
    QStackedWidget *m_body;
    FlameView *m_flame;
    CallTreeView *m_rows;
    QLabel *m_empty;
    ElidedLabel *m_details;
};

} // namespace vramscope
