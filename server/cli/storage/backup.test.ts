// @module-tag long
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { knownInSnapshot } from '../../modules/files/objects/object-inventory-store.ts'
import { writeBackup } from '../../platform/backup/backup.ts'
import { checkBackup } from '../../platform/backup/check.ts'
import { keepSecret } from '../../platform/backup/sealed-secret.ts'
import { buildersOn } from '../../test/builders.ts'
import { boxGlb, png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { elsewhere, hasOtherKinds, PUBLIC, SECRET } from '../../test/processes/restore-target.ts'
import { runCommand, runCommandOn } from '../../test/run-command.ts'
import { appUrl, makeSession, makeType, playSession } from '../../test/scoring/scoring-steps.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: Service
let folder: string
let file: string
beforeAll(async () => {
  // Jobs stay queued.
  service = await startService({ CAIRN_ROLE: 'api', CAIRN_PUBLIC_URL: PUBLIC })
  folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'))
  file = join(folder, 'all.tar')
  await writeFile(join(folder, 'passphrase'), 'a passphrase of the tests\n')
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** Creates records of every kind. @returns the requests to compare before and after */
async function fill(): Promise<[Caller, string][]> {
  const given = buildersOn(service)
  const owner = await given.user({ roles: ['admin'] })
  const app = await given.app({ owner, visibility: 'PUBLIC' })
  const type = await makeType(app, 'Race')
  const session = await makeSession(app, { miniGameTypeId: type.id })
  const players = await playSession(given, app, session.id, [10.25, 1e-300, -7, undefined])
  const stored = appUrl(`players/${players[0]!.id}/storage`)
  await app.put(`${stored}/save`, { z: 'Tab\t and \n a line', a: [1e-300, null] })
  await app.put(appUrl('config'), { event: 'winter' })
  await owner.put(`${appUrl('config')}?appId=${app.id}`, { event: 'spring' })
  const zone = (
    await owner.post('/api/zones', {
      title: 'Tab\there, "quotes", \\N and \n a line',
      boundary: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    })
  ).body
  const photo = (await owner.post('/api/upload', formOf({ name: 'ö.png', bytes: png }))).body.results[0]
  const gcp = await owner.post('/api/gcp', {
    ...{ title: 'Corner', zoneId: zone.id, gcpType: 'SINGLE', aprilTagId: 7, photoUrls: [photo.url] },
    geoPose: { position: { lat: 0.2, lon: 0.5, h: 12 }, angles: { yaw: 1, pitch: 2, roll: 3 } },
  })
  expect(gcp.status).toBe(201)
  await owner.post('/api/location/pins', {
    ...{ title: 'Hidden', contentType: 'GLB', visibility: 'private', latitude: 0.1, longitude: 0.1 },
  })
  return [
    [app, '/api/v1/apps/players'],
    [app, appUrl('mini-game-types')],
    [app, appUrl('leaderboards')],
    [app, appUrl(`game-sessions/${session.id}/players`)],
    [app, appUrl(`players/${players[1]!.id}?includeGlobalRankings=true`)],
    [app, stored],
    [app, `${stored}/save`],
    [app, appUrl('config')],
    [app, appUrl('config/versions')],
    [owner, `/api/v1/apps/${app.id}/overview`],
    [owner, '/api/v1/apps'],
    [owner, '/api/v1/users'],
    [owner, '/api/zones'],
    [owner, `/api/gcp?zoneId=${zone.id}`],
    [owner, '/api/location/pins?lat=0.1&lon=0.1&radius=100000'],
    [owner, new URL(photo.url).pathname],
  ]
}

test('a backup of a running service, restored elsewhere, gives the same answers and finishes its queued jobs', async () => {
  const asked = await fill()
  const [owner] = asked.at(-1)!
  const model = boxGlb()
  // No process works on jobs: the response comes after ten seconds, and the conversion stays queued.
  const sent = await owner.post('/api/upload/convert', formOf({ name: 'box.glb', bytes: model }))
  const waiting = `/api/upload/convert?fileId=${sent.body.originalFile.id}`
  expect((await owner.get(waiting)).body.status).toBe('PENDING')
  const before = await Promise.all(asked.map(([caller, path]) => caller.get(path)))
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))

  const passphrase = ['--passphrase-file', join(folder, 'passphrase')]
  const backed = await runCommandOn(service, ['backup', file, ...passphrase, '--json'])
  expect(backed).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(backed.out)).toMatchObject({ objects: 2, missing: 0, jobs: 1, secret: 'carried' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await runCommandOn(service, ['backup', file])).err).toContain('already exists')

  const other = await elsewhere(service, { otherKind: true })
  try {
    expect((await other.restore([file])).err).toContain('was made with another secret')
    expect(await other.restore([file, ...passphrase])).toMatchObject({ code: 0, err: '' })
    const restored = await other.start()
    try {
      const after = await Promise.all(asked.map(([{ headers }, path]) => restored.get(path, headers)))
      expect(after.map(({ status, body }) => ({ status, body }))).toEqual(
        before.map(({ status, body }) => ({ status, body })),
      )
      const state = async () => (await restored.get(waiting, owner.headers)).body
      await expect.poll(state).toMatchObject({ convertedFile: { fileType: 'USDZ' } })
      // Sequences continue after the issued numbers.
      const zone = await restored.post('/api/zones', { title: 'Next' }, owner.headers)
      expect(zone.status).toBe(201)
    } finally {
      await restored.stop()
    }
    // Existing data is not replaced without --force.
    expect((await other.restore([file, ...passphrase])).err).toContain('There are files already')
    expect((await other.restore([file, ...passphrase, '--force'])).code).toBe(0)
    await back(other, before, asked)
  } finally {
    await other.drop()
  }
})

