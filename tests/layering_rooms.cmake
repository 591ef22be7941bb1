# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# room(FOLDER ROOM…): a folder of core/, ui/ or app/ and the rooms that it may include. The rooms stand from the ground up: each
# names only rooms above it in this file, so their arrows form no circle. A room inside another may also include what the outer
# room may include from elsewhere. The name of an outer room means its own files to the rooms inside it, and the files of all of
# its rooms to every other room.
room(core/base)
room(core/catalog core/base)
room(core/checkpoint core/base)
room(core/command_line core/base)
room(core/deck core/base)
room(core/session core/base)
room(core/table core/base)
room(core/simulator core/base)
room(core/llama_cpp core/base core/catalog core/checkpoint)

room(core/planner/blocks)
room(core/planner/schedules)
room(core/planner/engines)
room(core/planner/towers)
room(core/planner core/base core/catalog core/checkpoint core/llama_cpp
    core/planner/blocks core/planner/schedules core/planner/engines core/planner/towers)
room(core/planner/checkpoint core/planner)
room(core/planner/drafts core/planner)
room(core/planner/formulas core/planner core/planner/blocks core/planner/schedules core/planner/engines core/planner/towers
    core/planner/checkpoint core/planner/drafts)
room(core/planner/diffusion core/planner core/planner/schedules core/planner/towers core/planner/formulas)
room(core/planner/rollout core/planner core/planner/schedules core/planner/formulas)

room(core/ask core/base core/catalog core/planner)
room(core/exchange core/base core/catalog core/checkpoint core/planner)
room(core/planned_requests core/base core/catalog core/planner core/simulator)

room(core/trace core/base)
room(core/profile core/base core/trace)
room(core/describe core/base core/table core/trace core/profile)
room(core/readers core/base core/trace core/profile)
room(core/serving_logs core/base core/catalog core/planner core/exchange core/trace core/readers)

room(core/analysis core/base core/trace core/simulator)
room(core/analysis/curves)
room(core/analysis/replayed)
room(core/analysis/costs core/analysis/replayed)
room(core/analysis/steps core/analysis/replayed core/analysis/costs)
room(core/analysis/categories core/analysis/replayed core/analysis/costs core/analysis/steps)
room(core/analysis/what_if core/analysis/replayed)
room(core/analysis/findings core/analysis/replayed core/analysis/costs core/analysis/steps core/analysis/categories
    core/analysis/what_if)
room(core/analysis/study core/analysis/replayed core/analysis/steps core/analysis/categories core/analysis/what_if
    core/analysis/findings)
room(core/analysis/comparison core/analysis/replayed core/analysis/costs core/analysis/steps core/analysis/findings
    core/analysis/study)

room(core/ranks core/base core/session core/trace core/profile core/readers core/analysis)
room(core/projection core/base core/catalog core/planner core/trace core/profile)
room(core/solver core/base core/catalog core/planner core/planned_requests core/projection)
room(core/validation core/base core/catalog core/planner core/projection core/simulator core/planned_requests)
room(core/reconcile core/base core/catalog core/planner core/solver core/simulator core/planned_requests core/trace core/analysis)
room(core/print core/base core/table core/describe core/checkpoint core/llama_cpp core/ask core/serving_logs core/reconcile core/simulator core/catalog
    core/planner core/projection core/solver core/exchange core/trace core/profile core/analysis core/ranks core/validation
    core/planned_requests)
room(core/report core/base core/table core/serving_logs core/planner core/projection core/solver core/trace core/profile core/analysis
    core/reconcile core/print)

