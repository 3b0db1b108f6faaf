#!/usr/bin/env bash
# run.sh [DEVICE [ARGUMENTS OF PYTEST]]: the Python tests with data on DEVICE (cuda), the host for what has no
# kernel. A table of failures comes last.
set -uo pipefail
cd "$(dirname "$0")"
device=${1:-cuda}
shift || true
site=$PWD/site
python=${PYTHON:-python3}
if ! [ -d "$site" ]; then
    "$python" -m pip install --quiet --no-index --no-deps --no-compile --target "$site" wheels/*.whl || exit
fi
. ./nvrtc.sh
export PYTHONPATH=$PWD/python:$site PYTHONDONTWRITEBYTECODE=1
export CUPRUM_DEVICE=$device CUPRUM_FALLBACK=host HYPOTHESIS_PROFILE=ci
echo "commit $(cat commit), device $device, $("$python" --version)"
"$python" -c 'import cuprum; from cuprum.cuda import Device; d = Device(cuprum.get_option("device")); print(d, d.name)' || exit
"$python" -m pytest python/tests -q -p no:cacheprovider -p no:benchmark --tb=line ${*:-}
