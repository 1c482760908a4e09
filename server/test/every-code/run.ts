import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { PROJ_DATA } from '../programs/cs2cs.ts'
import { epsgCodes } from './codes.ts'
import type { Judged } from './judge.ts'
import { OUR_PROJ_DB } from './ours.ts'

const SHARD = fileURLToPath(new URL('./shard.ts', import.meta.url))

/** The result for every code: without grids, and with Debian's for the codes that use one. */
export type Judgement = { without: Judged[]; gridded: Judged[] }

/** Compares codes of the register, by default every one, with a process for each core. */
export async function judgeCodes(codes = epsgCodes(OUR_PROJ_DB).map(({ code }) => code)): Promise<Judgement> {
  const without = await inShards(codes, {})
  const wanting = without.filter(({ wantsGrids }) => wantsGrids).map(({ code }) => code)
  return { without, gridded: await inShards(wanting, { CAIRN_GRIDS: PROJ_DATA }) }
}

async function inShards(codes: number[], environment: Record<string, string>): Promise<Judged[]> {
  const count = availableParallelism()
  const shards = Array.from({ length: count }, (_, i) => codes.filter((_, k) => k % count === i))
  const found = await Promise.all(shards.filter((some) => some.length > 0).map((some) => shard(some, environment)))
  return found.flat().sort((a, b) => a.code - b.code)
}

async function shard(codes: number[], environment: Record<string, string>): Promise<Judged[]> {
  const { CAIRN_GRIDS: _, ...inherited } = process.env
  const child = spawn(process.execPath, [SHARD, codes.join(',')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, ...environment },
  })
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece) => pieces.push(piece))
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (status !== 0) throw new Error(`a process that compares ${codes.length} codes ended with ${status}`)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}
