import type { App, Cairn, PlayerWithGlobalRankings } from '@cairn/sdk'
import { Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { Sparkline } from '../sparkline.tsx'

const texts = messages.game.player
const ALL = 'all'

/** A player's scores by session, as a chart and a table. */
export function ScoreHistory({ app, cairn, player }: { app: App; cairn: Cairn; player: PlayerWithGlobalRankings }) {
  const games = player.globalRankings.map(({ miniGameTypeId, miniGameTypeName }) => ({
    value: miniGameTypeId ?? 'default',
    label: miniGameTypeName ?? messages.game.default,
  }))
  const [game, setGame] = useState(games[0]?.value ?? ALL)
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
          data={[...games, { value: ALL, label: texts.allGames }]}
          value={game}
          onChange={(value) => value && setGame(value)}
          allowDeselect={false}
        />
      }
    >
      <PagedListView list={list} rows={4} empty={<p className="dim pad">{texts.noScores}</p>}>
        {(items) => (
          <>
            {game !== ALL && items.length > 1 && <Sparkline values={items.map(({ score }) => score).reverse()} />}
            <Table label={texts.history}>
              <thead>
                <tr>
                  <th>{texts.session}</th>
                  <th className="wide-only">{texts.game}</th>
                  <th className="num">{texts.score}</th>
                  <th>{texts.reached}</th>
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
                    <td className="wide-only dim">{one.miniGameTypeName ?? messages.game.default}</td>
                    <td className="num strong">{formatNumber(one.score)}</td>
                    <td className="dim">
                      <RelativeTime at={one.updatedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </>
        )}
      </PagedListView>
    </Panel>
  )
}
