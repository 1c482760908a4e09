import type { App, Cairn, GameSession } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Table } from '../../../components/data/table.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { NeedsRole } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { PlayerSearch } from '../player-search.tsx'
import { tiesOf } from '../ties.ts'
import { CorrectScore, type WrittenScore } from './correct-score.tsx'
import { inOrder, rankedPlayers, type SessionPlayer } from './ranked-players.ts'
import { SessionPlayerRow } from './session-player-row.tsx'
import classes from './session-players.module.css'

const texts = messages.game.session
type Props = { app: App; cairn: Cairn; session: GameSession }

/** The players of a session, best first, with editable scores. Players without a score come last. */
export function SessionPlayers({ app, cairn, session }: Props) {
  const queries = useQueryClient()
  const [corrected, setCorrected] = useState<WrittenScore>()
  const [removed, setRemoved] = useState<SessionPlayer>()
  const list = usePagedList(['session', session.id, 'players'], () => rankedPlayers(cairn, session.id), {
    refetchInterval: 5_000,
  })
  // While a field has the focus, rows stay where they are. After a change, a field that still has it holds the new order.
  const [held, setHeld] = useState<string[]>()
  const body = useRef<HTMLTableSectionElement>(null)
  const { items: shown } = list
  useEffect(() => {
    const focused = document.activeElement
    if (!held && shown && focused?.tagName === 'INPUT' && body.current?.contains(focused)) setHeld(idsOf(shown))
  }, [held, shown])
  const again = async () => {
    await queries.invalidateQueries({ queryKey: ['session', session.id] })
    setHeld(undefined)
  }
  const join = async (playerId: string) => {
    try {
      await cairn.gameSessions.join(session.id, playerId)
      await again()
    } catch (failure) {
      notifyError(failure)
    }
  }
  const remove = async ({ playerId, displayName }: SessionPlayer) => {
    try {
      await cairn.gameSessions.leave(session.id, playerId)
      notifySuccess(texts.left(displayName))
      setRemoved(undefined)
      await again()
    } catch (failure) {
      notifyError(failure)
    }
  }
  const mayWrite = hasRole(app, 'developer')
  const isOver = session.status === 'COMPLETED'
  const mayJoin = mayWrite && !isOver
  const search = useRef<HTMLInputElement>(null)
  return (
    <Panel
      flush
      title={texts.board}
      actions={
        mayJoin && (
          <PlayerSearch app={app} cairn={cairn} label={texts.join} field={search} onFound={({ id }) => void join(id)} />
        )
      }
    >
      <PagedListView
        list={list}
        rows={4}
        empty={
          <EmptyState
            icon={IconUsers}
            title={texts.nobody}
            action={
              mayJoin ? (
                <Button onClick={() => search.current?.focus()}>{texts.join}</Button>
              ) : (
                !isOver && <NeedsRole least="developer" />
              )
            }
          >
            {isOver && texts.over}
          </EmptyState>
        }
      >
        {(items) => (
          <Table label={texts.board}>
            <thead>
              <tr>
                <th className={`num ${classes.rank}`}>{texts.rank}</th>
                <th>{texts.player}</th>
                <th className={mayJoin ? classes.field : `num ${classes.field}`}>{texts.score}</th>
                <th className="wide-only">{texts.written}</th>
                {mayWrite && (
                  <th>
                    <span className="visually-hidden">{texts.leave('')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody
              ref={body}
              onFocus={({ target }) => target.tagName === 'INPUT' && setHeld((was) => was ?? idsOf(items))}
              onBlur={({ currentTarget, relatedTarget }) =>
                !currentTarget.contains(relatedTarget) && setHeld(undefined)
              }
              // A press leaves the focus where it is, or rows would move before the click. Safari focuses no buttons.
              onMouseDown={(event) => (event.target as Element).closest('button, a') && event.preventDefault()}
            >
              {inOrder(items, held).map((entry) => (
                <SessionPlayerRow
                  key={entry.playerId}
                  app={app}
                  cairn={cairn}
                  session={session}
                  entry={entry}
                  isTied={entry.ranking !== undefined && tiesOf(items).has(entry.ranking)}
                  onChanged={again}
                  onCorrect={setCorrected}
                  onRemove={setRemoved}
                />
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
      {removed && (
        <Confirm
          isOpen
          onClose={() => setRemoved(undefined)}
          title={texts.leaveTitle(removed.displayName)}
          verb={texts.leaveVerb}
          onConfirm={() => remove(removed)}
        >
          {texts.leaveText}
        </Confirm>
      )}
      <CorrectScore cairn={cairn} of={corrected} onClose={() => setCorrected(undefined)} onDone={again} />
    </Panel>
  )
}

const idsOf = (players: SessionPlayer[]) => players.map(({ playerId }) => playerId)
