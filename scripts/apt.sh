# Sourced by the install scripts: how they speak, and how they get what only the system's packages have.

say() { printf '\033[1m── %s\033[0m\n' "$*"; }

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

# The same for packages that would start a service as soon as they are there: whoever wants only the programs wants no
# second Redis on the machine's usual port.
apt_install_asleep() {
    local policy=/usr/sbin/policy-rc.d sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    if [ -e "$policy" ]; then
        apt_install "$@"
        return
    fi
    printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null || { apt_install "$@"; return; }
    $sudo chmod +x "$policy"
    local failed=0
    apt_install "$@" || failed=1
    $sudo rm -f "$policy"
    return $failed
}
