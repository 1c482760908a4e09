import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import type { Image } from './image.ts'
import { folderOf } from './prepared.ts'

export type Container = ServiceProcess & {
  /** The process of the service, as the machine numbers it. */
  pid: number
  /** Runs a command as an engine does: as the account of the image, in its working folder. */
  exec: (words: string[], environment?: Record<string, string>) => { status: number | null; out: string; err: string }
  /** Sends a signal to the process of the service. */
  kill: (signal: string) => void
  /** Ends all its processes. */
  remove: () => void
}

/** The file systems that deploy/compose.yaml gives a container: /tmp in memory, and a volume. */
const mounts = (volume: string, at: string) => [
  { destination: '/proc', type: 'proc', source: 'proc' },
  { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
  { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: ['nosuid', 'nodev', 'noexec', 'mode=1777'] },
  { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'noexec', 'mode=1777'] },
  { destination: at, type: 'bind', source: volume, options: ['bind', 'rw', 'nosuid', 'nodev'] },
]

/** Runs the image as deploy/compose.yaml does: a read-only root folder, no capabilities, no new privileges. It shares the network of the machine, on loopback. */
export async function runContainer(image: Image, volume: string): Promise<Container> {
  const [at] = Object.keys(image.config.Volumes)
  const bundle = folderOf('container')
  const { uid, gid } = accountOf(image)
  const port = await steadyPort()
  const settings = ['CAIRN_HOST=127.0.0.1', `CAIRN_PORT=${port}`]
  mkdirSync(join(bundle, 'state'))
  const config = {
    ociVersion: '1.0.2',
    root: { path: image.root, readonly: true },
    process: {
      user: { uid, gid },
      cwd: image.config.WorkingDir,
      args: image.config.Cmd,
      env: [...image.config.Env, ...settings],
      capabilities: {},
      noNewPrivileges: true,
    },
    mounts: mounts(volume, at!),
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  }
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(config))
  const run = (...words: string[]) => {
    const [program, ...rest] = crun(bundle, words)
    const { status, stdout, stderr } = spawnSync(program!, rest, { encoding: 'utf8' })
    return { status, out: stdout, err: stderr }
  }
  const started = await startProcess('', { command: crun(bundle, ['run', '--bundle', bundle, 'cairn']) })
  return {
    ...started,
    pid: JSON.parse(run('state', 'cairn').out).pid,
    exec: (words, environment = {}) => {
      const given = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      const as = ['--user', `${uid}:${gid}`, '--cwd', image.config.WorkingDir]
      return run('exec', ...as, ...given, 'cairn', ...words)
    },
    kill: (signal) => run('kill', 'cairn', signal),
    remove: () => run('delete', '--force', 'cairn'),
  }
}

/** A command of the container runtime. No container has control groups of its own, and crun refuses machines with two versions of them. */
const crun = (bundle: string, words: string[]): string[] => {
  const script = 'mount -t cgroup2 none /sys/fs/cgroup && exec crun --root "$0" --cgroup-manager=disabled "$@"'
  return ['unshare', '--mount', 'sh', '-c', script, join(bundle, 'state'), ...words]
}

function accountOf({ root, config }: Image): { uid: number; gid: number } {
  const lines = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${config.User}:`))!.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}
