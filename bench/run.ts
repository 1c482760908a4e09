import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBoxDatabase } from '../server/platform/database/box-database.ts'
import { benchChecks } from './checks.ts'
import type { Comparison } from './comparison.ts'
import { benchConvert } from './convert.ts'
import { benchImports } from './imports.ts'
import { benchPeers } from './peers.ts'
import { benchPins } from './pins.ts'
import { benchRank } from './rank.ts'
import { benchRankRequests, benchRequests } from './requests.ts'
import { benchScores } from './scores.ts'
import { benchUploads } from './uploads.ts'

const benches: Record<string, (databaseUrl: string) => Promise<Comparison[]>> = {
  scores: benchScores,
  rank: (databaseUrl) => benchRank(databaseUrl),
  'rank-10m': async (databaseUrl) => [
    ...(await benchRank(databaseUrl, 10_000_000)),
    ...(await benchRankRequests(databaseUrl, 10_000_000)),
  ],
  requests: (databaseUrl) => benchRequests(databaseUrl),
  checks: benchChecks,
  peers: (databaseUrl) => benchPeers(databaseUrl),
  pins: benchPins,
  convert: () => benchConvert(),
  uploads: benchUploads,
  imports: (databaseUrl) => benchImports(databaseUrl),
}

const RESULTS = fileURLToPath(new URL('./results', import.meta.url))

/** Run only when named: it takes ten minutes and ten gigabytes. */
const LONG = ['rank-10m']

/** `npm run bench [-- name …]`: runs the benchmarks on a PostgreSQL of their own and writes results/<name>.json. */
const names =
  process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches).filter((name) => !LONG.includes(name))
const unknown = names.find((name) => !benches[name])
if (unknown) {
  console.error(`There is no benchmark "${unknown}": ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
chmodSync(folder, 0o755)
const box = await openBoxDatabase({ dataDir: folder, settings: { shared_buffers: '512MB', max_connections: '200' } })
try {
  mkdirSync(RESULTS, { recursive: true })
  for (const name of names) {
    console.log(`\n${name}`)
    const comparisons = await benches[name]!(box.url)
    for (const comparison of comparisons) show(comparison)
    const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
    writeFileSync(
      join(RESULTS, `${name}.json`),
      `${JSON.stringify({ at: new Date().toISOString(), machine, comparisons }, null, 2)}\n`,
    )
  }
} finally {
  await box.stop()
  rmSync(folder, { recursive: true, force: true })
}

function show({ name, ours, peer, ratio, target }: Comparison) {
  console.log(`  ${name}: ratio ${ratio.toPrecision(3)} (target ${target})`)
  console.log(`      ours ${JSON.stringify(ours)}\n      peer ${JSON.stringify(peer)}`)
}
