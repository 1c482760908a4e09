import { rmSync } from 'node:fs'
import { folderWithoutGrids, PROJ_DATA } from '../programs/cs2cs.ts'
import { epsgCodes } from './codes.ts'
import { type Judged, judge } from './judge.ts'
import { OUR_PROJ_DB } from './ours.ts'

/**
 * `node server/test/every-code/shard.ts <code,code,…>`: compares these codes and writes the results to standard output as
 * JSON, an array of `Judged`. With `CAIRN_GRIDS` both sides have the grids of that folder, otherwise neither has any.
 */
async function main(wanted: Set<number>): Promise<void> {
  const known = new Set(epsgCodes(`${PROJ_DATA}/proj.db`).map(({ code }) => code))
  const codes = epsgCodes(OUR_PROJ_DB).filter(({ code }) => wanted.has(code))
  const bare = process.env.CAIRN_GRIDS ? undefined : folderWithoutGrids()
  const found: Judged[] = []
  try {
    for (const code of codes) found.push(await judge(code, bare ?? PROJ_DATA, known.has(code.code)))
  } finally {
    if (bare) rmSync(bare, { recursive: true, force: true })
  }
  process.stdout.write(JSON.stringify(found))
}

await main(new Set(process.argv[2]!.split(',').map(Number)))
