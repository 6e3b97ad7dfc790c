#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# Makes a Debian machine ready to build Ringbell: packages, then the driver-side headers of DPDK in
# BUILD/driver-headers. Does nothing where nothing is missing.
# Usage: tools/setup.sh [--tests] [--lean] [--no-headers] [BUILD], or tools/setup.sh --headers FOLDER
# --tests: also the programs that the tests run beside Ringbell, and a kernel for guests in
# BUILD/guest-kernel.
# --lean: no packages of the unit tests, the pages and PMIx.
# --no-headers: the headers come from elsewhere. --headers: nothing but the headers, into FOLDER.
# PKG_CONFIG names another pkg-config, such as that of a cross compiler.
set -eu

tests=no lean=no packages=yes headers=yes
while [ $# -gt 0 ]; do
	case $1 in
	--tests) tests=yes ;;
	--lean) lean=yes ;;
	--no-headers) headers=no ;;
	--headers) packages=no ;;
	-*) echo "setup: what is $1?" >&2; exit 2 ;;
	*) break ;;
	esac
	shift
done
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath -m "${1:-$top/build}")
folder=$build/driver-headers
pkg_config=${PKG_CONFIG:-pkg-config}
[ $packages = yes ] || folder=$build

# Headers that drivers include, by their paths in DPDK's source.
driver_headers="lib/eal/include/bus_driver.h drivers/bus/pci/bus_pci_driver.h
	drivers/bus/vdev/bus_vdev_driver.h lib/eal/include/dev_driver.h
	lib/dmadev/rte_dmadev_pmd.h lib/rawdev/rte_rawdev_pmd.h"

# Debian package, and its purpose.
packages_to_build() {
	cat <<-END
		gcc             compiles C
		libc6-dev       C library headers
		make            runs the Makefile
		meson           build system
		ninja-build     runs the commands of Meson
		pkg-config      finds libraries for Meson
		python3         demo and test scripts
		xz-utils        unpacks the DPDK source archive
		libdpdk-dev     DPDK: EAL, rawdev, PCI and vdev buses
		libnuma-dev     memory near the adapter
		libjansson-dev  reads and writes JSON
	END
	[ $lean = yes ] || cat <<-END
		libcunit1-dev   unit tests
		python3-sphinx  the site in doc/ and the manual pages
		python3-myst-parser  reads their Markdown
		libdw-dev       file and line of errors
		libpmix-dev     starts programs under mpirun and srun
	END
}

packages_to_test() {
	cat <<-END
		spin            model checking of the protocols
		tcc             compiles the models
		g++             C++ programs
		cmake           finds the compiler wrapper
		clang           fuzzers
		libclang-rt-dev their library
		clang-format    form of the source
		dpdk            dpdk-devbind.py, which binds adapters
		dpdk-dev        dpdk-telemetry.py, which asks a running job
		pciutils        lspci, which that asks
		tmux            terminal of ringbell-top
		gnuplot-nox     plots of ringbell-report and of bench
		openmpi-bin     mpirun as launcher
		libopenmpi-dev  programs of MPI and OpenSHMEM
		slurm-wlm       srun as launcher
		munge           authentication of Slurm
		iproute2        network namespaces, as hosts with a cable
		mount           small folders, for programs that fill them
		busybox-static  all that guests have beside our programs
	END
	[ "$(dpkg --print-architecture)" != amd64 ] ||
		echo "qemu-system-x86 runs the guests"
}

say() {
	echo "setup: $*"
}

die() {
	echo "setup: $*" >&2
	exit 1
}

# Its own DPDK serves a machine as well as Debian's.
installed() {
	[ "$1" != libdpdk-dev ] || ! $pkg_config --exists 'libdpdk >= 22.11' 2>/dev/null || return 0
	case $(dpkg-query -W -f '${db:Status-Status} ' "$1" 2>/dev/null) in
	installed*) return 0 ;;
	esac
	return 1
}

# Those packages of a list that are not installed.
missing_of() {
	"$1" | while read -r name _; do
		installed "$name" || printf ' %s' "$name"
	done
}

root() {
	if [ "$(id -u)" -eq 0 ]; then
		env DEBIAN_FRONTEND=noninteractive "$@" </dev/null
	else
		sudo env DEBIAN_FRONTEND=noninteractive "$@" </dev/null
	fi
}

# Its words only where it fails.
quietly() {
	said=$(mktemp) status=0
	"$@" >"$said" 2>&1 || status=$?
	[ $status -eq 0 ] || cat "$said"
	rm -f "$said"
	return $status
}

