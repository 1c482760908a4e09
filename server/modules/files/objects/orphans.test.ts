import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { convertBy } from '../../../test/content/conversions.ts'
import { boxGlb, png } from '../../../test/content/glb.ts'
import { jpeg } from '../../../test/content/pictures.ts'
import { storages } from '../../../test/content/storages.ts'
import { formOf } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'
import { importsOn } from '../../../test/surveying/imports.ts'

describe.each(storages)('objects in %s that nothing knows of', (_name, settings) => {
  let service: Service
  beforeAll(async () => {
    service = await startService(await settings())
  })
  afterAll(() => service.stop())

  const left = async () => {
    const { objects } = service.app
    return (await objects.put(Readable.from([Buffer.from('left over')]), { extension: 'bin' })).key
  }

  test('go after an hour; a younger one may be getting its record', async () => {
    const key = await left()
    expect(await service.app.removeOrphans()).toBe(0)
    expect(await service.app.objects.size(key)).toBe(9)
    expect(await service.app.removeOrphans({ olderThanMs: 0 })).toBe(1)
    expect(await service.app.objects.size(key)).toBeUndefined()
    expect(await service.app.removeOrphans({ olderThanMs: 0 })).toBe(0)
  })

  test('are none of those that a file, its USDZ, a player, an import or an open reservation names', {
    tags: ['long'],
  }, async () => {
    const given = buildersOn(service)
    const user = await given.user()
    const app = await given.app({ owner: user })
    const player = await given.player(app)
    await convertBy(user, { name: 'chair.glb', bytes: boxGlb() })
    const image = formOf({ field: 'image', name: 'me.jpg', type: 'image/jpeg', bytes: await jpeg(600, 600) })
    expect(await app.patch(`/api/v1/apps/players/${player.id}/profile-image`, image)).toMatchObject({ status: 200 })
    const imports = importsOn(service, user)
    await imports.imported('title,lat,lon\nA,10,20\n')
    const announced = await user.post('/api/upload/presigned', { fileName: 'a.txt', contentType: 'text/plain' })
    expect(announced.status).toBe(200)
    await service.app.objects.put(Readable.from([Buffer.from('arrived')]), { key: announced.body.key })

    const before = await service.objectsKept()
    await left()
    expect(await service.app.removeOrphans({ olderThanMs: 0 })).toBe(1)
    expect(await service.objectsKept()).toEqual(before)
  })

  test('are those without a record also where a pin shows the address', async () => {
    const user = await buildersOn(service).user()
    const { url } = (await user.post('/api/upload', formOf({ name: 'stone.png', bytes: png }))).body.results[0]
    const pin = { title: 'Stone', contentUrl: url, latitude: 1, longitude: 2, contentType: 'URL' }
    expect((await user.post('/api/location/pins', pin)).status).toBeLessThan(300)
    const key = service.app.objects.keyOf(url)!
    await sqlOn(service)(`delete from files where key = '${key}'`)
    expect(await service.app.removeOrphans({ olderThanMs: 0 })).toBe(1)
    expect(await service.app.objects.size(key)).toBeUndefined()
  })
})
