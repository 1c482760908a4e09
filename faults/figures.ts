import { cpus, loadavg } from 'node:os'

/** Of times in milliseconds what a table says: `0.61 s (median), 1.20 s (longest)`. */
export const slowest = (times: number[]): string =>
  times.length === 0 ? 'never' : `${seconds(median(times))} (median), ${seconds(Math.max(...times))} (longest)`

/** The one in the middle; of an even number the later one. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** Whether the machine has so much else to do that a wait says nothing about the service. */
export const isBusy = (): boolean => loadavg()[0]! >= 2 * cpus().length
