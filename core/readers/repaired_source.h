// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json_repair.h"

namespace vramscope {

/// The mended form of JSON text from the cursor of a window on, which must outlive it.
class RepairedSource : public ByteSource
{
public:
    /// `open`: the brackets around the cursor, the outermost first.
    RepairedSource(ByteWindow &input, std::string_view open)
        : m_input(input)
        , m_repair(input, {}, open)
    {
    }

    [[nodiscard]] std::optional<std::int64_t> size() const override { return {}; }
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> into) override;
    [[nodiscard]] double fraction() const override { return m_input.fraction(); }

    [[nodiscard]] const JsonRepair &repair() const { return m_repair; }
    /// About where in the file the reader is.
    [[nodiscard]] std::int64_t offset() const { return m_repair.offset(); }

private:
    ByteWindow &m_input;
    JsonRepair m_repair;
    std::string_view m_piece;
};

} // namespace vramscope
