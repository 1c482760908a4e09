import type { App, Cairn, MiniGameType } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { notifyError } from '../../../components/feedback/notify.ts'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { isLetterShortcut } from '../../../shell/keyboard/keyboard-shortcuts.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { useMiniGameTypes } from '../mini-games/mini-games.tsx'
import classes from './leaderboard.module.css'
import { exportLeaderboard } from './leaderboard-csv.ts'
import { LeaderboardPanel } from './leaderboard-panel.tsx'
import { isAllTime, type Period, parsePeriod } from './period.ts'
import { PeriodChoice } from './period-choice.tsx'
import { PeriodLeaderboard } from './period-leaderboard.tsx'
import { PlayerPanel } from './player-panel.tsx'
import { SessionLeaderboard } from './session-leaderboard.tsx'

const texts = messages.game.board
export type Leaderboard = { id: string; name: string; isLowestBest: boolean }

/** An app's leaderboards: a list, the selected one, and a selected player; or the leaderboard of a session. */
export function LeaderboardPage() {
  const { appId, type } = useParams({ from: '/shell/apps/$appId/boards/$type' })
  return <GamePage appId={appId}>{(parts) => <Found {...parts} type={type} />}</GamePage>
}

type Props = { app: App; cairn: Cairn }

function Found({ app, cairn, type }: Props & { type: string }) {
  const query = useMiniGameTypes(app, cairn)
  return (
    <QueryResult query={query}>{(types) => <Boards app={app} cairn={cairn} type={type} types={types} />}</QueryResult>
  )
}

function Boards({ app, cairn, type, types }: Props & { type: string; types: MiniGameType[] }) {
  const boards: Leaderboard[] = [
    { id: 'default', name: messages.common.defaultGame, isLowestBest: false },
    ...types.map(({ id, name, sortOrder }) => ({ id, name, isLowestBest: sortOrder === 'asc' })),
  ]
  // Hidden mini games keep their leaderboard.
  const board = boards.find(({ id }) => id === type) ?? { id: type, name: texts.title, isLowestBest: false }
  const { around, session, window, season } = useSearch({ from: '/shell/apps/$appId/boards/$type' })
  const period: Period = { window, season }
  const navigate = useNavigate()
  const go = (search: Period & { around?: string }) =>
    void navigate({ to: '/apps/$appId/boards/$type', params: { appId: app.id, type }, search, replace: true })
  const choice = <PeriodChoice app={app} cairn={cairn} type={type} period={period} onChange={go} />
  useLeaderboardShortcuts(app, boards, type)
  const query = new URLSearchParams({ ...(type === 'default' ? {} : { miniGameTypeId: type }), ...parsePeriod(period) })
  const whole = `/api/v1/apps/leaderboards/mini-game${query.size > 0 ? `?${query}` : ''}`
  const path = session ? `/api/v1/apps/game-sessions/${session}/leaderboard` : whole
  return (
    <>
      <PageHeader
        title={board.name}
        breadcrumbs={breadcrumbsOf(app, { name: texts.title })}
        actions={
          <>
            <ApiCallButton path={path} auth="appKey" />
            <Button
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() =>
                void exportLeaderboard(cairn, board, session, parsePeriod(period)).catch((error) =>
                  notifyError(error, messages.common.failed),
                )
              }
            >
              {texts.csv}
            </Button>
          </>
        }
      />
      <div className={around && !session ? classes.gridWithSide : classes.grid}>
        <LeaderboardList app={app} boards={boards} />
        <div>
          {session ? (
            <SessionLeaderboard app={app} cairn={cairn} board={board} sessionId={session} />
          ) : isAllTime(period) ? (
            <LeaderboardPanel key={type} app={app} cairn={cairn} board={board} around={around} choice={choice} />
          ) : (
            <PeriodLeaderboard
              app={app}
              cairn={cairn}
              board={board}
              period={period}
              choice={choice}
              selected={around}
              onSelect={(playerId) => go({ ...parsePeriod(period), around: playerId })}
            />
          )}
        </div>
        {around && !session && <PlayerPanel app={app} cairn={cairn} board={board} playerId={around} />}
      </div>
    </>
  )
}

const LeaderboardList = ({ app, boards }: { app: App; boards: Leaderboard[] }) => (
  <nav className={classes.boards} aria-label={texts.boards}>
    {boards.map(({ id, name, isLowestBest }) => (
      <Link key={id} to="/apps/$appId/boards/$type" params={{ appId: app.id, type: id }}>
        <span className="strong">{name}</span>
        {isLowestBest && <span className="faint small">{texts.lowestBest}</span>}
      </Link>
    ))}
  </nav>
)

/** `[` and `]` select the previous and next leaderboard. */
function useLeaderboardShortcuts(app: App, boards: Leaderboard[], type: string) {
  const navigate = useNavigate()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isLetterShortcut(event) || !['[', ']'].includes(event.key)) return
      const at = boards.findIndex(({ id }) => id === type) + (event.key === ']' ? 1 : -1)
      const next = boards[(at + boards.length) % boards.length]
      if (next) void navigate({ to: '/apps/$appId/boards/$type', params: { appId: app.id, type: next.id } })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [app, boards, type, navigate])
}
