// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soupGlb } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { killedService } from '../../test/processes/killed-service.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 2)
/** Scans sent before each kill. */
const SCANS = 6
const PATH = '/api/v1/user/scans'

let service: Awaited<ReturnType<typeof killedService>>
beforeAll(async () => {
  service = await killedService({}, 'scanner')
})
afterAll(() => service.stop())

/** @returns the scan's id, or nothing if the process was killed before it answered. */
async function send(name: string, bytes: Uint8Array): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${service.token}` }
    const answer = await fetch(service.url() + PATH, { method: 'POST', headers, body: formOf({ name, bytes }) })
    return ((await answer.json()) as { id: string }).id
  } catch {
    return undefined
  }
}

const statuses = async () => (await service.sql.query<{ status: string }>('select status from scans')).rows

/** A different delay each time: early kills hit the start of a scan, late ones the writing of its preview. */
async function untilMoment(kill: number) {
  const deadline = Date.now() + 30_000
  while (!(await statuses()).some(({ status }) => status === 'PROCESSING') && Date.now() < deadline) await sleep(5)
  await sleep((kill % 4) * 250)
}

test('after a kill -9 during processing, every acknowledged scan ends COMPLETED once, and no object is left over', {
  timeout: 360_000 + (KILLS + 4) * 60_000,
}, async () => {
  const acknowledged = new Set<string>()
  let broken = 0
  let kill = 0
  // All scans may be done before the kill; then there are more kills.
  for (; kill < KILLS || (broken === 0 && kill < KILLS + 4); kill++) {
    for (let at = 0; at < SCANS; at++) {
      const id = await send(`${kill}-${at}.glb`, soupGlb(5_000))
      if (id) acknowledged.add(id)
    }
    await untilMoment(kill)
    if ((await statuses()).some(({ status }) => status === 'PROCESSING')) broken++
    await service.kill()
    await service.startAgain()
  }
  expect(broken).toBeGreaterThan(0)
  expect(acknowledged.size).toBe(kill * SCANS)

  const unfinished = async () => (await statuses()).filter(({ status }) => status !== 'COMPLETED')
  await expect.poll(unfinished, { timeout: 240_000, interval: 250 }).toEqual([])
  const converting = async () => (await service.sql.query(`select from conversions where status <> 'COMPLETED'`)).rows
  await expect.poll(converting, { interval: 250 }).toEqual([])
  const { rows } = await service.sql.query('select id, preview_key, triangles::int, run from scans')
  expect(new Set(rows.map(({ id }) => id))).toEqual(acknowledged)
  for (const { preview_key, triangles, run } of rows)
    expect({ preview_key, triangles, run }).toEqual({ preview_key: expect.any(String), triangles: 5_000, run: null })

  await service.kill('SIGTERM')
  await service.inThisProcess(async (app) => {
    // A kill between writing a preview and its record leaves an object without a record.
    await app.removeOrphans({ olderThanMs: 0 })
    const kept: string[] = []
    for await (const { key } of app.objects.list()) kept.push(key)
    // Each scan has a file, a preview and a USDZ.
    expect(kept.length).toBe(3 * rows.length)
    for (const { preview_key } of rows) expect(kept).toContain(preview_key)
  })
})
