import type { App, Cairn } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay, IconTrophy } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { TableFoot } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { isLetterShortcut } from '../../../shell/keyboard/keyboard-shortcuts.tsx'
import { PlayerSearch } from '../player-search.tsx'
import { Announcer } from './announcer.tsx'
import classes from './leaderboard.module.css'
import type { Leaderboard } from './leaderboard.tsx'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { type LiveLeaderboard, useLiveLeaderboard } from './use-live-leaderboard.ts'
import { useSessionLink } from './use-session-link.tsx'

const texts = messages.game.board
const PAGE_SIZE = 100
const MAX_ROWS = 1000

/** A live leaderboard that can be paused. */
export function LeaderboardPanel({
  app,
  cairn,
  board,
  around,
  choice,
}: {
  app: App
  cairn: Cairn
  board: Leaderboard
  around: string | undefined
  /** Selects the period. */
  choice: ReactNode
}) {
  const navigate = useNavigate()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const live = useLiveLeaderboard(cairn, board.id, limit)
  const sessionLink = useSessionLink(app, cairn, board)
  usePauseShortcut(live)
  const look = (playerId: string) =>
    void navigate({
      to: '/apps/$appId/boards/$type',
      params: { appId: app.id, type: board.id },
      search: { around: playerId },
      replace: true,
    })
  const { entries, error, isPaused, setPaused } = live
  return (
    <Panel
      flush
      title={texts.ranks}
      beside={<LiveState live={live} />}
      actions={
        <>
          {choice}
          <PlayerSearch app={app} cairn={cairn} label={texts.find} onFound={({ id }) => look(id)} />
          <Button
            leftSection={
              isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
            }
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? texts.goOn : texts.hold}
          </Button>
        </>
      }
    >
      {error ? (
        <Failure error={error} />
      ) : !entries ? (
        <Skeleton rows={8} />
      ) : entries.length === 0 ? (
        <EmptyState
          icon={IconTrophy}
          title={texts.empty}
          action={
            <Button onClick={() => void navigate({ to: '/apps/$appId/sessions', params: { appId: app.id } })}>
              {messages.game.sessions.title}
            </Button>
          }
        >
          {texts.emptyText}
        </EmptyState>
      ) : (
        <LeaderboardTable
          label={board.name}
          entries={entries}
          changes={live.changes}
          selected={around}
          onSelect={look}
          sessionLink={sessionLink}
        />
      )}
      {entries && entries.length >= limit && (
        <TableFoot>
          <span className="faint">{texts.top(formatNumber(entries.length))}</span>
          {limit < MAX_ROWS && (
            <Button size="xs" onClick={() => setLimit(MAX_ROWS)}>
              {messages.common.loadMore}
            </Button>
          )}
        </TableFoot>
      )}
      <Announcer entries={entries} changes={live.changes} />
    </Panel>
  )
}

function LiveState({ live: { isPaused, waiting, isConnected } }: { live: LiveLeaderboard }) {
  const { online } = useNetwork()
  const isLive = online && isConnected && !isPaused
  const text = isPaused ? texts.held(waiting) : isLive ? texts.live : texts.reconnecting
  return (
    <span className={`${classes.live} ${isLive ? '' : classes.paused}`}>
      <span className={classes.dot} aria-hidden />
      {text}
    </span>
  )
}

/** H pauses and resumes the leaderboard. */
function usePauseShortcut({ isPaused, setPaused }: LiveLeaderboard) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isLetterShortcut(event) && event.key.toLowerCase() === 'h') setPaused(!isPaused)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isPaused, setPaused])
}
