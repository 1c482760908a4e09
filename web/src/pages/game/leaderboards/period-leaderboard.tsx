import type { App, Cairn } from '@cairn/sdk'
import { IconTrophy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import type { Leaderboard } from './leaderboard.tsx'
import { LeaderboardTable } from './leaderboard-table.tsx'
import type { Period } from './period.ts'
import type { Change } from './use-live-leaderboard.ts'
import { useSessionLink } from './use-session-link.tsx'

const texts = messages.game.board
const EVERY_MS = 5_000
const NO_CHANGES = new Map<string, Change>()

type Props = {
  app: App
  cairn: Cairn
  board: Leaderboard
  period: Period
  choice: ReactNode
  selected: string | undefined
  onSelect: (playerId: string) => void
}

/** The leaderboard of a window or a season. It is polled because the service streams only leaderboards of all time. */
export function PeriodLeaderboard({ app, cairn, board, period, choice, selected, onSelect }: Props) {
  const query = { ...queryOf(period), ...(board.id === 'default' ? {} : { miniGameTypeId: board.id }) }
  const list = usePagedList(
    ['board', app.id, board.id, period],
    () => cairn.leaderboards.entries({ ...query, limit: 100 }),
    { refetchInterval: EVERY_MS },
  )
  const sessionLink = useSessionLink(app, cairn, board)
  const { data: found } = useQuery({
    queryKey: ['board', app.id, board.id, period, 'period'],
    queryFn: async ({ signal }) => (await cairn.leaderboards.get({ ...query, limit: 1 }, { signal })).period,
    staleTime: 60_000,
  })
  return (
    <Panel
      flush
      title={texts.ranks}
      beside={
        found && (
          <span>
            <RelativeTime at={found.startsAt} /> – {found.endsAt ? <RelativeTime at={found.endsAt} /> : texts.noEnd}
          </span>
        )
      }
      actions={choice}
    >
      <PagedListView
        list={list}
        rows={8}
        empty={
          <EmptyState icon={IconTrophy} title={texts.empty}>
            {texts.emptyPeriod}
          </EmptyState>
        }
      >
        {(entries) => (
          <LeaderboardTable
            label={board.name}
            entries={entries}
            changes={NO_CHANGES}
            selected={selected}
            onSelect={onSelect}
            sessionLink={sessionLink}
          />
        )}
      </PagedListView>
    </Panel>
  )
}

/** The query without the parts that are not set. */
const queryOf = ({ window, season }: Period) => ({ ...(window ? { window } : {}), ...(season ? { season } : {}) })
