import { afterAll, beforeAll, test } from 'vitest'
import { expectCountedSegments } from '../../../test/scoring/segment-model.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test(
  'every rank in a segment is that of counting, after scores, attributes, standings and declarations at once',
  {
    tags: ['long'],
  },
  () => expectCountedSegments(service),
)
