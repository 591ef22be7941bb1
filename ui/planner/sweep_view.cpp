// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/sweep_view.h"

#include "core/print/fit_report.h"
#include "core/print/plan_report.h"
#include "core/settings/plan_edit.h"
#include "core/solver/dimensions.h"
#include "ui/charts/column_chart.h"
#include "ui/page/layout.h"
#include "ui/planner/field_text.h"
#include "ui/planner/look.h"
#include "ui/planner/number_box.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"
#include "ui/support/wrapped_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostValues = 48;
constexpr double kBeyond = 2; ///< a range ends at twice the last value that matters

constexpr int kLeastFieldBox = 110;
constexpr int kLeastNumberBox = 58;
constexpr int kMostNumberBox = 96;

/// Swept first, where they mean something.
constexpr FieldPath kFirst[] = {"batch.sequence_length", "inference.concurrent_sequences",
                                "inference.max_model_len", "diffusion.images"};

/// What a plan is compared with, not what it needs.
constexpr FieldPath kWeightless[] = {"hardware.capacity_bytes", "hardware.host_memory_bytes",
                                     "run.tokens", "run.gpu_hour_price"};

/// Whether the solver finds the last value that fits: not of degrees, which other fields follow,
/// nor of what says what the job is.
bool solvable(const Field &field)
{
    return field.kind != FieldKind::Number && !isOfGroup(field.path, "parallel") &&
           !isOfGroup(field.path, "hardware") && fieldToVary(field.path).ok();
}

std::optional<double> asNumber(const FieldValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return *real;
    return std::nullopt;
}

FieldValue asValue(const Field &field, std::optional<double> number)
{
    return number ? numberFor(field, *number) : FieldValue();
}

bool isPowerOfTwo(double value)
{
    int exponent = 0;
    return value > 0 && std::frexp(value, &exponent) == 0.5;
}

QString tooMuchText(const std::optional<FitSummary> &standing, ByteUnit unit)
{
    if (!standing || standing->headroom >= 0)
        return {};
    return u" (%1 too much)"_s.arg(bytesText(-standing->headroom, unit));
}

/// "fits", "is tight", "does not fit"
QString isText(const std::optional<Verdict> &verdict)
{
    const Verdict is = verdict.value_or(Verdict::DoesNotFit);
    return (is == Verdict::Tight ? u"is "_s : QString()) + verdictText(is);
}

} // namespace

SweepView::SweepView(QWidget *parent)
    : PlanFollower(parent)
    , m_fieldBox(new QComboBox)
    , m_boxes(new QWidget)
    , m_sentence(new WrappedLabel)
    , m_chart(new ColumnChart)
{
    QHBoxLayout *line = row({m_fieldBox, m_boxes, EmptyRoom{0}}, 8);
    m_boxes->setLayout(row({}, kStyleSpacing));
    setLayout(column({line, m_sentence, {m_chart, 1}}, 6, {4, 6, 4, 0}));
    m_fieldBox->setAccessibleName(u"Field to sweep"_s);
    m_fieldBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_fieldBox->setMinimumWidth(kLeastFieldBox); // below its content where the page is narrow
    m_fieldBox->setMaxVisibleItems(20);
    m_chart->setAccessibleName(u"Memory over the values of a field"_s);
    connect(m_fieldBox, &QComboBox::activated, this, [this](int index) {
        if (const Field *field = findField(m_fieldBox->itemData(index).toString().toStdString()))
            setField(*field);
    });
    connect(m_chart, &ColumnChart::columnChosen, this, &SweepView::take);
}

void SweepView::take(int column)
{
    const double value = m_points[static_cast<std::size_t>(column)].value;
    Q_EMIT valueChosen(*m_field, numberFor(*m_field, value));
}

void SweepView::setField(const Field &field)
{
    m_field = &field;
    m_fromWanted.reset();
    m_toWanted.reset();
    makeBoxes();
    outdate();
}

void SweepView::setRange(std::optional<double> from, std::optional<double> to)
{
    m_fromWanted = from;
    m_toWanted = to;
    outdate();
}

