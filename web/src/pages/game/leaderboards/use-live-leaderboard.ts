import { type Cairn, CairnError, type LeaderboardEntry, type MiniGameLeaderboard } from '@cairn/sdk'
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

/** Milliseconds between reads without a stream. */
const POLL_MS = 5000

type Clients = {
  cairn: Cairn
  /** The client for the stream; null to poll instead, undefined while it is loading. */
  streaming: Cairn | null | undefined
}

/** Follows a leaderboard, through the event stream where that is possible. While paused it counts updates without showing them. @param type a mini game ID or `default` */
export function useLiveLeaderboard({ cairn, streaming }: Clients, type: string, limit: number): LiveLeaderboard {
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
    if (streaming === undefined) return
    const ended = new AbortController()
    latest.current = shown.current = undefined
    changes.current.clear()
    setEntries(undefined)
    setError(null)
    const follow = async () => {
      const query = { limit, ...(type === 'default' ? {} : { miniGameTypeId: type }) }
      const boards = streaming
        ? streaming.leaderboards.follow(query, { signal: ended.signal, onConnection: setIsConnected })
        : poll(cairn, query, ended.signal, setIsConnected)
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
  }, [cairn, streaming, type, limit, show])

  return { entries, changes: changes.current, waiting, isPaused, setPaused, error, isConnected }
}

/** Yields the leaderboard each time it has changed. */
async function* poll(
  cairn: Cairn,
  query: { limit: number; miniGameTypeId?: string },
  signal: AbortSignal,
  onConnection: (isConnected: boolean) => void,
): AsyncGenerator<MiniGameLeaderboard> {
  let last = ''
  while (!signal.aborted) {
    const board = await cairn.leaderboards.get(query, { signal })
    onConnection(true)
    const now = JSON.stringify(board.leaderboard)
    if (now !== last) yield board
    last = now
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
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
