// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/field_control.h"

#include "core/catalog/catalogue.h"
#include "core/catalog/gpus.h"
#include "core/settings/field_text.h"
#include "ui/page/layout.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/look.h"
#include "ui/planner/number_box.h"
#include "ui/planner/stop_slider.h"
#include "ui/planner/text_controls.h"
#include "ui/support/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBoxWidth = 64; ///< at least
constexpr int kBoxPadding = 24;

double numberOf(const FieldValue &value, double otherwise)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return *real;
    return otherwise;
}

QString textOf(const FieldValue &value)
{
    const auto *text = std::get_if<std::string>(&value);
    return text ? toQString(*text) : QString();
}

/// A number: a slider over the usual values and a box for any.
class NumberControl : public FieldControl
{
public:
    NumberControl(const Field &field, QWidget *parent)
        : FieldControl(parent)
        , m_kind(field.kind)
        , m_box(new NumberBox(field, this))
    {
        m_box->setSuffix(toQString(field.unit));
        if (const Slider &slider = field.slider; slider.scale != Slider::Scale::None) {
            m_slider = new StopSlider(slider.scale == Slider::Scale::Linear
                                          ? linearStops(slider.low, slider.high, slider.step)
                                          : powerOfTwoStops(slider.low, slider.high),
                                      this);
            const auto high = static_cast<std::int64_t>(slider.high);
            const QString widest =
                m_kind == FieldKind::Size ? bytesText(high, ByteUnit::Binary) : countText(high);
            const int text = m_box->fontMetrics().horizontalAdvance(widest) + kBoxPadding;
            m_box->setFixedWidth(std::max(kBoxWidth, text) + m_box->textMargins().right());
            connect(m_slider, &QAbstractSlider::valueChanged, this, &NumberControl::takeStop);
            connect(m_slider, &QAbstractSlider::sliderReleased, this, &FieldControl::gestureEnded);
            connect(m_box, &NumberBox::steps, m_slider,
                    [this](int count) { m_slider->setValue(m_slider->value() + count); });
        }
        m_box->setFixedHeight(kBoxHeight);
        setLayout(row({{m_slider, 1}, m_box}, 6));
        connect(m_box, &NumberBox::edited, this, &FieldControl::edited);
        connect(m_box, &QLineEdit::editingFinished, this, &FieldControl::gestureEnded);
        setFocusProxy(m_box);
    }

    void showValue(const FieldValue &stated, const FieldValue &effective) override
    {
        m_box->showValue(stated, effective);
        const FieldValue &inForce = isStated(stated) ? stated : effective;
        if (m_slider)
            m_slider->showValue(numberOf(inForce, 0));
    }

    void setState(BoxState state) override { m_box->setState(state); }
    void setUnit(ByteUnit unit) override { m_box->setUnit(unit); }
    [[nodiscard]] bool isRefused() const override { return m_box->isRefused(); }

private:
    void takeStop()
    {
        const double value = m_slider->stopValue();
        m_box->setModified(false); // the slider has the word now
        if (m_kind == FieldKind::Number)
            Q_EMIT edited(FieldValue(value));
        else
            Q_EMIT edited(FieldValue(std::int64_t(std::llround(value))));
    }

    FieldKind m_kind;
    NumberBox *m_box;
    StopSlider *m_slider = nullptr;
};

/// Yes or no.
class SwitchControl : public FieldControl
{
public:
    SwitchControl(const QString &name, QWidget *parent)
        : FieldControl(parent)
        , m_check(new QCheckBox(this))
    {
        setLayout(row({m_check, EmptyRoom()}, 6));
        m_check->setFixedHeight(kBoxHeight);
        m_check->setAccessibleName(name);
        connect(m_check, &QCheckBox::clicked, this, [this](bool checked) {
            Q_EMIT edited(FieldValue(checked));
            Q_EMIT gestureEnded();
        });
        setFocusProxy(m_check);
    }

    void showValue(const FieldValue &stated, const FieldValue &effective) override
    {
        const bool *value = std::get_if<bool>(isStated(stated) ? &stated : &effective);
        m_check->setChecked(value && *value);
        m_check->setText(value && *value ? u"on"_s : u"off"_s);
    }

    void setState(BoxState) override {} // the text below the row says it

private:
    QCheckBox *m_check;
};

/// One out of a list: a choice, a preset, a GPU.
class ChoiceControl : public FieldControl
{
public:
    ChoiceControl(ChoiceBox *box, QWidget *parent)
        : FieldControl(parent)
        , m_box(box)
    {
        setBox(m_box);
        connect(m_box, &ChoiceBox::chosen, this, [this](const QString &value) {
            Q_EMIT edited(value.isEmpty() ? FieldValue() : FieldValue(value.toStdString()));
            Q_EMIT gestureEnded();
        });
    }