void SweepView::makeBoxes()
{
    qDeleteAll(m_boxes->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
    const auto add = [&](const QString &word, std::optional<double> *wanted) {
        m_boxes->layout()->addWidget(dimLabel(word));
        auto *box = new NumberBox(*m_field);
        box->setAccessibleName(u"Sweep %1"_s.arg(word));
        box->setToolTip(u"Leave it empty for a value that suits the plan."_s);
        box->setMinimumWidth(kLeastNumberBox);
        box->setMaximumWidth(kMostNumberBox);
        m_boxes->layout()->addWidget(box);
        connect(box, &NumberBox::edited, this, [this, wanted](const FieldValue &value) {
            *wanted = asNumber(value);
            outdate();
        });
        return box;
    };
    m_from = add(u"from"_s, &m_fromWanted);
    m_to = add(u"to"_s, &m_toWanted);
}

void SweepView::listFields()
{
    QList<const Field *> fields;
    for (const Field *field : formFields()) {
        const bool weighs = std::ranges::find(kWeightless, field->path) == std::end(kWeightless);
        if (weighs && sweepable(*field) && field->applies(*m_estimate.settings))
            fields.append(field);
    }
    if (!fields.contains(m_field)) {
        const auto first = std::ranges::find_if(
            kFirst, [&](FieldPath path) { return fields.contains(&fieldAt(path)); });
        setField(first == std::end(kFirst) ? *fields.first() : fieldAt(*first));
    }
    if (std::exchange(m_listed, fields) != fields) {
        m_fieldBox->clear();
        for (const Field *field : fields)
            m_fieldBox->addItem(toQString(field->label), toQString(field->path));
    }
    m_fieldBox->setCurrentIndex(static_cast<int>(fields.indexOf(m_field)));
}

std::optional<double> SweepView::valueInForce() const
{
    return asNumber(effectiveValue(m_plan, *m_estimate.settings, *m_field));
}

std::pair<double, double> SweepView::suitingRange() const
{
    using enum Slider::Scale;
    const Slider &slider = m_field->slider;
    const double here = valueInForce().value_or(0);
    if (slider.scale == Linear)
        return {std::min(slider.low, here), std::max(slider.high, here)};
    const double low =
        slider.scale == None ? std::max(m_field->minimum, here / 4) : std::min(slider.low, here);
    double far = here;
    if (m_largest && m_largest->ok()) {
        const std::optional<TriedValue> &answer = (*m_largest)->answer;
        const std::optional<TriedValue> &next = (*m_largest)->next;
        if (answer && next)
            far = std::max(
                {far, static_cast<double>(answer->value), static_cast<double>(next->value)});
    }
    far = std::max(kBeyond * far, 8 * std::max(low, 1.0));
    const double high = slider.scale == None ? far : std::max(here, std::min(far, slider.high));
    return {low, std::min(std::exp2(std::ceil(std::log2(high))), m_field->maximum)};
}

void SweepView::compute()
{
    listFields();
    m_outdated = false;
    m_largest.reset();
    if (m_estimate.headroom && solvable(*m_field))
        m_largest.emplace(largestThatFits(m_plan, *m_field));
    const double step = m_largest && m_largest->ok() ? static_cast<double>((*m_largest)->step) : 1;
    const auto [low, high] = suitingRange();
    std::vector<double> values = sweepValues(*m_field, m_fromWanted.value_or(low),
                                             m_toWanted.value_or(high), kMostValues, step);
    if (const std::optional<double> here = valueInForce();
        here && *here > values.front() && *here < values.back()) {
        const auto place = std::ranges::lower_bound(values, *here);
        if (*place != *here)
            values.insert(place, *here);
    }
    m_points = sweep(m_plan, *m_field, values, editedPlan);
    for (const auto &[box, wanted, suiting] :
         {std::tuple(m_from, m_fromWanted, low), std::tuple(m_to, m_toWanted, high)}) {
        box->setUnit(m_unit);
        box->showValue(asValue(*m_field, wanted), numberFor(*m_field, suiting));
    }
    m_sentence->setText(sentenceText());
    fillChart();
}

QString SweepView::valueText(double value) const
{
    return fieldValueText(*m_field, numberFor(*m_field, value), m_unit);
}

QString SweepView::sentenceText() const
{
    const QString label = toQString(m_field->label);
    if (!m_estimate.computed)
        return u"The plan as it is has no figures: see the line at the top."_s;
    if (!m_estimate.headroom)
        return u"The GPU's memory is not known, so no value can be said to fit."_s;
    if (m_largest && !m_largest->ok())
        return toQString(m_largest->error().detail);
    if (m_largest) {
        const ValueThatFits &it = m_largest->value();
        const auto number = [](const TriedValue &tried) { return countText(tried.value); };
        QString text;
        if (it.answer && it.next)
            text = (it.largest ? u"%1: fits up to %2; %3 does not%4."_s
                               : u"%1: fits from %2 on; %3 does not%4."_s)
                       .arg(label, number(*it.answer), number(*it.next),
                            tooMuchText(it.next->standing, m_unit));
        if (it.answer && it.answer->standing)
            text += u' ' + toQString(criterionText(it.answer->standing->verdict));
        else if (it.next)
            text = u"%1: %2 is the nearest%3."_s.arg(label, number(*it.next),
                                                     tooMuchText(it.next->standing, m_unit));
        return (text.trimmed() + u' ' + toQString(it.note)).trimmed();
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points))
        return u"%1: of the values shown, %2 %3 and %4 %5."_s.arg(
            label, valueText(m_points[crossing->better].value),
            isText(m_points[crossing->better].verdict), valueText(m_points[crossing->worse].value),
            isText(m_points[crossing->worse].verdict));
    const auto known = std::ranges::find_if(
        m_points, [](const SweepPoint &point) { return point.verdict.has_value(); });
    return known == m_points.end() ? u"%1: no value shown fits."_s.arg(label)
                                   : u"%1: every value shown that the plan can have %2."_s.arg(
                                         label, isText(known->verdict));
}

void SweepView::fillChart()
{
    StackedColumns content;
    content.capacity = m_estimate.capacity;
    content.emptyText = u"not computed"_s;
    const std::optional<double> here = valueInForce();
    for (const SweepPoint &point : m_points) {
        StackedColumn column;
        column.label = valueText(point.value);
        column.name = toQString(m_field->label) + u' ' + column.label;
        column.at = toQString(momentPhrase(point.at));
        column.refused = toQString(point.refused);
        column.major = isPowerOfTwo(point.value);
        std::ranges::copy(point.parts, column.parts.begin());
        column.parts[kOutsidePart] = point.outside;
        column.verdict = point.verdict;
        if (here == point.value)
            content.current = static_cast<int>(content.columns.size());
        content.columns.push_back(std::move(column));
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points)) {
        const auto [left, right] = std::minmax(crossing->better, crossing->worse);
        const auto word = [&](std::size_t at) {
            return verdictText(m_points[at].verdict.value_or(Verdict::DoesNotFit));
        };
        content.crossing = static_cast<int>(right);
        content.crossingText = u"◂ %1 │ %2 ▸"_s.arg(word(left), word(right));
    }
    m_chart->setUnit(m_unit);
    m_chart->setContent(content);
    m_chart->setAccessibleDescription(m_sentence->text());
}

} // namespace vramscope
