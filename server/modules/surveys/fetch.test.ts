import { rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildersOn, type User } from '../../test/builders.ts'
import { startOutside } from '../../test/network/outbound.ts'
import { type Answer, type Service, startService } from '../../test/service.ts'
import { importsOn } from '../../test/surveying/imports.ts'

const POINTS = 'title,lat,lon\nA,1.5,2.5\nB,1.6,2.5\n'
let answer: (request: IncomingMessage, response: ServerResponse) => void
let outside: Awaited<ReturnType<typeof startOutside>>
let service: Service
let user: User
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  outside = await startOutside((request, response) => answer(request, response), {
    'files.example.org': [['93.184.216.34']],
    'inside.survey.example.org': [['10.0.0.1']],
  })
  service = await startService(
    { CAIRN_IMPORT_HOSTS: 'files.example.org, *.survey.example.org', CAIRN_PUBLIC_URL: 'https://cairn.example.org' },
    outside.network,
  )
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(async () => {
  await service.stop()
  await outside.stop()
})
beforeEach(() => {
  outside.asked.length = 0
  answer = (_, response) => response.end(POINTS)
})

const send = (zoneId: number, fileUrl: string, query = ''): Promise<Answer> =>
  user.post(`/api/gcp/upload${query}`, { fileName: 'marks.csv', fileUrl, zoneId })

