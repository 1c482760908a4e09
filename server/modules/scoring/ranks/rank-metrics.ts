import type { Metrics } from '../../../platform/metrics.ts'
import type { openRanks } from './ranks.ts'

/** Reports the memory of the rank indexes, their loads and their differences from the database. */
export function measureRanks(metrics: Metrics, ranks: ReturnType<typeof openRanks>): void {
  metrics.gauge(
    'cairn_rank_mismatches',
    'Ranks that differed from the database since the start',
    () => ranks.counters.mismatches,
  )
  metrics.gauge('cairn_rank_bytes', 'Memory of the rank indexes of this process', ranks.bytes)
  const { shared } = ranks
  if (shared) {
    metrics.gauge('cairn_rank_redis_away', '1 while ranks come from the database because Redis cannot be told', () =>
      Number(shared.isOut()),
    )
    metrics.gauge('cairn_rank_loads', 'Boards this process loaded into Redis', () => shared.reads.loads)
    metrics.gauge('cairn_rank_found', 'Ranks that Redis answered', () => shared.reads.found)
    metrics.gauge(
      'cairn_rank_missed',
      'Ranks that Redis could not answer: they came from the database',
      () => shared.reads.missed,
    )
  }
}
