#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# The recipe of doc/ci.md, line by line, in a bare Debian that is confined as a container of Docker is:
# seccomp, /dev/shm of 64 MiB, no huge pages, 2 CPUs. Says how long each line took, what it printed and what
# it left. As root. Usage: tools/check_ci.sh [-c FOLDER] [SUITE]   (default: bookworm)
#   -c FOLDER     the bare root is kept there and taken from there (default: made anew)
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/debian_root.sh
. "$top/tools/debian_root.sh"

cache=''
while getopts c: option; do
	case $option in
	c) cache=$(realpath -m "$OPTARG") && mkdir -p "$cache" ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
suite=${1:-bookworm}

need_packages busybox-static git mmdebstrap debian-archive-keyring uidmap libseccomp2 python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"
root=$work/root

# The lines of one system's recipe: - run: LINE, or the items below "script:".
lines_of() {
	sed -n "/^\`\`\`yaml $1/,/^\`\`\`\$/p" "$top/doc/ci.md" | sed -n -E 's/^ *- (run: )?(apt-get|git|oshcc) /\2 /p'
}

# As root, or as $1.
spec_for() {
	python3 - "$root" "$1" "$top/tests/containers" <<-'END'
		import json, sys
		root, user, where = sys.argv[1:]
		sys.path.insert(0, where)
		import rows
		print(json.dumps({
		    "root": root, "user": int(user) or None, "watch": [root + "/dev/shm"], "forbid": rows.DOCKER, "cpus": [0, 1],
		    "mounts": [f"tmpfs {root}/dev/shm size=64m,mode=1777"],
		    "env": {"HOME": "/tmp", "RINGBELL": "/repository", "CI": "true", "DEBIAN_FRONTEND": "noninteractive",
		            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}))
	END
}

# in_container USER LINE: @return the line's status; its words go to $work/log
in_container() {
	confine_root "$root" python3 "$top/tests/containers/confine.py" 3 "$(spec_for "$1")" \
		sh -ec "cd /project && $2" 3>"$work/report" >"$work/log" 2>&1 || return 77
	grep -q '"left": \[\]' "$work/report" || die "left behind: $(cat "$work/report")"
	return "$(sed -n 's/.*"status": \([0-9]*\).*/\1/p' "$work/report")"
}

lines_of GitHub >"$work/lines"
lines_of GitLab | cmp - "$work/lines" || die "doc/ci.md: the two systems have different lines"
[ "$(wc -l <"$work/lines")" -eq 3 ] || die "doc/ci.md: not three lines"

bare=${cache:-$work}/bare-$suite
[ -d "$bare" ] || make_root "$suite" "$bare" ca-certificates
cp -a "$bare" "$root"
git clone -q --bare "$top" "$root/repository"
mkdir -m 777 "$root/project"
awk '/^```c$/ { on = 1; next } /^```/ { if (on) exit } on' "$top/README.md" >"$root/project/hello.c"

begin=$(date +%s)
before=$(du -sm "$root" | cut -f 1)
while read -r line; do
	start=$(date +%s)
	in_container 0 "$line" || { status=$?; cat "$work/log"; die "status $status: $line"; }
	last=$line
	echo "$(($(date +%s) - start)) s, $(wc -l <"$work/log") lines of log: $line"
done <"$work/lines"
[ "$(grep -c '^PE . of 4 heard from PE .$' "$work/log")" -eq 4 ] || { cat "$work/log"; die "not four PEs"; }
echo "$(($(date +%s) - begin)) s from nothing to the first green test"
in_container 654321 "cp hello.c /tmp/hello.c && cd /tmp && $last" || { cat "$work/log"; die "not as a user"; }
echo "an ordinary user too"
printf '#include <shmem.h>\nint main(void) { shmem_init(); return shmem_my_pe() == 2 ? 3 : (shmem_finalize(), 0); }\n' \
	>"$root/project/bad.c"
status=0
in_container 0 "oshcc bad.c -o bad && oshrun -n 4 --timeout 60 ./bad" || status=$?
[ $status -eq 3 ] || { cat "$work/log"; die "PE 2 returns 3, oshrun $status"; }
echo "a PE that returns 3: status 3, and says: $(cat "$work/log")"
echo "$(($(du -sm "$root" | cut -f 1) - before)) MiB more than the bare container; of these Ringbell:" \
	"$(cd "$root/usr/local" && du -cm bin lib include share libexec 2>/dev/null | sed -n 's/\ttotal//p') MiB, its clone and build:" \
	"$(du -sm "$root/tmp/ringbell" | cut -f 1)"
