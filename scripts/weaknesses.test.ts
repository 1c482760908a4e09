import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { weaknesses } from './weaknesses.ts'

// npm caches audit results.
const cache = mkdtempSync(join(tmpdir(), 'cairn-npm-'))
vi.stubEnv('npm_config_cache', cache)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(cache, { recursive: true, force: true })
})

let advisories = 0
const advisory = (severity: string) => ({
  id: ++advisories,
  url: 'https://advisories.example/1',
  title: 'Answers twice',
  severity,
  vulnerable_versions: '<99',
})

/** What is found with a registry that knows this of Fastify, or answers 405 as mirrors do. */
async function foundWith(known: object[] | undefined) {
  const asked: object[] = []
  const registry = createServer(async (request, response) => {
    if (request.method !== 'POST' || !known) {
      response.writeHead(request.method === 'POST' ? 405 : 404).end('{}')
      return
    }
    const isPacked = request.headers['content-encoding'] === 'gzip'
    asked.push((await json(isPacked ? request.pipe(createGunzip()) : request)) as object)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fastify: known }))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const found = await weaknesses(`http://127.0.0.1:${(registry.address() as AddressInfo).port}`)
  await new Promise((resolve) => registry.close(resolve))
  return { found, asked }
}

test('a package that an installation runs is weak if the registry knows it to be, by more than a little', {
  tags: ['long'],
}, async () => {
  const { found, asked } = await foundWith([advisory('high')])
  expect(found).toEqual({ weak: ['fastify: high: Answers twice (https://advisories.example/1)'] })
  expect(asked[0]).toMatchObject({ fastify: [expect.any(String)], pg: [expect.any(String)] })
  expect(asked[0]).not.toHaveProperty('vitest')
  expect((await foundWith([advisory('low')])).found).toEqual({ weak: [] })
  expect((await foundWith([])).found).toEqual({ weak: [] })
})

test('a registry that knows of no weaknesses is not taken for one that found none', async () => {
  expect((await foundWith(undefined)).found).toEqual({ notAsked: expect.stringContaining('405') })
})