    void showValue(const FieldValue &stated, const FieldValue &effective) override
    {
        m_box->showValue(textOf(isStated(stated) ? stated : effective));
        setDefault(!isStated(stated));
    }

private:
    ChoiceBox *m_box;
};

/// Several out of a list, which a button opens.
class ChoicesControl : public FieldControl
{
public:
    ChoicesControl(const QList<ChoiceItem> &items, QWidget *parent)
        : FieldControl(parent)
        , m_button(new QPushButton(this))
    {
        m_button->setProperty("role", u"choices"_s);
        m_button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_button->setMinimumWidth(60);
        auto *list = new QMenu(m_button);
        for (const ChoiceItem &item : items) {
            QAction *choice = list->addAction(item.title);
            choice->setData(item.value);
            choice->setCheckable(true);
            connect(choice, &QAction::triggered, this, &ChoicesControl::take);
        }
        m_button->setMenu(list);
        setBox(m_button);
    }

    void showValue(const FieldValue &stated, const FieldValue &effective) override
    {
        QStringList values;
        if (const auto *list = std::get_if<TextList>(isStated(stated) ? &stated : &effective)) {
            for (const std::string &text : *list)
                values.append(toQString(text));
        }
        const QList<QAction *> choices = m_button->menu()->actions();
        for (QAction *choice : choices)
            choice->setChecked(values.contains(choice->data().toString()));
        constexpr qsizetype kNamed = 2;
        m_button->setText(values.isEmpty() ? u"none"_s
                          : values.size() <= kNamed
                              ? values.join(u", "_s)
                              : u"%1 of %2"_s.arg(values.size()).arg(choices.size()));
        m_button->setToolTip(values.join(u", "_s));
        setDefault(!isStated(stated));
    }

private:
    void take()
    {
        TextList list;
        for (const QAction *choice : m_button->menu()->actions()) {
            if (choice->isChecked())
                list.push_back(choice->data().toString().toStdString());
        }
        Q_EMIT edited(FieldValue(list));
        Q_EMIT gestureEnded();
    }

    QPushButton *m_button;
};

QList<ChoiceItem> choiceItems(const Field &field)
{
    QList<ChoiceItem> items;
    for (const std::string_view choice : field.choices)
        items.append({toQString(choice), toQString(choiceTitle(field, choice)), toQString(choice)});
    return items;
}

QList<ChoiceItem> pipelineItems()
{
    QList<ChoiceItem> items{{QString(), u"none"_s, QString()}};
    for (const CatalogueModel &model : catalogueModels()) {
        if (model.pipeline)
            items.append(
                {toQString(model.name), toQString(model.title), toQString(model.repository)});
    }
    return items;
}

QList<ChoiceItem> gpuItems()
{
    QList<ChoiceItem> items{{QString(), u"not named"_s, QString()}};
    for (const GpuPreset &gpu : gpuPresets())
        items.append({toQString(gpu.name), toQString(gpu.title),
                      gpu.capacity > 0 ? exactBytesText(gpu.capacity)
                                       : u"capacity as reported by torch is not known"_s});
    return items;
}

} // namespace

void FieldControl::setBox(QWidget *box)
{
    setLayout(row({{box, 1}}));
    box->setFixedHeight(kBoxHeight);
    setFocusProxy(box);
}

void FieldControl::setState(BoxState state)
{
    m_state = state;
    setBoxLook(focusProxy(), m_state, m_isDefault);
}

void FieldControl::setDefault(bool isDefault)
{
    m_isDefault = isDefault;
    setBoxLook(focusProxy(), m_state, m_isDefault);
}

FieldControl *makeControl(const Field &field, QWidget *parent)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return new SwitchControl(toQString(field.label), parent);
    case FieldKind::Count:
    case FieldKind::Size:
    case FieldKind::Number:
        return new NumberControl(field, parent);
    case FieldKind::Choice:
        return new ChoiceControl(new ChoiceBox(choiceItems(field), false), parent);
    case FieldKind::Choices:
        return new ChoicesControl(choiceItems(field), parent);
    case FieldKind::Counts:
    case FieldKind::Texts:
    case FieldKind::Object:
        return makeTextControl(field, parent);
    case FieldKind::Text:
        if (field.path == "model.preset" || field.path == "inference.speculative.model")
            return new ChoiceControl(new PresetBox, parent);
        if (field.path == "model.pipeline")
            return new ChoiceControl(new ChoiceBox(pipelineItems(), true), parent);
        if (field.path == "hardware.gpu")
            return new ChoiceControl(new ChoiceBox(gpuItems(), true), parent);
        return makeTextControl(field, parent);
    }
    return nullptr;
}

} // namespace vramscope
