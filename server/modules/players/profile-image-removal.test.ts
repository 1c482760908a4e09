import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImages } from '../../platform/images/images.ts'
import { type App, type Builders, buildersOn } from '../../test/builders.ts'
import { jpeg } from '../../test/content/pictures.ts'
import { profileImagesOf } from '../../test/content/profile-images.ts'
import { appUrl } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
let app: App
let images: ReturnType<typeof profileImagesOf>
let picture: Buffer
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
  app = await given.app()
  images = profileImagesOf(app, given)
  picture = await jpeg(600, 600)
})
afterAll(() => service.stop())

describe('an image that is no longer used', () => {
  const gone = async (url: string) => (await images.read(url)).status === 404

  test('another image takes the place of the one before, whose address answers 404', async () => {
    const id = await images.newPlayer()
    const first = (await images.send(id, picture)).body.imageUrl
    const second = (await images.send(id, picture)).body.imageUrl
    expect(second).not.toBe(first)
    expect(await gone(first)).toBe(true)
    expect(await gone(second)).toBe(false)
  })

  test('of 8 images for one player at once, the one that is shown is left', { tags: ['long'] }, async () => {
    const id = await images.newPlayer()
    const urls = (await Promise.all(Array.from({ length: 8 }, () => images.send(id, picture)))).map(
      ({ body }) => body.imageUrl,
    )
    const { imageUrl } = (await app.get(appUrl(`players/${id}`))).body
    for (const url of urls) expect(await gone(url)).toBe(url !== imageUrl)
  })

  test('DELETE profile-image answers {success: true}, without one too, and removes the bytes', async () => {
    const id = await images.newPlayer()
    const { imageUrl } = (await images.send(id, picture)).body
    for (let i = 0; i < 2; i++) {
      expect(await app.delete(images.imageOf(id))).toMatchObject({ status: 200, body: { success: true } })
      expect((await app.get(appUrl(`players/${id}`))).body.imageUrl).toBeNull()
    }
    expect(await gone(imageUrl)).toBe(true)
  })

  test('the image goes with its player, and with its app', { tags: ['long'] }, async () => {
    const owner = await given.user()
    const short = await given.app({ owner })
    const [one, two] = [await given.player(short), await given.player(short)]
    const first = (await images.send(one.id, picture, {}, short)).body.imageUrl
    const second = (await images.send(two.id, picture, {}, short)).body.imageUrl
    expect(await short.delete(appUrl(`players/${one.id}`))).toMatchObject({ status: 204 })
    expect(await gone(first)).toBe(true)
    expect(await gone(second)).toBe(false)
    await owner.delete(`/api/v1/apps/${short.id}?name=Trail`)
    await expect.poll(() => gone(second)).toBe(true)
    // The note of an object goes after the object.
    await expect.poll(() => sql('select key from unused_objects')).toEqual([])
  })

  test('the temporary files of a killed process are removed at the next start, and otherwise when they are old', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
    for (const name of ['old', 'new']) writeFileSync(join(folder, name), 'half an image')
    const before = Date.now() / 1000 - 3700
    utimesSync(join(folder, 'old'), before, before)
    const { sweep } = createImages({ folder })
    await sweep({ olderThanMs: 3_600_000 })
    expect(readdirSync(folder)).toEqual(['new'])
    await sweep({ olderThanMs: 0 })
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
    await sweep({ olderThanMs: 0 })
    rmSync(folder, { recursive: true })
  })

  test('that cannot be removed is retried later, and blocks no other', {
    tags: ['long'],
  }, async () => {
    const id = await images.newPlayer()
    const first = (await images.send(id, picture)).body.imageUrl
    await sql("insert into unused_objects (key, since) values ('no key of ours', '2020-01-01')")
    expect(await images.send(id, picture)).toMatchObject({ status: 200 })
    expect(await gone(first)).toBe(true)
    expect(await sql('select key from unused_objects')).toEqual([{ key: 'no key of ours' }])
    await sql('delete from unused_objects')
  })
})
