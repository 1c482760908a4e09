import { cpus, loadavg } from 'node:os'
import type { Scale } from './row.ts'

/** Formats times in milliseconds: `0.61 s (median), 1.20 s (longest)`. */
export const formatTimes = (times: number[]): string =>
  times.length === 0 ? 'never' : `${seconds(median(times))} (median), ${seconds(Math.max(...times))} (longest)`

/** Returns the median; the upper one for an even number of values. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/**
 * Tells whether measured latencies are meaningful: not on a busy machine, nor in the short form, which runs beside
 * tests.
 */
export const areLatenciesReliable = (scale: Scale): boolean => scale !== 'short' && !isBusy()

/** Tells whether the machine is too busy for meaningful latencies. */
export const isBusy = (): boolean => loadavg()[0]! >= 2 * cpus().length

/** Extra milliseconds allowed on a busy machine; a request that hangs is still reported. */
export const graceMs = (scale: Scale): number => (areLatenciesReliable(scale) ? 0 : 20_000)
