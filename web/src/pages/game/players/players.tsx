import type { App, Cairn } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { SearchList } from '../../../components/query/search-list.tsx'
import { messages } from '../../../messages/index.ts'
import { Avatar } from '../avatar.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { PlayerForm } from './player-form.tsx'

const texts = messages.game.players

/** The players of an app. */
export function Players() {
  const { appId } = useParams({ from: '/shell/apps/$appId/players' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [isMaking, setIsMaking] = useState(false)
  const { q = '' } = useSearch({ from: '/shell/apps/$appId/players' })
  return (
    <>
      <PageHeader
        title={texts.title}
        sub={texts.sub}
        breadcrumbs={breadcrumbsOf(app)}
        actions={
          <>
            <ApiCallButton path={`/api/v1/apps/players${q && `?search=${encodeURIComponent(q)}`}`} auth="appKey" />
            <Button variant="filled" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
              {texts.new}
            </Button>
          </>
        }
      />
      <List app={app} cairn={cairn} search={q} />
      <PlayerForm app={app} cairn={cairn} isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  )
}

function List({ app, cairn, search }: { app: App; cairn: Cairn; search: string }) {
  const navigate = useNavigate()
  return (
    <SearchList
      title={texts.list}
      searchLabel={texts.find}
      search={search}
      onSearch={(q) =>
        void navigate({
          to: '/apps/$appId/players',
          params: { appId: app.id },
          search: q ? { q } : {},
          replace: true,
        })
      }
      queryKey={['players', app.id]}
      load={(search) => cairn.players.list({ limit: 50, ...(search && { search }) })}
      empty={(search) => (
        <EmptyState icon={IconUsers} title={search ? texts.noneFound(search) : texts.empty}>
          {!search && texts.emptyText}
        </EmptyState>
      )}
    >
      {(items) => (
        <Table label={texts.title}>
          <thead>
            <tr>
              <th>{texts.name}</th>
              <th className="wide-only">{texts.id}</th>
              <th>{texts.since}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, displayName, imageUrl, createdAt }) => (
              <tr key={id}>
                <td>
                  <span className="row">
                    <Avatar name={displayName} imageUrl={imageUrl} />
                    <Link
                      data-row
                      className="truncate"
                      to="/apps/$appId/players/$playerId"
                      params={{ appId: app.id, playerId: id }}
                    >
                      {displayName}
                    </Link>
                  </span>
                </td>
                <td className="wide-only mono dim">{id}</td>
                <td className="dim">
                  <RelativeTime at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </SearchList>
  )
}
