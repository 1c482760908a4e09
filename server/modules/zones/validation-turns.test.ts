import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.stop())

const POSITIONS = 2_000
const round = Array.from({ length: POSITIONS }, (_, i) => {
  const angle = (2 * Math.PI * i) / POSITIONS
  return [10 + Math.cos(angle), 50 + Math.sin(angle)]
})
const boundary = { type: 'Polygon', coordinates: [[...round, round[0]]] }

test('while a boundary is validated, other requests are answered each time a stretch of the work has passed', async () => {
  const user = await buildersOn(service).user()
  // On a clock on which each step of the work takes a whole stretch: how fast the machine is does not matter.
  const now = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    passed += 16
    return now() + passed
  })
  let isAnswered = false
  const created = user.post('/api/zones', { title: 'Round', boundary }).finally(() => {
    isAnswered = true
  })
  let others = 0
  for (; !isAnswered; others++) expect((await service.anonymous.get('/healthz')).status).toBe(200)
  expect((await created).status).toBe(201)
  // A request takes some turns of the event loop, of which there are two a step. Reading the body and storing the zone leave a few dozen.
  expect(others).toBeGreaterThan(POSITIONS / 4)
})
