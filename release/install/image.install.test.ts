import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openArPage } from '../../server/test/ar-page.ts'
import { convertModels } from '../../server/test/sandbox-processes.ts'
import { type Caller, callerAt } from '../../server/test/service.ts'
import { ROOT } from '../package/folders.ts'
import { type Container, runContainer } from './container.ts'
import { buildImage, type Image } from './image.ts'
import { folderOf } from './prepared.ts'

let image: Image
/** What an engine makes of VOLUME: a copy of the folder in the image, with its owner. */
let volume: string
let container: Container
let admin: Caller
let appId: string

beforeAll(async () => {
  image = buildImage()
  volume = join(folderOf('volume'), 'data')
  execFileSync('cp', ['-a', join(image.root, Object.keys(image.config.Volumes)[0]!), volume])
  container = await runContainer(image, volume)
}, 900_000)
afterAll(() => {
  container?.remove()
  image?.remove()
})

test('the image adds the archive and its command to Debian, and nothing that it was built with', () => {
  const folders = ['app', 'cairn', 'docs', 'node', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt']
  expect(new Set(readdirSync(join(image.root, 'usr/lib/cairn')))).toEqual(new Set(folders))
  for (const left of ['build', 'cairn', 'usr/local/bin/node', 'root/.npmrc'])
    expect(existsSync(join(image.root, left)), left).toBe(false)
})

test('it runs as an account that is not root, without capabilities, and writes to its volume and /tmp alone', () => {
  const status = readFileSync(`/proc/${container.pid}/status`, 'utf8')
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status)!
  expect(Number(uid)).toBeGreaterThan(0)
  expect(status).toMatch(/^CapEff:\s+0+$/m)
  expect(container.exec(['sh', '-c', 'touch /data/x && rm /data/x && touch /tmp/x'])).toMatchObject({ status: 0 })
  for (const folder of ['/', '/usr/lib/cairn', '/var/lib'])
    expect(container.exec(['touch', `${folder}/x`]).err, folder).toContain('Read-only file system')
})

test('it becomes ready, and its health check tells whether it lives', async () => {
  expect((await fetch(`${container.url}/readyz`)).status).toBe(200)
  const [kind, ...check] = image.config.Healthcheck.Test
  expect(kind).toBe('CMD')
  expect(container.exec(check).status).toBe(0)
  expect(container.exec(check, { CAIRN_PORT: '1' }).status).toBe(1)
})

test('the command of docs/deploy.md creates a token, and the service answers it', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'deploy.md'), 'utf8')
  const [, words] = /exec api-1 (cairn user token .*)$/m.exec(page)!
  const { status, out } = container.exec(words!.split(' '))
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^\S{40,}\n$/) })
  admin = callerAt(container.url, { authorization: `Bearer ${out.trim()}` })
  const created = await admin.post('/api/v1/apps', { name: 'Trail', description: 'A game' })
  expect(created.status).toBe(201)
  appId = created.body.id
})

test('sandboxed processes convert models', () => convertModels(admin))

test('the AR page of a model opens, with the script that draws it', () => openArPage(admin))

test('cairn doctor finds nothing wrong in it', () => {
  expect(container.exec(['cairn', 'doctor'])).toMatchObject({ status: 0, out: expect.stringContaining('0 faults') })
})

test('SIGTERM ends it with 0, and another container goes on with the volume', async () => {
  container.kill('TERM')
  expect(await container.ended).toBe(0)
  container.remove()
  container = await runContainer(image, volume)
  const again = callerAt(container.url, admin.headers)
  expect(await again.get(`/api/v1/apps/${appId}`)).toMatchObject({ status: 200, body: { name: 'Trail' } })
})
