import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUsdz } from '../../../../../usdz/test/open-usdz.ts'
import { type Builders, buildersOn } from '../../../../test/builders.ts'
import { uploadBy, whole } from '../../../../test/content/conversions.ts'
import { boxGlb, movingGlb } from '../../../../test/content/glb.ts'
import { sendScan, settledScan } from '../../../../test/content/scans.ts'
import { formOf } from '../../../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'
import { type Sql, sqlOn } from '../../../../test/sql.ts'
import { MAX_OPTION_SETS } from '../conversion-store.ts'

let service: Service
let given: Builders
let sql: Sql
let user: Caller & { id: string }
let ops: Caller
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
  user = await given.user()
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const convert = (caller: Caller, fileId: unknown, options = '') =>
  caller.post(`/api/upload/${fileId}/converted_file?${options}`)
const recordOf = async (fileId: unknown) => (await user.get(`/api/v1/user/files/${fileId}`)).body

/** Fills all places of a content but some with sets of options that other requests have made. */
const fillUp = (fileId: number, { but, status }: { but: number; status: 'PENDING' | 'FAILED' }) =>
  sql(
    `insert into conversions_with_options (sha256, options, status, error_code, error)
     select sha256, '{"clip":"' || n || '"}', $2, $3, $3 from files, generate_series(1, ${MAX_OPTION_SETS - but}) n where id = $1`,
    [fileId, status, status === 'FAILED' ? 'unsupported' : null],
  )

