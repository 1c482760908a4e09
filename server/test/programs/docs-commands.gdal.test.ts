import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { townArchive } from '../basemap/town.ts'
import { ROOT } from '../process.ts'
import { type Service, startService } from '../service.ts'
import { runQgis } from './qgis.ts'

const run = promisify(execFile)
let service: Service
beforeAll(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'extracted.pmtiles'), townArchive({ lat: 54.32, lon: 10.14 }))
})
afterAll(() => service.stop())

/** The blocks of this language in a page of the documentation, one after another. */
const blocks = (page: string, language: string): string =>
  [
    ...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(
      new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\``, 'gms'),
    ),
  ]
    .map(([, indent, block]) => block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    .join('\n')

/** `cairn` of this service; requests that fail end the script; the world's archive, which is on another host, is a town here. */
const SHELL = `set -euo pipefail
cairn() { "$NODE" "$ROOT/server/cli.ts" "$@"; }
curl() { case "$*" in
  *build-metadata.protomaps.dev*) echo '[{"key":"20260102.pmtiles","version":"5.0.0"},{"key":"20260101.pmtiles","version":"4.2.0"},{"key":"20251231.pmtiles","version":"4.2.0"}]' ;;
  *) command curl --fail "$@" ;;
esac; }
pmtiles() { [ "$2" = https://build.protomaps.com/20260101.pmtiles ] && cp extracted.pmtiles "$3"; }
`

/** Runs the commands of a page from top to bottom in one shell. */
async function runPage(page: string) {
  const script = SHELL + blocks(page, 'sh').replaceAll('http://127.0.0.1:8080', service.url)
  return run('bash', ['-c', script], {
    cwd: service.folder,
    env: {
      ...process.env,
      ROOT,
      NODE: process.execPath,
      CAIRN_DATA_DIR: service.folder,
      CAIRN_DATABASE_URL: service.databaseUrl.replace('@/', '@localhost/'),
      CAIRN_SECRET: 'a secret of the tests, long enough',
    },
  })
}

test('the commands of docs/gis.md run as written on a new service: layers, editing with a personal token, files', async () => {
  const { stdout } = await runPage('gis.md')
  expect(stdout).toContain('"title" : "Fountain"')
  const { body } = await service.anonymous.get('/ogc/collections/gcps/items')
  expect(body.features).toHaveLength(1)
  const files = await run('ls', [service.folder])
  expect(files.stdout).toMatch(/\.csv$/m)
  expect(files.stdout).toMatch(/\.gpkg$/m)
})

test('the Python of docs/gis.md changes the feature that is selected in QGIS', async () => {
  const { token, caller } = await surveyor()
  const geoPose = { position: { lat: 52, lon: 13, h: 40 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await caller.post('/api/gcp', { title: 'Corner', gcpType: 'SINGLE', geoPose })
  await runQgis(service, 'qgis-docs.py', [`${service.url}/ogc`, token, blocks('gis.md', 'python')])
  const { body } = await service.anonymous.get('/ogc/collections/gcps/items?title=Moved')
  expect(body.features).toHaveLength(1)
})

test('the commands of docs/maps.md run as written on a new service: a basemap, a shared map, tiles', async () => {
  const { stdout } = await runPage('maps.md')
  const [, url = ''] = /"url":"([^"]+)"/.exec(stdout)!
  expect((await fetch(url)).status).toBe(200)
  expect(stdout).toContain('title (String) = Harbour')
  expect(await (await fetch(url)).text()).toContain('The harbour tour')
})

/** The user that the pages name, who also may change what their commands made. */
async function surveyor() {
  const { token: session } = await service.app.identity.openFor(await service.app.localUser('me', []))
  const caller = service.as({ authorization: `Bearer ${session}` })
  const { body } = await caller.post('/api/v1/user/tokens', { name: 'QGIS', scope: 'write' })
  return { token: body.token as string, caller }
}
