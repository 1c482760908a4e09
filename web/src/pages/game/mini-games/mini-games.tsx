import type { App, Cairn, MiniGameType } from '@cairn/sdk'
import { ActionIcon } from '@mantine/core'
import { IconDeviceGamepad2, IconEyeOff, IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { MakeButton, NeedsRole } from '../../../components/layout/make-button.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { HiddenMiniGames } from './hidden-mini-games.tsx'
import { MiniGameForm } from './mini-game-form.tsx'

const texts = messages.game.types
type Open = { what: 'form' | 'hide'; type?: MiniGameType } | null

/** All mini games of an app, by name. */
export const useMiniGameTypes = (app: App, cairn: Cairn) =>
  useQuery({
    queryKey: ['types', app.id],
    queryFn: ({ signal }) => cairn.miniGameTypes.list({}, { signal }).all(),
  })

/** The mini games of an app. */
export function MiniGames() {
  const { appId } = useParams({ from: '/shell/apps/$appId/mini-games' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [open, setOpen] = useState<Open>(null)
  const queries = useQueryClient()
  const query = useMiniGameTypes(app, cairn)
  const close = () => setOpen(null)
  const hide = async (type: MiniGameType) => {
    try {
      await cairn.miniGameTypes.delete(type.id)
      close()
      await queries.invalidateQueries({ queryKey: ['types', app.id] })
    } catch (error) {
      notifyError(error)
    }
  }
  const make = hasRole(app, 'developer') && (
    <MakeButton onClick={() => setOpen({ what: 'form' })}>{texts.new}</MakeButton>
  )
  return (
    <>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={breadcrumbsOf(app)} actions={make} />
      <div className="stack">
        <Panel flush title={texts.list}>
          <QueryResult query={query}>
            {(types) =>
              types.length === 0 ? (
                <EmptyState
                  icon={IconDeviceGamepad2}
                  title={texts.empty}
                  action={make || <NeedsRole least="developer" />}
                >
                  {texts.emptyText}
                </EmptyState>
              ) : (
                <Rows app={app} types={types} onOpen={setOpen} />
              )
            }
          </QueryResult>
        </Panel>
        <HiddenMiniGames app={app} cairn={cairn} />
      </div>
      <MiniGameForm app={app} cairn={cairn} type={open?.type} isOpen={open?.what === 'form'} onClose={close} />
      {open?.type && (
        <Confirm
          isOpen={open.what === 'hide'}
          onClose={close}
          title={texts.hideTitle(open.type.name)}
          verb={texts.hideVerb(open.type.name)}
          onConfirm={() => hide(open.type!)}
        >
          <p className="dim">{texts.hideText}</p>
        </Confirm>
      )}
    </>
  )
}

function Rows({ app, types, onOpen }: { app: App; types: MiniGameType[]; onOpen: (open: Open) => void }) {
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th>{texts.name}</th>
          <th className="wide-only">{texts.order}</th>
          <th className="wide-only">{texts.mode}</th>
          <th className="wide-only">{texts.range}</th>
          <th>
            <span className="visually-hidden">{texts.toBoard}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {types.map((type) => (
          <tr key={type.id}>
            <td>
              <Link data-row to="/apps/$appId/boards/$type" params={{ appId: app.id, type: type.id }}>
                {type.name}
              </Link>
              {type.description && <div className="dim small">{type.description}</div>}
            </td>
            <td className="wide-only dim">{texts.orders[type.sortOrder]}</td>
            <td className="wide-only dim">{texts.modes[type.scoreMode]}</td>
            <td className="wide-only dim">{rangeOf(type)}</td>
            <td>
              {hasRole(app, 'developer') && (
                <span className="row" style={{ justifyContent: 'flex-end' }}>
                  <ActionIcon aria-label={texts.edit(type.name)} onClick={() => onOpen({ what: 'form', type })}>
                    <IconPencil size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon aria-label={texts.hideVerb(type.name)} onClick={() => onOpen({ what: 'hide', type })}>
                    <IconEyeOff size={16} aria-hidden />
                  </ActionIcon>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const rangeOf = ({ minScore, maxScore }: MiniGameType): string =>
  minScore === null && maxScore === null
    ? texts.any
    : `${minScore === null ? '−∞' : formatNumber(minScore)} … ${maxScore === null ? '∞' : formatNumber(maxScore)}`
