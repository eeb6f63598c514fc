#!/bin/bash
# setup.sh: Gradescope runs this once, when it builds the autograder's image: the kit and what it needs.
set -euo pipefail
source=${AUTOGRADER:-/autograder}/source
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git make ca-certificates python3-pip
cd "$source/kit"
make setup
# everything is built now, so that no student waits for it
make "$(cat "$source/lab")" DEVICE=sim
make "${BUILD:-build}/bin/grade" grade-programs LAB="$(cat "$source/lab")"
