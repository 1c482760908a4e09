import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { debianBase, folderOf, run } from './prepared.ts'

export type DebianSystem = {
  /** Its root folder. */
  root: string
  /** Runs a program in it as root. */
  run: (...words: string[]) => { status: number | null; output: string }
  /** Installs a package as an administrator does. @throws what apt printed if it fails */
  install: (file: string) => void
  /** What the scripts of packages have asked systemd for since the last call, in order. */
  systemdCalls: () => string[]
}

const CALLS = 'var/log/systemctl'
/** In place of systemd's: records what it is asked for, and whether the service should run. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >> /${CALLS}
case $1 in
  start) touch /run/should-run ;;
  stop) rm -f /run/should-run ;;
  is-active) [ -e /run/should-run ] ;;
esac
`

/** With /proc and /dev, as a booted system has them. */
const IN_ROOT = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'

/** Copies the minimal Debian to a folder of its own. @returns its root folder */
export function copyDebian(): string {
  const root = join(folderOf('system'), 'root')
  run('cp', ['-a', debianBase(), root])
  return root
}

/** A newly installed Debian in which systemd does not run. */
export function newDebian(): DebianSystem {
  const root = copyDebian()
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  writeFileSync(join(root, 'usr/bin/systemctl'), SYSTEMCTL, { mode: 0o755 })
  const inRoot = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', IN_ROOT, root, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
    return { status, output: stdout + stderr }
  }
  return {
    root,
    run: inRoot,
    install: (file) => {
      copyFileSync(file, join(root, 'root', basename(file)))
      const ofDpkg = ['confold', 'unsafe-io'].map((what) => `-oDpkg::Options::=--force-${what}`)
      const words = ['install', '--assume-yes', '--allow-downgrades', ...ofDpkg, `/root/${basename(file)}`]
      const { status, output } = inRoot('apt-get', ...words)
      if (status !== 0) throw new Error(output)
    },
    systemdCalls: () => {
      const calls = readFileSync(join(root, CALLS), 'utf8').trim().split('\n')
      rmSync(join(root, CALLS))
      return calls
    },
  }
}
