#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# The README's two commands on bare machines: clones the committed files into a root of each Debian
# with git, make and a compiler, and runs "make demo" and "make check" there. As root.
# Usage: tools/check_distros.sh [OPTION]... [SUITE]...   (default: bookworm trixie testing)
#   -t ARGS       for meson test, as "--suite unit --suite style"
#   -n            "make demo" alone
#   -u            as an ordinary user with sudo, not as root
#   -d SUITE=DIR  driver headers for that suite, where its mirror has no source package of DPDK
#   -c FOLDER     bare roots are kept there and taken from there (default: made anew)
#   -k            the used roots stay in FOLDER, as SUITE-run
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/debian_root.sh
. "$top/tools/debian_root.sh"

test_args='' check=yes user=root given='' cache='' keep=no
while getopts t:nud:c:k option; do
	case $option in
	t) test_args=$OPTARG ;;
	n) check=no ;;
	u) user=user ;;
	d) given="$given $(headers_given "$OPTARG")" || exit 2 ;;
	c) cache=$(realpath -m "$OPTARG") ;;
	k) keep=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- bookworm trixie testing

need_packages busybox-static git mmdebstrap debian-archive-keyring uidmap
work=$(mktemp -d)
chmod 755 "$work"
roots=${cache:-$work}
mkdir -p "$roots"
root=
tidy() {
	[ -z "$root" ] || [ $keep = yes ] || rm -rf "$root"
	rm -rf "$work"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

# The commands that run inside, as $user: words of a line each, so that nothing needs quoting twice.
write_try() {
	cat >"$root/try" <<-SCRIPT
		set -eu
		cd "\$HOME/ringbell"
		export CI=
		set -- $(for d in $given; do
		[ "${d%%=*}" != "$1" ] || echo "MESON_ARGS=-Ddriver_headers=/driver-headers"
	done)
		make demo "\$@"
		[ $check = no ] || make check "\$@" "TEST_ARGS=$test_args"
	SCRIPT
}

try_suite() {
	suite=$1
	[ -d "$roots/$suite" ] ||
		make_root "$suite" "$roots/$suite" git,make,gcc,libc6-dev,ca-certificates
	root=$roots/$suite-run
	rm -rf "$root"
	cp -a "$roots/$suite" "$root"
	home=/root
	if [ $user != root ]; then
		home=/home/$user
		enter_root "$root" sh -c "apt-get -q update && apt-get -q -y install sudo passwd &&
			useradd -m -s /bin/sh $user &&
			echo '$user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/$user" >"$work/sudo.log" 2>&1 || {
			cat "$work/sudo.log"
			die "$suite: no sudo"
		}
	fi
	git clone -q "$top" "$root$home/ringbell"
	[ $user = root ] || chroot "$root" chown -R $user: "$home/ringbell"
	for d in $given; do
		[ "${d%%=*}" != "$suite" ] || cp -r "${d#*=}" "$root/driver-headers"
	done
	write_try "$suite"
	if [ $user = root ]; then
		enter_root "$root" sh /try
	else
		enter_root "$root" su - $user -c "sh /try"
	fi
}

failed=
: >"$work/summary"
for suite in "$@"; do
	echo "check_distros: $suite, as $user"
	set +e # otherwise the shell would continue after a failure inside
	{
		(set -e; try_suite "$suite")
		echo $? >"$work/status"
	} 2>&1 | tee "$work/log"
	set -e
	status=$(cat "$work/status")
	said=$(grep -E '^[0-9]+ passed, ' "$work/log" | tail -n 1)
	[ "$status" -eq 0 ] || failed="$failed $suite"
	echo "$suite: status $status, ${said:-no tests}" >>"$work/summary"
	[ $keep = yes ] || rm -rf "${roots:?}/$suite-run"
done
echo
cat "$work/summary"
[ -z "$failed" ] || die "failed on:$failed"
