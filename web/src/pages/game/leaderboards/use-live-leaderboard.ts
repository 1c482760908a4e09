import { type Cairn, CairnError, type LeaderboardEntry } from '@cairn/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'

/** The last change of an entry: ranks gained (negative if lost), points gained, and its time (performance.now). */
export type Change = { moved: number; gained: number; at: number }
export type LiveLeaderboard = {
  entries: LeaderboardEntry[] | undefined
  changes: Map<string, Change>
  /** Number of updates received while paused. */
  waiting: number
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  error: Error | null
  /** The stream is connected. */
  isConnected: boolean
}

/** How long changes stay highlighted. */
export const HIGHLIGHT_MS = 2400

/** Follows a leaderboard. While paused it counts updates without showing them. @param type a mini game ID or `default` */
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
      const boards = cairn.leaderboards.follow(query, { signal: ended.signal, onConnection: setIsConnected })
      for await (const { leaderboard } of boards) {
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

/** Records how each entry changed between two leaderboards. New entries have gained no ranks. */
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
