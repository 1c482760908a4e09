import type { App, Cairn } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messages } from '../../../messages/index.ts'
import type { Leaderboard } from './leaderboard.tsx'

/** How many sessions are read for their names. */
const NAMED_SESSIONS = 200

/** Links scores to their sessions. The newest sessions of the game are named; an older one is "Open session". */
export function useSessionLink(app: App, cairn: Cairn, board: Leaderboard): (gameSessionId: string) => ReactNode {
  const { data: names } = useQuery({
    queryKey: ['sessions', app.id, 'names', board.id],
    queryFn: async ({ signal }) => {
      const query = { limit: NAMED_SESSIONS, ...(board.id === 'default' ? {} : { miniGameTypeId: board.id }) }
      const { items } = await cairn.gameSessions.list(query, { signal }).first()
      return new Map(items.map(({ id, name }) => [id, name ?? messages.game.sessions.unnamed]))
    },
    staleTime: 60_000,
  })
  return (sessionId) => (
    <Link className="truncate" to="/apps/$appId/sessions/$sessionId" params={{ appId: app.id, sessionId }}>
      {names?.get(sessionId) ?? messages.game.board.toSession}
    </Link>
  )
}