describe('a conversion with options', () => {
  test('has a result of its own, and leaves the conversion without options as it is', async () => {
    const { fileId } = await uploadBy(user, movingGlb())
    const plain = await convert(user, fileId)
    const looped = await convert(
      user,
      fileId,
      'scale=10&loop=true&anchor=plane&alignment=vertical&clip=Slide&preferredIblVersion=1',
    )
    const options = {
      clip: 'Slide',
      loop: true,
      scale: 10,
      anchor: 'plane',
      alignment: 'vertical',
      preferredIblVersion: 1,
    }
    expect(looped).toMatchObject({ status: 200, body: { options } })
    expect(looped.body.report.size.width).toBeCloseTo(10 * plain.body.report.size.width)
    expect(looped.body.convertedFile.fileUrl).not.toBe(plain.body.convertedFile.fileUrl)
    expect((await convert(user, fileId)).body.convertedFile).toEqual(plain.body.convertedFile)
    expect(plain.body).not.toHaveProperty('options')
  })

  test('has the label and the description for screen readers in its USDZ', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    const { status, body } = await convert(user, fileId, 'label=Chair&description=Of%20oak')
    expect([status, body.options]).toEqual([200, { label: 'Chair', description: 'Of oak' }])
    const bytes = await (await fetch(body.convertedFile.fileUrl)).arrayBuffer()
    const usdz = openUsdz(new Uint8Array(bytes))
    expect(usdz.text('/Root.accessibility:default:label')).toBe('Chair')
    expect(usdz.text('/Root.accessibility:default:description')).toBe('Of oak')
  })

  test('for RealityKit has other bytes, and the result names its profile', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    const plain = await convert(user, fileId)
    const { status, body } = await convert(user, fileId, 'profile=realitykit')
    expect([status, body.options]).toEqual([200, { profile: 'realitykit' }])
    expect(body.convertedFile.fileSize).toBeGreaterThan(plain.body.convertedFile.fileSize)
  })

  test('of two sets at the same time, for two files of the same bytes, each set is converted once', async () => {
    const bytes = boxGlb()
    const files = [await uploadBy(user, bytes), await uploadBy(await given.user(), bytes)]
    const asked = files.flatMap(({ fileId }, owner) =>
      ['scale=2', 'scale=3'].map((options) => convert(owner === 0 ? user : ops, fileId, options)),
    )
    const answers = await Promise.all(asked)
    expect(answers.map(({ status, body }) => [status, body.report.size.width])).toEqual(
      [2, 3, 2, 3].map((w) => [200, w]),
    )
    const [a, b, c, d] = answers.map(({ body }) => body.convertedFile.fileUrl)
    expect([a, b]).toEqual([c, d])
    expect(a).not.toBe(b)
    const rows = await sql('select attempts from conversions_with_options join files using (sha256) where id = $1', [
      files[0]!.fileId,
    ])
    expect(rows).toEqual([{ attempts: 1 }, { attempts: 1 }])
  })

  test('spelled otherwise is the same; with the default of every option it is the conversion without', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    const plain = await convert(user, fileId)
    const defaults = 'profile=quicklook&onlyClip=false&animations=auto&scale=1.0'
    expect((await convert(user, fileId, defaults)).body.convertedFile).toEqual(plain.body.convertedFile)
    const half = await convert(user, fileId, 'scale=0.5&anchor=plane')
    const again = await convert(user, fileId, 'alignment=horizontal&anchor=plane&scale=.50')
    expect(again.body).toEqual({ ...half.body, message: expect.any(String) })
  })

  test('can be requested with the upload; its state and its stream are those of the set', async () => {
    const sent = await user.post('/api/upload/convert?scale=7', formOf({ name: 'chair.glb', bytes: boxGlb() }))
    expect(sent).toMatchObject({ status: 200, body: { options: { scale: 7 } } })
    const fileId = sent.body.originalFile.id
    const { body } = await convert(user, fileId, 'scale=7')
    expect(body).toMatchObject({ ...whole, report: { size: { width: 7 } } })
    const state = await user.get(`/api/upload/convert?fileId=${fileId}&scale=7`)
    expect(state.body).toMatchObject({ options: { scale: 7 }, convertedFile: body.convertedFile })
    const stream = await fetch(`${service.url}/api/upload/${fileId}/stream?scale=7`)
    expect(await stream.text()).toContain(body.convertedFile.fileUrl)
    const none = await user.get(`/api/upload/convert?fileId=${fileId}`)
    expect(none.body).not.toHaveProperty('convertedFile')
  })

  test.each([
    ['scale=0', 'scale'],
    ['scale=huge', 'scale'],
    ['maxTextureSize=15', 'maxTextureSize'],
    ['maxTriangles=99', 'maxTriangles'],
    ['profile=best', 'profile'],
    ['loop=maybe', 'loop'],
    ['preferredIblVersion=3', 'preferredIblVersion'],
    ['anchor=sky', 'anchor'],
    ['anchor=image&anchorWidth=1', 'anchorImageId'],
    ['anchor=image&anchorImageId=1', 'anchorWidth'],
    ['anchor=image&anchorImageId=1&anchorWidth=0', 'anchorWidth'],
    ['anchor=plane&anchorWidth=1', 'anchorWidth'],
    ['anchorImageId=1', 'anchorImageId'],
    ['alignment=any', 'alignment'],
    [`clip=${'x'.repeat(201)}`, 'clip'],
    [`label=${'x'.repeat(201)}`, 'label'],
    ['description=', 'description'],
  ])('%.20s is 400, in every operation, and nothing is stored', async (query, path) => {
    const { fileId } = await uploadBy(user, boxGlb())
    const refused = { status: 400, body: { error: [{ path: [path] }] } }
    const kept = (await service.objectsKept()).length
    expect(await convert(user, fileId, query)).toMatchObject(refused)
    expect(await user.get(`/api/upload/convert?fileId=${fileId}&${query}`)).toMatchObject(refused)
    expect(await user.get(`/api/upload/${fileId}/stream?${query}`)).toMatchObject(refused)
    const form = formOf({ name: 'chair.glb', bytes: boxGlb() })
    expect(await user.post(`/api/upload/convert?${query}`, form)).toMatchObject(refused)
    expect((await service.objectsKept()).length).toBe(kept)
  })

  test('that the model cannot satisfy fails with the reason; the conversion without options does not', async () => {
    const { fileId } = await uploadBy(user, movingGlb())
    const failed = await convert(user, fileId, 'clip=Walk')
    expect(failed).toMatchObject({ status: 400, body: { error: expect.stringContaining('Walk') } })
    expect((await convert(user, fileId)).status).toBe(200)
    expect((await recordOf(fileId)).conversionsWithOptions).toMatchObject([
      { options: { clip: 'Walk' }, status: 'FAILED', usdzUrl: null, errorMessage: failed.body.error },
    ])
  })
})

