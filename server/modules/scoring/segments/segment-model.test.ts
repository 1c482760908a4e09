import { afterAll, test } from 'vitest'
import { expectCountedSegments } from '../../../test/scoring/segment-model.ts'
import { startService } from '../../../test/service.ts'

const service = await startService()
afterAll(() => service.stop())

test(
  'every rank in a segment is that of counting, after scores, attributes, standings and declarations at once',
  {
    tags: ['long'],
  },
  () => expectCountedSegments(service),
)
