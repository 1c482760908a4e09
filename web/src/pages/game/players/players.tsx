import type { App, Cairn } from '@cairn/sdk'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { SEARCHED_UP_TO } from '../../../components/data/format.ts'
import { When } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Empty } from '../../../components/feedback/empty-state.tsx'
import { AsApiCall } from '../../../components/layout/api-call.tsx'
import { PageHead } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Grown, useGrowing } from '../../../components/query/paged-list.tsx'
import { useSettled } from '../../../components/query/use-debounced.ts'
import { words } from '../../../messages/index.ts'
import { Face } from '../avatar.tsx'
import { crumbsOf, GamePage } from '../game-page.tsx'
import { PlayerForm } from './player-form.tsx'

const texts = words.game.players

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
      <PageHead
        title={texts.title}
        sub={texts.sub}
        crumbs={crumbsOf(app)}
        actions={
          <>
            <AsApiCall path={`/api/v1/apps/players${q && `?search=${encodeURIComponent(q)}`}`} auth="appKey" />
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
  const asked = useSettled(search.trim())
  const list = useGrowing(
    ['players', app.id, asked],
    () => cairn.players.list(asked ? { search: asked, limit: 50 } : { limit: 50 }),
    { keepsOld: true, stopsAt: asked ? SEARCHED_UP_TO : undefined },
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
      <Grown
        list={list}
        rows={6}
        none={
          <Empty icon={IconUsers} title={asked ? texts.noneFound(asked) : texts.empty}>
            {!asked && texts.emptyText}
          </Empty>
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
                      <Face name={displayName} imageUrl={imageUrl} />
                      <Link
                        data-row
                        className="cut"
                        to="/apps/$appId/players/$playerId"
                        params={{ appId: app.id, playerId: id }}
                      >
                        {displayName}
                      </Link>
                    </span>
                  </td>
                  <td className="wide-only mono dim">{id}</td>
                  <td className="dim">
                    <When at={createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Grown>
    </Panel>
  )
}
