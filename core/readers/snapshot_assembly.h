// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/ascend_signs.h"
#include "core/readers/snapshot_shape.h"

#include <memory>
#include <string>

namespace vramscope::pickle {

/// Builds a trace from the value that a snapshot's file left, whatever its syntax was.
class Assembly
{
public:
    Assembly(TraceBuilder &builder, Heap &heap, SnapshotShape &shape)
        : m_builder(builder)
        , m_heap(heap)
        , m_shape(shape)
    {
    }
    /// Fails if `top` is not a snapshot.
    [[nodiscard]] Result<void> assemble(const Value &top);
    /// Whether torch_npu recorded the snapshot.
    [[nodiscard]] bool isOfAscend() const { return m_ascend.found(m_builder); }
    /// Whether the file says that no GPU ran it.
    [[nodiscard]] bool isRehearsed() const { return m_isRehearsed; }

private:
    Result<void> assembleDict(const Value &top);
    void addSegments(const Value &list);
    void addTraces(const Value &list);
    void addHost(const Fields &fields);
    void addSettings(const Value &dict);
    void addSources(const Value &dict);
    void addExtras(const Fields &fields);
    bool addNamed(StringId name, const Value &value, std::size_t &textLeft, bool isSetting);
    [[nodiscard]] const Heap::Items &pairsOf(const Value &dict, const char *noDict);

    TraceBuilder &m_builder;
    Heap &m_heap;
    SnapshotShape &m_shape;
    AscendSigns m_ascend;
    bool m_isRehearsed = false;
    int m_traces = 0;  ///< lists of events
    int m_devices = 0; ///< the ordinals of segments and of m_traces are below
};

/// Goes to the end of the input, where only zeros are expected (a page of HTML pads with them), and
/// takes over the anomalies in its form. `what` ended: "the pickle".
[[nodiscard]] Result<void> endSnapshot(ByteWindow &input, TraceBuilder &builder,
                                       const std::string &what, const Progress &progress);

/// The trace of the value that was read.
[[nodiscard]] Result<std::shared_ptr<const Trace>> finishSnapshot(const Value &top,
                                                                  TraceBuilder &builder, Heap &heap,
                                                                  SnapshotShape &shape,
                                                                  int protocol);

} // namespace vramscope::pickle
