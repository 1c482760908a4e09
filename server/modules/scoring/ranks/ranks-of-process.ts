import type { Platform } from '../../../platform/platform.ts'
import { coordinatorRanks } from './coordinator/coordinator-ranks.ts'
import { rankForServing } from './coordinator/rank-calls.ts'
import { measureRanks } from './rank-metrics.ts'
import { openRanks, type Ranks } from './ranks.ts'

/** Changes of this topic name boards whose rows are about to be deleted. */
export const DELETED_BOARDS = 'deleted_boards'

type Board = (appId: string, boardKey: string) => void
type Deps = {
  processId: string
  /** The leaderboard streams of this process. */
  live: { wrote: Board; wroteAny: () => void }
  /** Processes of other machines learn of what this one writes. */
  news: { wrote: Board }
  played: (appId: string, typeKey: string, playerId: string) => void
}

/** The ranks of this process: its own, in Redis, or those of the coordinator. Follows what others change. */
export function ranksOfProcess(
  { config, databaseUrl, redis, changes, coordinator, servingProcesses, metrics, log }: Platform,
  { processId, live, news, played }: Deps,
): Ranks {
  const { wrote, wroteAny } = live
  const openHere = () =>
    openRanks({
      url: databaseUrl,
      processId,
      redis,
      maxBytes: config.CAIRN_RANK_BYTES,
      onError: (error) => log.error({ err: error }, 'failed to load or check a rank index'),
      onMismatch: (difference) => log.error(difference, 'a rank differed from the database; its board is rebuilt'),
      onWrite: (appId, typeKey) => {
        live.wrote(appId, typeKey)
        if (servingProcesses) servingProcesses.notify('wrote', appId, typeKey)
        else news.wrote(appId, typeKey)
      },
      played,
    })
  const ranks = coordinator ? coordinatorRanks({ coordinator, wrote, wroteAny }) : openHere()
  const { boards } = ranks
  if (servingProcesses) rankForServing(servingProcesses, ranks)
  // The coordinator follows them for all.
  if (config.CAIRN_ROLE !== 'worker' && !coordinator) {
    changes.listen('ranks', (appIds) => void boards.unload(appIds), boards.unloadAll)
    const discard = (keys: string[]) => {
      for (const [appId, boardKey] of keys.map((key) => key.split(' '))) boards.discard(appId!, boardKey!)
    }
    // A lost change leaves an index that nobody reads, until its memory is needed.
    changes.listen(DELETED_BOARDS, discard, () => {})
  }
  measureRanks(metrics, ranks)
  return ranks
}