# Tests that need an absent program are skipped, so a failure here is not fatal.
install_packages() {
	command -v dpkg-query >/dev/null 2>&1 ||
		die "this is no Debian system; install DPDK 22.11 or later, CUnit, libnuma, Meson" \
			"and Ninja by hand, then run: meson setup build"
	missing=$(missing_of packages_to_build)
	wanted=
	[ $tests = no ] || wanted=$(missing_of packages_to_test)
	[ -n "$missing$wanted" ] || return 0

	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
		why="you are not root and there is no sudo; as root, run: apt-get install"
		[ -z "$missing" ] || die "$why$missing$wanted"
		say "tests are skipped for want of packages: $why$wanted"
		return 0
	fi
	[ "$(id -u)" -eq 0 ] || say "you are not root: using sudo"
	quietly=
	[ $lean = no ] || quietly=quietly
	$quietly root apt-get -q update ||
		say "apt-get update failed; trying with the package lists that are there"
	for p in $wanted; do
		case $(apt-cache policy "$p" 2>/dev/null) in
		*Candidate:\ [0-9]*) missing="$missing $p" ;;
		*) say "apt has no package $p: tests that need it are skipped" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	say "Debian packages to install:"
	for p in $missing; do
		{ packages_to_build; packages_to_test; } |
			awk -v p="$p" '$1 == p { sub(/^[^ ]+ +/, ""); printf "  %-19s %s\n", p, $0 }'
	done
	# shellcheck disable=SC2086 # one word a package
	$quietly root apt-get -q -y --no-install-recommends install $missing ||
		die "apt-get could not install:$missing"
	renew
}

# Meson has to look again for packages that were missing when the build folder was set up.
renew() {
	[ ! -f "$build/build.ninja" ] || : >"$build/renew"
}

no_headers() {
	release=$($pkg_config --modversion libdpdk)
	cat >&2 <<-END
		setup: $*
		setup: no driver headers (bus_pci_driver.h and its like) of DPDK $release. Three ways lead to them:
		  - install DPDK $release with its driver SDK (its Meson option -Denable_driver_sdk=true)
		  - make MESON_ARGS=-Ddriver_headers=DIR, where DIR is a source tree of DPDK $release
		  - give apt a mirror that has the source package of libdpdk-dev (a deb-src line will do)
	END
	exit 1
}

# Debian leaves the headers that only drivers include out of libdpdk-dev. Its own source package has
# them, and the example for NTB that the tests run.
headers_of_dpdk() {
	for dir in $($pkg_config --cflags-only-I libdpdk | sed 's/-I//g') /usr/include; do
		[ -f "$dir/bus_pci_driver.h" ] && return 0
	done
	# the package must be what pkg-config finds
	pc=$($pkg_config --variable=pcfiledir libdpdk)/libdpdk.pc
	dpkg-query -S "$(realpath "$pc")" 2>/dev/null | grep -q '^libdpdk-dev:' ||
		no_headers "the DPDK of $pc is not Debian's"
	version=$(dpkg-query -W -f '${source:Version}\n' libdpdk-dev | head -n 1)
	[ "$(cat "$folder/version" 2>/dev/null)" = "$version" ] &&
		[ -f "$folder/rte_rawdev_pmd.h" ] && return 0

	say "fetching the driver headers of DPDK $version (15 MB, Debian source package)"
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	# apt fetches as user _apt, which has to reach the folder
	chmod 755 "$work"
	fetch_source
	unpack_headers
	renew
	say "driver headers are in $folder"
}

# The machine's own sources, made sources of source packages, with a state of our own: its apt
# configuration stays as it is. Of two forms, one-line (.list) and deb822 (.sources).
private_sources() {
	mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
	chmod -R a+rwX "$work"
	list=/etc/apt/sources.list parts=/etc/apt/sources.list.d/
	eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
	for file in "$list" "$parts"/*.list "$parts"/*.sources; do
		[ -f "$file" ] || continue
		to=$work/parts/$(basename "$file")
		case $file in
		*.sources) sed 's/^[Tt][Yy][Pp][Ee][Ss]:.*/Types: deb-src/' "$file" >"$to" ;;
		*) sed -n -E '/cdrom:/d; s/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file" |
			sort -u >"$work/parts/$(basename "$file" .list).list" ;;
		esac
	done
}

