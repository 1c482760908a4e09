import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'

type Functions = {
  CairnStreamOpen(url: string, headers: string): number
  CairnStreamStatus(id: number): number
  CairnStreamHeader(id: number, name: string): string
  CairnStreamRead(id: number, address: number, length: number): number
  CairnStreamClose(id: number): void
}

const SOURCE = readFileSync(new URL('../package/Unity/WebGL/CairnStreams.jslib', import.meta.url), 'utf8')
const ADDRESS = 16

/** The functions of CairnStreams.jslib as Unity's build links them, with this memory. Strings are passed as they are. */
function linked(memory: Uint8Array): Functions {
  const library: Record<string, unknown> = {}
  const strings = {
    UTF8ToString: (text: string) => text,
    lengthBytesUTF8: (text: string) => text.length,
    _malloc: () => ({ value: '' }),
    stringToUTF8: (text: string, address: { value: string }) => {
      address.value = text
    },
  }
  const environment = {
    fetch,
    AbortController,
    HEAPU8: memory,
    ...strings,
    cairnStreams: {},
    LibraryManager: { library },
  }
  runInNewContext(SOURCE, {
    ...environment,
    autoAddDeps: (given: Record<string, object>, name: string) => Object.assign(environment.cairnStreams, given[name]),
    mergeInto: Object.assign,
  })
  const functions = library as unknown as Functions
  const header = functions.CairnStreamHeader as unknown as (id: number, name: string) => { value: string }
  return { ...functions, CairnStreamHeader: (id, name) => header(id, name).value }
}

let service: Service
let key: string
beforeAll(async () => {
  service = await startService()
  key = (await buildersOn(service).app()).key
})
afterAll(() => service?.stop())

const memory = new Uint8Array(4096)
const streams = linked(memory)
const open = (path: string, appKey: string) =>
  streams.CairnStreamOpen(service.url + path, JSON.stringify({ 'x-app-api-key': appKey, accept: 'text/event-stream' }))
async function statusOf(id: number): Promise<number> {
  while (streams.CairnStreamStatus(id) === 0) await wait(5)
  return streams.CairnStreamStatus(id)
}

test('a board arrives in a browser while its stream is open, also in small pieces', async () => {
  const id = open('/api/v1/apps/leaderboards/stream', key)
  expect(await statusOf(id)).toBe(200)
  expect(streams.CairnStreamHeader(id, 'content-type')).toMatch(/^text\/event-stream/)
  expect(streams.CairnStreamHeader(id, 'x-none')).toBe('')
  let text = ''
  while (!/event: board\n.*\n\n/s.test(text)) {
    const count = streams.CairnStreamRead(id, ADDRESS, 7)
    expect(count).toBeGreaterThanOrEqual(0)
    expect(count).toBeLessThanOrEqual(7)
    text += Buffer.from(memory.subarray(ADDRESS, ADDRESS + count)).toString()
    if (count === 0) await wait(5)
  }
  expect(text).toContain('"leaderboard":[]')
  streams.CairnStreamClose(id)
})

test('a refusal is read to its end', async () => {
  const id = open('/api/v1/apps/leaderboards/stream', 'cairn_wrong')
  expect(await statusOf(id)).toBe(401)
  let count = 0
  while (count === 0) {
    await wait(5)
    count = streams.CairnStreamRead(id, ADDRESS, 4000)
  }
  expect(JSON.parse(Buffer.from(memory.subarray(ADDRESS, ADDRESS + count)).toString())).toHaveProperty('error')
  await expect.poll(() => streams.CairnStreamRead(id, ADDRESS, 4000)).toBe(-1)
})

test('a service that is not there has no status', async () => {
  expect(await statusOf(streams.CairnStreamOpen('http://127.0.0.1:1/', '{}'))).toBe(-1)
})
