import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCairn } from '@cairn/sdk'
import { build } from 'vite'
import { servePage } from './demo/page-server.ts'
import { layOutPark } from './demo/park.ts'
import { startService } from './demo/service.ts'

/** Runs a complete hunt on this machine: Cairn in a temporary folder, a park with treasures, the page, and sign-in codes for two players. Ctrl-C stops it and removes everything. HUNT_PORT sets the page's port, HUNT_STYLE_URL a MapLibre style. */
const PLAYERS = ['Ada', 'Grace']

const folder = await mkdtemp(join(tmpdir(), 'treasure-hunt-'))
console.log('Starting Cairn, and building the page ...')
const [service] = await Promise.all([
  startService(folder),
  build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' }),
])
let page: Awaited<ReturnType<typeof servePage>> | undefined

async function end() {
  await page?.stop()
  await service.stop()
  // When run as root, Cairn keeps its database elsewhere and links to it, so that an unprivileged PostgreSQL can access it.
  await rm(await realpath(join(folder, 'database')), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
let ending: Promise<void> | undefined
function stop() {
  ending ??= end()
  return ending
}
// A signal may arrive twice, from the terminal and from npm.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop().then(() => process.exit(0)))

try {
  const { baseUrl } = service
  const sessions = await Promise.all(PLAYERS.map((name) => service.sessionFor(name.toLowerCase())))
  const park = await layOutPark({ baseUrl, session: await service.sessionFor('host'), players: sessions })
  const settings = { baseUrl, ...park, mapStyleUrl: process.env.HUNT_STYLE_URL ?? null }
  page = await servePage({ settings, port: Number(process.env.HUNT_PORT ?? 8090) })

  const tellCodes = async () => {
    const codes = await Promise.all(sessions.map((session) => createCairn({ baseUrl, session }).auth.createCode()))
    for (const [i, { code }] of codes.entries()) console.log(`  ${PLAYERS[i]!.padEnd(6)} ${code}`)
  }
  console.log(`
The hunt is at ${page.url}
Open it in two browser windows, and sign in with these codes (each once, within five minutes; Enter makes new ones):
`)
  await tellCodes()
  createInterface({ input: process.stdin }).on('line', () => void tellCodes().catch(console.error))
} catch (error) {
  console.error(error)
  await stop()
  process.exitCode = 1
}
