import type { Sender } from '../credentials/callers.ts'
import { HttpError, unavailable } from '../errors.ts'
import { logOnce } from './log-once.ts'
import { SseConnection } from './sse-connection.ts'
import { HEARTBEAT, RETRY } from './sse-frames.ts'

/** What a stream depends on: a session or an app key. The stream ends with it. */
export type Need = { what: string; id: string }

/** Returns which of these still exist. */
export type StillThere = (ids: string[]) => Promise<Set<string>>

/**
 * Maximum number of open streams: per caller, of all apps, of all callers without a credential, and in all. The rest is
 * reserved for users.
 */
const usualBounds = { app: 1000, user: 100, anonymous: 100, allApps: 4000, allAnonymous: 500, inAll: 5000 }

const FULL = {
  app: 'Too many streams of apps are open: try again later',
  user: 'Too many streams are open: try again later',
  anonymous: 'Too many streams are open without a session: sign in, or try again later',
}

/** How often dependencies are checked: streams end within the second in which a credential stops working. */
const checkMs = 700
const heartbeatMs = 15_000

export type Streams = ReturnType<typeof createStreams>

/** All event streams of this process: their limits, heartbeat, and end with what they depend on. */
export function createStreams({
  onError,
  bounds: given,
}: {
  onError: (error: unknown) => void
  bounds?: Partial<typeof usualBounds>
}) {
  const bounds = { ...usualBounds, ...given }
  const ofKind = { app: bounds.allApps, user: bounds.inAll, anonymous: bounds.allAnonymous }
  const open = new Map<SseConnection, Need[]>()
  const ofCaller = new Map<string, number>()
  const checks = new Map<string, StillThere>()
  const checking = logOnce(onError)
  let timers: NodeJS.Timeout[] = []
  let isChecking = false
  let isClosed = false

  function count(key: string, by: 1 | -1): void {
    const now = (ofCaller.get(key) ?? 0) + by
    if (now === 0) ofCaller.delete(key)
    else ofCaller.set(key, now)
  }

  async function endDead(): Promise<void> {
    const needs = [...open.values()].flat()
    for (const [what, stillThere] of checks) {
      const ids = new Set(needs.filter((need) => need.what === what).map(({ id }) => id))
      if (ids.size === 0) continue
      const there = await stillThere([...ids])
      const isGone = (need: Need) => need.what === what && ids.has(need.id) && !there.has(need.id)
      for (const [listener, needed] of open) if (needed.some(isGone)) listener.end()
    }
    checking.worked()
  }

  function check(): void {
    if (isChecking) return
    isChecking = true
    endDead()
      .catch(checking.failed)
      .finally(() => {
        isChecking = false
      })
  }

  return {
    /** Registers how to check which dependencies of a kind still exist. */
    endWith(what: string, stillThere: StillThere): void {
      checks.set(what, stillThere)
    },

    /**
     * Opens a stream. @throws 429 if the caller has too many open; 503 if the total or that of its kind is reached, or
     * while the service stops
     */
    open(caller: Sender, needs: Need[]): SseConnection {
      if (isClosed) throw unavailable('The service is stopping: reconnect', 2)
      const { kind } = caller
      if (open.size >= bounds.inAll) throw unavailable('Too many streams are open: try again later', 30)
      if ((ofCaller.get(kind) ?? 0) >= ofKind[kind]) throw unavailable(FULL[kind], 30)
      const [key, atMost] = [`${kind} ${caller.id}`, bounds[kind]]
      if ((ofCaller.get(key) ?? 0) >= atMost) {
        const whose = { app: 'This app has', user: 'You have', anonymous: 'From this address are' }[kind]
        throw new HttpError(429, `${whose} ${atMost} streams open: close some`, { 'retry-after': '30' })
      }

      const listener = new SseConnection()
      open.set(listener, needs)
      count(key, 1)
      count(kind, 1)
      listener.stream.once('close', () => {
        open.delete(listener)
        count(key, -1)
        count(kind, -1)
      })
      listener.send(RETRY)
      if (timers.length === 0) {
        const beat = () => {
          for (const one of open.keys()) one.send(HEARTBEAT)
        }
        timers = [setInterval(check, checkMs).unref(), setInterval(beat, heartbeatMs).unref()]
      }
      return listener
    },

    /** How many streams are open. */
    count: () => open.size,

    /** Ends every stream, and opens no more. */
    close(): void {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      for (const listener of open.keys()) listener.end()
    },
  }
}
