import { once } from 'node:events'
import type { CpuProfile } from './cpu-profile.ts'

// biome-ignore lint/suspicious/noExplicitAny: each command of the protocol has another result.
type Ask = (method: string, params?: object) => Promise<any>

/** Connects to a Node process with --inspect over the DevTools protocol. @param output the output of the process, which has the URL */
export async function openInspector(output: string) {
  const [address] = /ws:\/\/\S+/.exec(output) ?? []
  if (!address) throw new Error('the process did not print its inspector address')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const waiting = new Map<number, (answer: { result?: unknown; error?: object }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const ask: Ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(JSON.stringify(error))) : resolve(result)))
      socket.send(JSON.stringify({ id, method, params }))
    })

  return {
    /** Megabytes in use after a collection, in the JavaScript heap and outside. */
    async heapAfterCollection(): Promise<{ heap: number; outside: number }> {
      for (let i = 0; i < 2; i++) await ask('HeapProfiler.collectGarbage')
      const { result } = await ask('Runtime.evaluate', {
        expression: '(({ heapUsed, external }) => ({ heapUsed, external }))(process.memoryUsage())',
        returnByValue: true,
      })
      return { heap: result.value.heapUsed / 2 ** 20, outside: result.value.external / 2 ** 20 }
    },
    /** A CPU profile of the work, with a sample each millisecond. */
    async profileDuring(work: () => Promise<unknown>): Promise<CpuProfile> {
      await ask('Profiler.enable')
      await ask('Profiler.setSamplingInterval', { interval: 1000 })
      await ask('Profiler.start')
      await work()
      const { profile } = await ask('Profiler.stop')
      await ask('Profiler.disable')
      return profile
    },
    close: () => socket.close(),
  }
}
