import type { App, Cairn, GameSession } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { SessionPlayers } from './session-players.tsx'
import { SessionStatus } from './session-status.tsx'

const texts = messages.game.session
type Props = { app: App; cairn: Cairn }

/** One game session: its players, scores and status. */
export function SessionPage() {
  const { appId, sessionId } = useParams({ from: '/shell/apps/$appId/sessions/$sessionId' })
  return <GamePage appId={appId}>{(parts) => <Found {...parts} sessionId={sessionId} />}</GamePage>
}

function Found({ app, cairn, sessionId }: Props & { sessionId: string }) {
  const query = useQuery({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => cairn.gameSessions.get(sessionId, { signal }),
  })
  return <QueryResult query={query}>{(session) => <Shown app={app} cairn={cairn} session={session} />}</QueryResult>
}

function Shown({ app, cairn, session }: Props & { session: GameSession }) {
  return (
    <>
      <PageHeader
        title={session.name ?? messages.game.sessions.unnamed}
        beside={<SessionStatus session={session} />}
        sub={session.description}
        breadcrumbs={breadcrumbsOf(app, { name: messages.game.sessions.title, to: `/apps/${app.id}/sessions` })}
        actions={<Actions app={app} cairn={cairn} session={session} />}
      />
      <div className="columns">
        <SessionPlayers key={session.id} app={app} cairn={cairn} session={session} />
        <Panel title={messages.game.player.about}>
          <Facts
            facts={{
              [messages.game.sessions.game]: session.miniGameType?.name ?? messages.common.defaultGame,
              [messages.game.player.board]: (
                <Link
                  to="/apps/$appId/boards/$type"
                  params={{ appId: app.id, type: session.miniGameType?.id ?? 'default' }}
                  search={{ session: session.id }}
                >
                  {texts.toBoard}
                </Link>
              ),
              [messages.game.sessions.players]: formatNumber(session.playerCount),
              [messages.game.sessions.begun]: <RelativeTime at={session.startTime} />,
              [messages.game.sessions.ended]: session.endTime ? <RelativeTime at={session.endTime} /> : undefined,
              [messages.game.players.id]: <CopyableId value={session.id} />,
            }}
          />
        </Panel>
      </div>
    </>
  )
}

function Actions({ app, cairn, session }: Props & { session: GameSession }) {
  const [asked, setAsked] = useState<'delete' | 'end' | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: (status: 'ACTIVE' | 'PAUSED' | 'COMPLETED') => cairn.gameSessions.update(session.id, { status }),
    onSuccess: (changed) => {
      setAsked(null)
      queries.setQueryData(['session', session.id], changed)
      void queries.invalidateQueries({ queryKey: ['sessions', app.id] })
    },
    onError: (error) => notifyError(error),
  })
  const remove = async () => {
    try {
      await cairn.gameSessions.delete(session.id)
      await navigate({ to: '/apps/$appId/sessions', params: { appId: app.id } })
      await queries.invalidateQueries({ queryKey: ['sessions', app.id] })
    } catch (error) {
      notifyError(error)
    }
  }
  const isOver = session.status === 'COMPLETED'
  const name = session.name ?? messages.game.sessions.unnamed
  if (!hasRole(app, 'developer')) return null
  return (
    <>
      <Button onClick={() => setAsked('delete')}>{texts.delete}</Button>
      {!isOver && (
        <Button loading={change.isPending} onClick={() => change.mutate(session.paused ? 'ACTIVE' : 'PAUSED')}>
          {session.paused ? texts.goOn : texts.pause}
        </Button>
      )}
      {!isOver && <Button onClick={() => setAsked('end')}>{texts.end}</Button>}
      <Confirm
        isOpen={asked === 'end'}
        onClose={() => setAsked(null)}
        title={texts.endTitle(name)}
        verb={texts.endVerb}
        onConfirm={() => change.mutate('COMPLETED')}
        isBusy={change.isPending}
      >
        <p className="dim">{texts.endText}</p>
      </Confirm>
      <Confirm
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={texts.deleteTitle(name)}
        verb={texts.deleteVerb}
        onConfirm={remove}
      >
        <p className="dim">{texts.deleteText(formatNumber(session.playerCount))}</p>
      </Confirm>
    </>
  )
}
