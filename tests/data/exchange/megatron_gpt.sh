#!/bin/bash
# GPT-3 7B with grouped queries on one node of eight GPUs
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=1
NODE_RANK=${RANK:-0}
WORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))
HIDDEN=4096
CHECKPOINT_PATH=$1 #<Specify path>

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
    --master_addr localhost
    --master_port 6000
)

GPT_MODEL_ARGS=(
    --num-layers 32
    --hidden-size ${HIDDEN}      # the width
    --ffn-hidden-size $((4 * HIDDEN))
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --seq-length 8192
    --max-position-embeddings 8192
    --untie-embeddings-and-output-weights
    --tokenizer-type NullTokenizer
    --vocab-size 131072
)

TRAINING_ARGS="
    --micro-batch-size 2 \
    --global-batch-size 8 \
    --bf16 \
    --lr 6.0e-5 --min-lr 6.0e-6 \
    --clip-grad 1.0 \
    --use-distributed-optimizer \
    --fancy-new-option 3
"

MODEL_PARALLEL_ARGS=(--tensor-model-parallel-size 4 --pipeline-model-parallel-size 1)

torchrun "${DISTRIBUTED_ARGS[@]}" pretrain_gpt.py \
    "${GPT_MODEL_ARGS[@]}" \
    $TRAINING_ARGS \
    ${MODEL_PARALLEL_ARGS[@]} \
    --save "$CHECKPOINT_PATH" --log-interval 100 2>&1 | tee log.txt
