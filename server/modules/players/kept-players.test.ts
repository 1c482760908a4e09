import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { jpeg } from '../../test/content/pictures.ts'
import { profileImagesOf } from '../../test/content/profile-images.ts'
import { appUrl } from '../../test/scoring/scoring-steps.ts'
import { type Answer, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

async function givenPlayer() {
  const app = await given.app()
  const { id } = await given.player(app)
  const path = appUrl(`players/${id}`)
  return { app, id, path, read: () => app.get(path) }
}

/** What a read returns while no statement can read players; undefined if it waits for one. */
async function readWithoutSql(read: () => Promise<Answer>): Promise<Answer | undefined> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table players in access exclusive mode')
    return await Promise.race([read(), sleep(500, undefined)])
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

describe('a player that was read', () => {
  test('is answered from memory the next time', async () => {
    const { read } = await givenPlayer()
    const { body, headers } = await read()
    const again = await readWithoutSql(read)
    expect(again).toMatchObject({ status: 200, body })
    expect(again!.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('is answered only to its own app, in upper case too', async () => {
    const { app, id, read } = await givenPlayer()
    await read()
    expect((await app.get(appUrl(`players/${id.toUpperCase()}`))).body.id).toBe(id)
    expect((await (await given.app()).get(appUrl(`players/${id}`))).status).toBe(404)
  })

  test('shows every change by a request at once', async () => {
    const { app, id, path, read } = await givenPlayer()
    const user = await given.user()
    const images = profileImagesOf(app, given)
    const picture = await jpeg(600, 600)
    await read()
    const shown = async (member: string) => (await read()).body[member] ?? null
    await app.patch(path, { displayName: 'Ada', userId: user.id })
    expect([await shown('displayName'), await shown('userId')]).toEqual(['Ada', user.id])
    await images.send(id, picture)
    expect(await shown('imageUrl')).toContain('/files/')
    await app.delete(images.imageOf(id))
    expect(await shown('imageUrl')).toBeNull()
    await app.patch(path, { attributes: { team: 'red' } })
    expect(await shown('attributes')).toEqual({ team: 'red' })
    await app.patch(path, { standing: 'hidden', standingNote: 'asked' })
    expect([await shown('standing'), await shown('standingNote')]).toEqual(['hidden', 'asked'])
    await user.delete('/api/v1/user')
    expect([await shown('userId'), await shown('standingNote'), await shown('attributes')]).toEqual([null, null, null])
    await app.delete(path)
    expect((await read()).status).toBe(404)
  })

  test('shows a change by another program, by the change feed', async () => {
    const { app, id, read } = await givenPlayer()
    await read()
    const attributes = async () => (await read()).body.attributes
    await sql('select set_attributes($1, $2, $3)', [app.id, id, { team: 'blue' }])
    await expect.poll(attributes).toEqual({ team: 'blue' })
    await sql('select set_attributes($1, $2, null)', [app.id, id])
    await expect.poll(attributes).toBeUndefined()
    await sql(`update players set standing = 'banned' where app_id = $1 and id = $2`, [app.id, id])
    await expect.poll(async () => (await read()).body.standing).toBe('banned')
    await sql('select * from delete_player($1, $2)', [app.id, id])
    await expect.poll(async () => (await read()).status).toBe(404)
  })

  test('stays in memory while another one of its app is deleted', async () => {
    const { app, read } = await givenPlayer()
    const other = await given.player(app)
    await read()
    const { id: last } = (await sql<{ id: string }>('select max(id)::text as id from changes'))[0]!
    await app.delete(appUrl(`players/${other.id}`))
    expect(await sql('select topic, subjects from changes where id > $1', [last])).toContainEqual({
      topic: 'player',
      subjects: [`${app.id} ${other.id}`],
    })
    await sleep(600)
    expect(await readWithoutSql(read)).toMatchObject({ status: 200 })
  })

  test('is never older than a change that was answered, however they are interleaved', async () => {
    const { app, path, read } = await givenPlayer()
    let answered = 0
    const nameOf = (i: number) => `Runner ${i}`
    await app.patch(path, { displayName: nameOf(0) })
    let isOver = false
    const reading = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const least = answered
        const { displayName } = (await read()).body
        expect(Number(displayName.slice(7))).toBeGreaterThanOrEqual(least)
      }
    })
    for (let i = 1; i <= 60; i++) {
      await app.patch(path, { displayName: nameOf(i) })
      answered = i
    }
    isOver = true
    await Promise.all(reading)
  })
})
