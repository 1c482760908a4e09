import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { pause } from './pause.ts'

export type ServiceMachine = Awaited<ReturnType<typeof startService>>

const READY_MS = 60_000

/** A process of server/main.ts on a fixed port. @param settings CAIRN_* settings, including CAIRN_DATA_DIR */
export async function startService(settings: Record<string, string>, { command }: { command?: string[] } = {}) {
  const port = await steadyPort()
  const url = `http://127.0.0.1:${port}`
  let output = ''
  const begin = (changed: Record<string, string> = {}): Promise<ServiceProcess> =>
    startProcess(settings.CAIRN_DATA_DIR!, {
      settings: { ...settings, ...changed, CAIRN_PORT: String(port) },
      ...(command && { command }),
    })
  let running = await begin()

  const hasEnded = () => running.child.exitCode !== null || running.child.signalCode !== null
  async function end(signal: NodeJS.Signals): Promise<number | string> {
    if (!hasEnded()) running.child.kill(signal)
    return running.ended
  }

  return {
    url,
    port,
    get child() {
      return running.child
    },
    /** Its output since the first start. */
    output: () => output + running.output(),
    /** kill -9, and waits until it is gone. */
    kill: () => end('SIGKILL'),
    /** SIGTERM, and waits until it has ended. @returns its exit code */
    term: () => end('SIGTERM'),
    /** Starts it again after it has ended, and waits until it listens. @param changed settings for this start */
    async start(changed: Record<string, string> = {}): Promise<void> {
      await running.ended
      output += running.output()
      running = await begin(changed)
    },
    /** Suspends it with its child processes: connections stay open and nothing responds. @returns a function that resumes it */
    pause: () => pause(running.child),
    /** Resolves once /readyz returns 200. @throws after a minute */
    untilReady: () => untilReady(url),
    /** Ends it in any state. */
    stop: () => end('SIGKILL'),
  }
}

/** @throws if /readyz has not returned 200 after a minute */
export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
    const status = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    if (status === 200) return
  }
  throw new Error(`${url} is not ready`)
}
