# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Read by other scripts: a bare Debian in a folder, and commands in it. As root.

die() {
	echo "$(basename "$0" .sh): $*" >&2
	exit 1
}

# An option's SUITE=DIR, with the whole path of DIR.
headers_given() {
	case $1 in
	[a-z]*=?*) ;;
	*) die "$1: driver headers are given as SUITE=DIR" ;;
	esac
	[ -d "${1#*=}" ] || die "${1#*=}: no such folder"
	echo "${1%%=*}=$(realpath "${1#*=}")"
}

# Packages that the machine itself needs.
need_packages() {
	[ "$(id -u)" -eq 0 ] || die "a root of Debian is made as root"
	missing=
	for p in "$@"; do
		dpkg-query -W "$p" >/dev/null 2>&1 || missing="$missing $p"
	done
	[ -z "$missing" ] && return 0
	# shellcheck disable=SC2086 # one word a package
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing \
		</dev/null || die "apt-get could not install:$missing"
}

# The mirror of the machine's own apt, for $1: Debian or Debian-Security.
mirror_of() {
	# shellcheck disable=SC2016 # apt's variables
	apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
		awk -v label="$1" '$1 == label { print $2; exit }'
}

# make_root SUITE FOLDER PACKAGES [MMDEBSTRAP-OPTION...]: apt and PACKAGES, nothing else. Sources and
# settings of apt are the machine's.
make_root() {
	suite=$1 into=$2 include=$3
	shift 3
	debian=$(mirror_of Debian)
	security=$(mirror_of Debian-Security)
	[ -n "$debian" ] || die "apt on this machine knows no mirror of Debian (or apt-get update never ran)"
	apt-config dump --format '%f "%v";%n' Acquire |
		grep -E '^Acquire::(Check|https?::|ftp::|Retries)' >"$into.apt" || true
	set -- "$@" "--aptopt=$into.apt" "--include=$include" "$suite" "$into" \
		"deb $debian $suite main"
	case $suite in
	testing | unstable | sid) ;;
	*)
		set -- "$@" "deb $debian $suite-updates main"
		[ -z "$security" ] || set -- "$@" "deb $security $suite-security main"
		;;
	esac
	mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io "$@"
	rm -f "$into.apt"
}

# enter_root FOLDER COMMAND...: run it with the folder as root of a mount and process namespace of its
# own, as a container is, so that all of it ends with the command. It takes busybox-static.
enter_root() {
	unshare --mount --pid --fork --kill-child --propagation private \
		sh -eu -c "$mounts_of_root$inside_root" sh "$@" </dev/null
}

# confine_root FOLDER PROGRAM...: the program outside, which finds the folder with all that a root has mounted.
confine_root() {
	unshare --mount --pid --fork --kill-child --propagation private \
		sh -eu -c "$mounts_of_root exec \"\$@\"" sh "$@" </dev/null
}
# shellcheck disable=SC2016 # expanded inside
mounts_of_root='
	root=$1
	shift
	mount --bind "$root" "$root"
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount -t tmpfs -o mode=755 run "$root/run"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	for node in null zero full random urandom tty kvm; do
		[ -e /dev/$node ] || continue
		: >"$root/dev/$node"
		mount --bind /dev/$node "$root/dev/$node"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 pts "$root/dev/pts"
	mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
	for i in 0:stdin 1:stdout 2:stderr; do
		ln -s /proc/self/fd/${i%:*} "$root/dev/${i#*:}"
	done
'
# shellcheck disable=SC2016
inside_root='
	# a bare root has no umount of its own
	: >"$root/run/busybox"
	mount --bind "$(command -v busybox)" "$root/run/busybox"
	cd "$root"
	pivot_root . .
	/run/busybox umount -l .
	/run/busybox umount -l /run/busybox
	cd /
	# not by exec: the shell stays, and reaps orphaned processes
	env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
'
