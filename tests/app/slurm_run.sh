#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   slurm_run.sh VRAMSCOPE_CLI MAKE_RANK_RUN
#
# Summarises a run of 1,024 ranks by a real Slurm: munged, slurmctld and four slurmd that this script starts on the loopback
# address, in a folder of its own, and ends. One task of the array is killed, the node of another is lost, and both are healed by the
# line that collect prints; srun gives the same bytes. Ends with 77 where Slurm cannot be started here (not root, or no namespace for the name of the machine).
set -euo pipefail

cli=$(realpath "$1")
maker=$(realpath "$2")
nodes=4
cpus=6 # three nodes are enough for 16 tasks
work=$(mktemp -d "${TMPDIR:-/tmp}/vramscope-slurm.XXXXXX")
started=() # processes, the last one first

say() { echo "[$SECONDS s] $*"; }
fail() {
    echo "FAILED: $*" >&2
    tail -n 5 "$work"/*.log "$work"/slurm-*.out 2>/dev/null >&2 || true
    exit 1
}
skip() {
    echo "SKIPPED: $*"
    exit 77
}

all_ended() { ! kill -0 "${started[@]}"; }

kill_ours() { # PROCESS…: and the steps of our own Slurm, which its configuration tells from another's
    local pid
    for pid in $(pgrep slurmstepd); do
        grep -qz "^SLURM_CONF=$work/" "/proc/$pid/environ" 2>/dev/null && kill -KILL "$pid" || true
    done
    kill -KILL "$@" 2>/dev/null || true
}

# shellcheck disable=SC2317 # called by the trap
finish() {
    local status=$? pid
    trap - EXIT
    [ -e "$work/slurm.conf" ] && timeout 10 scancel --partition=all --full 2>/dev/null || true
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    # A daemon waits for the tasks of its node: what is left after a while ends with it.
    until_true 10 all_ended || kill_ours "${started[@]}"
    for pid in "${started[@]}"; do
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

[ "$(id -u)" -eq 0 ] || skip "Slurm's daemons are started as root here (root)."

# Slurm binds the address of the machine's name, which may be one of a network: in a namespace of its own the name is localhost.
host=$(hostname -s)
if [[ $(getent ahostsv4 "$host" | head -n 1) != 127.* ]]; then
    if [ -z "${VRAMSCOPE_SLURM_RENAMED:-}" ]; then
        unshare --uts true 2>/dev/null || skip "the name $host is not on the loopback address, and no namespace gives another (root)."
        rm -rf "$work"
        VRAMSCOPE_SLURM_RENAMED=1 exec unshare --uts bash -c 'hostname localhost && exec "$@"' - "$0" "$@"
    fi
    skip "the name $host is not on the loopback address, and no namespace gives another (root)."
fi

free_port() { # the first of $1 in a row that nobody listens on
    local first port
    for ((first = 21000 + RANDOM % 9000; first < 60000; first += $1)); do
        for ((port = first; port < first + $1; port++)); do
            if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
                continue 2
            fi
        done
        echo "$first"
        return
    done
    return 1
}

until_true() { # SECONDS COMMAND…
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

start() { # NAME COMMAND…: in the foreground as Slurm has it, so that it is this script's child
    local name=$1
    shift
    "$@" >>"$work/$name.log" 2>&1 &
    started=("$!" "${started[@]}")
}

port=$(free_port $((nodes + 1)))
chmod 755 "$work"
mkdir "$work/munge" "$work/state"
chmod 755 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
cat >"$work/slurm.conf" <<CONF
ClusterName=vramscope
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmdSpoolDir=$work/spool-%n
StateSaveLocation=$work/state
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=10000,bf_interval=1
ReturnToService=1
KillWait=2
NodeName=n[0-$((nodes - 1))] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
echo "CgroupAutomount=no" >"$work/cgroup.conf"
export SLURM_CONF=$work/slurm.conf

start munged munged --foreground --force --socket="$work/munge/socket" --key-file="$work/munge/key" --seed-file="$work/munge/seed" \
    --pid-file="$work/munge/pid" --log-file="$work/munge/log" --num-threads=2
until_true 10 test -S "$work/munge/socket" || skip "munged does not start on this machine (root)."
start slurmctld slurmctld -D -f "$SLURM_CONF"
declare -A daemons # of the nodes
for ((node = 0; node < nodes; node++)); do
    start "n$node" slurmd -D -N "n$node" -f "$SLURM_CONF"
    daemons[n$node]=${started[0]}
done
nodes_up() { [ "$(sinfo -h -N -t idle,mixed,allocated -o %N | sort -u | wc -l)" = "$nodes" ]; }
until_true 60 nodes_up || skip "Slurm's nodes do not come up on this machine (root)."
say "Slurm is up"

export PATH=${cli%/*}:$PATH
export SNAPSHOTS=$work/snapshots SUMMARIES=$work/summaries RANKS=1024
cd "$work"
"$maker" "$SNAPSHOTS" "$RANKS"
say "$RANKS snapshots are there"

queue_is_empty() { [ -z "$(squeue -h)" ]; }

# The lines that the program prints, as they are but for the numbers; tasks 5 and 9 wait until they are ended, and do not go on where
# only what they wait in is ended first. Nothing is queued
# again by itself, as many clusters have it.
cut -d '#' -f 1 < <(vramscope-cli recipe slurm | sed -n '/^A=/,/--out \$SUMMARIES/p') |
    sed "s/0-63/0-15/; s,/64,/16,; s/ --cpus-per-task=2 --mem=4G//; s/--array=/--no-requeue &/; s/--wrap '/--wrap 'case \$SLURM_ARRAY_TASK_ID in 5|9) sleep 120; exit 1;; esac; /" >lines.sh
grep -q 'sbatch --parsable --no-requeue --array=0-15' lines.sh || fail "the recipe has no array: $(cat lines.sh)"
# shellcheck disable=SC1091
source ./lines.sh
array=$A
done_but_two() { [ "$(find "$SUMMARIES" -name 'part-*.vramranks' 2>/dev/null | wc -l)" = 14 ]; }
until_true 60 done_but_two || fail "the tasks did not write their parts"
scancel --signal=KILL --full "${array}_5" # as a node's memory limit would
scancel "${array}_5" 2>/dev/null || true
lose_node_of() { # ARRAY TASK: its daemon and all that runs under it end at once, and the cluster notices
    local node job step script
    read -r node job < <(squeue -h -j "$1_$2" -o '%N %A')
    kill -KILL "${daemons[$node]}"
    for step in $(pgrep -f "^slurmstepd: \[$job[.]"); do
        # shellcheck disable=SC2046 # numbers of processes: the step, its script and what that runs
        kill -KILL $(for script in $(pgrep -P "$step"); do pgrep -P "$script" && echo "$script"; done) "$step"
    done
    wait "${daemons[$node]}" 2>/dev/null || true
    scontrol update "NodeName=$node" State=DOWN Reason=lost
    say "node $node is lost with task $2"
}
lose_node_of "$array" 9
until_true 30 queue_is_empty || fail "the array did not end"
say "14 of 16 parts are there"

status=0
vramscope-cli collect "$SUMMARIES" --ranks "$RANKS" --out run.vramranks >collect.txt 2>redo.txt || status=$?
[ "$status" = 1 ] || fail "collect ended with $status, not 1"
grep -q '^Parts 5 and 9 of 16 are missing.$' redo.txt || fail "collect does not name parts 5 and 9: $(cat redo.txt)"
grep -q '^896 of 1,024 ranks.$' collect.txt || fail "collect says: $(cat collect.txt)"

line=$(sed -n 's/^  \(sbatch .*\)$/\1/p' redo.txt)
[ -n "$line" ] || fail "collect prints no line for Slurm"
bash -c "$line" >/dev/null
parts_are_there() { [ -e "$SUMMARIES/part-00005-of-00016.vramranks" ] && [ -e "$SUMMARIES/part-00009-of-00016.vramranks" ]; }
until_true 60 parts_are_there || fail "the printed line did not do the parts"
until_true 30 queue_is_empty || fail "the redone parts did not end"
vramscope-cli collect "$SUMMARIES" --ranks "$RANKS" --out run.vramranks >collect.txt || fail "collect after healing"
grep -q '^1,024 of 1,024 ranks.$' collect.txt || fail "collect says: $(cat collect.txt)"
say "the printed line healed it"

# The same in an allocation of the nodes that are left: tasks by their number in srun.
SUMMARIES=$work/by-srun
export SUMMARIES
timeout 60 srun -n 16 bash -c 'vramscope-cli summarize $SNAPSHOTS --ranks $RANKS --part $SLURM_PROCID/$SLURM_NTASKS --out $SUMMARIES' >/dev/null ||
    fail "srun"
vramscope-cli collect "$SUMMARIES" --out by-srun.vramranks >/dev/null
cmp run.vramranks by-srun.vramranks || fail "srun gives other bytes than the array"
say "srun gives the same bytes"

vramscope-cli diff run.vramranks --json >diff.json
python3 - diff.json <<'PYTHON' || fail "the run is not told as it was made"
import json, sys

run = json.load(open(sys.argv[1]))
assert run["ranks"] == 1024 and not run["missing"], run["missing"]
assert [group["ranks"] for group in run["groups"]] == [[[128 * s, 128 * s + 127]] for s in range(8)]
assert run["first_failure"]["rank"] == 733 and run["first_failure"]["beside"] == [12]
assert {outlier["rank"] for outlier in run["outliers"]} == {733}
site = run["differences"][0]["comparison"]["sites"][0]
assert site["delta"] == 9 << 30 and site["frames"][1]["name"] == "dispatch" and site["frames"][1]["line"] == 88, site
PYTHON
say "all as the run was made"
