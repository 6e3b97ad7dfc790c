#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Makes a Debian machine ready to build Ringbell: packages, then the driver-side headers of DPDK.
# Does nothing where all is there. Usage: tools/setup.sh [--headers] [FOLDER-FOR-HEADERS]
# --headers: only the headers.
#
# Where CI or RINGBELL_TEST_PACKAGES is set it also installs what some tests run beside Ringbell, a
# kernel for guests among it, and without which they are skipped.
set -eu

only_headers=no
if [ "${1:-}" = --headers ]; then
	only_headers=yes
	shift
fi

top=$(cd "$(dirname "$0")/.." && pwd)
headers=$(realpath -m "${1:-$top/build/driver-headers}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}

# Debian package, and what it is for.
packages() {
	cat <<-END
		gcc             compiles C
		libc6-dev       C library headers
		make            the front door, Makefile
		meson           build system
		ninja-build     runs what Meson decided
		pkg-config      tells Meson where libraries are
		python3         test and demo scripts
		xz-utils        unpacks the DPDK source archive
		libdpdk-dev     DPDK: EAL, rawdev, PCI and vdev buses
		libnuma-dev     memory near the adapter
		libcunit1-dev   unit tests
		spin            model checking of the relay and the barrier
		dpdk            dpdk-devbind.py, which binds adapters
		dpdk-dev        dpdk-telemetry.py, which asks a running job
		pciutils        lspci, which that asks
		libncurses-dev  draws ringbell-top on a terminal
		libjansson-dev  reads JSON for it
		tmux            is the terminal of its test
		python3-sphinx  the site in doc/ and the manual pages
		python3-myst-parser  reads their Markdown
		libpmix-dev     starts programs under mpirun and srun
	END
	[ -z "${CI:-}${RINGBELL_TEST_PACKAGES:-}" ] || cat <<-END
		openmpi-bin     test: mpirun as launcher
		slurm-wlm       test: srun as launcher
		munge           test: authentication of Slurm
		qemu-system-x86 runs the guests of the vm tests
		busybox-static  all that those guests have beside our programs
	END
}

say() {
	echo "setup: $*"
}

die() {
	echo "setup: $*" >&2
	exit 1
}

installed() {
	case $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) in
	installed) return 0 ;;
	esac
	return 1
}

install_packages() {
	command -v dpkg-query >/dev/null 2>&1 ||
		die "this is no Debian system; install DPDK 22.11 or later, CUnit, libnuma, Meson" \
			"and Ninja by hand, then run: meson setup build"
	missing=
	for p in $(packages | awk '{ print $1 }'); do
		installed "$p" || missing="$missing $p"
	done
	[ -n "$missing" ] || return 0

	say "Debian packages to install:"
	for p in $missing; do
		packages | awk -v p="$p" '$1 == p { sub(/^[^ ]+ +/, ""); printf "  %-19s %s\n", p, $0 }'
	done
	if [ "$(id -u)" -eq 0 ]; then
		sudo=
	elif command -v sudo >/dev/null 2>&1; then
		sudo=sudo
		say "you are not root: using sudo"
	else
		die "you are not root and there is no sudo; as root, run: apt-get install$missing"
	fi
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null ||
		say "apt-get update failed; trying with the package lists that are there"
	# shellcheck disable=SC2086 # one word a package
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
		install $missing </dev/null ||
		die "apt-get could not install:$missing"
}

# Debian leaves out of libdpdk-dev what only drivers include. Its own source package has it, and the
# example for NTB that the tests run.
headers_of_dpdk() {
	for dir in $(pkg-config --cflags-only-I libdpdk | sed 's/-I//g') /usr/include; do
		[ -f "$dir/bus_pci_driver.h" ] && return 0
	done
	version=$(dpkg-query -W -f '${Version}' libdpdk-dev)
	[ "$(cat "$headers/version" 2>/dev/null)" = "$version" ] &&
		[ -f "$headers/ntb_fwd.c" ] && return 0

	say "fetching the driver headers of DPDK $version (15 MB, Debian source package)"
	# shellcheck source=/dev/null
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	# apt fetches as user _apt, which has to reach the folder
	chmod 755 "$work"
	fetch_source
	unpack_headers
	say "driver headers are in $headers"
}

