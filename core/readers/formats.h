// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profile.h"
#include "core/profile/profiler_tables.h"
#include "core/readers/byte_source.h"
#include "core/trace/series.h"
#include "core/trace/trace.h"

#include <memory>
#include <optional>
#include <string_view>

namespace vramscope {

// The readers of recordings, one a format. An error says why a file cannot be used.

/// Reads a memory snapshot of PyTorch (1.13 to 2.12) that Python or C++ pickled with protocol 2 to
/// 5, from the cursor of `input` on. Both forms: the dict of torch.cuda.memory._snapshot() and the
/// bare list of segments.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readSnapshot(ByteWindow &input,
                                                                const Progress &progress);

/// References that the fast reading is tested against.
enum class SnapshotReference {
    StepByStep, ///< without looking ahead: one instruction after the other
    Whole,      ///< keeps every value whole as well, before it is interpreted
};
[[nodiscard]] Result<std::shared_ptr<const Trace>>
readSnapshotSlowly(ByteWindow &input, SnapshotReference as = SnapshotReference::Whole);

/// Reads a memory snapshot that was written as JSON, from the cursor of `input` on: the dict or the
/// bare list of segments. Its values go through the code for a pickle's, so that both are
/// interpreted in one place; at most a batch per level waits for its container.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readJsonSnapshot(ByteWindow &input,
                                                                    const Progress &progress);

/// Reads the data of a page that PyTorch's memory viewer wrote before June 2023, from the brace at
/// the cursor on. It holds sizes, stacks and the order of allocations and frees of one device, but
/// neither addresses nor segments: addresses are made up as an allocator without overhead would
/// choose them, and one segment spans them all. A problem of the trace says so.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readAllocationPlot(ByteWindow &input,
                                                                      const Progress &progress);

/// Reads a trace that torch.profiler's export_chrome_trace() wrote, in any of its forms since 1.8,
/// or a bare list of such events, from first to last through a window. Times are parsed to whole
/// nanoseconds. JSON that the profiler wrote wrongly is fixed from its first error on, and a
/// truncated file is read up to its last complete event; problems() of the curves report both. An
/// event that is longer than any recorded one is left out, so that memory stays bounded.
[[nodiscard]] Result<std::shared_ptr<const Profile>>
readChromeTrace(ByteWindow &input, const Progress &progress,
                PythonFunctions python = PythonFunctions::Counted);

/// Reads what "nsys export --type sqlite" wrote, of any version of its schema: columns are found by
/// name, and tables that a recording lacks are empty. Each table is read once, in stored order. All
/// processes and GPUs of the recording are in the profile, on its one clock, each GPU under a
/// number of its own. Ranges of emit_nvtx() are operators, other NVTX ranges are ranges of the
/// program. If NCCL's ranges give the data moved, its kernels have it too.
[[nodiscard]] Result<std::shared_ptr<const Profile>> readNsightExport(SeekableSource &source,
                                                                      const Progress &progress);

/// Reads the JSON that export_memory_timeline() of torch.profiler writes: times with rows of bytes
/// by category, or the list of single events, which is replayed. The result is one device with a
/// curve for each category and, first, their sum ("total"), and one sample for each distinct time,
/// taken after all its events. As in PyTorch, memory from before the recording counts from the
/// first time on. A truncated file is read up to its last complete part.
[[nodiscard]] Result<std::shared_ptr<const Series>> readMemoryTimeline(ByteWindow &input,
                                                                       const Progress &progress);

/// Reads what nvidia-smi logs over time, alone or through a user's script: CSV of --query-gpu with
/// or without header and units, of --query-compute-apps, tables of dmon, the output of -q as text
/// or with -x as XML, and its screen, in UTF-8 or UTF-16; and the JSON of rocm-smi. Sizes become
/// bytes, MiB if nothing names a unit. Missing information (columns without a header, which rows
/// belong to one device) is inferred from the content, and Series::problems() says how. Rows that
/// cannot be used are left out and counted.
[[nodiscard]] Result<std::shared_ptr<const Series>> readSmiLog(ByteWindow &input,
                                                               const Progress &progress);

/// True for the beginning of the output of `rocm-smi --json`: an object whose first key is a card.
[[nodiscard]] bool isRocmSmi(std::string_view start);

/// Reads what `rocm-smi --showmeminfo vram --json` prints, once or one object after the other: the
/// memory of each card in bytes, and its other figures. It has no times.
[[nodiscard]] Result<std::shared_ptr<const Series>> readRocmSmi(ByteWindow &input,
                                                                const Progress &progress);

/// The tool that writes this line as the header of a table; nothing for any other line.
[[nodiscard]] std::optional<TableTool> tableHeader(std::string_view line);

/// True for the beginning of a file with such a line, whatever is above it: notices of the tool,
/// the output of the profiled program.
[[nodiscard]] bool looksLikeProfilerTable(std::string_view start);

/// Reads the tables that "nsys stats", as CSV or in columns, and "ncu --csv" write, of their
/// versions from 2020 on, in UTF-8 or UTF-16: several tables of nsys one below the other, with
/// their titles; Nsight Compute's as a row per launch (--page raw) or a row per metric of a launch
/// (--page details), which becomes a row per launch. Other lines of the file are skipped and
/// counted. An Error names the line.
[[nodiscard]] Result<std::shared_ptr<const ProfilerTables>>
readProfilerTables(ByteWindow &input, const Progress &progress);

/// Collects what Nsight Compute reports for each launch: turns a table with a row per metric into
/// one with a row per launch, removes a row of units, and fills `launches`.
void takeLaunches(ProfilerTables &tables);

} // namespace vramscope
