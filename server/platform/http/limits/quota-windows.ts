/** What a caller took in its window, and when that ends (milliseconds of performance.now). */
export type Window = { used: number; endsAt: number }

/** Windows of time in this process, one for each caller that took something. A window begins with what a caller takes first in it. */
export function createQuotaWindows(seconds: number) {
  // All are equally long and one that ended is taken out before it begins anew: the oldest is always the first.
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
    /** @returns the window as it is with that; it changes with what is taken next */
    take(caller: string, amount: number, now: number): Window {
      let window = windows.get(caller)
      if (window === undefined || window.endsAt <= now) {
        windows.delete(caller)
        window = begin(caller, now)
      }
      window.used += amount
      return window
    },

    /** Takes back what was counted; no more than the window has by now, for it may be another one. */
    giveBack(caller: string, amount: number) {
      const window = windows.get(caller)
      if (window) window.used = Math.max(0, window.used - amount)
    },

    clear: () => windows.clear(),

    /** How many are kept. */
    size: () => windows.size,
  }
}
