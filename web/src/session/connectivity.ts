/** Milliseconds before the first retry, which double with each failure up to the maximum. */
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 30_000
const HEALTH_TIMEOUT_MS = 5_000

/** The client shows errors that ask for a longer wait, with the time, instead of waiting silently. */
export const RETRY = { longestWait: 3_000 }

/** `offlineSince` is null while the service answers. `nextRetryAt` is in milliseconds since 1970. */
export type ConnectivityState = { offlineSince: Date | null; nextRetryAt: number }

export type Connectivity = ReturnType<typeof createConnectivity>

/** Tracks whether the service answers. After a failed request it polls the health endpoint until it succeeds. @param onReconnect called when the service answers again */
export function createConnectivity(onReconnect: () => void) {
  let state: ConnectivityState = { offlineSince: null, nextRetryAt: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isChecking = false
  const listeners = new Set<() => void>()

  const setState = (next: ConnectivityState) => {
    state = next
    for (const listener of listeners) listener()
  }

  async function check() {
    if (isChecking) return
    isChecking = true
    clearTimeout(timer)
    const isHealthy = await fetch('/healthz', {
      cache: 'no-store',
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    }).then(
      (response) => response.ok,
      () => false,
    )
    isChecking = false
    if (isHealthy) return reconnect()
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++)
    setState({ offlineSince: state.offlineSince ?? new Date(), nextRetryAt: Date.now() + wait })
    timer = setTimeout(check, wait)
  }

  function reconnect() {
    failures = 0
    if (!state.offlineSince) return
    setState({ offlineSince: null, nextRetryAt: 0 })
    onReconnect()
  }

  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A request got no response. One failure may have its own cause, so this checks the health endpoint first. */
    reportFailure: () => {
      if (!state.offlineSince) void check()
    },
    reportSuccess: () => {
      if (state.offlineSince) reconnect()
    },
    retryNow: () => void check(),
    stop: () => clearTimeout(timer),
  }
}

/** `fetch` that reports to `connectivity` whether a response came. */
export const monitoredFetch =
  (connectivity: Connectivity): typeof fetch =>
  (...request) =>
    fetch(...request).then(
      (response) => {
        connectivity.reportSuccess()
        return response
      },
      (error) => {
        // fetch throws a TypeError for network failures.
        if (error instanceof TypeError) connectivity.reportFailure()
        throw error
      },
    )
