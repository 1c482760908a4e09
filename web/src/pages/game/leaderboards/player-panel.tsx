import { type App, type Cairn, CairnError, type LeaderboardEntry, type PlayerWithGlobalRankings } from '@cairn/sdk'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Facts } from '../../../components/data/facts.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { Sparkline } from '../sparkline.tsx'
import classes from './leaderboard.module.css'
import type { Leaderboard } from './leaderboard.tsx'
import { NearbyRanks } from './nearby-ranks.tsx'

const texts = messages.game.board
type Props = { app: App; cairn: Cairn; board: Leaderboard; playerId: string }

/** A player's rank, nearby ranks, score history and other ranks. Refetched every five seconds. */
export function PlayerPanel({ app, cairn, board, playerId }: Props) {
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['player', playerId],
    queryFn: ({ signal }) => cairn.players.getWithRankings(playerId, { signal }),
    refetchInterval: 5_000,
  })
  const close = (
    <ActionIcon
      aria-label={texts.close}
      onClick={() => void navigate({ to: '/apps/$appId/boards/$type', params: { appId: app.id, type: board.id } })}
    >
      <IconX size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <Panel title={query.data?.displayName ?? texts.player} actions={close}>
      <QueryResult query={query}>
        {(player) => <Shown app={app} cairn={cairn} board={board} playerId={playerId} player={player} />}
      </QueryResult>
    </Panel>
  )
}

function Shown({ app, cairn, board, playerId, player }: Props & { player: PlayerWithGlobalRankings }) {
  const typeId = board.id === 'default' ? null : board.id
  const here = player.globalRankings.find(({ miniGameTypeId }) => miniGameTypeId === typeId)
  const others = player.globalRankings.filter(({ miniGameTypeId }) => miniGameTypeId !== typeId)
  return (
    <div className="stack">
      {here ? (
        <div className={classes.pair}>
          <div>
            <div className={classes.big}>{formatNumber(here.ranking)}</div>
            <span className="small dim">
              <Ranked cairn={cairn} typeId={typeId} />
            </span>
          </div>
          <div>
            <div className={classes.big}>{formatNumber(here.highestScore)}</div>
            <span className="small dim">{texts.best1}</span>
          </div>
        </div>
      ) : (
        <p className="dim">{texts.notRanked}</p>
      )}
      <History cairn={cairn} playerId={playerId} typeId={typeId} />
      {here && <Around app={app} cairn={cairn} playerId={playerId} typeId={typeId} ranking={here.ranking} />}
      {others.length > 0 && (
        <>
          <h3>{texts.others}</h3>
          <Facts
            facts={Object.fromEntries(
              others.map(({ miniGameTypeName, ranking }) => [
                miniGameTypeName ?? messages.common.defaultGame,
                formatNumber(ranking),
              ]),
            )}
          />
        </>
      )}
      <Link to="/apps/$appId/players/$playerId" params={{ appId: app.id, playerId }}>
        {texts.open}
      </Link>
    </div>
  )
}

type OnBoard = { cairn: Cairn; playerId: string; typeId: string | null }

function History({ cairn, playerId, typeId }: OnBoard) {
  const { data } = useQuery({
    queryKey: ['player', playerId, 'last scores', typeId],
    queryFn: async ({ signal }) => {
      const query = { limit: 50, miniGameTypeId: typeId ?? 'default' }
      const { items } = await cairn.players.scores(playerId, query, { signal }).first()
      return items.map(({ score }) => score)
    },
  })
  if (!data || data.length < 2) return null
  return (
    <>
      <h3>{texts.history}</h3>
      <Sparkline values={data.toReversed()} />
    </>
  )
}

function Around({ app, cairn, playerId, typeId, ranking }: OnBoard & { app: App; ranking: number }) {
  const { data } = useQuery({
    queryKey: ['around', playerId, typeId, ranking],
    queryFn: async ({ signal }): Promise<LeaderboardEntry[]> => {
      try {
        const query = { aroundPlayerId: playerId, limit: 5, ...(typeId ? { miniGameTypeId: typeId } : {}) }
        return (await cairn.leaderboards.get(query, { signal })).leaderboard
      } catch (error) {
        if (error instanceof CairnError && error.status === 404) return []
        throw error
      }
    },
  })
  const own = data?.find((entry) => entry.playerId === playerId)
  if (!data || !own) return null
  return <NearbyRanks app={app} cairn={cairn} entries={data} own={own} />
}

/** How many players are ranked. */
function Ranked({ cairn, typeId }: Pick<OnBoard, 'cairn' | 'typeId'>) {
  const { data: total } = useQuery({
    queryKey: ['ranked', typeId],
    queryFn: async ({ signal }) =>
      (
        await cairn.leaderboards
          .entries({ limit: 1, ...(typeId ? { miniGameTypeId: typeId } : {}) }, { signal })
          .first()
      ).total,
    staleTime: 30_000,
  })
  return <>{total ? texts.ofRanked(formatNumber(total)) : texts.rankWord}</>
}
