import type { App, Cairn } from '@cairn/sdk'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { SEARCH_LIMIT } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { useDebounced } from '../../../components/query/use-debounced.ts'
import { messages } from '../../../messages/index.ts'
import { Avatar } from '../avatar.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { PlayerForm } from './player-form.tsx'

const texts = messages.game.players

/** The players of an app, found by name. */
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
  const asked = useDebounced(search.trim())
  const list = usePagedList(
    ['players', app.id, asked],
    () => cairn.players.list(asked ? { search: asked, limit: 50 } : { limit: 50 }),
    { keepPrevious: true, countLimit: asked ? SEARCH_LIMIT : undefined },
  )
  const { count } = list
  return (
    <Panel
      flush
      title={texts.list}
      beside={count !== null && texts.count(count)}
      actions={
        <TextInput
          data-find
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '/apps/$appId/players',
              params: { appId: app.id },
              search: value ? { q: value } : {},
              replace: true,
            })
          }
        />
      }
    >
      <PagedListView
        list={list}
        rows={6}
        none={
          <EmptyState icon={IconUsers} title={asked ? texts.noneFound(asked) : texts.empty}>
            {!asked && texts.emptyText}
          </EmptyState>
        }
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
      </PagedListView>
    </Panel>
  )
}
