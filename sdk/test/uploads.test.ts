import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { createCairn } from '../index.ts'
import { breakAfter, breakingWay, loseAnswer, untouched } from './breaking-way.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let session: string
beforeAll(async () => {
  service = await startService()
  session = (await buildersOn(service).user()).headers.authorization!.slice('Bearer '.length)
})
afterAll(() => service.stop())
beforeEach(async () => {
  way = await breakingWay(service.url)
})
afterEach(() => way.close())

const client = () => createCairn({ baseUrl: way.url, session, retry: { firstWait: 1 } })
const bytes = randomBytes(5_000_000)
const contentOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const bodiesSent = () => way.seen.filter(({ method }) => method === 'PATCH')

test('a small file goes in one form, and a repeat of it becomes no second file', async () => {
  way.faults.push(loseAnswer)
  const heard: number[] = []
  const file = new File(['lat,lon\n51,0\n'], 'points.csv')
  const { fileId, url, fileName } = await client().files.upload(file, { onProgress: ({ sent }) => heard.push(sent) })
  expect(fileName).toBe('points.csv')
  expect(heard).toEqual([0, file.size])
  expect((await contentOf(url)).toString()).toBe('lat,lon\n51,0\n')
  expect(way.seen.map(({ path }) => path)).toEqual(['/api/upload', '/api/upload'])
  expect(fileId).toBeGreaterThan(0)
})

test('a large file arrives whole through a connection that breaks, and what has arrived is not sent again', async () => {
  // Created, one chunk sent, the next interrupted, the offset requested, and a chunk whose response is lost.
  way.faults.push(untouched, untouched, breakAfter(100_000), untouched, loseAnswer)
  const heard: number[] = []
  const { url, fileName } = await client().files.upload(new Blob([bytes]), {
    fileName: 'Plan überall.bin',
    onProgress: ({ sent, total }) => {
      expect(total).toBe(bytes.length)
      heard.push(sent)
    },
  })
  expect(fileName).toBe('Plan überall.bin')
  expect(heard).toEqual(heard.toSorted((a, b) => a - b))
  expect(heard.length).toBeGreaterThan(3)
  expect(heard.at(-1)).toBe(bytes.length)
  expect((await contentOf(url)).equals(bytes)).toBe(true)
  const offsets = bodiesSent().map(({ headers }) => Number(headers['upload-offset']))
  const [first, brokenOff, unanswered, after] = offsets as [number, number, number, number]
  expect(first).toBe(0)
  expect(brokenOff).toBeGreaterThan(0)
  expect(unanswered).toBeGreaterThanOrEqual(brokenOff)
  expect(after).toBeGreaterThan(unanswered)
})

test('an aborted upload resumes at its offset; one that the service no longer has starts again', {
  tags: ['long'],
}, async () => {
  const leaving = new AbortController()
  let place = ''
  const first = client().files.upload(new Blob([bytes]), {
    signal: leaving.signal,
    onBegun: (where) => {
      place = where
    },
    onProgress: ({ sent }) => {
      if (sent > 1_000_000) leaving.abort(new Error('left'))
    },
  })
  await expect(first).rejects.toThrow('left')

  const heard: number[] = []
  const options = { resume: place, onProgress: ({ sent }: { sent: number }) => heard.push(sent) }
  const { url } = await client().files.upload(new Blob([bytes]), options)
  expect(heard[0]).toBeGreaterThan(1_000_000)
  expect((await contentOf(url)).equals(bytes)).toBe(true)

  heard.length = 0
  const gone = '/api/upload/tus/0000000000000000'
  const again = await client().files.upload(new Blob([bytes]), { ...options, resume: gone })
  expect(heard[0]).toBe(0)
  expect((await contentOf(again.url)).equals(bytes)).toBe(true)
})

test('a file goes straight to the storage, or to the service where that has no addresses of its own', async () => {
  const { url, fileId } = await client().files.uploadDirect(new Blob(['{"type":"Feature"}'], { type: 'text/plain' }), {
    fileName: 'note.txt',
  })
  expect((await contentOf(url)).toString()).toBe('{"type":"Feature"}')
  const download = await client().files.downloadUrl(url)
  expect((await contentOf(download)).toString()).toBe('{"type":"Feature"}')
  expect(fileId).toBeGreaterThan(0)
})
