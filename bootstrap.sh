#!/bin/sh
# Sets kit up, then runs a Python module in what was set up.
#
#   sh bootstrap.sh run [MODULE ARGUMENT...]    what printing needs
#   sh bootstrap.sh dev [MODULE ARGUMENT...]    the same, and what the tests need
#
# Needed from outside: Python, and the libraries that set text (Pango, HarfBuzz). Missing ones are installed by the
# system's package manager when that is allowed (as root, or by sudo without a password); otherwise one line says what
# to type, and the exit code is 3. All else goes into .venv, from lock files with hashes. The folder belongs to this
# script: it is made anew when it is not known to be whole. `.venv/.ready`, written last, says what it holds.
#
# Safe to repeat, to kill at any moment, and to start twice at once.
set -u
cd -P -- "$(dirname -- "$0")" || exit 3
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_USER PIP_REQUIRE_VIRTUALENV PIP_NO_DEPS

say() { printf '%s\n' "$*" >&2; }
stop() { say "error: $*"; exit 3; }

wanted=${1:-}
case $wanted in run | dev) shift ;; *) say "usage: sh bootstrap.sh run|dev [MODULE ARGUMENT...]"; exit 2 ;; esac
case $wanted in dev) lock=requirements-dev.lock things='libraries tools' ;; *) lock=requirements.lock things=libraries ;; esac

# Homebrew's libraries are not on the path that macOS searches.
if [ "$(uname -s)" = Darwin ] && command -v brew >/dev/null; then
    export DYLD_FALLBACK_LIBRARY_PATH="${DYLD_FALLBACK_LIBRARY_PATH:-$(brew --prefix)/lib:/usr/local/lib:/usr/lib}"
fi

# ---- what is there -----------------------------------------------------------------------------------------------

find_python() {  # sets $python to a Python that is new enough
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
    done
    python=
    return 1
}

absent() {  # names what is missing outside .venv, in one line; kit/doctor.py knows how to look
    [ -n "$python" ] || { echo python venv libraries; return; }
    { list_absent "$@"; } | tr '\n' ' ' | sed 's/ $//'
}

list_absent() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null || echo venv
    "$python" -m kit.doctor "$@"
}

digest() { cat "$@" | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c 1-64; }

# What .venv has to hold: these locked packages, at this place (its scripts name their folder).
key() { { cat requirements.lock requirements-dev.lock; pwd -P; } | digest -; }

ready() {  # is .venv whole, at least at level $1?
    [ -f .venv/.ready ] && read -r level had < .venv/.ready && [ "$had" = "$(key)" ] || return 1
    [ "$level" = dev ] || [ "$level" = "$1" ]
}

current() {  # is nothing at all to be done?
    ready "$wanted" && [ "$(cat .venv/.kit 2>/dev/null)" = "$(digest pyproject.toml)" ] &&
        lacking=$(.venv/bin/python -m kit.doctor libraries 2>/dev/null) && [ -z "$lacking" ]
}

# ---- what the system brings --------------------------------------------------------------------------------------

find_manager() {
    for manager in apt-get dnf pacman brew; do command -v "$manager" >/dev/null && return; done
    manager=
}

package() {  # the package that brings a thing; none for a test tool that this manager does not have
    case $manager:$1 in
        apt-get:python) echo python3 ;;
        apt-get:venv) echo "${python:-python3}-venv" ;;
        apt-get:libraries) echo libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0 ;;
        apt-get:gobject | apt-get:fontconfig | apt-get:pango | apt-get:pangoft2) echo libpango-1.0-0 libpangoft2-1.0-0 ;;
        apt-get:harfbuzz) echo libharfbuzz0b ;;
        apt-get:harfbuzz-subset) echo libharfbuzz-subset0 ;;
        apt-get:chromium) if grep -qs '^ID=ubuntu' /etc/os-release; then echo chromium-browser; else echo chromium; fi ;;
        apt-get:hunspell-en) echo hunspell-en-gb ;;
        *:chromium) [ "$manager" = brew ] || echo chromium ;;
        pacman:python | pacman:venv) echo python ;;
        *:python | *:venv) echo python3 ;;
        *:libraries | *:gobject | *:fontconfig | *:pango | *:pangoft2 | *:harfbuzz*) echo pango harfbuzz ;;
        pacman:poppler | brew:poppler) echo poppler ;;
        *:poppler) echo poppler-utils ;;
        dnf:hunspell-en) echo hunspell-en-GB ;;
        pacman:hunspell-en) echo hunspell-en_gb ;;
        dnf:hunspell-sv) echo hunspell-sv ;;
        pacman:hunspell-sv | brew:hunspell-*) ;;
        *) echo "$1" ;;
    esac
}

