import type { App, Cairn, GameSession } from '@cairn/sdk'
import { Button, SegmentedControl } from '@mantine/core'
import { IconClockPlay } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { COUNT_LIMIT, formatNumber, SEARCH_LIMIT } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { MakeButton, NeedsRole } from '../../../components/layout/make-button.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { SearchList } from '../../../components/query/search-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { SessionForm } from './session-form.tsx'
import { SessionStatus } from './session-status.tsx'

const texts = messages.game.sessions
const STATES = [
  { value: 'ALL', label: texts.all },
  { value: 'ACTIVE', label: texts.states.ACTIVE },
  { value: 'PAUSED', label: texts.states.PAUSED },
  { value: 'COMPLETED', label: texts.states.COMPLETED },
]

/** The game sessions of an app, filtered by status and name. */
export function Sessions() {
  const { appId } = useParams({ from: '/shell/apps/$appId/sessions' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [isMaking, setIsMaking] = useState(false)
  const make = hasRole(app, 'developer') && <MakeButton onClick={() => setIsMaking(true)}>{texts.new}</MakeButton>
  return (
    <>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={breadcrumbsOf(app)} actions={make} />
      <List app={app} cairn={cairn} make={make} />
      <SessionForm app={app} cairn={cairn} isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  )
}

function List({ app, cairn, make }: { app: App; cairn: Cairn; make: ReactNode }) {
  const navigate = useNavigate()
  const { q = '', status = 'ALL' } = useSearch({ from: '/shell/apps/$appId/sessions' })
  const isFiltered = status !== 'ALL'
  const setSearch = (change: { q?: string; status?: string }) => {
    const next = { q, status, ...change }
    void navigate({
      to: '/apps/$appId/sessions',
      params: { appId: app.id },
      search: { ...(next.q ? { q: next.q } : {}), ...(next.status === 'ALL' ? {} : { status: next.status }) },
      replace: true,
    })
  }
  return (
    <SearchList
      title={texts.list}
      searchLabel={texts.find}
      search={q}
      onSearch={(q) => setSearch({ q })}
      queryKey={['sessions', app.id, status]}
      load={(search) =>
        cairn.gameSessions.list({
          limit: 50,
          ...(search && { search }),
          ...(isFiltered && { status: status as 'ACTIVE' | 'COMPLETED' | 'PAUSED' }),
        })
      }
      countLimit={(search) => (search ? SEARCH_LIMIT : isFiltered ? COUNT_LIMIT : undefined)}
      refetchInterval={15_000}
      filters={
        <div className="pad">
          <SegmentedControl
            aria-label={texts.state}
            data={STATES}
            value={status}
            onChange={(value) => setSearch({ status: value })}
          />
        </div>
      }
      empty={(search) => (
        <EmptyState
          icon={IconClockPlay}
          title={search || isFiltered ? texts.noneFound : texts.empty}
          action={
            search || isFiltered ? (
              <Button onClick={() => setSearch({ q: '', status: 'ALL' })}>{messages.common.clear}</Button>
            ) : (
              make || <NeedsRole least="developer" />
            )
          }
        >
          {!search && !isFiltered && texts.emptyText}
        </EmptyState>
      )}
    >
      {(items) => <Rows app={app} sessions={items} />}
    </SearchList>
  )
}

function Rows({ app, sessions }: { app: App; sessions: GameSession[] }) {
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th>{texts.name}</th>
          <th className="wide-only">{texts.game}</th>
          <th>{texts.state}</th>
          <th className="num">{texts.players}</th>
          <th className="wide-only">{texts.begun}</th>
          <th className="wide-only">{texts.ended}</th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td>
              <Link data-row to="/apps/$appId/sessions/$sessionId" params={{ appId: app.id, sessionId: session.id }}>
                {session.name ?? texts.unnamed}
              </Link>
            </td>
            <td className="wide-only dim">{session.miniGameType?.name ?? messages.common.defaultGame}</td>
            <td>
              <SessionStatus session={session} />
            </td>
            <td className="num">{formatNumber(session.playerCount)}</td>
            <td className="wide-only dim">
              <RelativeTime at={session.startTime} />
            </td>
            <td className="wide-only dim">{session.endTime ? <RelativeTime at={session.endTime} /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
