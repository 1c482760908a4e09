import type { Comparison } from '../../record/comparison.ts'
import { besidePocketBase } from './beside-pocketbase.ts'
import { besideRedis } from './beside-redis.ts'

/** Runs the same work on other software. Peers that cannot be installed are skipped with a message. */
export async function benchPeers(url: string, scale = 1): Promise<Comparison[]> {
  return [...(await besideRedis(url, 1_000_000 * scale, 4000)), ...(await besidePocketBase(url, 100_000 * scale, 1500))]
}
