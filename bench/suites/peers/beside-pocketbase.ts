import { closedLoop } from '../../load/closed-loop.ts'
import { interleaved } from '../../load/interleaved.ts'
import { syncMilliseconds } from '../../measure/disk-sync.ts'
import { type PocketBase, startPocketBase } from '../../peers/pocketbase.ts'
import { type BoardService, withBoardService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'
import { cairnOperations, type Operations, pocketBaseOperations } from './operations.ts'

/** What is wanted with one client, and with sixteen. */
const targets: Record<keyof Operations, Record<1 | 16, string>> = {
  'one player': { 1: '≥ 1.2', 16: '≥ 2' },
  'a board of 100': { 1: '≥ 3', 16: '≥ 5' },
  'a page of 50 players, with the total': { 1: '≥ 1', 16: '≥ 1' },
  'a score': { 1: 'none: PocketBase answers before it is on the disk', 16: '≥ 1, although each is on the disk' },
  'a score and its rank': { 1: 'none: PocketBase answers before it is on the disk', 16: '≥ 5' },
  'a file of 100 kB, stored': {
    1: 'none: PocketBase answers before it is on the disk',
    16: '≥ 1, although each is on the disk',
  },
  'a file of 100 kB, read': { 1: '≥ 1', 16: '≥ 1' },
}

/** Each operation over HTTP, by one client and by sixteen, alternately on both. */
export async function besidePocketBase(url: string, size: number, ms: number): Promise<Comparison[]> {
  const pocketBase = await startPocketBase(size)
  if (!pocketBase) {
    console.error('  PocketBase could not be installed: its comparisons are skipped')
    return []
  }
  try {
    return await withBoardService(url, size, (ours) => compare(ours, pocketBase, ms))
  } finally {
    await pocketBase.stop()
  }
}

async function compare(service: BoardService, pocketBase: PocketBase, ms: number): Promise<Comparison[]> {
  const [ours, theirs] = [await cairnOperations(service), await pocketBaseOperations(pocketBase)]
  const comparisons: Comparison[] = []
  for (const name of Object.keys(targets) as (keyof Operations)[])
    for (const clients of [1, 16] as const) {
      const measured = await interleaved(
        {
          ours: (ms: number) => closedLoop(clients, ms, ours[name]),
          theirs: (ms: number) => closedLoop(clients, ms, theirs[name]),
        },
        { ms, rounds: 3 },
      )
      comparisons.push({
        name: `${name}, over HTTP / PocketBase 0.22, ${clients === 1 ? 'one client' : `${clients} clients`}`,
        ours: measured.ours,
        peer: measured.theirs,
        ratio: measured.ours.perSecond / measured.theirs.perSecond,
        target: targets[name][clients],
      })
      if (name === 'a score' && clients === 1) {
        const milliseconds = syncMilliseconds()
        comparisons.push({
          name: 'a score by one client, p50 / one fdatasync of 8 kB',
          ours: measured.ours,
          peer: { milliseconds },
          ratio: measured.ours.p50Ms / milliseconds,
          target: '≤ 1.5',
        })
      }
    }
  return comparisons
}
