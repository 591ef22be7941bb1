// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/allocation_panel.h"

#include "core/analysis/categories/categories.h"
#include "ui/models/stack_text.h"
#include "ui/page/labels.h"
#include "ui/support/editor.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/trace/stack_view.h"
#include "ui/trace/timeline_source.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// "activations, 92 %"; "unknown, perhaps activations (45 %)".
QString categoryText(const CategoryJudgement &judgement)
{
    const QString percent =
        u"%1 %"_s.arg(QString::number(100 * static_cast<double>(judgement.confidence), 'f', 0));
    const auto phrase = [](Category category) { return toQString(categoryPhrase(category)); };
    if (judgement.category != Category::Unknown)
        return u"%1, %2"_s.arg(phrase(judgement.category), percent);
    if (judgement.guess == Category::Unknown)
        return phrase(Category::Unknown);
    return u"unknown, perhaps %1 (%2)"_s.arg(phrase(judgement.guess), percent);
}

} // namespace

AllocationPanel::AllocationPanel(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : SidePanel(u"Selected allocation"_s, u"Selected allocation"_s, parent)
    , m_document(std::move(document))
    , m_hint(textLabel(u"Choose a band or a row of the table to see what it is: its size, how "
                       "long it lives, and where it was allocated."_s,
                       u"dim"_s))
    , m_details(new QWidget)
    , m_form(new QFormLayout)
    , m_onlyStack(new QPushButton(u"Show only these"_s))
    , m_reason(wideLabel())
    , m_state(new QPushButton(u"Another category ▾"_s))
    , m_everyFrame(new QCheckBox(u"All frames"_s))
    , m_allocatedAt(new StackView(m_document->trace))
    , m_freedTitle(sectionLabel(u"Freed at"_s))
    , m_freedAt(new StackView(m_document->trace))
{
    m_hint->setAlignment(Qt::AlignTop);
    addRows();
    m_details->setLayout(column({m_form, Gap{10}, makeStacks()}, kStyleSpacing));
    setParts({m_hint, m_details, EmptyRoom()});
    copyButton()->setToolTip(u"Copy everything here as text, stacks in full"_s);
    connect(m_everyFrame, &QCheckBox::toggled, m_allocatedAt, &StackView::setEveryFrame);
    connect(m_everyFrame, &QCheckBox::toggled, m_freedAt, &StackView::setEveryFrame);
    refresh();
}

void AllocationPanel::addRows()
{
    const std::array<QString, RowCount> names = {
        u"Size"_s,     u"Lives"_s,  u"Category"_s, u"Evidence"_s,   u"Address"_s,  u"Before it"_s,
        u"After it"_s, u"Stream"_s, u"Pool"_s,     u"Same stack"_s, u"Metadata"_s, u"Compiled"_s};
    const std::array<QString, RowCount> tips = {
        u"What the program asked for; its block is a multiple of 512 bytes"_s,
        u"From its allocation until the block could be used again"_s,
        u"What it is for, and the probability that this is right"_s,
        u"Why it has this category"_s,
        u"Where its block begins"_s,
        u"What had this address last before it"_s,
        u"What has this address next"_s,
        u"The CUDA stream that it was made for"_s,
        u"Private pools belong to a CUDA graph or a MemPool"_s,
        u"Other allocations from this stack, at the cursor's event"_s,
        u"What the program noted beside it; of a rehearsal the module that was running"_s,
        u"What torch.compile made the operation of"_s};
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(7);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setLabelAlignment(Qt::AlignLeft);
    for (std::size_t row = 0; row < RowCount; ++row) {
        m_names[row] = new QLabel(names[row]);
        m_names[row]->setToolTip(tips[row]);
        m_names[row]->setProperty("role", u"dim"_s);
        if (row == ReasonRow) {
            m_reason->setAlignment(Qt::AlignRight | Qt::AlignTop);
            m_form->addRow(m_names[row], m_reason);
            continue;
        }
        if (row == BeforeRow || row == AfterRow) {
            m_links[row] = new QPushButton;
            m_links[row]->setProperty("role", u"link"_s);
            m_links[row]->setToolTip(u"Select what had this address %1"_s.arg(
                row == BeforeRow ? u"before"_s : u"after"_s));
            m_form->addRow(m_names[row], m_links[row]);
            connect(m_links[row], &QPushButton::clicked, this, [this, row] {
                Q_EMIT allocationWanted(row == BeforeRow ? m_reuse.before : m_reuse.after);
            });
            continue;
        }
        m_values[row] = new ElidedLabel(Qt::ElideMiddle);
        m_values[row]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_form->addRow(m_names[row], m_values[row]);
    }
    fillMenu();
    m_form->insertRow(ReasonRow + 1, QString(), m_state);
    m_form->insertRow(StackRow + 2, QString(), m_onlyStack);
}

void AllocationPanel::fillMenu()
{
    m_state->setProperty("role", u"link"_s);
    m_state->setToolTip(u"State what the memory from this line of code is for. The rule is kept "
                        "next to the recording"_s);
    auto *menu = new QMenu(m_state);
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at) {
        const auto category = static_cast<Category>(at);
        if (category != Category::Unknown)
            menu->addAction(toQString(categoryName(category)), this,
                            [this, category] { Q_EMIT categoryStated(category); });
    }
    menu->addSeparator();
    menu->addAction(u"What the evidence shows"_s, this,
                    [this] { Q_EMIT categoryStated(std::nullopt); });
    connect(m_state, &QPushButton::clicked, menu,
            [this, menu] { menu->popup(m_state->mapToGlobal(m_state->rect().bottomLeft())); });
}

