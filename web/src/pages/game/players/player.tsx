import type { App, Cairn, PlayerWithGlobalRankings } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { Avatar } from '../avatar.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { StandingBadge } from '../standing/standing-badge.tsx'
import { type StandingChange, StandingDialog } from '../standing/standing-dialog.tsx'
import { PlayerData } from './player-data.tsx'
import { PlayerForm } from './player-form.tsx'
import { PlayerImage } from './player-image.tsx'
import { ScoreHistory } from './score-history.tsx'
import { ScoreCharts } from './timeline/score-charts.tsx'
import { PlayerTimeline } from './timeline/timeline.tsx'

const texts = messages.game.player
const standingTexts = messages.game.standing
type Props = { app: App; cairn: Cairn }

/** One player: ranks, scores, timeline and image. */
export function PlayerPage() {
  const { appId, playerId } = useParams({ from: '/shell/apps/$appId/players/$playerId' })
  return <GamePage appId={appId}>{(parts) => <Found {...parts} playerId={playerId} />}</GamePage>
}

function Found({ app, cairn, playerId }: Props & { playerId: string }) {
  const query = useQuery({
    queryKey: ['player', playerId],
    queryFn: ({ signal }) => cairn.players.getWithRankings(playerId, { signal }),
  })
  return <QueryResult query={query}>{(player) => <Shown app={app} cairn={cairn} player={player} />}</QueryResult>
}

function Shown({ app, cairn, player }: Props & { player: PlayerWithGlobalRankings }) {
  return (
    <>
      <PageHeader
        title={player.displayName}
        beside={<StandingBadge player={player} />}
        breadcrumbs={breadcrumbsOf(app, { name: messages.game.players.title, to: `/apps/${app.id}/players` })}
        actions={<Actions app={app} cairn={cairn} player={player} />}
      />
      <div className="columns">
        <div className="stack">
          {player.standing && (
            <Notice tone={player.standing === 'banned' ? 'err' : 'warn'} title={standingTexts.states[player.standing]}>
              {player.standingNote ?? standingTexts.noReason}
            </Notice>
          )}
          <Rankings app={app} player={player} />
          <ScoreCharts cairn={cairn} player={player} />
          <ScoreHistory app={app} cairn={cairn} player={player} />
          <PlayerTimeline app={app} cairn={cairn} playerId={player.id} />
          <PlayerData app={app} cairn={cairn} player={player} />
        </div>
        <div className="stack">
          <Panel title={texts.about}>
            <div className="stack">
              <Avatar name={player.displayName} imageUrl={player.imageUrl} size={64} />
              <Facts
                facts={{
                  [messages.game.players.user]: player.userId && <CopyableId value={player.userId} />,
                  [messages.game.players.since]: <RelativeTime at={player.createdAt} />,
                  [messages.game.players.id]: <CopyableId value={player.id} />,
                }}
              />
            </div>
          </Panel>
          <PlayerImage cairn={cairn} player={player} />
        </div>
      </div>
    </>
  )
}

function Actions({ app, cairn, player }: Props & { player: PlayerWithGlobalRankings }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const [change, setChange] = useState<StandingChange>()
  const ask = (to: StandingChange['to']) => setChange({ players: [player], to })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    try {
      await cairn.players.delete(player.id)
      await navigate({ to: '/apps/$appId/players', params: { appId: app.id } })
      await queries.invalidateQueries({ queryKey: ['players', app.id] })
      notifySuccess(texts.deleted(player.displayName))
    } catch (error) {
      notifyError(error)
    }
  }
  if (!hasRole(app, 'moderator')) return null
  const { standing } = player
  return (
    <>
      {standing && <Button onClick={() => ask('normal')}>{standingTexts.restore}</Button>}
      {standing !== 'hidden' && <Button onClick={() => ask('hidden')}>{standingTexts.hide}</Button>}
      {standing !== 'banned' && <Button onClick={() => ask('banned')}>{standingTexts.ban}</Button>}
      <StandingDialog app={app} cairn={cairn} change={change} onClose={() => setChange(undefined)} />
      <Button onClick={() => setOpen('delete')}>{texts.delete}</Button>
      <Button onClick={() => setOpen('edit')}>{texts.edit}</Button>
      <PlayerForm app={app} cairn={cairn} player={player} isOpen={open === 'edit'} onClose={() => setOpen(null)} />
      <Confirm
        isOpen={open === 'delete'}
        onClose={() => setOpen(null)}
        title={`${texts.delete} ${player.displayName}`}
        verb={`${texts.delete} ${player.displayName}`}
        onConfirm={remove}
      >
        <p className="dim">{texts.deleteText(player.globalRankings.length)}</p>
      </Confirm>
    </>
  )
}

function Rankings({ app, player }: { app: App; player: PlayerWithGlobalRankings }) {
  return (
    <Panel flush title={texts.rankings}>
      {player.globalRankings.length === 0 ? (
        <p className="dim pad">{texts.noRanking}</p>
      ) : (
        <Table label={texts.rankings}>
          <thead>
            <tr>
              <th>{texts.board}</th>
              <th className="num">{texts.rank}</th>
              <th className="num">{texts.best}</th>
            </tr>
          </thead>
          <tbody>
            {player.globalRankings.map(({ miniGameTypeId, miniGameTypeName, ranking, highestScore }) => (
              <tr key={miniGameTypeId ?? 'default'}>
                <td>
                  <Link
                    data-row
                    to="/apps/$appId/boards/$type"
                    params={{ appId: app.id, type: miniGameTypeId ?? 'default' }}
                    search={{ around: player.id }}
                  >
                    {miniGameTypeName ?? messages.common.defaultGame}
                  </Link>
                </td>
                <td className="num strong">{formatNumber(ranking)}</td>
                <td className="num">{formatNumber(highestScore)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}