describe('survey files on other hosts', () => {
  test('are downloaded, stored and imported, and deleted with their record', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const { status, body } = await send(zoneId, 'https://files.example.org/marks.csv?key=1')
    expect([status, body.status]).toEqual([200, 'PENDING'])
    const record = await imports.ended(body.id)
    expect(record).toMatchObject({
      status: 'COMPLETED',
      processedRows: 2,
      fileUrl: 'https://files.example.org/marks.csv?key=1',
    })
    expect(await imports.gcps(zoneId)).toHaveLength(2)
    expect(await service.objectsKept()).toHaveLength(1)
    await user.delete(`/api/gcp/zone/${zoneId}`, { csvUploadId: record.id })
    expect(await service.objectsKept()).toEqual([])
  })

  /** Sends a URL whose response waits until `release`; later requests wait too. */
  async function held(zoneId: number, fileUrl: string) {
    const released = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    answer = (_, response) => {
      asked.resolve()
      void released.promise.then(() => response.end(POINTS))
    }
    const { body } = await send(zoneId, fileUrl)
    await asked.promise
    return { id: body.id as string, release: released.resolve }
  }

  test('repeating a URL while its import waits or runs returns the same import', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const { id, release } = await held(zoneId, 'https://files.example.org/slow.csv')
    expect((await send(zoneId, 'https://files.example.org/slow.csv')).body.id).toBe(id)
    const dry = (await send(zoneId, 'https://files.example.org/slow.csv', '?dryRun=true')).body.id
    expect(dry).not.toBe(id)
    release()
    expect(await imports.ended(id)).toMatchObject({ status: 'COMPLETED', processedRows: 2 })
    // Delete its file too: the next test counts the files.
    await imports.ended(dry)
  })

  test('discards a file if its record was deleted during the download', async () => {
    const zoneId = await imports.zone()
    const before = await service.objectsKept()
    const { id, release } = await held(zoneId, 'https://files.example.org/unwanted.csv')
    await user.delete(`/api/gcp/zone/${zoneId}`, { csvUploadId: id })
    release()
    await expect.poll(service.objectsKept).toEqual(before)
    expect(await imports.gcps(zoneId)).toEqual([])
  })

  test('a retry accepts a corrected option and does not download again', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    answer = (_, response) => response.end('title,easting,northing\nA,389000,5820000\n')
    const { body } = await send(zoneId, 'https://files.example.org/grid.csv')
    const failed = await imports.ended(body.id)
    expect(failed.status).toBe('FAILED')
    expect((await user.post(`/api/gcp/upload/${body.id}/retry?crs=nonsense`)).status).toBe(400)
    expect((await user.post(`/api/gcp/upload/${body.id}/retry?crs=EPSG:25833`)).status).toBe(200)
    expect(await imports.ended(body.id)).toMatchObject({ status: 'COMPLETED', processedRows: 1 })
    expect(outside.asked).toHaveLength(1)
  })

  test('a failed download is FAILED with the reason and stores nothing', async () => {
    const zoneId = await imports.zone()
    const before = await service.objectsKept()
    const failure = async (address: string) => {
      const { status, body } = await send(zoneId, address)
      expect(status).toBe(200)
      const { status: end, errorMessage } = await imports.ended(body.id)
      return [end, errorMessage]
    }
    answer = (_, response) => response.writeHead(404).end('secret')
    expect(await failure('https://files.example.org/missing.csv')).toEqual([
      'FAILED',
      'The file was not fetched: files.example.org answered 404 instead of the file',
    ])
    expect(await failure('https://inside.survey.example.org/a.csv')).toEqual([
      'FAILED',
      'The file was not fetched: inside.survey.example.org is not on the public internet, or cannot be found',
    ])
    answer = (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end()
    expect(await failure('https://files.example.org/redirected.csv')).toEqual([
      'FAILED',
      'The file was not fetched: files.example.org redirects to an address that is not accepted',
    ])
    answer = (_, response) => response.writeHead(200, { 'content-length': 50 * 2 ** 20 + 1 }).end('x')
    expect((await failure('https://files.example.org/large.csv'))[1]).toMatch('is larger than 52428800 bytes')
    expect(await service.objectsKept()).toEqual(before)
  })

  test('downloads count against the daily upload quota', { tags: ['long'] }, async () => {
    const small = await startService(
      { CAIRN_IMPORT_HOSTS: 'files.example.org', CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(50 * 2 ** 20) },
      outside.network,
    )
    try {
      const surveyor = await buildersOn(small).user()
      const ownImports = importsOn(small, surveyor)
      const zoneId = await ownImports.zone()
      const fetched = async (fileUrl: string) => {
        const { body } = await surveyor.post('/api/gcp/upload', { fileName: 'a.csv', fileUrl, zoneId })
        return ownImports.ended(body.id)
      }
      expect(await fetched('https://files.example.org/first.csv')).toMatchObject({ status: 'COMPLETED' })
      expect(await fetched('https://files.example.org/second.csv')).toMatchObject({
        status: 'FAILED',
        errorMessage: expect.stringMatching(
          /^The file was not fetched: The daily upload limit of this service is reached/,
        ),
      })
      expect(outside.asked).toHaveLength(1)
    } finally {
      await small.stop()
    }
  })

  const isOnS3 = process.env.CAIRN_TEST_STORAGE === 's3'
  test.skipIf(isOnS3)(
    'is FAILED at once if the service cannot store it, and can be retried',
    { tags: ['long'] },
    async () => {
      const broken = await startService({ CAIRN_IMPORT_HOSTS: 'files.example.org' }, outside.network)
      try {
        const surveyor = await buildersOn(broken).user()
        const ownImports = importsOn(broken, surveyor)
        const zoneId = await ownImports.zone()
        const [folder, aside] = [join(broken.folder, 'objects'), join(broken.folder, 'aside')]
        await rename(folder, aside)
        await writeFile(folder, 'no folder')
        const fileUrl = 'https://files.example.org/marks.csv'
        const { body } = await surveyor.post('/api/gcp/upload', { fileName: 'a.csv', fileUrl, zoneId })
        expect(await ownImports.ended(body.id)).toMatchObject({
          status: 'FAILED',
          errorMessage: 'The file was not fetched: the service could not keep it',
        })
        await rm(folder)
        await rename(aside, folder)
        expect((await surveyor.post(`/api/gcp/upload/${body.id}/retry`)).status).toBe(200)
        expect(await ownImports.ended(body.id)).toMatchObject({ status: 'COMPLETED', processedRows: 2 })
      } finally {
        await broken.stop()
      }
    },
  )

  const refused = [
    'http://files.example.org/marks.csv',
    'HTTP://files.example.org/marks.csv',
    'ftp://files.example.org/marks.csv',
    'file:///etc/passwd',
    'data:text/csv,title',
    'javascript:alert(1)',
    'marks.csv',
    '//files.example.org/marks.csv',
    'https://user:secret@files.example.org/marks.csv',
    'https://files.example.org@127.0.0.1/',
    'https://files.example.org:8443/marks.csv',
    'https://files.example.org:22/marks.csv',
    'https://files.example.org./marks.csv',
    'https://files.example.org.evil.example/marks.csv',
    'https://evil.example/files.example.org',
    'https://evil.example#files.example.org',
    'https://evil.example\\@files.example.org/',
    'https://files.example.org%00.evil.example/',
    'https://evilsurvey.example.org/marks.csv',
    'https://survey.example.org/marks.csv',
    'https://localhost/marks.csv',
    'https://localhost.localdomain/marks.csv',
    'https://127.0.0.1/marks.csv',
    'https://127.1/marks.csv',
    'https://2130706433/marks.csv',
    'https://0x7f000001/marks.csv',
    'https://0177.0.0.1/marks.csv',
    'https://0.0.0.0/marks.csv',
    'https://10.0.0.1/marks.csv',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://100.100.100.200/latest/meta-data/',
    'https://[::1]/marks.csv',
    'https://[::ffff:127.0.0.1]/marks.csv',
    'https://[64:ff9b::7f00:1]/marks.csv',
    'https://[2002:7f00:1::]/marks.csv',
    'https://[fd00:ec2::254]/latest/',
    'https://[fe80::1]/marks.csv',
    'https://①②⑦.⓪.⓪.①/marks.csv',
    'https://127.0.0.1.nip.io/marks.csv',
    'https://93.184.216.34/marks.csv',
    'https://cairn.example.org/files/zz/AAAAAAAAAAAAAAAAAAAAAA.csv',
    'https://cairn.example.org/files/../api/gcp',
    'https://cairn.example.org.evil.example/files/zz/AAAAAAAAAAAAAAAAAAAAAA.csv',
  ]
  test.each(refused)('%s is refused at once without a request', async (fileUrl) => {
    const zoneId = await imports.zone()
    const { status, body } = await send(zoneId, fileUrl)
    expect([status, body.error[0].path]).toEqual([400, ['fileUrl']])
    expect([outside.asked, (await user.get(`/api/gcp/zone/${zoneId}`)).body.csvFiles]).toEqual([[], []])
  })
})

