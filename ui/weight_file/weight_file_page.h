// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"
#include "core/llama_cpp/llama_fit.h"
#include "core/llama_cpp/llama_flags.h"
#include "ui/export/table.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace vramscope {

class SegmentBars;

/// A weight file as it is shown. Made off the GUI thread, then shared.
struct WeightFile
{
    Checkpoint checkpoint;
    /// What llama.cpp makes of it; the error says why it makes nothing.
    Result<LlamaModel> model;
    /// A plan that serves it; the error says why there is none.
    Result<Imported> plan;
};
[[nodiscard]] Result<std::shared_ptr<const WeightFile>>
readWeightFile(const std::filesystem::path &path);

/// What a weight file is, its bytes by type and by layer, the cards that hold it, and what
/// llama.cpp puts on each of the devices that are named.
class WeightFilePage : public QWidget
{
    Q_OBJECT

public:
    explicit WeightFilePage(std::shared_ptr<const WeightFile> file, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    [[nodiscard]] QString statusText() const;
    /// Types with their bytes, then layers with theirs.
    [[nodiscard]] Table table() const;
    [[nodiscard]] QVariantMap state() const;
    void restore(const QVariantMap &state);
    /// The bar of each device and of the host as they are shown.
    [[nodiscard]] const SegmentBars *deviceBars() const { return m_devices; }

Q_SIGNALS:
    void planWanted();
    void statusChanged();

private:
    QWidget *makeHead();
    QWidget *makeTypes();
    QWidget *makeCards();
    QWidget *makeDivision();
    void showTypes();
    void showCards();
    void divide();
    [[nodiscard]] LlamaSettings settings() const;

    std::shared_ptr<const WeightFile> m_file;
    ByteUnit m_unit = ByteUnit::Binary;
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
