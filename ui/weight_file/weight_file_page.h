// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_flags.h"
#include "ui/document/document_page.h"
#include "ui/weight_file/weight_file.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace vramscope {

class SegmentBars;

/// What a weight file is, its bytes by type and by layer, the cards that hold it, and what
/// llama.cpp puts on each of the devices that are named.
class WeightFilePage : public DocumentPage
{
    Q_OBJECT

public:
    explicit WeightFilePage(std::shared_ptr<const WeightFile> file, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("plan#weight-files"); }
    /// Types with their bytes, then layers with theirs.
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    /// The bar of each device and of the host as they are shown.
    [[nodiscard]] const SegmentBars *deviceBars() const { return m_devices; }

private:
    QWidget *makeHead();
    QWidget *makeTypes();
    QWidget *makeCards();
    QWidget *makeDivision();
    void showTypes();
    void showCards();
    void divide();
    void makePlan();
    [[nodiscard]] LlamaSettings settings() const;

    std::shared_ptr<const WeightFile> m_file;
    SegmentBars *m_types = nullptr;
    SegmentBars *m_layers = nullptr;
    QLabel *m_cards = nullptr;
    QLineEdit *m_machine = nullptr;
    QSpinBox *m_gpuLayers = nullptr;
    QSpinBox *m_context = nullptr;
    QComboBox *m_cache = nullptr;
    QSpinBox *m_experts = nullptr;
    QCheckBox *m_fit = nullptr;
    SegmentBars *m_devices = nullptr;
    QLabel *m_notes = nullptr;
    QString m_flags;
};

} // namespace vramscope