test('the download waits while the disk is full and starts when there is space', {
  tags: ['long'],
}, async () => {
  const hosts = { CAIRN_IMPORT_HOSTS: 'files.example.org' }
  const first = await startService({ ...hosts, CAIRN_ROLE: 'api' }, outside.network)
  const another = (settings: Record<string, string>) =>
    startService(
      { ...first.storage, ...hosts, CAIRN_DATA_DIR: first.folder, ...settings },
      outside.network,
      undefined,
      {
        url: first.databaseUrl,
        drop: async () => {},
      },
    )
  const sender = await buildersOn(first).user()
  const zoneId = await importsOn(first, sender).zone()
  const fileUrl = 'https://files.example.org/late.csv'
  const { id } = (await sender.post('/api/gcp/upload', { fileName: 'late.csv', fileUrl, zoneId })).body
  const full = await another({ CAIRN_DISK_RESERVE_BYTES: String(2 ** 50) })
  expect((await full.as(sender.headers).get(`/api/gcp/upload/${id}`)).body).toMatchObject({
    status: 'PENDING',
    errorMessage: expect.stringContaining('Waiting: the disk'),
  })
  expect(outside.asked).toEqual([])
  await full.stop()
  const worker = await another({ CAIRN_ROLE: 'worker' })
  expect(await importsOn(first, sender).ended(id)).toMatchObject({ status: 'COMPLETED', processedRows: 2 })
  await worker.stop()
  await first.stop()
})
