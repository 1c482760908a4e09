/** Usage of a caller in its window, and the window's end (milliseconds of performance.now). */
export type Window = { used: number; endsAt: number }

/** Fixed windows in memory, one for each active caller. A window begins with a caller's first request. */
export function createQuotaWindows(seconds: number) {
  // All windows have the same length, and an ended one is removed before it begins again: the first is the oldest.
  const windows = new Map<string, Window>()

  const begin = (caller: string, now: number): Window => {
    for (const [name, { endsAt }] of windows) {
      if (endsAt > now) break
      windows.delete(name)
    }
    const window = { used: 0, endsAt: now + seconds * 1000 }
    windows.set(caller, window)
    return window
  }

  return {
    /** @returns the window including this amount; later calls change it */
    take(caller: string, amount: number, now: number): Window {
      let window = windows.get(caller)
      if (window === undefined || window.endsAt <= now) {
        windows.delete(caller)
        window = begin(caller, now)
      }
      window.used += amount
      return window
    },

    /** Uncounts an amount, at most what the current window holds: it may be a later one. */
    giveBack(caller: string, amount: number) {
      const window = windows.get(caller)
      if (window) window.used = Math.max(0, window.used - amount)
    },

    clear: () => windows.clear(),

    /** Number of windows in memory. */
    size: () => windows.size,
  }
}
