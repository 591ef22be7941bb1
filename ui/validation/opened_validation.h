// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct Validation;

/// The planner compared with the measured figures that ship, as a tab shows it.
class OpenedValidation : public Document
{
public:
    explicit OpenedValidation(std::shared_ptr<const Validation> validation)
        : m_validation(std::move(validation))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView view) const override;

private:
    std::shared_ptr<const Validation> m_validation;
};

} // namespace vramscope
