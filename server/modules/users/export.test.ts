// @module-tag long
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { unzip } from '../../test/content/zip.ts'
import { makeRichUser, upload } from '../../test/rich-user.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { EXPORT_PARTS } from './export-parts.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const me = '/api/v1/user'
const richUser = () => makeRichUser(given)

async function exported(user: Caller) {
  const response = await fetch(`${service.url}${me}/export`, { headers: user.headers })
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const json = (name: string) => JSON.parse(files.get(name)!.toString('utf8'))
  return { response, files, json }
}

describe('the export of a user', () => {
  test('runs once at a time: a second one is 429, and an aborted one blocks no other', async () => {
    const user = await given.user()
    await upload(user, 'x'.repeat(24 * 2 ** 20), 'large.bin')
    const unread = await fetch(`${service.url}${me}/export`, { headers: user.headers })
    const second = await user.get(`${me}/export`)
    expect(second).toMatchObject({ status: 429, body: { error: expect.stringContaining('previous export') } })
    expect(second.headers.get('retry-after')).toBe('10')
    await unread.body!.cancel()
    await expect.poll(async () => (await exported(user)).response.status).toBe(200)
  })

  test('is a ZIP of everything held on the user, with the bytes of its files and without secrets', async () => {
    const all = await richUser()
    const { user } = all
    const app = await given.app({ owner: user, name: 'My game' })
    await user.put(`/api/v1/apps/config?appId=${app.id}`, { event: 'winter' })
    await richUser() // another user, whose data must not appear
    const { response, files, json } = await exported(user)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="cairn-${user.id}.zip"`)

    expect(json('profile.json')).toEqual([expect.objectContaining({ id: user.id, issuer: 'local' })])
    expect(json('sign-ins.json')).toHaveLength(1)
    expect(json('apps.json')).toEqual([expect.objectContaining({ id: app.id, name: 'My game' })])
    expect(json('players.json')).toEqual([
      expect.objectContaining({ id: all.player.id, displayName: 'Linked', createdAt: all.player.createdAt }),
    ])
    expect(json('scores.json')).toEqual([expect.objectContaining({ score: 41.5, sessionName: 'Sunday' })])
    expect(json('past-scores.json')).toEqual([expect.objectContaining({ score: 40, replacedAt: expect.any(String) })])
    expect(json('player-data.json')).toEqual([
      expect.objectContaining({ playerId: all.player.id, key: 'save', value: { level: 7 }, displayName: 'Linked' }),
    ])
    expect(json('app-configs.json')).toEqual([
      expect.objectContaining({ appId: app.id, version: 1, value: { event: 'winter' } }),
    ])
    expect(json('codes.json')).toHaveLength(1)
    expect(json('zones.json')).toEqual([expect.objectContaining({ id: all.zone.id, title: 'My park' })])
    const points = json('gcps.json').map(({ title }: { title: string }) => title)
    expect(points).toContain('My point')
    const pins = json('pins.json').map(({ title }: { title: string }) => title)
    expect(pins).toEqual(expect.arrayContaining(['Open', 'Unlisted', 'Secret', 'My point']))
    expect(json('csv-uploads.json')).toEqual([expect.objectContaining({ id: all.csv.id, fileName: 'survey.csv' })])
    expect(json('files.json')).toHaveLength(3)
    expect(files.get(`files/${all.hidden.fileId}/a "ü".bin`)?.toString()).toBe('hidden bytes')
    expect(files.get(`files/${all.shown.fileId}/shown.bin`)?.toString()).toBe('shown bytes')
    const actions = json('audit-log.json').map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['app.created', 'user.exported']))
    expect(files.get('README.txt')?.toString()).toContain('scores.json')
    for (const { file } of EXPORT_PARTS) expect([...files.keys()]).toContain(file)

    const everything = [...files.values()].join('\n')
    for (const secret of [app.key, app.key.slice(0, 14), 'encrypted', 'passwordHash', 'digest'])
      expect(everything).not.toContain(secret)
    // By itself: its six digits may be in a hash.
    expect(everything).not.toMatch(new RegExp(`(?<![0-9a-f])${all.code.code}(?![0-9a-f])`, 'i'))
    expect(everything.match(/"title":"Secret"/g)).toHaveLength(1)
  })

  test('includes what others did to the user, without their addresses', async () => {
    const [user, admin] = [await given.user(), await given.user({ roles: ['admin'] })]
    expect((await admin.put(`/api/v1/users/${user.id}/roles`, { roles: ['ops'] })).status).toBe(200)
    const entries: { action: string; actor: string; address: string | null }[] = (await exported(user)).json(
      'audit-log.json',
    )
    expect(entries.map(({ action, actor, address }) => [action, actor, address])).toEqual([
      ['user.roles_changed', admin.id, null],
      ['user.exported', user.id, '127.0.0.1'],
    ])
  })

  test('of a user who has nothing is a whole ZIP too', async () => {
    const { json } = await exported(await given.user())
    expect(json('pins.json')).toEqual([])
    expect(json('profile.json')).toHaveLength(1)
  })

  test('goes through pages: of more rows than one holds, each is there once', async () => {
    const user = await given.user()
    await sql(`insert into zones (title, user_id) select 'Zone ' || n, $1 from generate_series(1, 1700) n`, [user.id])
    const ids = (await exported(user)).json('zones.json').map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(1700)
    expect(new Set(ids).size).toBe(1700)
  })
})

test.runIf(process.platform === 'linux')(
  'who breaks off an export leaves nothing open, and can have it again',
  async () => {
    const user = await given.user()
    await upload(user, 'x'.repeat(30 * 2 ** 20), 'large.bin')
    for (let i = 0; i < 20; i++) {
      const stop = new AbortController()
      const response = await fetch(`${service.url}${me}/export`, { headers: user.headers, signal: stop.signal })
      await response.body!.getReader().read()
      stop.abort()
    }
    const objects = () =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(join(service.folder, 'objects'))).length
    await expect.poll(objects).toBe(0)
    const again = async () => {
      const response = await fetch(`${service.url}${me}/export`, { headers: user.headers })
      return (await response.arrayBuffer()).byteLength
    }
    await expect.poll(again).toBeGreaterThan(30 * 2 ** 20)
    const { files } = await exported(user)
    expect([...files.values()].some(({ length }) => length === 30 * 2 ** 20)).toBe(true)
  },
)

/** Where a descriptor of this process leads; '' when it is closed already. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