void AllocationPanel::setStatable(bool statable)
{
    m_isStatable = statable;
    refresh();
}

bool AllocationPanel::mayState() const
{
    const Study &device = *m_document->devices[m_device];
    if (!m_isStatable || !device.isMade(Study::Part::Categories))
        return false;
    const Allocations &allocations = device.allocations();
    // The stack of earlier memory that is freed in the recording is that of its free.
    const bool isFreedEarlier = allocations.birth[m_allocation] < 0 &&
                                allocations.death[m_allocation] < device.device().events.count();
    return allocations.stack[m_allocation] != StackId::None && !isFreedEarlier;
}

QLayout *AllocationPanel::makeStacks()
{
    const QFont code = monospaceFont();
    m_allocatedAt->setFont(code);
    m_freedAt->setFont(code);
    m_allocatedAt->setAccessibleName(u"Stack of the allocation"_s);
    m_freedAt->setAccessibleName(u"Stack of the free"_s);
    m_everyFrame->setToolTip(u"Show the frames of the framework and the interpreter too"_s);
    m_onlyStack->setProperty("role", u"link"_s);
    m_onlyStack->setToolTip(u"Filter every view to what was allocated by this stack"_s);
    connect(m_onlyStack, &QPushButton::clicked, this, [this] {
        Q_EMIT stackWanted(m_document->devices[m_device]->allocations().stack[m_allocation]);
    });
    follow(m_allocatedAt);
    follow(m_freedAt);
    QHBoxLayout *title = row({{sectionLabel(u"Allocated at"_s), 1}, m_everyFrame}, kStyleSpacing);
    return column({title, m_allocatedAt, Gap{10}, m_freedTitle, m_freedAt}, kStyleSpacing);
}

// A link in a stack opens the file at its line, or shows why it cannot.
void AllocationPanel::follow(StackView *stack)
{
    connect(stack, &StackView::placeWanted, this, [stack](const QString &file, int line) {
        const QString why = openInEditor(file, line);
        if (!why.isEmpty())
            QToolTip::showText(QCursor::pos(), tipHtml(why), stack);
    });
}

void AllocationPanel::showAllocation(std::size_t device, AllocationIndex allocation,
                                     EventIndex cursor)
{
    // Not at every step of the cursor: for an address that was never reused this takes a while.
    if (allocation != kNoAllocation && (device != m_device || allocation != m_allocation))
        m_reuse = addressReuse(m_document->devices[device]->allocations(), allocation);
    m_device = device;
    m_allocation = allocation;
    m_cursor = cursor;
    refresh();
}

void AllocationPanel::refresh()
{
    const bool some = m_allocation != kNoAllocation;
    m_hint->setVisible(!some);
    m_details->setVisible(some);
    copyButton()->setVisible(some);
    if (!some)
        return;
    const Allocations &allocations = m_document->devices[m_device]->allocations();
    const std::array<QString, RowCount> texts = values();
    for (std::size_t row = 0; row < RowCount; ++row) {
        QWidget *field = row == ReasonRow ? static_cast<QWidget *>(m_reason)
                         : m_values[row]  ? static_cast<QWidget *>(m_values[row])
                                          : m_links[row];
        m_form->setRowVisible(field, !texts[row].isEmpty());
        if (row == ReasonRow)
            m_reason->setText(texts[row]);
        else if (m_values[row])
            m_values[row]->setFullText(texts[row]);
        else
            m_links[row]->setText(texts[row]);
    }
    m_form->setRowVisible(m_state, mayState());
    m_form->setRowVisible(m_onlyStack, allocations.stack[m_allocation] != StackId::None);
    const StackId freed =
        allocations.freeStack(m_document->devices[m_device]->device(), m_allocation);
    m_allocatedAt->setStack(allocations.stack[m_allocation]);
    m_freedAt->setStack(freed);
    m_freedTitle->setVisible(freed != StackId::None);
    m_freedAt->setVisible(freed != StackId::None);
    // Immediately, not after some turns of the event loop: pictures are taken without one.
    m_details->layout()->activate();
    widget()->layout()->activate();
}

