// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recipes.h"

#include "core/base/shipped_documents.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Options and versions as the projects' own documents and sources state them; sizes as measured on
// recorded files.
constexpr std::array kRecipes{
    Recipe{"pytorch", "a few steps of any PyTorch program", "PyTorch 2.1 or later",
           R"(Start before the model is made: what was allocated earlier has no stack.
Six steps: the first allocates what lasts, the last may be cut off, and vramscope-cli leaks needs
four whole ones to tell what keeps growing. Where the peak alone is asked for, two will do.
max_entries limits the history of each device; the oldest entries are dropped beyond it.
stacks="all" adds C++ frames: needed for stacks of the backward pass, three times the size.)",
           "python", R"(import torch

torch.cuda.memory._record_memory_history(
    max_entries=1_000_000, context="all", stacks="python"
)

for step in range(6):
    train_step()  # yours

torch.cuda.memory._dump_snapshot("snapshot.pickle")
torch.cuda.memory._record_memory_history(enabled=None)  # stop
)"},
    Recipe{"oom", "the history up to an out-of-memory error", "PyTorch 2.1 or later",
           R"(The observer runs when the allocator gives up, before the exception unwinds anything.
It is called again where the program catches the error and retries: the last file counts.
Its arguments: device, bytes asked for, bytes allocated on the device, bytes free on it.)",
           "python", R"(import os

import torch

torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")


def save_snapshot(device, asked, allocated, free):
    rank = os.environ.get("RANK", "0")
    torch.cuda.memory._dump_snapshot(f"oom_rank{rank}.pickle")


torch._C._cuda_attach_out_of_memory_observer(save_snapshot)
)"},
    Recipe{"ranks", "every rank of a distributed run, to compare them", "PyTorch 2.1 or later",
           R"(One file a rank, with the rank in its name, in one folder.
Then: vramscope-cli diff FOLDER names the rank that stands out, and why.
Six steps, so that vramscope-cli leaks has the four whole ones that it needs.
torchrun sets RANK; under Slurm without it, SLURM_PROCID is the rank.)",
           "python", R"(import os
import pathlib

import torch

rank = os.environ.get("RANK", os.environ.get("SLURM_PROCID", "0"))
folder = pathlib.Path("snapshots")
folder.mkdir(exist_ok=True)

torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")

for step in range(6):
    train_step()  # yours

torch.cuda.memory._dump_snapshot(str(folder / f"rank{rank}_snapshot.pickle"))
)"},
    Recipe{
        "slurm", "summaries of the snapshots of a large run, under Slurm", "",
        R"(For runs whose snapshots nobody copies: each task summarises its part, ten kilobytes a rank.
The first lines belong into the job script, behind the training: each node reads what it wrote.
Without -n srun takes the number of tasks from the environment. The others are the same as an
array, also when the allocation is gone; afterany, because afterok waits for ever once a task
failed. The number of parts is written out: an array that redoes a few of them counts these.
Indexes end at MaxArraySize, 1000 as it is installed: one to four tasks a node are enough.
Then: vramscope-cli diff run.vramranks names who failed first, and what stands out and why.)",
        "sh", R"(export SNAPSHOTS=$PWD/snapshots SUMMARIES=$PWD/summaries RANKS=4096

srun -n $SLURM_NNODES --ntasks-per-node=1 bash -c 'vramscope-cli summarize $SNAPSHOTS \
    --ranks $RANKS --part $SLURM_PROCID/$SLURM_NTASKS --out $SUMMARIES'
vramscope-cli collect $SUMMARIES --ranks $RANKS --out run.vramranks  # also on the login node

# or as a job array of its own
A=$(sbatch --parsable --array=0-63 --cpus-per-task=2 --mem=4G --wrap 'vramscope-cli summarize \
    $SNAPSHOTS --ranks $RANKS --part $SLURM_ARRAY_TASK_ID/64 --out $SUMMARIES')
sbatch --dependency=afterany:$A --wrap 'vramscope-cli collect $SUMMARIES --ranks $RANKS \
    --out run.vramranks'
)"},
    Recipe{
        "kubernetes", "summaries of the snapshots of a large run, as an Indexed Job", "",
        R"(Each pod of an Indexed Job summarises its part; JOB_COMPLETION_INDEX is the number of it.
kubectl reads the job from the lines; image and volume are yours. A pod that failed is started
again by itself, and a part that is there already is not done twice.)",
        "sh", R"(kubectl apply -f - <<'END'
apiVersion: batch/v1
kind: Job
metadata: {name: summarize}
spec:
  completions: 64
  parallelism: 16
  completionMode: Indexed
  template:
    spec:
      restartPolicy: OnFailure
      containers:
      - name: summarize
        image: IMAGE  # yours, with vramscope-cli
        command: [sh, -c]
        args:
        - vramscope-cli summarize /run/snapshots --ranks 4096
          --part $JOB_COMPLETION_INDEX/64 --out /run/summaries
        volumeMounts: [{name: run, mountPath: /run}]
      volumes: [{name: run, persistentVolumeClaim: {claimName: CLAIM}}]  # yours