/** Restores from the other PostgreSQL and storage back to the original ones. */
async function back(from: Awaited<ReturnType<typeof elsewhere>>, before: Answer[], asked: [Caller, string][]) {
  if (!hasOtherKinds) return
  const again = join(folder, 'again.tar')
  expect(await from.run(['backup', again])).toMatchObject({ code: 0, err: '' })
  const here = await elsewhere(service)
  try {
    expect(await here.restore([again], { CAIRN_SECRET: SECRET })).toMatchObject({ code: 0, err: '' })
    const restored = await here.start()
    const after = await Promise.all(asked.map(([{ headers }, path]) => restored.get(path, headers))).finally(
      restored.stop,
    )
    expect(after.map(({ status, body }) => ({ status, body }))).toEqual(
      before.map(({ status, body }) => ({ status, body })),
    )
  } finally {
    await here.drop()
  }
}

test('nothing is restored while a service uses the database', async () => {
  const answer = await runCommandOn(service, ['restore', file, '--force'])
  expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('A Cairn is running on this database') })
})

test('files deleted during a backup are in it, and are deleted from the storage afterwards', async () => {
  const user = await buildersOn(service).user({ name: 'leaving' })
  const bytes = Buffer.from('to be forgotten')
  const { body } = await user.post('/api/upload', formOf({ name: 'mine.txt', bytes }))
  const key = service.app.objects.keyOf(body.results[0].url)!
  const { objects } = service.app
  const to = new PassThrough()
  const read = buffer(to)
  read.catch(() => {})
  const done = await writeBackup({
    databaseUrl: service.databaseUrl,
    objects: {
      size: objects.size,
      read: objects.read,
      // The snapshot has ended when its files are read.
      list: async function* () {
        expect((await user.delete('/api/v1/user')).status).toBe(204)
        expect((await service.anonymous.get(`/files/${key}`)).status).toBe(404)
        yield* objects.list()
      },
    },
    known: knownInSnapshot,
    secret: keepSecret(SECRET, undefined),
    to,
    onProgress: () => {},
  })
  expect(done.missing).toBe(0)
  expect((await read).includes(bytes)).toBe(true)
  expect(await objects.size(key)).toBe(bytes.length)
  await service.app.removeUnused()
  expect(await objects.size(key)).toBeUndefined()
})

describe('an incomplete backup is refused before anything is changed', () => {
  const broken = async (name: string, breakIt: (path: string, size: number) => Promise<unknown>) => {
    const path = join(folder, name)
    await copyFile(file, path)
    await breakIt(path, (await stat(path)).size)
    return checkBackup(path).then(
      () => 'whole',
      (error: Error) => error.message,
    )
  }
  const changeByte = (where: (size: number) => number) => async (path: string, size: number) => {
    const handle = await open(path, 'r+')
    const one = Buffer.alloc(1)
    await handle.read(one, 0, 1, where(size))
    one[0]! ^= 1
    await handle.write(one, 0, 1, where(size))
    await handle.close()
  }

  test.each([0.1, 0.5, 0.9, 0.99])('truncated at %s of its length', async (part) => {
    expect(await broken('cut.tar', (path, size) => truncate(path, Math.floor(size * part)))).toMatch(
      /cannot be read to its end|has no end|is incomplete/,
    )
  })
  test('with a flipped bit', async () => {
    const bytes = await readFile(file)
    const place = bytes.indexOf(png)
    expect(
      await broken(
        'bit.tar',
        changeByte(() => place + 40),
      ),
    ).toMatch(/The backup is damaged: "objects\//)
  })
  test('or another file', async () => {
    const path = join(folder, 'else.tar')
    await writeFile(path, createHash('sha256').update('x').digest('hex').repeat(100))
    expect((await runCommand(['restore', path, '--check-only'], {})).err).toMatch(
      /not a (Cairn )?backup|truncated or damaged/,
    )
    expect((await runCommand(['restore', file, '--check-only'], {})).out).toContain('is whole: made 20')
  })
})

test('every column with transaction numbers is in a table that is not dumped', async () => {
  const rows = await sqlOn(service)<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and udt_name in ('xid', 'xid8', 'pg_snapshot', 'txid_snapshot', 'pg_lsn')`,
  )
  expect(rows.map(({ name }) => name)).toEqual(['changes', 'fence_events'])
})
