# shellcheck shell=bash
# Sets CUPRUM_NVRTC where NVRTC can be found and is not named.
# The folder of NVIDIA's run-time compiler: a Python package's or a toolkit's. Where the loader knows
# it, nothing needs to be found.
find_nvrtc() {
    local packages
    packages=$(python3 -c 'import site, sys; print(*site.getsitepackages(), site.getusersitepackages(), *sys.path, sep="\n")' 2>/dev/null || true)
    while read -r folder; do
        for library in "$folder"/nvidia/*/lib/libnvrtc.so.*; do
            if [ -e "$library" ]; then dirname "$library"; return; fi
        done
    done <<< "$packages"
    for library in /usr/local/cuda*/lib64/libnvrtc.so.*; do
        if [ -e "$library" ]; then dirname "$library"; return; fi
    done
}

if [ -z "${CUPRUM_NVRTC:-}" ]; then
    CUPRUM_NVRTC=$(find_nvrtc)
fi
if [ -n "$CUPRUM_NVRTC" ]; then export CUPRUM_NVRTC; else unset CUPRUM_NVRTC; fi
