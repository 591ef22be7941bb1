// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"
#include "core/llama_cpp/llama_fit.h"
#include "ui/document/document.h"

namespace vramscope {

/// A weight file as it is shown. Made off the GUI thread, then shared.
struct WeightFile : Document
{
    WeightFile(Checkpoint checkpoint, Result<Imported> plan);

    Checkpoint checkpoint;
    /// What llama.cpp makes of it; the error says why it makes nothing.
    Result<LlamaModel> model;
    /// A plan that serves it; the error says why there is none.
    Result<Imported> plan;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
};

/// Recognises a file by its name or its first bytes.
[[nodiscard]] bool isWeightFile(const QString &path);
[[nodiscard]] Result<DocumentPointer> readWeightFile(const QString &path, const Progress & = {});

} // namespace vramscope
