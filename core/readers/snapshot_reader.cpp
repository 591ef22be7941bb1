// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/readers/dict_scan.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/snapshot_assembly.h"

namespace vramscope {

using namespace pickle;

namespace {

/// The reference: every container whole.
class WholeShape final : public Shape
{
public:
    explicit WholeShape(TraceBuilder &builder)
        : m_builder(builder)
    {
    }
    StringId intern(std::string_view text) override { return m_builder.internText(text); }
    std::string_view text(StringId id) const override { return m_builder.text(id); }
    void problem(const char *kind, std::int64_t offset) override
    {
        m_builder.addProblem(kind, offset);
    }

private:
    TraceBuilder &m_builder;
};

Result<std::shared_ptr<const Trace>> read(ByteWindow &input, const Progress &progress,
                                          std::optional<SnapshotReference> reference)
{
    const bool whole = reference == SnapshotReference::Whole;
    TraceBuilder builder;
    Heap heap;
    SnapshotShape shape(builder, heap);
    WholeShape wholeShape(builder);
    if (!reference)
        input.lookWith(scanDicts);
    Machine machine(input, heap, whole ? static_cast<Shape &>(wholeShape) : shape, progress);
    const auto top = machine.run();
    if (!top.ok())
        return top.error();
    if (const auto ended = endSnapshot(input, builder, "the pickle", progress); !ended.ok())
        return ended.error();
    shape.justify(input.size());
    return finishSnapshot(*top, builder, heap, shape, machine.protocol());
}

} // namespace

Result<std::shared_ptr<const Trace>> readSnapshot(ByteWindow &input, const Progress &progress)
{
    return read(input, progress, {});
}

Result<std::shared_ptr<const Trace>> readSnapshotSlowly(ByteWindow &input, SnapshotReference as)
{
    return read(input, {}, as);
}

} // namespace vramscope
