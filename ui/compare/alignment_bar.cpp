// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/alignment_bar.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString stepTitle(const Step &step)
{
    return step.complete ? u"step %1"_s.arg(step.number) : u"step %1 (cut off)"_s.arg(step.number);
}

} // namespace

AlignmentBar::AlignmentBar(QWidget *parent)
    : QWidget(parent)
    , m_quantity(choiceBox(u"Bytes"_s, {u"Active"_s, u"Reserved"_s}))
    , m_kind(choiceBox(u"Axis"_s, {u"by event"_s, u"by time"_s}))
    , m_by(choiceBox(u"Aligned by"_s, {u"start"_s, u"step"_s, u"annotation"_s}))
    , m_annotation(choiceBox(u"Annotation that falls together"_s))
    , m_pickers(new QHBoxLayout)
    , m_note(elidedLabel())
{
    m_annotation->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_annotation->setMinimumContentsLength(22);
    m_pickers->setSpacing(6);
    setLayout(row({m_quantity,
                   m_kind,
                   noteLabel(u"aligned by"_s),
                   m_by,
                   m_annotation,
                   m_pickers,
                   {m_note, 1}},
                  6));
    for (QComboBox *box : {m_quantity, m_kind, m_by, m_annotation})
        connect(box, &QComboBox::activated, this, [this] {
            updateChoices();
            updatePickers();
            Q_EMIT changed();
        });
}

void AlignmentBar::setTraces(const ComparisonDocument &document)
{
    m_document = document;
    m_hasSteps = false;
    m_step.assign(document.traces.size(), 0);
    m_annotations = annotations();
    m_annotation->clear();
    for (const CommonAnnotation &each : m_annotations) {
        m_annotation->addItem(toQString(each.name));
        m_annotation->setItemData(m_annotation->count() - 1, toQString(each.name), Qt::ToolTipRole);
    }
    updateChoices();
    updatePickers();
}

void AlignmentBar::takeSteps()
{
    m_hasSteps = true;
    for (std::size_t at = 0; at < m_step.size(); ++at)
        m_step[at] = firstCompleteStep(stepsOf(at)).value_or(0);
    updateChoices();
    updatePickers();
}

const Steps &AlignmentBar::stepsOf(std::size_t trace) const
{
    return m_document.traces[trace].shown().steps();
}

void AlignmentBar::setQuantity(Quantity quantity)
{
    m_quantity->setCurrentIndex(static_cast<int>(quantity));
    Q_EMIT m_quantity->activated(m_quantity->currentIndex());
}

void AlignmentBar::setKind(EventAxis::Kind kind)
{
    m_kind->setCurrentIndex(static_cast<int>(kind));
    Q_EMIT m_kind->activated(m_kind->currentIndex());
}

void AlignmentBar::setBy(By by)
{
    m_by->setCurrentIndex(static_cast<int>(by));
    Q_EMIT m_by->activated(m_by->currentIndex());
}

void AlignmentBar::setStep(std::size_t trace, std::size_t step)
{
    m_step[trace] = step;
    updatePickers();
    Q_EMIT changed();
}

AlignmentBar::By AlignmentBar::by() const
{
    return static_cast<By>(m_by->currentIndex());
}

std::vector<std::size_t> AlignmentBar::drawn() const
{
    std::vector<std::size_t> traces;
    for (std::size_t at = 0; at < m_document.traces.size(); ++at) {
        if (m_document.traces[at].shown().hasHistory())
            traces.push_back(at);
    }
    return traces;
}

std::vector<CommonAnnotation> AlignmentBar::annotations() const
{
    std::vector<AnnotatedHistory> histories;
    for (const std::size_t at : drawn()) {
        const ComparedTrace &trace = m_document.traces[at];
        histories.push_back({*trace.document->trace, trace.shown().annotations()});
    }
    return commonAnnotations(histories);
}