# A source list and state of our own: the machine's apt configuration stays as it is.
fetch_source() {
	mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
	chmod -R a+rwX "$work"
	cat >"$work/sources.list" <<-END
		deb-src $mirror/debian $codename main
		deb-src $mirror/debian-security $codename-security main
	END
	set -- -q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- \
		-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" \
		-o Acquire::Languages=none
	{
		apt-get "$@" update &&
			cd "$work/source" &&
			apt-get "$@" --download-only source "dpdk=$version"
	} >"$work/log" 2>&1 </dev/null || {
		cat "$work/log" >&2
		die "could not fetch the source package dpdk=$version from $mirror;" \
			"set DEBIAN_MIRROR to a mirror that has it"
	}
}

unpack_headers() {
	cd "$work/source"
	orig=$(echo dpdk_*.orig.tar.xz)
	[ -f "$orig" ] || die "the source package has no dpdk_*.orig.tar.xz"
	mkdir "$work/new"
	# members are named dpdk-VERSION/...; a wildcard saves knowing the first part
	tar -xJf "$orig" -C "$work/new" --strip-components=1 --wildcards \
		'*/drivers/bus/pci/bus_pci_driver.h' \
		'*/drivers/bus/vdev/bus_vdev_driver.h' \
		'*/lib/eal/include/bus_driver.h' \
		'*/lib/eal/include/dev_driver.h' \
		'*/lib/dmadev/rte_dmadev_pmd.h' \
		'*/examples/ntb/ntb_fwd.c' ||
		die "the DPDK source archive lacks a driver header"
	mkdir -p "$headers"
	find "$work/new" -name '*.[ch]' -exec cp {} "$headers/" \;
	echo "$version" >"$headers/version"
}

name_of_kernel() {
	apt-cache show --no-all-versions linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p' | head -n 1
}

# The guests' kernel is unpacked, not installed. Without it the tests that boot one are skipped, so
# nothing of this is fatal. The name has the kernel's ABI number, which moves with each update.
kernel_of_guests() {
	guests=$(dirname "$headers")/guest-kernel
	[ -n "${CI:-}${RINGBELL_TEST_PACKAGES:-}" ] || return 0
	[ ! -e "$guests/version" ] || return 0
	[ "$(dpkg --print-architecture)" = amd64 ] || return 0
	kernel=$(name_of_kernel)
	if [ -z "$kernel" ] && [ "$(id -u)" -eq 0 ]; then
		apt-get -q update >/dev/null 2>&1 </dev/null || true
		kernel=$(name_of_kernel)
	fi
	[ -n "$kernel" ] || {
		say "apt knows no package linux-image-cloud-amd64: no tests in guests"
		return 0
	}
	say "fetching $kernel (27 MB) for the guests of the vm tests"
	deb=$(mktemp -d)
	chmod 755 "$deb"
	if (cd "$deb" && apt-get -q download "$kernel") >"$deb/log" 2>&1 </dev/null &&
		mkdir -p "$guests" &&
		dpkg --fsys-tarfile "$deb"/*.deb | tar -x -C "$guests" --wildcards \
			'./boot/vmlinuz-*' '*/kernel/drivers/uio/*' '*/kernel/drivers/vfio/*' \
			'*/kernel/virt/lib/*'; then
		echo "$kernel" >"$guests/version"
	else
		cat "$deb/log" >&2
		say "could not fetch or unpack $kernel: no tests in guests"
	fi
	rm -rf "$deb"
}

[ $only_headers = yes ] || install_packages
headers_of_dpdk
[ $only_headers = yes ] || kernel_of_guests
