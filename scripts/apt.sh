# Sourced by the install scripts: how they speak, and how they get what only the system's packages have.

say() { printf '\033[1m── %s\033[0m\n' "$*"; }

# Run something that has much to say: nobody has to read that, unless it fails. Its log is .cache/NAME.log.
quietly() {
    local log=.cache/$1.log failed=0
    shift
    mkdir -p .cache
    "$@" >"$log" 2>&1 || failed=$?
    [ "$failed" = 0 ] && return
    cat "$log"
    say "that failed: $* (exit code $failed); what it said is above, and in $log"
    return "$failed"
}

apt_install() {
    local sudo=
    if ! command -v apt-get >/dev/null; then
        say "can't install $*: there is no apt-get here; install it by hand and try again"
        return 1
    fi
    if [ "$(id -u)" != 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            say "can't install $*: that takes root; run 'sudo apt-get install $*' and try again"
            return 1
        fi
        sudo=sudo
    fi
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
