import { type Cairn, CairnError, type LeaderboardEntry } from '@cairn/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'

/** What became of an entry with the last change that touched it: ranks won (lost below 0), points won, and when (ms of performance.now). */
export type Change = { moved: number; gained: number; at: number }
export type LiveLeaderboard = {
  entries: LeaderboardEntry[] | undefined
  changes: Map<string, Change>
  /** Boards that came while it was paused. */
  waiting: number
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  error: Error | null
  /** The stream is open. */
  isConnected: boolean
}

/** How long a changed row is told apart. */
export const HIGHLIGHT_MS = 2400

/** A board as it changes, by the service's stream. Held, it stands still and counts what waits. @param type an id, or `default` */
export function useLiveLeaderboard(cairn: Cairn, type: string, limit: number): LiveLeaderboard {
  const [entries, setEntries] = useState<LeaderboardEntry[]>()
  const [error, setError] = useState<Error | null>(null)
  const [waiting, setWaiting] = useState(0)
  const [isPaused, setIsPaused] = useState(false)
  const [isConnected, setIsConnected] = useState(false)
  const changes = useRef(new Map<string, Change>())
  const latest = useRef<LeaderboardEntry[]>(undefined)
  const shown = useRef<LeaderboardEntry[]>(undefined)
  const paused = useRef(false)

  const show = useCallback((next: LeaderboardEntry[]) => {
    if (shown.current) recordChanges(changes.current, shown.current, next)
    shown.current = next
    setEntries(next)
    setWaiting(0)
  }, [])

  const setPaused = useCallback(
    (is: boolean) => {
      paused.current = is
      setIsPaused(is)
      if (!is && latest.current) show(latest.current)
    },
    [show],
  )

  useEffect(() => {
    const ended = new AbortController()
    latest.current = shown.current = undefined
    changes.current.clear()
    setEntries(undefined)
    setError(null)
    const follow = async () => {
      const query = { limit, ...(type === 'default' ? {} : { miniGameTypeId: type }) }
      for await (const { leaderboard } of cairn.leaderboards.follow(query, {
        signal: ended.signal,
        onConnection: setIsConnected,
      })) {
        latest.current = leaderboard
        if (paused.current && shown.current) setWaiting((n) => n + 1)
        else show(leaderboard)
      }
    }
    follow().catch((failure) => {
      if (!ended.signal.aborted) setError(failure instanceof Error ? failure : new CairnError(0, String(failure)))
    })
    return () => ended.abort(new Error('the page was left'))
  }, [cairn, type, limit, show])

  return { entries, changes: changes.current, waiting, isPaused, setPaused, error, isConnected }
}

/** Keeps what the step from one board to the next did to each entry. Who is new has won no rank. */
function recordChanges(changes: Map<string, Change>, before: LeaderboardEntry[], after: LeaderboardEntry[]) {
  const at = performance.now()
  for (const [id, change] of changes) if (at - change.at > 60_000) changes.delete(id)
  const known = new Map(before.map((entry) => [entry.playerId, entry]))
  for (const { playerId, playerScore, ranking } of after) {
    const old = known.get(playerId)
    const moved = old ? old.ranking - ranking : 0
    const gained = playerScore - (old?.playerScore ?? playerScore)
    if (!old || moved !== 0 || gained !== 0) changes.set(playerId, { moved, gained, at })
  }
}