END
kubectl wait --for=condition=complete --timeout=1h job/summarize
vramscope-cli collect /run/summaries --ranks 4096 --out run.vramranks  # where the volume is seen
)"},
    Recipe{
        "mpi", "summaries of the snapshots of a large run, by mpirun, PBS, LSF or Flux", "",
        R"(Nothing is sent between the processes: mpirun only counts them. Open MPI's variables are
OMPI_COMM_WORLD_RANK and _SIZE; MPICH, Intel MPI and Flux (flux run) have PMI_RANK and PMI_SIZE,
or FLUX_TASK_RANK and a number of your own. Arrays: PBS_ARRAY_INDEX (qsub -J 0-63) and
LSB_JOBINDEX (from 1: subtract it) with the number of parts written out.)",
        "sh",
        R"(mpirun -n 64 bash -c 'vramscope-cli summarize snapshots --ranks 4096 --out summaries \
    --part $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE'
vramscope-cli collect summaries --ranks 4096 --out run.vramranks
)"},
    Recipe{
        "parallel", "summaries of the snapshots of a large run, on one machine or by ssh", "",
        R"(One process on all processors of one machine is enough where it sees the files: the first
line. GNU parallel spreads parts over machines that share the folders.)",
        "sh", R"(vramscope-cli summarize snapshots --ranks 4096 --out summaries

# or over several machines
seq 0 63 | parallel --sshloginfile machines.txt --wd . \
    vramscope-cli summarize snapshots --ranks 4096 --part {}/64 --out summaries
vramscope-cli collect summaries --ranks 4096 --out run.vramranks
)"},
    Recipe{"rehearse",
           "what the allocator would record, without a GPU",
           "PyTorch 2.4 or later, built for CUDA",
           R"(One file, with nothing but PyTorch:
    vramscope-cli recipe rehearse > vramscope_rehearse.py
    python vramscope_rehearse.py --device h100 --world-size 8 -- train.py ARGUMENTS
    vramscope rehearsed.pickle
-m in front of -- takes a module, as python -m does. --rank is the rank, --out the file.
--largest batch=4,8 -- train.py --batch {batch} finds the largest that fits.
Two optimizer steps are enough: the second is like all that follow. Let the program end itself.
Tensors on cuda have no memory behind them: 8 billion parameters take 2 GB of the host.
Weights are not loaded. The program changes no file: it writes, renames and removes in a scratch
folder, and the last line names the changes. --let-write DIR lets it change a folder.
Numbers of the GPU are not known: losses are 1. A decision that depends on such a number is
refused, and its line is named; --values yes, no or no,train.py:40=yes decides. A program that
catches out-of-memory errors gets them, and so may halve its batch.)",
           "python",
           {}},
    Recipe{"annotations", "names of phases on the time axis", "PyTorch 2.5 or later",
           R"(Ranges of record_function stand in the snapshot beside the history.
Optimizers and torch.profiler's steps mark themselves in the same way.
global_record_annotations=True also takes those of other threads, as the backward pass has.)",
           "python", R"(import torch
from torch.profiler import record_function

torch.cuda.memory._record_memory_history(
    max_entries=1_000_000, stacks="python", global_record_annotations=True
)

with record_function("## forward ##"):
    loss = model(batch)
with record_function("## backward ##"):
    loss.backward()
)"},
    Recipe{
        "lightning", "Lightning, by a callback", "Lightning 2.0, PyTorch 2.1 or later",
        R"(Trainer(callbacks=[MemorySnapshot()]) records the first six steps: vramscope-cli leaks needs four
whole ones to tell what keeps growing.
An exception, as out of memory is one, writes the file as well.)",
        "python", R"(import lightning.pytorch as pl
import torch


class MemorySnapshot(pl.Callback):
    def __init__(self, steps=6):
        self.steps = steps
        self.saved = False

    def setup(self, trainer, pl_module, stage):
        torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if trainer.global_step >= self.steps:
            self.save(trainer)

    def on_exception(self, trainer, pl_module, exception):
        self.save(trainer)

    def save(self, trainer):
        if self.saved:
            return
        self.saved = True
        torch.cuda.memory._dump_snapshot(f"rank{trainer.global_rank}_snapshot.pickle")
        torch.cuda.memory._record_memory_history(enabled=None)
)"},
    Recipe{
        "transformers", "Hugging Face Trainer, by a callback",
        "transformers 4.0, PyTorch 2.1 or later",
        R"(Trainer(..., callbacks=[MemorySnapshot()]) records the first six steps: vramscope-cli leaks needs
four whole ones to tell what keeps growing.
The model is on the GPU before the first hook of a callback: for stacks of the parameters call
_record_memory_history() before the model is loaded instead.)",
        "python", R"(import torch
from transformers import TrainerCallback


