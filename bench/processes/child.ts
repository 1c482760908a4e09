import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own that says in its first message where it is. @param env what it has beside the environment of this one */
export async function startChild<Ready>(script: string, args: string[], env: Record<string, string> = {}) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [ready] = (await once(child, 'message')) as [Ready]
  return {
    ...ready,
    pid: child.pid!,
    /** CPU time used so far, in microseconds. */
    cpu: () => asked(child, 'cpu'),
    /** Megabytes of its heap and of its buffers that are in use after a collection of garbage; of a service alone. */
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