packages() { for thing in "$@"; do package "$thing"; done | tr ' ' '\n' | sort -u | tr '\n' ' ' | sed 's/ $//'; }

install_packages() {  # $1: the words that give the right to, if any; then the packages
    right=$1
    shift
    case $manager in
        apt-get)
            apt="$right env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600"
            # The list of packages may be old or not there yet: it is fetched when the first try fails.
            $apt install -y --no-install-recommends "$@" >/dev/null 2>&1 </dev/null ||
                { $apt update </dev/null >&2 && $apt install -y --no-install-recommends "$@" </dev/null >/dev/null; } ;;
        dnf) $right dnf install -y -q "$@" </dev/null >&2 ;;
        pacman) $right pacman -Sy --noconfirm --needed "$@" </dev/null >&2 ;;
        brew) brew install -q "$@" </dev/null >&2 ;;
    esac
}

typed() {  # the line that a person would type
    case $manager in
        apt-get) echo "${1}apt-get update && ${1}apt-get install -y $2" ;;
        dnf) echo "${1}dnf install -y $2" ;;
        pacman) echo "${1}pacman -S --needed $2" ;;
        brew) echo "brew install $2" ;;
    esac
}

system() {  # brings what is missing outside .venv, or ends with the line to type
    find_python
    # shellcheck disable=SC2086 # words are meant to part
    missing=$(absent $things) names=
    find_manager
    [ -z "$missing" ] || names=$(packages $missing)
    [ -n "$missing" ] && [ -z "$manager" ] && stop "missing: $missing. Install it with this system's package manager, then type the same command again."
    [ -n "$names" ] || return 0
    right='' ask='sudo ' allowed=no
    if [ "$manager" = brew ]; then allowed=yes
    elif [ "$(id -u)" = 0 ]; then allowed=yes ask=''
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then allowed=yes right='sudo -n'
    fi
    [ $allowed = yes ] || stop "missing: $missing. Type: $(typed "$ask" "$names")"
    [ "$names" != "${tried:-}" ] || stop "installed, but still missing: $missing. Look at what this says: $(typed "$ask" "$names")"
    tried=$names
    say "installing $names"
    install_packages "$right" $names || stop "$manager could not install it; missing: $missing. Type: $(typed "$ask" "$names")"
    find_python || stop "Python 3.11 or newer is needed, and $manager has none. Install one (python.org has it), then type the same command again."
    system
}

# ---- what goes into .venv ----------------------------------------------------------------------------------------

pip() { .venv/bin/python -m pip -qq --no-input --disable-pip-version-check "$@" </dev/null >&2; }

environment() {
    if ready run && .venv/bin/python -c 'import reportlab' 2>/dev/null; then
        [ "$wanted" = run ] || ready dev || install_locked
    else
        # Not made, made from other locks, or left half-made: pip trusts what it finds, so nothing old may stay.
        say "making .venv"
        rm -rf .venv
        "$python" -m venv .venv >&2 || stop "$python -m venv failed. Its message is above."
        install_locked
    fi
    # --no-build-isolation: what building kit needs is in the lock, so nothing is fetched past the hashes.
    if [ "$(cat .venv/.kit 2>/dev/null)" != "$(digest pyproject.toml)" ]; then
        pip install --no-deps --no-build-isolation --editable . || stop "kit itself could not be installed into .venv."
        put .kit "$(digest pyproject.toml)"
    fi
}

install_locked() {
    rm -f .venv/.ready
    say "installing $lock"
    pip install --require-hashes -r "$lock" || stop "pip could not install $lock (its message is above). Is there a network?"
    put .ready "$wanted $(key)"
}

put() { printf '%s\n' "$2" > ".venv/$1.new" && mv ".venv/$1.new" ".venv/$1"; }

# ------------------------------------------------------------------------------------------------------------------

if ! current; then
    system
    # The kernel holds this lock for us and lets it go whenever we end; a Python that is done does not let it go.
    touch .venv.lock 2>/dev/null || stop "cannot write in $(pwd). Check whose folder it is."
    exec 9>>.venv.lock
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null || {
        say "waiting for another set-up of this folder"
        "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)' || stop "cannot lock .venv.lock."
    }
    current || environment
    exec 9>&-
    current || stop "the set-up in .venv does not work: $(.venv/bin/python -m kit.doctor libraries 2>&1 | tail -n 1)"
fi
[ $# -gt 0 ] || exit 0
exec .venv/bin/python -m "$@"
