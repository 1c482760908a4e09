import type { LeaderboardEntry } from '@cairn/sdk'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../../../messages/index.ts'
import type { Change } from './use-live-leaderboard.ts'

/** Minimum time between announcements. */
const EVERY_MS = 10_000

/** Announces rank changes to screen readers from time to time. */
export function Announcer({
  entries,
  changes,
}: {
  entries: LeaderboardEntry[] | undefined
  changes: Map<string, Change>
}) {
  const [announcement, setAnnouncement] = useState('')
  const announcedAt = useRef(0)
  useEffect(() => {
    const now = performance.now()
    if (!entries || now - announcedAt.current < EVERY_MS) return
    const climber = entries.find(({ playerId }) => {
      const change = changes.get(playerId)
      return change !== undefined && change.at > announcedAt.current && change.moved > 0
    })
    if (!climber) return
    announcedAt.current = now
    setAnnouncement(messages.game.board.now(climber.playerDisplayName, climber.ranking))
  }, [entries, changes])
  return (
    <div className="visually-hidden" aria-live="polite">
      {announcement}
    </div>
  )
}
