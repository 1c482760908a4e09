// @module-tag long
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { formOf } from '../../test/multipart.ts'
import { runCommand, runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'cairn-places-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

test('import-gcps imports like the service and reports bad rows, and export writes what was imported', async () => {
  const owner = await buildersOn(service).user()
  const zone = (await owner.post('/api/zones', { title: 'Quarry' })).body
  const file = join(folder, 'points.csv')
  await writeFile(file, 'name,lat,lon\nA,47.1,8.2\nB,91,8.2\nC,47.2,8.3\n')
  const titles = async () =>
    (await owner.get(`/api/gcp?zoneId=${zone.id}`)).body.map(({ title }: { title: string }) => title)

  const dry = await runCommandOn(service, ['import-gcps', file, '--zone', String(zone.id), '--dry-run', '--json'])
  expect(dry.code).toBe(3)
  expect(await titles()).toEqual([])
  const done = await runCommandOn(service, ['import-gcps', file, '--zone', String(zone.id)])
  expect(done).toMatchObject({ code: 3, out: expect.stringContaining('COMPLETED: 2 rows of 3. 1 of 3 rows failed') })
  expect(done.out).toContain('row 2 (line 3): ')
  expect(await titles()).toEqual(['A', 'C'])

  await writeFile(file, Buffer.from([0, 1, 2, 0]))
  const broken = await runCommandOn(service, ['import-gcps', file, '--zone', String(zone.id)])
  expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('  the file: ') })
  await writeFile(file, 'name,x,y\nA,389000,5820000\n')
  const grid = await runCommandOn(service, ['import-gcps', file, '--zone', String(zone.id)])
  expect(grid).toMatchObject({ code: 1, out: expect.stringMatching(/or import with --crs EPSG:\d+/) })
  expect(grid.out).not.toContain('crs=')
  const none = await runCommand(['import-gcps', folder, '--zone', String(zone.id)], {})
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('is not a file') })

  const out = join(folder, 'zone.csv')
  expect((await runCommandOn(service, ['export', '--zone', String(zone.id), '--out', out])).code).toBe(0)
  const { body } = await owner.get(`/api/gcp/zone/${zone.id}/export?format=csv`)
  expect(await readFile(out, 'utf8')).toBe(body)
  const unread = await runCommandOn(service, ['export', '--zone', String(zone.id)], {}, { isUnread: true })
  expect(unread).toEqual({ code: 0, out: '', err: '' })
  const nowhere = await runCommandOn(service, [
    'export',
    '--zone',
    String(zone.id),
    '--out',
    join(folder, 'no', 'x.csv'),
  ])
  expect(nowhere.err).toBe(
    `"${join(folder, 'no', 'x.csv')}" cannot be written: there is no folder ${join(folder, 'no')}\n`,
  )
  const drawing = join(folder, 'zone.dxf')
  const plane = ['export', '--zone', String(zone.id), '--format', 'dxf']
  const exported = await runCommandOn(service, [...plane, '--crs', 'EPSG:3857', '--out', drawing])
  expect(exported).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^2 points to EPSG:3857 by .+, accuracy 0 m\n/),
  })
  expect(await readFile(drawing, 'utf8')).toContain('AC1009')
  expect((await runCommandOn(service, plane)).err).toContain('requires a projected reference system')
  expect((await runCommandOn(service, ['export', '--zone', '999999'])).err).toContain('There is no zone 999999')
})

test('a command whose output nobody reads continues to its end', async () => {
  expect(await runCommandOn(service, ['doctor'], { CAIRN_PORT: '0' }, { isUnread: true })).toEqual({
    code: 0,
    out: '',
    err: '',
  })
})

test('doctor finds nothing wrong beside a running service, and reports wrong set-ups with their fix', async () => {
  const well = await runCommandOn(service, ['doctor', '--json'], { CAIRN_PORT: '0' })
  const { findings } = JSON.parse(well.out)
  expect(findings.filter(({ state }: { state: string }) => state === 'fail')).toEqual([])
  expect(findings.map(({ check }: { check: string }) => check)).toEqual(
    expect.arrayContaining([
      'node',
      'settings',
      'data folder',
      'secret',
      'database',
      'clock',
      'migrations',
      'version',
      'stored files',
      'jobs',
      'port',
    ]),
  )

  const other = { CAIRN_PORT: '0', CAIRN_SECRET: 'another secret than that of the tests' }
  expect(await runCommandOn(service, ['doctor'], other)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/FAIL secret .*is not the one of this database/),
  })

  const full = { CAIRN_PORT: '0', CAIRN_DATABASE_FOLDER: folder, CAIRN_DATABASE_RESERVE_BYTES: String(2 ** 50) }
  expect(await runCommandOn(service, ['doctor'], full)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/FAIL database disk .*\n.*Writes return 507 below .*CAIRN_DATABASE_RESERVE_BYTES/),
  })

  const user = await buildersOn(service).user()
  const send = async (name: string) => (await user.post('/api/upload', formOf({ name, bytes: name }))).body.results[0]
  // Few objects are all checked.
  for (let n = 0; n < 40; n++) await send(`kept ${n}`)
  const key = service.app.objects.keyOf((await send('lost.txt')).url)!
  await service.app.objects.remove(key)
  expect(await runCommandOn(service, ['doctor'], { CAIRN_PORT: '0' })).toMatchObject({
    code: 1,
    out: expect.stringContaining(`checked are missing, such as ${key}`),
  })

  const look = async (settings: Record<string, string>) => {
    const { code, out } = await runCommand(['doctor'], { CAIRN_DATA_DIR: folder, CAIRN_PORT: '0', ...settings })
    return { code, out }
  }
  const nowhere = { CAIRN_DATABASE_URL: 'postgres://cairn@127.0.0.1:9/cairn' }
  await writeFile(join(folder, 'secret'), 'x'.repeat(64), { mode: 0o644 })
  const [misspelt, away] = await Promise.all([
    look({ CAIRN_PROT: '1' }),
    look({
      ...nowhere,
      CAIRN_OIDC: '[{"issuer":"http://127.0.0.1:9","audience":"x"}]',
      CAIRN_PUBLIC_URL: 'http://cairn.example',
    }),
  ])
  expect(misspelt).toMatchObject({ code: 1, out: expect.stringContaining('the nearest is CAIRN_PORT') })
  expect(away.code).toBe(1)
  expect(away.out).toContain('FAIL database        cannot be reached')
  expect(away.out).toContain('FAIL secret')
  expect(away.out).toContain('→ chmod 600')
  expect(away.out).toContain('FAIL sign-in         http://127.0.0.1:9: ')
  expect(away.out).toContain('WARN public address  http://cairn.example is not https')
})
