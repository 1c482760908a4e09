import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../load/http-client.ts'

/** Returns the value of a metric without labels; 0 while there is none. @param url of the service */
export async function metricOf(url: string, name: string): Promise<number> {
  const text = await ask(`${url}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

const MAX_WAIT_MS = 600_000

/** Waits until a metric has the value that is wanted. @throws after ten minutes */
export async function untilMetric(url: string, name: string, isWanted: (value: number) => boolean): Promise<void> {
  for (const end = performance.now() + MAX_WAIT_MS; ; await sleep(100)) {
    const value = await metricOf(url, name)
    if (isWanted(value)) return
    if (performance.now() > end) throw new Error(`${name} stayed at ${value}`)
  }
}
