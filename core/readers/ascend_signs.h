// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>
#include <span>

namespace vramscope {

/// Tells a snapshot of torch_npu, the port of PyTorch to Ascend, from PyTorch's own: it has the
/// layout of PyTorch 2.1 and does not name its producer. The signs are its frames, or else its
/// sizes: 32 bytes are added to each request before it is rounded.
class AscendSigns
{
public:
    void add(const FinalSegment &segment, std::span<const FinalBlock> blocks);
    /// `builder` has all frames.
    [[nodiscard]] bool found(const TraceBuilder &builder) const;

private:
    std::int64_t m_agreeing = 0; // blocks that only the padding explains
    bool m_contradicted = false; // a block too small for it
};

} // namespace vramscope
