// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killedService } from '../../../test/processes/killed-service.ts'
import { surveyRows } from '../../../test/surveying/imports.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 2)
const ROWS = Number(process.env.CAIRN_TEST_ROWS ?? 12_000)

let service: Awaited<ReturnType<typeof killedService>>
beforeAll(async () => {
  service = await killedService({}, 'surveyor')
})
afterAll(() => service.stop())

// biome-ignore lint/suspicious/noExplicitAny: the test reads a few members of answers that openapi.json describes.
async function call(path: string, body?: object): Promise<any> {
  const isForm = body instanceof FormData
  const answer = await fetch(service.url() + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${service.token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return answer.json()
}

async function createProgress(id: string): Promise<{ status: string; settled: number }> {
  const { rows } = await service.sql.query(
    'select status, settled_rows::int as settled from csv_uploads where id = $1',
    [id],
  )
  return rows[0]
}

/** All results of an import except ids and times. */
async function stateOf(zoneId: number, id: string) {
  const points = await service.sql.query(
    `select count(*)::int, md5(string_agg(concat_ws('|', g.title, g.description, g.altitude, p.latitude, p.longitude, p.geo_pose), ',' order by g.title_key))
       from gcps g join pins p on p.gcp_id = g.id where g.zone_id = $1`,
    [zoneId],
  )
  const { status, errorMessage, rowCount, processedRows } = await call(`/api/gcp/upload/${id}`)
  const { summary, rows } = await call(`/api/gcp/upload/${id}/report`)
  return { points: points.rows, status, errorMessage, rowCount, processedRows, summary, rows }
}

test('an import whose process is killed repeatedly ends with the same result as an undisturbed one', async () => {
  const form = new FormData()
  const bad = Array.from({ length: 30 }, (_, i) => `bad${i},${91 + i},20,0,x`).join('\n')
  form.set('file', new Blob([surveyRows(ROWS), bad, '\n']), 'marks.csv')
  const { results } = await call('/api/upload', form)
  const register = async () => {
    const { id: zoneId } = await call('/api/zones', { title: 'Park' })
    const { id } = await call('/api/gcp/upload', { fileName: 'marks.csv', fileUrl: results[0].url, zoneId })
    return { zoneId, id }
  }
  const ended = async (id: string) => {
    const done = async () => ['COMPLETED', 'FAILED'].includes((await call(`/api/gcp/upload/${id}`)).status)
    while (!(await done())) await sleep(50)
  }
  const straight = await register()
  await ended(straight.id)
  const expected = await stateOf(straight.zoneId, straight.id)
  expect(expected).toMatchObject({ status: 'COMPLETED', rowCount: ROWS + 30, processedRows: ROWS })

  const killedInTheMiddle = async () => {
    const one = await register()
    let inTheMiddle = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      while ((await createProgress(one.id)).settled < (ROWS * kill) / (KILLS + 1)) await sleep(2)
      await service.kill()
      const before = await createProgress(one.id)
      if (before.status === 'PROCESSING') inTheMiddle++
      await service.startAgain()
      // Committed rows stay committed: no run starts over.
      expect((await createProgress(one.id)).settled).toBeGreaterThanOrEqual(before.settled)
    }
    return inTheMiddle > 0 ? one : undefined
  }
  // An import may finish before the first kill; then another one is killed.
  const killed = (await killedInTheMiddle()) ?? (await killedInTheMiddle()) ?? (await killedInTheMiddle())
  if (!killed) throw new Error('No kill interrupted an import')
  await ended(killed.id)
  expect(await stateOf(killed.zoneId, killed.id)).toEqual(expected)
}, 600_000)
