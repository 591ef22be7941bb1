// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compare_scene.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace vramscope {

class ElidedLabel;

/// How the curves of a comparison are drawn: which bytes, over events or time, and what falls
/// together: the first events, a step of each recording, or a range that all of them name. What
/// cannot be chosen says why.
class AlignmentBar : public QWidget
{
    Q_OBJECT

public:
    enum class By { Start, Step, Annotation };

    explicit AlignmentBar(QWidget *parent = nullptr);

    /// Other recordings, or other devices of them: nothing is known of their steps.
    void setTraces(const ComparisonDocument &document);
    /// The steps of each recording. Those with a curve must all have some for By::Step.
    void takeSteps();

    void setQuantity(Quantity quantity);
    void setKind(EventAxis::Kind kind);
    void setBy(By by);
    /// Which step of a recording falls together with those of the others.
    void setStep(std::size_t trace, std::size_t step);

    [[nodiscard]] By by() const;
    [[nodiscard]] SceneOptions options() const;
    /// What falls together: "step 1 of A, step 1 of B"; empty for the start.
    [[nodiscard]] QString anchorText() const;
    /// Whether it can be chosen, and if not why.
    [[nodiscard]] bool isEnabled(By by) const;
    [[nodiscard]] QString whyNot(By by) const;

Q_SIGNALS:
    void changed();

private:
    void updateChoices();
    void updatePickers();
    void setChoice(QComboBox *box, int item, const QString &whyNot);
    [[nodiscard]] std::vector<std::size_t> drawn() const;
    [[nodiscard]] std::vector<CommonAnnotation> annotations() const;
    [[nodiscard]] const Steps &stepsOf(std::size_t trace) const;

    ComparisonDocument m_document;
    bool m_hasSteps = false; ///< of each recording
    std::vector<std::size_t> m_step;
    std::vector<CommonAnnotation> m_annotations; ///< starts by drawn()

    QComboBox *m_quantity;
    QComboBox *m_kind;
    QComboBox *m_by;
    QComboBox *m_annotation;
    QHBoxLayout *m_pickers;
    ElidedLabel *m_note;
};

} // namespace vramscope
