#!/bin/bash
# slurm-cluster.sh start|stop-node|start-node|stop FOLDER: a Slurm of one node, everything of it in FOLDER, for the
# tests: munged, slurmctld and slurmd on ports of their own. SLURM_CONF=FOLDER/slurm.conf is how to speak to it.
set -eu
verb=$1
folder=$2
export SLURM_CONF=$folder/slurm.conf

# A port nobody listens on now.
free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 20000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
    return 1
}

end() {
    local pid
    pid=$(cat "$folder/$1.pid" 2>/dev/null) || return 0
    kill -KILL "$pid" 2>/dev/null || true
    rm -f "$folder/$1.pid"
}

# A daemon's session is its own from the start: who ran this script may end what is left of it.
start_node() {
    setsid --wait slurmd -f "$SLURM_CONF" -L "$folder/slurmd.log" >>"$folder/start.log" 2>&1
}

# wait_for SECONDS COMMAND...
wait_for() {
    local left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        if [ $left -le 0 ]; then
            return 1
        fi
        sleep 0.2
    done
}

node_is_idle() {
    [ "$(sinfo --noheader --format=%T)" = idle ]
}

node_is_down() {
    sinfo --noheader --format=%T | grep -q down
}

# The processes of this cluster's tasks, and the step daemons that started them.
task_processes() {
    local environment
    for environment in /proc/[0-9]*/environ; do
        if grep -qzx "SLURM_CONF=$SLURM_CONF" "$environment" 2>/dev/null &&
            grep -qz '^SLURM_ARRAY_TASK_ID=' "$environment" 2>/dev/null; then
            basename "$(dirname "$environment")"
            awk '$1 == "PPid:" && $2 > 1 { print $2 }' "$(dirname "$environment")/status"
        fi
    done | sort -u
}

case $verb in
start)
    mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
    chmod 0755 "$folder" "$folder/munge"
    dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 status=none
    chmod 0400 "$folder/munge.key"
    host=$(hostname -s)
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdTimeout=5
ReturnToService=2
KillWait=2
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    printf 'CgroupAutomount=no\n' >"$folder/cgroup.conf"
    setsid --wait munged --force --socket="$folder/munge/socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
        --seed-file="$folder/munge.seed" --log-file="$folder/munged.log" --num-threads=2 >>"$folder/start.log" 2>&1
    setsid --wait slurmctld -f "$SLURM_CONF" -L "$folder/slurmctld.log" -i >>"$folder/start.log" 2>&1
    start_node
    wait_for 3600 node_is_idle
    ;;
stop-node) # as if its power went: nothing on it goes on, and the controller finds out
    mapfile -t lost < <(task_processes)
    end slurmd
    for pid in "${lost[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    wait_for 3600 node_is_down
    ;;
start-node) start_node ;;
stop)
    scancel --me 2>/dev/null || true
    sleep 0.5
    end slurmd
    end slurmctld
    end munged
    ;;
esac
