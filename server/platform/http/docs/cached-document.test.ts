import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { cachedDocument } from './cached-document.ts'

test('a document is made once, by the first request, and has the same bytes and ETag in each response', async () => {
  let count = 0
  const app = fastify()
  app.get(
    '/',
    cachedDocument(() => ({ made: ++count, text: 'x'.repeat(2000) })),
  )
  const ask = (headers: Record<string, string>) => app.inject({ url: '/', headers })
  expect(count).toBe(0)
  const plain = await ask({})
  const encoded = await Promise.all(Array.from({ length: 5 }, () => ask({ 'accept-encoding': 'br' })))
  for (const { rawPayload, headers } of encoded) {
    expect(brotliDecompressSync(rawPayload)).toEqual(plain.rawPayload)
    expect([headers['content-encoding'], headers.etag]).toEqual(['br', plain.headers.etag])
  }
  const unchanged = await ask({ 'if-none-match': String(plain.headers.etag) })
  expect([unchanged.statusCode, unchanged.body, count]).toEqual([304, '', 1])
  await app.close()
})
