// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/ascend_signs.h"

#include "core/trace/trace_format.h"

#include <string_view>

namespace vramscope {

namespace {

constexpr Bytes kStep = 512; // of the sizes of blocks

Bytes roundedUp(Bytes bytes)
{
    return (bytes + kStep - 1) / kStep * kStep;
}

bool isOfAscend(std::string_view name, std::string_view file)
{
    for (const std::string_view space : {"c10_npu::", "torch_npu::", "at_npu::"}) {
        if (name.starts_with(space))
            return true;
    }
    return file.find("/torch_npu/") != file.npos || file.find("\\torch_npu\\") != file.npos ||
           file.ends_with("libtorch_npu.so");
}

} // namespace

void AscendSigns::add(const FinalSegment &segment, std::span<const FinalBlock> blocks)
{
    constexpr Bytes kMost = Bytes(1) << 50;
    for (const FinalBlock &block : blocks) {
        if (block.state != BlockState::Allocated || block.requested <= 0 || block.requested > kMost)
            continue;
        const Bytes padded = roundedUp(block.requested + kAscendPadding);
        m_contradicted = m_contradicted || block.size < padded;
        // In the small pool no remainder stays with a block.
        if (!segment.large && block.size == padded && padded > roundedUp(block.requested))
            ++m_agreeing;
    }
}

bool AscendSigns::found(const TraceBuilder &builder) const
{
    constexpr std::int64_t kEnough = 2;
    if (m_agreeing >= kEnough && !m_contradicted)
        return true;
    for (std::size_t at = 0; at < builder.frameCount(); ++at) {
        const Frame &frame = builder.frame(static_cast<FrameId>(at));
        if (isOfAscend(builder.text(frame.name), builder.text(frame.file)))
            return true;
    }
    return false;
}

} // namespace vramscope
