import type { Coordinator } from '../../processes/coordinator.ts'
import type { ServingProcesses } from '../../processes/serving-processes.ts'
import { createQuotaWindows } from './quota-windows.ts'
import type { SharedCount, SharedCounts } from './shared-counts.ts'

/** How long a request waits for the coordinator. Then its process counts alone, at half the quota. */
const PATIENCE_MS = 500

/** Counts of all serving processes together, in the memory of the coordinator. */
export const coordinatorCounts = (coordinator: Coordinator): SharedCounts => ({
  take: (key, amount, windowMs) =>
    coordinator.isConnected()
      ? coordinator.askWithin<SharedCount>(PATIENCE_MS, 'counts.take', key, amount, windowMs)
      : undefined,
  uncount: (key, amount) => coordinator.notify('counts.uncount', key, amount),
})

/** Counts for the serving processes, in the coordinator. */
export function countForServing(serving: ServingProcesses): void {
  const byLength = new Map<number, ReturnType<typeof createQuotaWindows>>()

  serving.answer('counts.take', (key: string, amount: number, windowMs: number): SharedCount => {
    const windows = byLength.get(windowMs) ?? createQuotaWindows(windowMs / 1000)
    byLength.set(windowMs, windows)
    const now = performance.now()
    const { used, endsAt } = windows.take(key, amount, now)
    return { used, leftMs: endsAt - now }
  })
  serving.answer('counts.uncount', (key: string, amount: number) => {
    for (const windows of byLength.values()) windows.uncount(key, amount)
  })
}
