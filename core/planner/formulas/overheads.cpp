// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"
#include "core/planner/field_path.h"
#include "core/planner/formulas/training.h"

namespace vramscope {

void addOverheads(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const MomentSet always = kWholeStep | MomentSet{StepPhase::Load};
    ledger.add(
        Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes, kWholeStep,
        calibratedOr(s.calibrated.cublasWorkspace,
                     {"Workspaces of the forward and backward handles, inside the allocator; "
                      "measured: fms-acceleration A100 benchmarks, GPT-2 small in fp32",
                      Evidence::Verified}),
        {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
    const bool beforeHopper = !s.gpu || s.gpu->generation < GpuGeneration::Hopper;
    const Empirical &engine = empirical(Measured::TransformerEngineWorkspace);
    if (s.kernels == Kernels::MegatronTe && beforeHopper)
        ledger.add(Category::Framework, "Transformer Engine workspaces", engine.bytes(), kWholeStep,
                   {engine.source, Evidence::Empirical, engine.spread()},
                   {"constant = {}", {engine.bytes()}});
    ledger.add(Category::Activations, "Input tokens, labels and mask", Exact(24) * t.tokens,
               kWholeStep,
               {"Three 64-bit integers a token, held by the training loop", Evidence::Verified},
               {"3 × 8 T = 24 × {}", {t.tokens.value()}});
    ledger.add(Category::Parameters, "Registered buffers", s.bufferBytes, always,
               {"model.buffer_bytes: causal masks, rotary tables", Evidence::Sourced},
               {"model.buffer_bytes = {}", {s.bufferBytes}});
    ledger.add(Category::Framework, "Other resident tensors", s.residentBytes, always,
               calibratedOr(s.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {s.residentBytes}});
}

} // namespace vramscope
