// @module-tag long
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soupGlb } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { killedService } from '../../../test/processes/killed-service.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 2)
const MB = 1_000_000

let service: Awaited<ReturnType<typeof killedService>>
let folder: string
beforeAll(async () => {
  service = await killedService({
    CAIRN_LIMIT_UPLOADS_PER_HOUR: '1000000',
    CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
  })
  folder = service.folder
})
afterAll(() => service.stop())

/** @returns the answer's body, or nothing when the process was killed before it answered. */
async function post(path: string, name: string, bytes: Uint8Array) {
  try {
    const body = formOf({ name, bytes })
    const answer = await fetch(`${service.url()}${path}`, { method: 'POST', body })
    // biome-ignore lint/suspicious/noExplicitAny: the test reads a few members of answers that openapi.json describes.
    return { status: answer.status, body: (await answer.json()) as any }
  } catch {
    return undefined
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const partials = () => readdir(join(folder, 'objects', 'partial')).catch(() => [])

async function bytesInPartials() {
  const sizes = await Promise.all(
    (await partials()).map((name) =>
      stat(join(folder, 'objects', 'partial', name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const isConverting = async () =>
  (await service.sql.query(`select 1 from conversions where status = 'PROCESSING'`)).rows.length > 0

/** Waits for a moment to kill in; another one each round: during the uploads, at the start of a conversion, or some time later. */
async function untilMoment(kill: number, uploaded: number) {
  const share = (0.1 + kill * 0.37) % 1
  // On a busy machine it takes a while until a model is uploaded and its conversion starts.
  const deadline = Date.now() + 30_000
  const reached = kill % 2 === 0 ? async () => (await bytesInPartials()) >= share * uploaded : isConverting
  while (!(await reached()) && Date.now() < deadline) await sleep(2)
  if (kill % 4 === 3) await sleep(share * 800)
}

const known = new Set<string>()
/** Every row has its whole object. What was looked at in an earlier round is not read again: what is under a key never changes. */
async function mustBeWhole() {
  const { rows } = await service.sql.query<{ key: string; size: string; sha256: string }>(
    'select key, size, sha256 from files',
  )
  for (const { key, size, sha256 } of rows.filter(({ key }) => !known.has(key))) {
    const path = join(folder, 'objects', key)
    expect((await stat(path)).size, key).toBe(Number(size))
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    expect(hash.digest('hex'), key).toBe(sha256)
    known.add(key)
  }
}

test('after a kill -9 in the middle of uploads and conversions every record has its whole object, every answer holds, and every conversion ends, once', {
  timeout: 120_000 + (KILLS + 4) * 40_000,
}, async () => {
  const acknowledged = new Map<number, string>()
  let brokenUploads = 0
  let brokenConversions = 0

  // A conversion may be done before the kill comes: then there are more kills.
  for (let kill = 0; kill < KILLS || (brokenConversions === 0 && kill < KILLS + 4); kill++) {
    const files = [19, 57, 88].map((offset) => randomBytes((1 + ((kill * 37 + offset) % 100)) * MB))
    const models = [soupGlb(60_000), soupGlb(200_000)]
    const uploading = files.map(async (bytes, at) => {
      const answer = await post('/api/upload', `file ${kill} ${at}.bin`, bytes)
      if (answer?.status === 200) acknowledged.set(answer.body.results[0].fileId, hashOf(bytes))
      else brokenUploads++
    })
    // The larger model is sent twice at once: it is one conversion all the same.
    const converting = [...models, models[1]!].map(async (bytes, at) => {
      const answer = await post('/api/upload/convert', `model ${kill} ${at}.glb`, bytes)
      if (answer?.status === 200) acknowledged.set(answer.body.originalFile.id, hashOf(bytes))
    })
    await untilMoment(
      kill,
      files.reduce((sum, { length }) => sum + length, 0),
    )
    if (await isConverting()) brokenConversions++
    await service.kill()
    await Promise.all([...uploading, ...converting])
    await service.startAgain()

    expect(await partials()).toEqual([])
    await mustBeWhole()
    const { rows } = await service.sql.query<{ id: string; sha256: string }>('select id, sha256 from files')
    const kept = new Map(rows.map(({ id, sha256 }) => [Number(id), sha256]))
    for (const [id, sha256] of acknowledged) expect(kept.get(id), `file ${id}`).toBe(sha256)
  }
  expect(brokenUploads).toBeGreaterThan(0)
  expect(brokenConversions).toBeGreaterThan(0)

  const unfinished = async () =>
    (await service.sql.query(`select status from conversions where status not in ('COMPLETED', 'FAILED')`)).rows
  await expect.poll(unfinished, { timeout: 90_000, interval: 500 }).toEqual([])
  await mustBeWhole()
  const { rows: failed } = await service.sql.query(`select error_code, error from conversions where status = 'FAILED'`)
  // Only conversions that were killed repeatedly fail.
  for (const { error_code } of failed) expect(error_code).toBe('given_up')
  const { rows: results } = await service.sql.query(
    `select (select count(*)::int from files where mime_type = 'model/vnd.usdz+zip') as results,
            (select count(*)::int from conversions where status = 'COMPLETED') as conversions,
            (select count(distinct result_id)::int from conversions) as named`,
  )
  const [{ conversions }] = results
  expect(conversions).toBeGreaterThan(0)
  expect(results).toEqual([{ results: conversions, conversions, named: conversions }])
})