std::array<QString, AllocationPanel::RowCount> AllocationPanel::values() const
{
    const Trace &trace = *m_document->trace;
    const Study &device = *m_document->devices[m_device];
    const Allocations &allocations = device.allocations();
    const AllocationIndex at = m_allocation;
    std::array<QString, RowCount> texts;
    texts[SizeRow] = exactBytesText(allocations.requested[at], m_unit);
    if (allocations.size[at] != allocations.requested[at])
        texts[SizeRow] += u", in a block of %1"_s.arg(bytesText(allocations.size[at], m_unit));
    texts[LifeRow] = lifetimeText(device, at);
    if (device.isMade(Study::Part::Categories)) {
        texts[CategoryRow] = categoryText(device.categories().of(at));
        texts[ReasonRow] = toQString(device.categories().reason(at));
    }
    texts[AddressRow] = u"0x%1"_s.arg(allocations.address[at], 0, 16);
    const auto has = [&](AllocationIndex other) {
        return bytesText(allocations.size[other], m_unit);
    };
    if (m_reuse.before != kNoAllocation)
        texts[BeforeRow] = u"%1, freed at event %2"_s.arg(
            has(m_reuse.before), countText(allocations.death[m_reuse.before]));
    if (m_reuse.after != kNoAllocation)
        texts[AfterRow] = u"%1, from event %2"_s.arg(has(m_reuse.after),
                                                     countText(allocations.birth[m_reuse.after]));
    const std::int64_t stream = trace.streams()[static_cast<std::size_t>(allocations.stream[at])];
    texts[StreamRow] = stream == 0 ? u"default"_s : u"0x%1"_s.arg(stream, 0, 16);
    const Pool &pool = trace.pools()[static_cast<std::size_t>(allocations.pool[at])];
    texts[PoolRow] = pool == Pool{} ? u"default"_s : u"(%1, %2)"_s.arg(pool.first).arg(pool.second);
    texts[StackRow] = sameStackText();
    if (allocations.birth[at] >= 0) {
        const auto birth = static_cast<std::size_t>(allocations.birth[at]);
        const auto context = static_cast<std::size_t>(device.device().events.context[birth]);
        texts[CompileRow] = foreignText(trace.text(trace.contexts()[context].compileContext));
    }
    const auto note = static_cast<std::size_t>(allocations.noteOf(device.device(), at));
    texts[MetadataRow] = foreignText(trace.text(trace.contexts()[note].userMetadata));
    return texts;
}

QString AllocationPanel::sameStackText() const
{
    const Allocations &allocations = m_document->devices[m_device]->allocations();
    std::int64_t count = 0;
    Bytes bytes = 0;
    for (const AllocationIndex live : allocations.liveAfter(m_cursor)) {
        if (allocations.stack[live] == allocations.stack[m_allocation]) {
            ++count;
            bytes = wrappingSum(bytes, allocations.size[live]);
        }
    }
    return u"%1 live at the cursor, %2"_s.arg(countText(count), bytesText(bytes, m_unit));
}

QString AllocationPanel::text() const
{
    if (m_allocation == kNoAllocation)
        return {};
    const std::array<QString, RowCount> texts = values();
    QString result;
    for (std::size_t row = 0; row < RowCount; ++row) {
        if (!texts[row].isEmpty())
            result += u"%1: %2\n"_s.arg(m_names[row]->text(), texts[row]);
    }
    const Allocations &allocations = m_document->devices[m_device]->allocations();
    const Trace &trace = *m_document->trace;
    result +=
        u"\n%1\n%2"_s.arg(u"Allocated at"_s, stackText(trace, allocations.stack[m_allocation]));
    const StackId freed =
        allocations.freeStack(m_document->devices[m_device]->device(), m_allocation);
    if (freed != StackId::None)
        result += u"\n%1\n%2"_s.arg(u"Freed at"_s, stackText(trace, freed));
    return result;
}

} // namespace vramscope