# The version that is installed, or another one of the same release of DPDK: a mirror may have moved
# on by a point release, and those keep what drivers see.
fetch_source() {
	private_sources
	set -- -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts" \
		-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" \
		-o Acquire::Languages=none
	apt-get "$@" update >"$work/log" 2>&1 </dev/null || true
	release=$(echo "$version" | cut -d . -f 1,2)
	others=$(apt-cache "$@" showsrc --only-source dpdk 2>/dev/null |
		sed -n "s/^Version: \($release\..*\)/\1/p" | sort -rVu | grep -Fvx "$version" || true)
	cd "$work/source"
	for v in $version $others; do
		if apt-get "$@" --download-only source "dpdk=$v" >>"$work/log" 2>&1 </dev/null; then
			[ "$v" = "$version" ] || say "apt has them of DPDK $v only"
			return 0
		fi
		rm -f "$work"/source/*
	done
	no_headers "apt has no source package dpdk=$version:" \
		"$(grep '^E:' "$work/log" | head -n 1 || true)"
}

unpack_headers() {
	cd "$work/source"
	orig=$(echo dpdk_*.orig.tar.xz)
	[ -f "$orig" ] || die "the source package has no dpdk_*.orig.tar.xz"
	mkdir "$work/new"
	# members are named dpdk-VERSION/...; a wildcard saves knowing the first part
	set --
	for file in $driver_headers examples/ntb/ntb_fwd.c; do
		set -- "$@" "*/$file"
	done
	tar -xJf "$orig" -C "$work/new" --strip-components=1 --wildcards "$@" ||
		die "the DPDK source archive lacks a driver header"
	# since 23.11 a list has the commands of the example
	tar -xJf "$orig" -C "$work/new" --strip-components=1 --wildcards \
		'*/examples/ntb/commands.list' 2>/dev/null || true
	mkdir -p "$folder"
	find "$work/new" -type f -exec cp {} "$folder/" \;
	echo "$version" >"$folder/version"
}

# The dependencies of a package, a name a line, alternatives too.
depends_of() {
	apt-cache show --no-all-versions "$1" 2>/dev/null | awk -F '[,|]' '
		sub(/^Depends: */, "") { for (i = 1; i <= NF; i++) { split($i, p, " "); print p[1] }; exit }'
}

# The name has the kernel's ABI number, which moves with each update. Since Debian 14 the package of
# that name is empty, and depends on two that have the image and the modules.
packages_of_kernel() {
	image=$(depends_of linux-image-cloud-amd64 | grep -m 1 '^linux-image-') || return 0
	printf '%s ' "$image"
	depends_of "$image" | grep -E '^linux-(binary|modules)-' | tr '\n' ' '
}

# What guests have of a kernel, as patterns of tar: the image, and modules of uio, vfio, virtio-net and NVDIMMs. The
# number counts up when they get more: a kernel that is there is unpacked again then.
guest_parts=3
guest_files="./boot/vmlinuz-* */modules/*/vmlinuz */kernel/drivers/uio/* */kernel/drivers/vfio/*
	*/kernel/virt/lib/* */kernel/drivers/virtio/* */kernel/drivers/net/virtio_net.ko*
	*/kernel/drivers/net/net_failover.ko* */kernel/net/core/failover.ko* */kernel/lib/dim/* */kernel/drivers/acpi/nfit/*
	*/kernel/drivers/nvdimm/* */kernel/drivers/dax/*"

# No package need have all of it, so tar may miss some; then there is no image or no module after it.
unpack_kernel() {
	# not two kernels; what was compiled for the same one stays
	grep -qsF "$kernel" "$guests/version" || rm -rf "$guests"
	mkdir -p "$guests"
	for p in "$1"/*.deb; do
		# shellcheck disable=SC2086 # a word a pattern
		(set -f && dpkg --fsys-tarfile "$p" |
			tar -x -C "$guests" --wildcards $guest_files 2>/dev/null) || true
	done
	find "$guests" -name '*.ko.xz' -exec unxz {} +
	for p in 'vmlinuz*' uio.ko; do
		[ -n "$(find "$guests" -name "$p")" ] || {
			echo "there is no $p in it" >&2
			return 1
		}
	done
}

# Fetches packages into a folder of their own, and unpacks the kernel that is in them. Tests in guests are
# skipped without, so no failure is fatal.
unpacked() {
	deb=$(mktemp -d) status=0
	say "fetching $* (some 30 MB) for the guests of the vm tests"
	chmod 755 "$deb"
	(cd "$deb" && apt-get -q download "$@") >"$deb/log" 2>&1 </dev/null &&
		unpack_kernel "$deb" 2>>"$deb/log" || status=1
	[ $status -eq 0 ] || {
		cat "$deb/log" >&2
		say "could not fetch or unpack $*"
	}
	rm -rf "$deb"
	return $status
}

# The guests' kernel is unpacked, not installed.
kernel_of_guests() {
	guests=$build/guest-kernel
	! grep -qs "^$guest_parts " "$guests/version" || return 0
	[ "$(dpkg --print-architecture)" = amd64 ] || return 0
	kernel=$(packages_of_kernel)
	if [ -z "$kernel" ] && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null 2>&1; }; then
		root apt-get -q update >/dev/null 2>&1 || true
		kernel=$(packages_of_kernel)
	fi
	[ -n "$kernel" ] || {
		say "apt knows no package linux-image-cloud-amd64: no tests in guests"
		return 0
	}
	# shellcheck disable=SC2086 # one word a package
	if unpacked $kernel; then
		echo "$guest_parts $kernel" >"$guests/version"
	fi
}

[ $packages = no ] || install_packages
[ $headers = no ] || headers_of_dpdk
[ $tests = no ] || kernel_of_guests
