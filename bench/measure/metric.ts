import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../load/http-client.ts'

/** Returns the value of a metric without labels; 0 while there is none. @param url of the service */
export async function metricOf(url: string, name: string): Promise<number> {
  const text = await ask(`${url}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Waits until a metric has the value that is wanted. */
export async function untilMetric(url: string, name: string, isWanted: (value: number) => boolean): Promise<void> {
  while (!isWanted(await metricOf(url, name))) await sleep(100)
}