SceneOptions AlignmentBar::options() const
{
    SceneOptions options{static_cast<Quantity>(m_quantity->currentIndex()),
                         static_cast<EventAxis::Kind>(m_kind->currentIndex()),
                         std::vector<EventIndex>(m_document.traces.size(), 0)};
    const std::vector<std::size_t> traces = drawn();
    const auto named = static_cast<std::size_t>(std::max(0, m_annotation->currentIndex()));
    for (std::size_t at = 0; at < traces.size(); ++at) {
        const std::size_t trace = traces[at];
        if (by() == By::Step)
            options.anchors[trace] = stepsOf(trace).steps[m_step[trace]].first;
        else if (by() == By::Annotation)
            options.anchors[trace] = m_annotations[named].starts[at];
    }
    return options;
}

QString AlignmentBar::anchorText() const
{
    if (by() == By::Annotation)
        return u"%1 begins"_s.arg(m_annotation->currentText());
    if (by() == By::Start)
        return {};
    QStringList parts;
    for (const std::size_t trace : drawn())
        parts << u"%1: %2"_s.arg(letterOf(trace), stepTitle(stepsOf(trace).steps[m_step[trace]]));
    return parts.join(u", "_s);
}

bool AlignmentBar::isEnabled(By by) const
{
    return whyNot(by).isEmpty();
}

QString AlignmentBar::whyNot(By by) const
{
    if (by == By::Annotation && m_annotations.empty())
        return u"No range of a profiler has the same name in every recording."_s;
    if (by != By::Step)
        return {};
    if (!m_hasSteps)
        return u"The steps are still looked for."_s;
    for (const std::size_t trace : drawn()) {
        if (stepsOf(trace).steps.empty())
            return u"%1 has no steps: %2"_s.arg(letterOf(trace), toQString(stepsOf(trace).how));
    }
    return {};
}

void AlignmentBar::setChoice(QComboBox *box, int item, const QString &whyNot)
{
    auto *row = static_cast<QStandardItemModel *>(box->model())->item(item);
    row->setEnabled(whyNot.isEmpty());
    row->setToolTip(whyNot);
    if (!whyNot.isEmpty() && box->currentIndex() == item)
        box->setCurrentIndex(0);
}

// What has become impossible goes back to what is always possible, and the note says what is.
void AlignmentBar::updateChoices()
{
    bool anyReserved = false;
    for (const ComparedTrace &trace : m_document.traces)
        anyReserved = anyReserved || CompareScene::hasCurve(trace, Quantity::Reserved);
    setChoice(m_quantity, static_cast<int>(Quantity::Reserved),
              anyReserved ? QString() : u"No segments were recorded."_s);
    const auto quantity = static_cast<Quantity>(m_quantity->currentIndex());
    setChoice(m_kind, static_cast<int>(EventAxis::Kind::Time),
              CompareScene::hasTimes(m_document, quantity) ? QString()
                                                           : u"Not every recording has times."_s);
    for (const By each : {By::Step, By::Annotation})
        setChoice(m_by, static_cast<int>(each), whyNot(each));
    const QString why = whyNot(By::Step);
    m_note->setFullText(why.isEmpty() ? QString() : u"Not by step: %1"_s.arg(why));
}

void AlignmentBar::updatePickers()
{
    m_annotation->setVisible(by() == By::Annotation);
    while (QLayoutItem *item = m_pickers->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may have sent what led here
        delete item;
    }
    if (by() != By::Step)
        return;
    for (const std::size_t trace : drawn()) {
        auto *box = choiceBox(u"Step of %1"_s.arg(letterOf(trace)));
        for (const Step &step : stepsOf(trace).steps)
            box->addItem(u"%1: %2"_s.arg(letterOf(trace), stepTitle(step)));
        box->setCurrentIndex(static_cast<int>(m_step[trace]));
        connect(box, &QComboBox::activated, this, [this, trace](int step) {
            m_step[trace] = static_cast<std::size_t>(step);
            Q_EMIT changed();
        });
        m_pickers->addWidget(box);
    }
}

} // namespace vramscope
