import type { App, Cairn, GameSession } from '@cairn/sdk'
import { IconTrophy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { TableFoot } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { SessionStatus } from '../sessions/session-status.tsx'
import type { Leaderboard } from './leaderboard.tsx'
import { LeaderboardTable } from './leaderboard-table.tsx'
import type { Change } from './use-live-leaderboard.ts'

const texts = messages.game.board
const EVERY_MS = 5_000
const NO_CHANGES = new Map<string, Change>()
type Props = { app: App; cairn: Cairn; board: Leaderboard }

/** The leaderboard of a session. It is polled because the service streams only whole games. */
export function SessionLeaderboard({ sessionId, ...parts }: Props & { sessionId: string }) {
  const query = useQuery({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => parts.cairn.gameSessions.get(sessionId, { signal }),
  })
  return <QueryResult query={query}>{(session) => <Shown {...parts} session={session} />}</QueryResult>
}

function Shown({ app, cairn, board, session }: Props & { session: GameSession }) {
  const navigate = useNavigate()
  const list = usePagedList(
    ['session', session.id, 'board'],
    () => cairn.leaderboards.ofSession(session.id, { limit: 100 }),
    { refetchInterval: EVERY_MS },
  )
  const to = '/apps/$appId/boards/$type'
  const type = session.miniGameType?.id ?? 'default'
  // Redirect if the URL names another mini game.
  if (type !== board.id)
    return <Navigate to={to} params={{ appId: app.id, type }} search={{ session: session.id }} replace />
  const name = session.name ?? messages.game.sessions.unnamed
  const open = (playerId: string) =>
    void navigate({ to: '/apps/$appId/players/$playerId', params: { appId: app.id, playerId } })
  return (
    <Panel
      flush
      title={name}
      beside={<SessionStatus session={session} />}
      actions={
        <Link to={to} params={{ appId: app.id, type }}>
          {texts.allSessions}
        </Link>
      }
    >
      <PagedListView
        list={list}
        rows={8}
        empty={
          <EmptyState icon={IconTrophy} title={texts.empty}>
            {texts.emptySession}
          </EmptyState>
        }
      >
        {(entries) => (
          <LeaderboardTable label={name} entries={entries} changes={NO_CHANGES} selected={undefined} onSelect={open} />
        )}
      </PagedListView>
      <TableFoot>
        <Link to="/apps/$appId/sessions/$sessionId" params={{ appId: app.id, sessionId: session.id }}>
          {texts.toSession}
        </Link>
      </TableFoot>
    </Panel>
  )
}
