// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/event_order.h"
#include "ui/page/card.h"
#include "ui/support/in_unit.h"
#include "ui/trace/trace_document.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace vramscope {

class ElidedLabel;
class StackView;

/// The facts about the selected allocation: size, lifetime, the previous and the next use of its
/// address, stream, pool, other live allocations of the same stack, where it was allocated and
/// freed. Explains how to select one while nothing is selected.
class AllocationPanel : public SidePanel, public InUnit
{
    Q_OBJECT

public:
    explicit AllocationPanel(std::shared_ptr<const TraceDocument> document,
                             QWidget *parent = nullptr);

    /// `cursor`: the event at which the allocations of the same stack are counted.
    void showAllocation(std::size_t device, AllocationIndex allocation, EventIndex cursor);

    /// Whether the user may state a category: the recording is a file, next to which it is kept.
    void setStatable(bool statable);

    /// With the stacks in full.
    [[nodiscard]] QString text() const override;

Q_SIGNALS:
    /// A link to another allocation was followed.
    void allocationWanted(AllocationIndex allocation);
    /// The user wants only this stack's allocations shown.
    void stackWanted(StackId stack);
    /// The user states what the selected allocation is for; nothing: what the evidence shows.
    void categoryStated(std::optional<Category> category);

private:
    void takeUnit() override { refresh(); }
    enum Row {
        SizeRow,
        LifeRow,
        CategoryRow,
        ReasonRow,
        AddressRow,
        BeforeRow,
        AfterRow,
        StreamRow,
        PoolRow,
        StackRow,
        MetadataRow,
        CompileRow,
        RowCount
    };

    void addRows();
    [[nodiscard]] QLayout *makeStacks();
    void refresh();
    [[nodiscard]] std::array<QString, RowCount> values() const;
    [[nodiscard]] QString sameStackText() const;
    /// Whether a rule for its stack would decide what the selected allocation is.
    [[nodiscard]] bool mayState() const;
    void fillMenu();
    void follow(StackView *stack);

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    AllocationIndex m_allocation = kNoAllocation;
    EventIndex m_cursor = -1;

    QLabel *m_hint;
    QWidget *m_details;
    QFormLayout *m_form;
    std::array<QLabel *, RowCount> m_names{};
    std::array<ElidedLabel *, RowCount> m_values{}; // null where there is a link or a reason
    std::array<QPushButton *, RowCount> m_links{};
    AddressReuse m_reuse;
    QPushButton *m_onlyStack;
    QLabel *m_reason; ///< in full, over several lines
    QPushButton *m_state;
    bool m_isStatable = false;
    QCheckBox *m_everyFrame;
    StackView *m_allocatedAt;
    QLabel *m_freedTitle;
    StackView *m_freedAt;
};

} // namespace vramscope
