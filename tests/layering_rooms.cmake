# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# room(FOLDER ROOM…): a folder of core/, ui/ or app/ and the rooms that it may include. The rooms stand from the ground up: each
# names only rooms above it in this file, so their arrows form no circle; core and ui name all of their rooms above it. A room
# inside another may also include what the outer room may include from elsewhere. The name of an outer room means its own files to
# the rooms inside it, and the files of all of its rooms to every other room.
room(core/base)
room(core/catalog core/base)
room(core/checkpoint core/base)
room(core/command_line core/base)
room(core/deck core/base)
room(core/session core/base)
room(core/table core/base)
room(core/simulator core/base)
room(core/llama_cpp core/base core/catalog core/checkpoint)

room(core/plan core/base core/catalog)

room(core/model/blocks)
room(core/model/towers)
room(core/model/diffusion core/model/towers)
room(core/model core/base core/catalog core/checkpoint core/plan core/model/blocks core/model/towers core/model/diffusion)
room(core/model/checkpoint core/model)
room(core/model/drafts core/model)

room(core/settings/engines)
room(core/settings/schedules)
room(core/settings core/base core/catalog core/plan core/model core/settings/engines core/settings/schedules)

room(core/estimate core/base core/catalog core/llama_cpp core/plan core/model core/settings)
room(core/estimate/formulas core/estimate)
room(core/estimate/diffusion core/estimate core/estimate/formulas)
room(core/estimate/rollout core/estimate core/estimate/formulas)

room(core/ask core/base core/catalog core/plan core/model core/settings core/estimate)
room(core/exchange core/base core/catalog core/checkpoint core/plan core/model core/settings core/estimate core/ask)
room(core/planned_requests core/base core/catalog core/plan core/model core/settings core/estimate core/simulator)

room(core/trace core/base)
room(core/profile core/base core/trace)
room(core/readers core/base core/trace core/profile)
room(core/serving_logs core/base core/catalog core/plan core/model core/settings core/estimate core/exchange core/trace core/readers)

room(core/analysis core/base core/catalog core/trace core/simulator)
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
room(core/projection core/base core/catalog core/plan core/model core/settings core/estimate core/trace core/profile)
room(core/solver core/base core/catalog core/plan core/model core/settings core/estimate core/planned_requests core/projection)
room(core/validation core/base core/catalog core/plan core/model core/settings core/estimate core/projection core/simulator core/planned_requests)
room(core/reconcile core/base core/catalog core/plan core/model core/settings core/estimate core/solver core/simulator core/planned_requests core/trace core/analysis)
room(core/describe core/base core/table core/simulator core/catalog core/checkpoint core/plan core/model core/settings core/estimate core/planned_requests core/exchange core/trace core/profile
    core/readers core/serving_logs core/analysis core/ranks core/projection core/solver core/validation core/reconcile)
room(core/print core/base core/table core/describe core/checkpoint core/llama_cpp core/ask core/serving_logs core/reconcile core/simulator core/catalog
    core/plan core/model core/settings core/estimate core/projection core/solver core/exchange core/trace core/profile core/analysis core/ranks core/validation
    core/planned_requests)
room(core/page core/base core/estimate core/trace core/profile core/analysis core/print)
room(core/report core/base core/table core/describe core/serving_logs core/plan core/model core/settings core/estimate core/projection core/solver core/trace core/profile core/analysis
    core/reconcile core/print)

room(ui/support core)
room(ui/page ui/support)
room(ui/export core ui/support)
room(ui/jobs core)
room(ui/models core ui/support)
room(ui/timeline core/base core/trace core/analysis ui/support ui/models)
room(ui/charts core/base core/catalog core/plan core/model core/settings core/estimate core/print ui/support)
room(ui/stage core ui/support ui/page ui/charts)
room(ui/deck core ui/support ui/export ui/stage)
room(ui/bookmarks core ui/support ui/page ui/stage)
room(ui/document core ui/support ui/export ui/stage ui/timeline)
room(ui/projection core ui/support ui/page ui/jobs ui/charts)
room(ui/planner core ui/support ui/page ui/export ui/jobs ui/models ui/charts ui/stage ui/document ui/projection)
room(ui/stacks core ui/support ui/models)
room(ui/trace core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stacks ui/stage ui/bookmarks ui/document)
room(ui/series core ui/support ui/page ui/export ui/timeline ui/stage ui/document ui/trace)
room(ui/profile core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stage ui/bookmarks ui/document ui/trace)
room(ui/serving_log core ui/support ui/page ui/export ui/charts ui/stage ui/document)
room(ui/tables core ui/support ui/page ui/models ui/document ui/profile)
room(ui/weight_file core ui/support ui/page ui/charts ui/document)
room(ui/profile_difference core ui/support ui/page ui/export ui/jobs ui/models ui/stage ui/document ui/profile)
room(ui/ranks core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stage ui/document ui/profile)
room(ui/compare core ui/support ui/page ui/export ui/jobs ui/models ui/timeline ui/stacks ui/stage ui/document ui/trace)
room(ui/reconcile core ui/support ui/page ui/jobs ui/charts ui/stage ui/document ui/planner ui/compare)
room(ui/validation core/base core/catalog core/table core/plan core/model core/settings core/estimate core/projection core/validation core/describe ui/support
    ui/page ui/export ui/models ui/charts ui/document)
room(ui/report core ui/support ui/export ui/charts ui/document ui/planner ui/timeline ui/trace ui/compare ui/reconcile)
room(ui/offscreen core ui)
room(ui/window core ui)

room(app/cli core)
room(app/gui core ui)

# against_the_arrows(SOURCE FOLDER…): a source that includes these rooms all the same. The list only shrinks: a review refuses a
# new entry, and the check fails when no source needs an old one.
against_the_arrows(core/analysis/categories/allocation_filter.cpp core/analysis/study)
against_the_arrows(core/analysis/categories/groups.cpp core/analysis/study)
against_the_arrows(core/analysis/findings/out_of_memory_advice.cpp core/analysis/study)
against_the_arrows(core/analysis/findings/peak.cpp core/analysis/study)
against_the_arrows(core/analysis/what_if/what_if.cpp core/analysis/study)
against_the_arrows(core/analysis/what_if/what_if.h core/analysis/findings)
against_the_arrows(core/estimate/estimate.cpp core/estimate/diffusion core/estimate/formulas)
against_the_arrows(core/estimate/formulas/stages.cpp core/estimate/rollout)
against_the_arrows(core/estimate/lifecycle.cpp core/estimate/diffusion core/estimate/formulas core/estimate/rollout)
against_the_arrows(core/estimate/peak_summary.cpp core/estimate/diffusion core/estimate/formulas)
against_the_arrows(core/model/model_parts.cpp core/estimate)
against_the_arrows(core/model/towers/tower_reader.h core/model)
against_the_arrows(core/settings/diffusion_checks.cpp core/estimate/diffusion)
against_the_arrows(core/settings/engines/sglang_values.cpp core/settings)
against_the_arrows(core/settings/engines/vllm_releases.cpp core/settings)
against_the_arrows(core/settings/schedules/schedule.h core/settings)
against_the_arrows(core/settings/usual_values.cpp core/estimate/formulas)
