import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { image } from '../../../../../usdz/test/content/models.ts'
import { openUsdz } from '../../../../../usdz/test/open-usdz.ts'
import { type Builders, buildersOn } from '../../../../test/builders.ts'
import { convertedFileBy, uploadBy } from '../../../../test/content/conversions.ts'
import { boxGlb } from '../../../../test/content/glb.ts'
import { sendScan, settledScan } from '../../../../test/content/scans.ts'
import { formOf } from '../../../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'

let service: Service
let given: Builders
let user: Caller & { id: string }
let poster: Buffer
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  user = await given.user()
  poster = Buffer.from(await image([200, 10, 20]))
})
afterAll(() => service.stop())

const uploaded = async (by: Caller, bytes: Uint8Array, name: string): Promise<number> =>
  (await uploadBy(by, bytes, name)).fileId
const query = (imageId: number, width: unknown = 0.3) => `anchor=image&anchorImageId=${imageId}&anchorWidth=${width}`
const convert = (by: Caller, fileId: number, imageId: number) =>
  by.post(`/api/upload/${fileId}/converted_file?${query(imageId)}`)
const refused = { status: 400, body: { error: [{ path: ['anchorImageId'] }] } }
const setsOf = async (by: Caller, fileId: number) =>
  (await by.get(`/api/v1/user/files/${fileId}`)).body.conversionsWithOptions
const bytesAt = async (url: string) => {
  const response = await fetch(url.replace(/^https?:\/\/[^/]+/, service.url))
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : response.status
}

describe('a model anchored on an image', () => {
  test('has the image and its width in the package, and the result names both', async () => {
    const fileId = await uploaded(user, boxGlb(), 'chair.glb')
    const imageId = await uploaded(user, poster, 'poster.png')
    const { status, body } = await convert(user, fileId, imageId)
    const options = { anchor: 'image', anchorImageId: imageId, anchorWidth: 0.3 }
    expect([status, body.options]).toEqual([200, options])
    const usd = openUsdz((await bytesAt(body.convertedFile.fileUrl)) as Uint8Array)
    expect(usd.number('/Root/AnchorImage.physicalWidth')).toBeCloseTo(30, 9)
    const file = usd.files.find(({ name }) => name === 'textures/anchor.png')!
    expect(Buffer.from(file.data)).toEqual(poster)
    expect(await setsOf(user, fileId)).toMatchObject([{ options, status: 'COMPLETED' }])
  })

  test('can be requested with the upload', async () => {
    const imageId = await uploaded(user, poster, 'poster.png')
    const form = formOf({ name: 'chair.glb', bytes: boxGlb() })
    const sent = await user.post(`/api/upload/convert?${query(imageId)}`, form)
    expect(sent).toMatchObject({ status: 200, body: { options: { anchorImageId: imageId } } })
  })

  test.each<[string, () => Promise<number> | number]>([
    ['another user', async () => uploaded(await given.user(), poster, 'poster.png')],
    ['nobody', () => uploaded(service.anonymous, poster, 'poster.png')],
    ['another format', async () => uploaded(user, Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'poster.gif')],
    ['more than 8 MB', () => uploaded(user, Buffer.concat([poster, Buffer.alloc(8_000_000)]), 'poster.png')],
    ['the model itself', () => uploaded(user, boxGlb(), 'poster.glb')],
    ['an unknown file', () => 12345],
  ])('needs an image of its owner: one of %s is 400 in every operation', async (_what, give) => {
    const fileId = await uploaded(user, boxGlb(), 'chair.glb')
    const imageId = await give()
    expect(await convert(user, fileId, imageId)).toMatchObject(refused)
    expect(await user.get(`/api/upload/convert?fileId=${fileId}&${query(imageId)}`)).toMatchObject(refused)
    expect(await user.get(`/api/upload/${fileId}/stream?${query(imageId)}`)).toMatchObject(refused)
    const form = formOf({ name: 'chair.glb', bytes: boxGlb() })
    expect(await user.post(`/api/upload/convert?${query(imageId)}`, form)).toMatchObject(refused)
    expect(await setsOf(user, fileId)).toEqual([])
  })

  test('does not show the image of a private scan', { tags: ['long'] }, async () => {
    const fileId = await uploaded(user, boxGlb(), 'chair.glb')
    const scan = await settledScan(user, (await sendScan(user, { name: 'wall.png', bytes: poster })).body.id)
    expect(await convert(user, fileId, scan.fileId)).toMatchObject(refused)
    await user.patch(`/api/v1/user/scans/${scan.id}`, { visibility: 'public' })
    expect((await convert(user, fileId, scan.fileId)).status).toBe(200)
  })

  test('is not shown to other owners of the same model, who cannot ask for it either', async () => {
    const bytes = boxGlb()
    const other = await given.user()
    const fileId = await uploaded(user, bytes, 'chair.glb')
    const same = await uploaded(other, bytes, 'chair.glb')
    const imageId = await uploaded(user, poster, 'poster.png')
    expect((await convert(user, fileId, imageId)).status).toBe(200)
    expect(await setsOf(other, same)).toEqual([])
    expect((await other.get('/api/v1/user/files')).body.files[0].conversionsWithOptions).toEqual([])
    expect(await convert(other, same, imageId)).toMatchObject(refused)
    expect(await setsOf(user, fileId)).toHaveLength(1)
  })

  test('goes with the image: its result is deleted, and other results stay', async () => {
    const fileId = await uploaded(user, boxGlb(), 'chair.glb')
    const imageId = await uploaded(user, poster, 'poster.png')
    const { fileUrl } = (await convert(user, fileId, imageId)).body.convertedFile
    const plain = (await convertedFileBy(user, fileId)).body.convertedFile.fileUrl
    expect((await user.delete(`/api/v1/user/files/${imageId}`)).status).toBe(204)
    expect(await bytesAt(fileUrl)).toBe(404)
    expect(await bytesAt(plain)).toBeInstanceOf(Uint8Array)
    expect(await setsOf(user, fileId)).toEqual([])
  })
})
