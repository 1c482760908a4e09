import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Starts a server in its own process, which reports its address in its first message.
 * @param env variables added to the environment
 */
export async function startChild<Ready>(script: string, args: string[], env: Record<string, string> = {}) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [ready] = (await once(child, 'message')) as [Ready]
  return {
    ...ready,
    pid: child.pid!,
    /** The CPU time used so far, in microseconds. */
    cpu: () => asked(child, 'cpu'),
    /** Megabytes of heap and buffers in use after a garbage collection; services only. */
    memoryInUse: () => asked(child, 'memory'),
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function asked(child: ChildProcess, what: 'cpu' | 'memory'): Promise<number> {
  child.send(what)
  const [figure] = (await once(child, 'message')) as [number]
  return figure
}
