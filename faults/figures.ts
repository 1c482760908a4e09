import { cpus, loadavg } from 'node:os'
import type { Scale } from './row.ts'

/** Of times in milliseconds what a table says: `0.61 s (median), 1.20 s (longest)`. */
export const formatTimes = (times: number[]): string =>
  times.length === 0 ? 'never' : `${seconds(median(times))} (median), ${seconds(Math.max(...times))} (longest)`

/** The one in the middle; of an even number the later one. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** Whether a wait says something about the service: not on a machine that has much else to do, nor in the short form, beside which tests go on. */
export const areLatenciesReliable = (scale: Scale): boolean => scale !== 'short' && !isBusy()

/** Whether the machine has so much else to do that a wait says nothing about the service. */
export const isBusy = (): boolean => loadavg()[0]! >= 2 * cpus().length

/** Milliseconds that a busy machine may add to what a row allows: its own delay is not the service's, and what hangs is told all the same. */
export const graceMs = (scale: Scale): number => (areLatenciesReliable(scale) ? 0 : 20_000)