class MemorySnapshot(TrainerCallback):
    def __init__(self, steps=6):
        self.steps = steps

    def on_train_begin(self, args, state, control, **kwargs):
        torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step == self.steps:
            torch.cuda.memory._dump_snapshot(f"rank{args.process_index}_snapshot.pickle")
            torch.cuda.memory._record_memory_history(enabled=None)
)"},
    Recipe{"torchtitan", "torchtitan, by options", "torchtitan of 2024 or later",
           R"(Every rank writes rank<N>_memory_snapshot.pickle, each profile_freq steps, into
outputs/memory_snapshot/iteration_<step>; on out of memory into iteration_<step>_exit.
Its history holds 100,000 entries a device at first, more in newer versions.)",
           "sh", R"(CONFIG_FILE="./train_configs/debug_model.toml" ./run_train.sh \
    --profiling.enable_memory_snapshot \
    --profiling.save_memory_snapshot_folder memory_snapshot
)"},
    Recipe{
        "megatron", "Megatron-LM, by options", "Megatron-LM with --record-memory-history",
        R"(One rank writes the file, each --log-interval steps, over the last one: the last rank in
older versions, the first in newer ones. Name a file, not a folder.
In Megatron Bridge: profiling.record_memory_history and profiling.memory_snapshot_path.)",
        "sh", R"(torchrun --nproc-per-node 8 pretrain_gpt.py "${ARGUMENTS[@]}" \
    --record-memory-history \
    --memory-snapshot-path snapshot.pickle
)"},
    Recipe{
        "slime", "slime, by options", "slime with --memory-recorder",
        R"(Megatron's two options with a folder beside them; on out of memory each rank writes its own
file. --memory-snapshot-num-steps writes one after so many rollouts as well.)",
        "sh", R"(python3 train.py "${ARGUMENTS[@]}" \
    --record-memory-history \
    --memory-recorder torch \
    --memory-snapshot-dir snapshots \
    --memory-snapshot-path snapshot.pickle \
    --memory-snapshot-num-steps 3
)"},
    Recipe{
        "vllm", "vLLM, in its workers", "vLLM with worker_extension_cls, PyTorch 2.1 or later",
        R"(vLLM allocates in worker processes, so the lines must run there: as methods of an extension
of the worker, in a module that the workers can import (here memory_snapshot.py).
Weights and cache are allocated before the first call: they have no stack. The profile run and
requests show. Leave out CUDA graphs (enforce_eager) to see each operator.)",
        "python", R"(# memory_snapshot.py
import torch


class MemorySnapshot:
    def start_recording(self):
        torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")

    def save_recording(self, folder):
        torch.cuda.memory._dump_snapshot(f"{folder}/rank{self.rank}_snapshot.pickle")


# the program
def main():
    from vllm import LLM

    llm = LLM(
        model="facebook/opt-125m",
        enforce_eager=True,
        worker_extension_cls="memory_snapshot.MemorySnapshot",
    )
    llm.collective_rpc("start_recording")
    llm.generate(["Hello, my name is"])
    llm.collective_rpc("save_recording", args=("/tmp",))


if __name__ == "__main__":
    main()
)"},
    Recipe{"costs", "what a recording costs, in time, memory and bytes", "",
           R"(Time: about 2 µs for the Python stack of each allocation and free.
Host memory while recording: several KB an entry, so 1,000,000 entries are some GB.
File: 90 to 150 bytes an entry with Python stacks, 150 to 400 with C++ stacks (stacks="all"), as
recorded: equal frames are written once. 1,000,000 entries are about 100 to 400 MB.
An allocation with its free is three entries; a training step of a large model has 10,000 to 50,000.
Set max_entries: without it the history of a long run grows until the host is out of memory.)",
           "", ""},
    Recipe{"versions", "which PyTorch records what", "",
           R"(2.0   history of events; recording has other arguments (trace_alloc_max_entries)
2.1   stacks of blocks and segments, expandable segments; today's arguments
2.2   times
2.3   settings of the allocator
2.5   annotations (record_function)
2.8   regions of torch.compile, with compile_context=True
2.10  skip_actions leaves kinds of events out; names of FX graphs' operators
2.11  metadata of the user's own (_set_memory_metadata); stacks of the forward pass
2.12  the pool of each event
On ROCm all of it is the same. cudaMallocAsync (backend:cudaMallocAsync) cannot be recorded.)",
           "", ""},
};

} // namespace

std::span<const Recipe> recipes()
{
    static const auto whole = [] {
        auto all = kRecipes;
        std::ranges::find(all, "rehearse", &Recipe::topic)->lines =
            shippedDocument("recipes/vramscope_rehearse.py");
        return all;
    }();
    return whole;
}

const Recipe *recipe(std::string_view topic)
{
    const auto all = recipes();
    const auto found = std::ranges::find(all, topic, &Recipe::topic);
    return found == all.end() ? nullptr : &*found;
}

} // namespace vramscope
