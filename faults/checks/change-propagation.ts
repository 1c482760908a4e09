import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, expectStatus } from '../load/client.ts'
import type { Findings } from '../row.ts'

/** The time limit for change propagation. The change feed is read four times a second. */
const REACH_MS = 10_000
let made = 0

/**
 * Creates and deletes a point at each process and checks that all processes see both changes and that no pin index had
 * to be corrected.
 * @returns the longest propagation time in milliseconds
 */
export async function checkChangePropagation(processes: Client[], token: string, wrong: Findings): Promise<number> {
  let longest = 0
  for (const [at, maker] of processes.entries()) {
    const place = await createTestPoint(maker, token)
    longest = Math.max(longest, await place.seenBy(processes, 1, `made at ${at}`, wrong))
    await place.remove()
    longest = Math.max(longest, await place.seenBy(processes, 0, `deleted at ${at}`, wrong))
  }
  for (const [at, client] of processes.entries()) {
    const { body } = await expectStatus(client.send({ method: 'GET', path: '/metrics' }))
    const mismatches = Number(/^cairn_pin_index_mismatches (\d+)/m.exec(body)?.[1])
    if (mismatches !== 0)
      wrong.add('the pin index of a process differed from the database', `process ${at}: ${mismatches}`)
  }
  return longest
}

/** Creates a point away from those of the writers. */
export async function createTestPoint(maker: Client, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const position = { lat: 1.5 + ++made / 1000, lon: -0.5, h: 0 }
  const body = {
    title: `Reach ${process.pid} ${made}`,
    gcpType: 'SINGLE',
    geoPose: { position, angles: { yaw: 0, pitch: 0, roll: 0 } },
  }
  const { gcp } = (await expectStatus(maker.send({ method: 'POST', path: '/api/gcp', headers, body }))).body
  const path = `/api/location/pins?lat=${position.lat}&lon=${position.lon}&radius=10`
  return {
    /** Deletes the point at the same process. */
    remove: () => expectStatus(maker.send({ method: 'DELETE', path: `/api/gcp/${gcp.id}`, headers })),

    /**
     * Polls each process until it reports this number of pins (0 or 1).
     * @param what the event, for findings
     * @returns the time it took in milliseconds
     */
    async seenBy(processes: Client[], count: number, what: string, wrong: Findings): Promise<number> {
      const startedAt = performance.now()
      for (const [reader, client] of processes.entries()) {
        for (;;) {
          const { body } = await expectStatus(client.send({ method: 'GET', path, headers }))
          const pins = (Array.isArray(body) ? body : body.pins) as unknown[]
          if (pins.length === count) break
          if (performance.now() - startedAt > REACH_MS) {
            wrong.add(`process ${reader} did not see a point ${what}`, `${pins.length} there`)
            break
          }
          await sleep(50)
        }
      }
      return performance.now() - startedAt
    },
  }
}
