import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderOf } from './prepared.ts'

export type BootedSystem = {
  /** Runs a program in it as root. */
  run: (...words: string[]) => { status: number | null; output: string }
  /** Ends all its processes. */
  stop: () => Promise<void>
}

/** In a control group of its own, so that systemd sees no other: $0 is its name, $1 an empty folder, $2 the root folder, $3 the next script. */
const OUTSIDE = `set -e
mount -t cgroup2 none "$1"
mkdir "$1/$0"
echo $$ > "$1/$0/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --net --uts --ipc --cgroup sh -c "$3" "$2"`

/** What a container manager prepares for systemd: https://systemd.io/CONTAINER_INTERFACE. Its devices, /run and /tmp are its own, and it cannot change the kernel. */
const INSIDE = `set -e
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
while read -r name major minor; do mknod -m 666 "dev/$name" c "$major" "$minor"; done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
mkdir dev/shm dev/pts
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
exec chroot . env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd`

const ENVIRONMENT = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  DEBIAN_FRONTEND: 'noninteractive',
  LC_ALL: 'C',
}
/** For what hangs. */
const WAIT_MS = 60_000

/** Boots a Debian that has systemd, with a loopback network of its own. @throws what it printed if it does not boot */
export async function boot(root: string): Promise<BootedSystem> {
  const groups = folderOf('groups')
  const name = `cairn-install-${process.pid}`
  const words = ['--mount', 'sh', '-c', OUTSIDE, name, groups, root, INSIDE]
  const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (text) => {
    printed += text
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const run: BootedSystem['run'] = (...command) => {
    const inHome = ['sh', '-c', 'cd && exec "$0" "$@"', ...command]
    const entering = ['--target', String(firstChild(child)), '--all', '--root', '--wd', ...inHome]
    const { status, stdout, stderr } = spawnSync('nsenter', entering, { encoding: 'utf8', env: ENVIRONMENT })
    return { status, output: stdout + stderr }
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    spawnSync('unshare', ['--mount', 'sh', '-c', FORGET, name, groups])
  }
  for (const until = Date.now() + WAIT_MS; ; ) {
    await sleep(100)
    if (child.exitCode === null && isBooted(run)) return { run, stop }
    if (child.exitCode === null && Date.now() < until) continue
    await stop()
    throw new Error(`systemd did not boot: ${printed}`)
  }
}

/** Removes the control groups; processes that were killed may still be in them for a moment. */
const FORGET = `mount -t cgroup2 none "$1"
for try in 1 2 3 4 5 6 7 8 9; do
  find "$1/$0" -depth -type d -exec rmdir {} ";"
  [ -e "$1/$0" ] || break
  sleep 0.3
done`

const isBooted = (run: BootedSystem['run']) =>
  /^(running|degraded)$/m.test(run('systemctl', 'is-system-running').output)

/** The process that a process has started, as the machine numbers it; systemd is 1 for its own. */
const firstChild = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
