import type { App, Cairn, PlayerWithGlobalRankings } from '@cairn/sdk'
import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { CorrectScore, type WrittenScore } from '../sessions/correct-score.tsx'

const texts = messages.game.player
const ALL = 'all'

/** A player's scores by session. */
export function ScoreHistory({ app, cairn, player }: { app: App; cairn: Cairn; player: PlayerWithGlobalRankings }) {
  const games = player.globalRankings.map(({ miniGameTypeId, miniGameTypeName }) => ({
    value: miniGameTypeId ?? 'default',
    label: miniGameTypeName ?? messages.common.defaultGame,
  }))
  const [game, setGame] = useState(ALL)
  const [corrected, setCorrected] = useState<WrittenScore>()
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['player', player.id] })
  const mayWrite = hasRole(app, 'developer')
  const list = usePagedList(['player', player.id, 'scores', game], () =>
    cairn.players.scores(player.id, {
      limit: 50,
      ...(game === ALL ? {} : { miniGameTypeId: game }),
    }),
  )
  return (
    <Panel
      flush
      title={texts.history}
      actions={
        <Select
          aria-label={texts.game}
          data={[{ value: ALL, label: texts.allGames }, ...games]}
          value={game}
          onChange={(value) => value && setGame(value)}
          allowDeselect={false}
        />
      }
    >
      <PagedListView list={list} rows={4} empty={<p className="dim pad">{texts.noScores}</p>}>
        {(items) => (
          <Table label={texts.history}>
            <thead>
              <tr>
                <th>{texts.session}</th>
                <th className="wide-only">{texts.game}</th>
                <th className="num">{texts.score}</th>
                <th className="wide-only">{texts.reached}</th>
                {mayWrite && (
                  <th>
                    <span className="visually-hidden">{messages.game.session.correct}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <tr key={one.gameSessionId}>
                  <td>
                    <Link
                      data-row
                      to="/apps/$appId/sessions/$sessionId"
                      params={{ appId: app.id, sessionId: one.gameSessionId }}
                    >
                      {one.gameSessionName ?? texts.unnamed}
                    </Link>
                  </td>
                  <td className="wide-only dim">{one.miniGameTypeName ?? messages.common.defaultGame}</td>
                  <td className="num strong">{formatNumber(one.score)}</td>
                  <td className="wide-only dim">
                    <RelativeTime at={one.updatedAt} />
                  </td>
                  {mayWrite && (
                    <td className="num">
                      <Button
                        size="xs"
                        aria-label={texts.correctIn(one.gameSessionName ?? texts.unnamed)}
                        onClick={() =>
                          setCorrected({
                            sessionId: one.gameSessionId,
                            playerId: player.id,
                            name: player.displayName,
                            score: one.score,
                          })
                        }
                      >
                        {messages.game.session.correct}
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
      <CorrectScore cairn={cairn} of={corrected} onClose={() => setCorrected(undefined)} onDone={refresh} />
    </Panel>
  )
}