room(ui/support core)
room(ui/page ui/support)
room(ui/export core ui/support)
room(ui/jobs core)
room(ui/models core ui/support)
room(ui/timeline core/base core/trace core/analysis ui/support ui/models)
room(ui/charts core/base core/catalog core/planner core/print ui/support)
room(ui/stage core ui/support ui/page ui/charts)
room(ui/deck core ui/support ui/export ui/stage)
room(ui/bookmarks core ui/support ui/page ui/stage)
room(ui/document core ui/support ui/export ui/stage ui/timeline)
room(ui/projection core ui/support ui/page ui/jobs ui/charts)
room(ui/planner core ui/support ui/page ui/export ui/jobs ui/models ui/charts ui/stage ui/document ui/projection)
room(ui/stacks core ui/support ui/models)
room(ui/trace core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stacks ui/stage ui/bookmarks ui/document)
room(ui/series core ui/support ui/page ui/export ui/timeline ui/stage ui/document ui/trace)
room(ui/profile core ui/support ui/page ui/export ui/jobs ui/timeline ui/stage ui/bookmarks ui/document ui/trace)
room(ui/serving_log core ui/support ui/page ui/export ui/charts ui/stage ui/document)
room(ui/tables core ui/support ui/page ui/document ui/profile)
room(ui/weight_file core ui/support ui/page ui/charts ui/document)
room(ui/profiles core ui/support ui/page ui/export ui/stage ui/document ui/profile)
room(ui/profile_difference core ui/support ui/page ui/export ui/jobs ui/stage ui/document ui/profile)
room(ui/ranks core ui/support ui/page ui/export ui/jobs ui/timeline ui/stage ui/document)
room(ui/compare core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stacks ui/stage ui/document ui/trace)
room(ui/reconcile core ui/support ui/page ui/jobs ui/charts ui/stage ui/document ui/planner ui/compare)
room(ui/validation core/base core/catalog core/planner core/projection core/validation ui/support ui/page ui/export ui/charts ui/document)
room(ui/report core ui/support ui/export ui/charts ui/document ui/planner ui/timeline ui/trace ui/compare)
room(ui/offscreen core ui/support ui/export ui/deck ui/document ui/timeline ui/planner ui/trace ui/series ui/serving_log
    ui/profile ui/tables ui/weight_file ui/profiles ui/profile_difference ui/ranks ui/compare ui/reconcile ui/validation ui/report)
room(ui/window core ui)

room(app/cli core)
room(app/gui core ui)

# against_the_arrows(SOURCE FOLDER…): a source that includes these rooms all the same. The list only shrinks: a review refuses a
# new entry, and the check fails when no source needs an old one.
against_the_arrows(core/analysis/categories/allocation_filter.cpp core/analysis/study)
against_the_arrows(core/analysis/categories/groups.cpp core/analysis/study)
against_the_arrows(core/analysis/findings/finding.cpp core/analysis/study)
against_the_arrows(core/analysis/findings/out_of_memory_advice.cpp core/analysis/study)
against_the_arrows(core/analysis/findings/peak.cpp core/analysis/study)
against_the_arrows(core/analysis/what_if/what_if.cpp core/analysis/study)
against_the_arrows(core/analysis/what_if/what_if.h core/analysis/findings)
against_the_arrows(core/planner/catalogue_shapes.cpp core/planner/diffusion)
against_the_arrows(core/planner/checks.cpp core/planner/rollout)
against_the_arrows(core/planner/diffusion_checks.cpp core/planner/diffusion)
against_the_arrows(core/planner/engines/sglang_values.cpp core/planner)
against_the_arrows(core/planner/engines/vllm_releases.cpp core/planner)
against_the_arrows(core/planner/estimate.cpp core/planner/checkpoint core/planner/diffusion core/planner/formulas)
against_the_arrows(core/planner/field_conditions.h core/planner/diffusion)
against_the_arrows(core/planner/formulas/levels.cpp core/planner/rollout)
against_the_arrows(core/planner/formulas/stages.cpp core/planner/rollout)
against_the_arrows(core/planner/formulas/uncertainty.cpp core/planner/rollout)
against_the_arrows(core/planner/job_text.cpp core/planner/diffusion)
against_the_arrows(core/planner/lifecycle.cpp core/planner/diffusion core/planner/formulas core/planner/rollout)
against_the_arrows(core/planner/peak_summary.cpp core/planner/diffusion core/planner/formulas)
against_the_arrows(core/planner/schedules/schedule.h core/planner)
against_the_arrows(core/planner/serving_checks.cpp core/planner/drafts)
against_the_arrows(core/planner/settings.cpp core/planner/checkpoint core/planner/diffusion core/planner/drafts core/planner/rollout)
against_the_arrows(core/planner/towers/tower_reader.h core/planner)
against_the_arrows(core/planner/towers/towers.cpp core/planner)
against_the_arrows(core/planner/usual_values.cpp core/planner/diffusion core/planner/formulas)
