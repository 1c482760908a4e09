import type { App, Cairn, GameSession, GameSessionPlayer } from '@cairn/sdk'
import { ActionIcon, Button, NumberInput } from '@mantine/core'
import { IconUserMinus, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { Avatar } from '../avatar.tsx'
import { PlayerSearch } from '../player-search.tsx'

const texts = messages.game.session
type Props = { app: App; cairn: Cairn; session: GameSession }

/** The players of a session in the order they joined, with editable scores. */
export function SessionPlayers({ app, cairn, session }: Props) {
  const queries = useQueryClient()
  const list = usePagedList(
    ['session', session.id, 'players'],
    () => cairn.gameSessions.players(session.id, { limit: 100 }),
    { refetchInterval: 5_000 },
  )
  // Players without a score have no rank.
  const { data: ranks } = useQuery({
    queryKey: ['session', session.id, 'ranks'],
    queryFn: async ({ signal }) => {
      const { items: board } = await cairn.leaderboards.ofSession(session.id, { limit: 1000 }, { signal }).first()
      return new Map(board.map(({ playerId, ranking }) => [playerId, ranking]))
    },
    refetchInterval: 5_000,
  })
  const again = () => void queries.invalidateQueries({ queryKey: ['session', session.id] })
  const join = async (playerId: string) => {
    try {
      await cairn.gameSessions.join(session.id, playerId)
      again()
    } catch (failure) {
      notifyError(failure)
    }
  }
  return (
    <Panel
      flush
      title={texts.board}
      actions={<PlayerSearch app={app} cairn={cairn} label={texts.join} onFound={({ id }) => void join(id)} />}
    >
      <PagedListView list={list} rows={4} empty={<EmptyState icon={IconUsers} title={texts.nobody} />}>
        {(items) => (
          <Table label={texts.board}>
            <thead>
              <tr>
                <th className="num">{texts.rank}</th>
                <th>{texts.player}</th>
                <th>{texts.score}</th>
                <th className="wide-only">{texts.written}</th>
                <th>
                  <span className="visually-hidden">{texts.leave('')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((entry) => (
                <Row
                  key={`${entry.playerId} ${entry.updatedAt}`}
                  ranking={ranks?.get(entry.playerId)}
                  app={app}
                  cairn={cairn}
                  session={session}
                  entry={entry}
                  onChanged={again}
                />
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
    </Panel>
  )
}

type RowParts = Props & { entry: GameSessionPlayer; ranking: number | undefined; onChanged: () => void }

function Row({ app, cairn, session, entry, ranking, onChanged }: RowParts) {
  const { playerId, displayName: name, imageUrl, score: written, updatedAt } = entry
  const [score, setScore] = useState<string | number>(written)
  const [isBusy, setIsBusy] = useState(false)
  const doing = async (work: () => Promise<unknown>) => {
    setIsBusy(true)
    try {
      await work()
      onChanged()
    } catch (error) {
      notifyError(error)
    } finally {
      setIsBusy(false)
    }
  }
  const write = (event: FormEvent) => {
    event.preventDefault()
    void doing(() => cairn.gameSessions.setScore(session.id, playerId, Number(score)))
  }
  const leave = () =>
    doing(async () => {
      await cairn.gameSessions.leave(session.id, playerId)
      notifySuccess(texts.left(name))
    })
  return (
    <tr>
      <td className="num strong">{ranking ?? '–'}</td>
      <td>
        <span className="row">
          <Avatar name={name} imageUrl={imageUrl} />
          <Link data-row className="truncate" to="/apps/$appId/players/$playerId" params={{ appId: app.id, playerId }}>
            {name}
          </Link>
        </span>
      </td>
      <td>
        <form className="row" onSubmit={write}>
          <NumberInput
            aria-label={texts.scoreOf(name)}
            value={score}
            onChange={setScore}
            hideControls
            w={110}
            disabled={session.status === 'COMPLETED'}
          />
          {(Number(score) !== written || ranking === undefined) && score !== '' && (
            <Button size="xs" type="submit" loading={isBusy}>
              {texts.setScore}
            </Button>
          )}
        </form>
      </td>
      <td className="wide-only dim">
        <RelativeTime at={updatedAt} />
      </td>
      <td className="num">
        <ActionIcon aria-label={texts.leave(name)} onClick={() => void leave()} disabled={isBusy}>
          <IconUserMinus size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  )
}
