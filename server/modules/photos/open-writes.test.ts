import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn, type User } from '../../test/builders.ts'
import { jpeg } from '../../test/content/pictures.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let user: User
let picture: Buffer
beforeAll(async () => {
  service = await startService({ CAIRN_OPEN_WRITES: 'true' })
  user = await buildersOn(service).user()
  picture = await jpeg(60, 40)
})
afterAll(() => service.stop())

const photo = (texts = {}) => withTexts(formOf({ field: 'files', name: 'a.jpg', bytes: picture }), texts)

test('with CAIRN_OPEN_WRITES the calls of GCPs, their photos and CSV files need no session', async () => {
  const { status, body } = await service.anonymous.post('/api/upload/gcp-photos', photo())
  expect({ status, body }).toMatchObject({ status: 200, body: { files: [{ userId: null, gcpId: null }] } })
  const made = await service.anonymous.post('/api/gcp', {
    title: 'P',
    gcpType: 'SINGLE',
    uploadedFileIds: [body.files[0].id],
  })
  expect(made).toMatchObject({ status: 201, body: { gcp: { uploadedFiles: [{ id: body.files[0].id }] } } })
  const { id } = made.body.gcp
  expect(await service.anonymous.post('/api/upload/gcp-photos', photo({ gcpId: id, userId: user.id }))).toMatchObject({
    status: 200,
    body: { files: [{ userId: user.id, gcpId: id }] },
  })
  expect(await service.anonymous.put(`/api/gcp/${id}`, { title: 'Q' })).toMatchObject({ status: 200 })
  const [url] = made.body.gcp.photoUrls
  expect(
    await service.anonymous.delete(`/api/gcp/${id}/remove-photo?photoUrl=${encodeURIComponent(url)}`),
  ).toMatchObject({
    status: 200,
  })

  const zoneId = (await user.post('/api/zones', { title: 'Zone' })).body.id
  const file = await user.post('/api/upload', formOf({ name: 'p.csv', bytes: 'name,lat,lon\nP,1,2\n' }))
  const csv = { fileName: 'p.csv', fileUrl: file.body.results[0].url, zoneId }
  const { body: upload } = await user.post('/api/gcp/upload', csv)
  expect(await service.anonymous.delete(`/api/gcp/zone/${zoneId}`, { csvUploadId: upload.id })).toMatchObject({
    status: 200,
  })
})

test('a session acts as its user and an invalid one is 401; an upload of another user cannot be claimed', async () => {
  const other = await buildersOn(service).user()
  const { body } = await user.post('/api/gcp', { title: 'P', gcpType: 'SINGLE' })
  expect(await other.put(`/api/gcp/${body.gcp.id}`, { title: 'Q' })).toMatchObject({ status: 403 })
  const bad = service.as({ authorization: 'Bearer x.y.z' })
  expect(await bad.put(`/api/gcp/${body.gcp.id}`, { title: 'Q' })).toMatchObject({ status: 401 })
  const sent = (await user.post('/api/upload/gcp-photos', photo())).body.files[0]
  const claim = { title: 'Q', uploadedFileIds: [sent.id] }
  expect(await service.anonymous.put(`/api/gcp/${body.gcp.id}`, claim)).toMatchObject({ status: 400 })
})

test('everything else needs a session as before', async () => {
  const { body } = await user.post('/api/gcp', { title: 'P', gcpType: 'SINGLE' })
  for (const answer of [
    await service.anonymous.delete(`/api/gcp/${body.gcp.id}`),
    await service.anonymous.post('/api/zones', { title: 'Z' }),
    await service.anonymous.post('/api/location/pins', { title: 'P', contentType: 'GLB' }),
    await service.anonymous.post('/api/upload/relocalization', formOf({ name: 'a.jpg', bytes: picture })),
    await service.anonymous.post('/api/gcp/upload', { fileName: 'a', fileUrl: 'b', zoneId: 1 }),
  ])
    expect(answer).toMatchObject({ status: 401 })
})
