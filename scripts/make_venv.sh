#!/bin/sh
# Make a virtual environment with Python 3.11 or newer; on Debian and Ubuntu, fetch the
# python3-venv package if it is missing and we may.
set -eu
target=$1
python=""
for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "Covey needs Python 3.11 or newer, and none was found. Install it, for example:" >&2
    echo "    sudo apt-get install python3 python3-venv" >&2
    exit 1
fi
if [ -x "$target/bin/python" ] && "$target/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi
echo "Creating $target with $("$python" --version) ..."
if "$python" -m venv --clear "$target" 2>/dev/null; then
    exit 0
fi
package="python3-venv python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
echo "Python's venv module is incomplete here; installing $package ..."
if ! { $as_root apt-get update -qq && $as_root apt-get install -y -qq $package; } >/dev/null 2>&1; then
    echo "That was not permitted. Please run:  sudo apt-get install $package" >&2
    exit 1
fi
"$python" -m venv --clear "$target"
