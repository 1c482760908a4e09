import type { Cairn, PastScore, PlayerWithGlobalRankings } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../../../components/data/format.ts'
import { RelativeTime } from '../../../../components/data/relative-time.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { messages } from '../../../../messages/index.ts'
import { Sparkline } from '../../sparkline.tsx'
import classes from './timeline.module.css'

const texts = messages.game.timeline
/** Scores shown, of all games together. */
const SHOWN = 200

/** A chart of the written scores of each game that the player has played, the one played last first. */
export function ScoreCharts({ cairn, player }: { cairn: Cairn; player: PlayerWithGlobalRankings }) {
  const { data } = useQuery({
    queryKey: ['player', player.id, 'charts'],
    queryFn: async ({ signal }) =>
      (await cairn.players.scoreHistory(player.id, { limit: SHOWN }, { signal }).first()).items,
  })
  if (!data || data.length === 0) return null
  const games = Map.groupBy(data, ({ miniGameTypeId }) => miniGameTypeId)
  const bestIn = new Map(
    player.globalRankings.map(({ miniGameTypeId, highestScore }) => [miniGameTypeId, highestScore]),
  )
  return (
    <Panel flush title={texts.charts}>
      <div className={classes.charts}>
        {[...games].map(([id, scores]) => (
          <Chart key={id ?? 'default'} scores={scores} best={bestIn.get(id)} />
        ))}
      </div>
    </Panel>
  )
}

/** @param scores the last first */
function Chart({ scores, best }: { scores: PastScore[]; best: number | undefined }) {
  const [last] = scores
  const name =
    last!.miniGameTypeId === null
      ? messages.common.defaultGame
      : (last!.miniGameTypeName ?? messages.common.defaultGame)
  const values = scores.map(({ score }) => score).reverse()
  return (
    <section className={classes.chart} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span className="small dim">
          {texts.best(best === undefined ? '–' : formatNumber(best), formatNumber(last!.score))}
        </span>
      </header>
      {values.length === 1 ? (
        <p className="small faint">{texts.oneScore}</p>
      ) : (
        <>
          <Sparkline values={values} />
          <div className={classes.ends}>
            <RelativeTime at={scores.at(-1)!.writtenAt} />
            <RelativeTime at={last!.writtenAt} />
          </div>
        </>
      )}
    </section>
  )
}
