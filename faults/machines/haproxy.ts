import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../server/test/process.ts'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'

const PROGRAM = '/usr/sbin/haproxy'
const READY_MS = 30_000

/** HAProxy configured by deploy/haproxy.cfg, before the processes at these URLs (`http://127.0.0.1:1234`). @param at its port, by default a free one */
export async function startLoadBalancer(backends: string[], at?: number) {
  requirePrograms(PROGRAM)
  const folder = await mkdtemp(join(tmpdir(), 'cairn-haproxy-'))
  const port = at ?? (await steadyPort())
  const url = `http://127.0.0.1:${port}`
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(await readFile(join(ROOT, 'deploy', 'haproxy.cfg'), 'utf8'), { port, backends }))
  let child: ChildProcess
  let printed = ''

  async function start(): Promise<void> {
    child = spawn(PROGRAM, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        printed += chunk
      })
    // Checks only that HAProxy itself responds, whatever the state of the processes.
    for (const deadline = Date.now() + READY_MS; ; await sleep(50)) {
      const isUp = await fetch(`${url}/healthz`).then(
        (answer) => answer.arrayBuffer().then(() => true),
        () => false,
      )
      if (isUp) return
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`HAProxy did not start: ${printed}`)
    }
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url,
    port,
    get child() {
      return child
    },
    /** Its log. */
    output: () => printed,
    kill,
    start,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The committed configuration with the addresses of this machine. */
function configuration(committed: string, { port, backends }: { port: number; backends: string[] }): string {
  const servers = backends.map((backend, i) => `  server api-${i + 1} ${new URL(backend).host}`)
  return committed
    .replace(/^resolvers .*\n(^ .*\n)*/m, '')
    .replace(/ resolvers \S+/g, '')
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^( {2}server .*\n)+/m, `${servers.join('\n')}\n`)
}