describe('the sets of options of a file', () => {
  test('are part of its record, with their reports, and of the list; their results are no files of their own', async () => {
    const owner = await given.user()
    const { fileId } = await uploadBy(owner, boxGlb())
    const made = await convert(owner, fileId, 'scale=2')
    const shown = {
      options: { scale: 2 },
      status: 'COMPLETED',
      usdzUrl: made.body.convertedFile.fileUrl,
      glbUrl: null,
      errorMessage: null,
    }
    const record = (await owner.get(`/api/v1/user/files/${fileId}`)).body
    expect(record.conversion).toBeNull()
    expect(record.conversionsWithOptions).toEqual([{ ...shown, report: made.body.report }])
    const { files } = (await owner.get('/api/v1/user/files')).body
    expect(files).toMatchObject([{ fileId, conversionsWithOptions: [shown] }])
    expect(files[0].conversionsWithOptions[0]).not.toHaveProperty('report')
    expect((await owner.get(`/api/v1/user/files/${made.body.convertedFile.id}`)).status).toBe(404)
  })

  test('of a user are chosen by the owner and ops; others get the results there are', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    const stranger = await given.user()
    for (const caller of [stranger, service.anonymous])
      expect(await convert(caller, fileId, 'scale=2')).toMatchObject({ status: 403 })
    expect((await recordOf(fileId)).conversionsWithOptions).toEqual([])
    const { body } = await convert(user, fileId, 'scale=2')
    expect((await convert(stranger, fileId, 'scale=2')).body.convertedFile).toEqual(body.convertedFile)
    const ofNobody = await uploadBy(service.anonymous, boxGlb())
    expect((await convert(stranger, ofNobody.fileId, 'scale=2')).status).toBe(200)
  })

  test('are bounded for each content, with the upload too: 409, and nothing is stored', async () => {
    const bytes = boxGlb()
    const { fileId } = await uploadBy(user, bytes)
    await fillUp(fileId, { but: 1, status: 'PENDING' })
    const both = await Promise.all(['scale=2', 'scale=3'].map((options) => convert(user, fileId, options)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const kept = (await service.objectsKept()).length
    const sent = await user.post('/api/upload/convert?scale=4', formOf({ name: 'chair.glb', bytes }))
    expect(sent).toMatchObject({ status: 409, body: { error: expect.stringContaining(`${MAX_OPTION_SETS} sets`) } })
    expect((await service.objectsKept()).length).toBe(kept)
    expect((await convert(user, fileId)).status).toBe(200)
  })

  test('that failed give way to new ones', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    await fillUp(fileId, { but: 0, status: 'FAILED' })
    expect((await convert(user, fileId, 'scale=2')).status).toBe(200)
    expect((await recordOf(fileId)).conversionsWithOptions).toHaveLength(MAX_OPTION_SETS)
  })

  test('are deleted with the last file of their content, and so are the results', async () => {
    const bytes = boxGlb()
    const other = await given.user()
    const files = [await uploadBy(user, bytes), await uploadBy(other, bytes)]
    const content = await sql<{ sha256: string }>('select sha256 from files where id = $1', [files[0]!.fileId])
    const urls: string[] = []
    for (const options of ['', 'scale=2', 'scale=3'])
      urls.push((await convert(user, files[0]!.fileId, options)).body.convertedFile.fileUrl)
    const statuses = () => Promise.all(urls.map(async (url) => (await service.anonymous.get(url)).status))
    expect((await user.delete(`/api/v1/user/files/${files[0]!.fileId}`)).status).toBe(204)
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await other.delete(`/api/v1/user/files/${files[1]!.fileId}`)).status).toBe(204)
    expect(await statuses()).toEqual([404, 404, 404])
    expect(await sql('select from conversions_with_options where sha256 = $1', [content[0]!.sha256])).toEqual([])
  })

  test('of a private scan are for its owner and ops', async () => {
    const scan = await settledScan(user, (await sendScan(user, { name: 'chair.glb', bytes: boxGlb() })).body.id)
    const { body } = await convert(user, scan.fileId, 'scale=2')
    const stranger = await given.user()
    expect((await convert(stranger, scan.fileId, 'scale=2')).status).toBe(404)
    expect((await stranger.get(body.convertedFile.fileUrl)).status).toBe(404)
    expect((await user.get(body.convertedFile.fileUrl)).status).toBe(200)
    const [made] = (await recordOf(scan.fileId)).conversionsWithOptions
    expect((await service.anonymous.get(made.usdzUrl)).status).toBe(200)
  })
})
