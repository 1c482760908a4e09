// @module-tag long
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { photo, photoSteps } from '../../test/content/tags/photo-steps.ts'
import { checkedPhotos, tagPhoto } from '../../test/content/tags/tag-photos.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('photos check reads photos that were never checked, lists what to correct, and exits with 3 for a mismatch', async () => {
  const { newGcp, send, maker } = await photoSteps(service, buildersOn(service))
  const { id } = await newGcp({ aprilTagId: 7 })
  const bytes = [(await tagPhoto([7])).bytes, (await tagPhoto([9])).bytes]
  await send([photo({ name: 'good.jpg', bytes: bytes[0]! }), photo({ name: 'bad.jpg', bytes: bytes[1]! })], {
    gcpId: id,
  })
  await checkedPhotos(maker, id)
  // As in a database of a version that did not check photos.
  await sqlOn(service)('delete from photo_checks')

  const { code, out, err } = await runCommandOn(service, ['photos', 'check', '--json'])
  expect({ code, err }).toEqual({ code: 3, err: '' })
  const notes = ['The photo shows tag 9, but the point has tag 7: correct one of them']
  expect({ code, record: JSON.parse(out) }).toEqual({
    code: 3,
    record: {
      checked: 2,
      match: 1,
      mismatch: 1,
      none: 0,
      unreadable: 0,
      pending: 0,
      notes: [{ gcpId: id, fileName: 'bad.jpg', tagCheck: 'mismatch', notes }],
    },
  })
  const again = await runCommandOn(service, ['photos', 'check'])
  expect(again.out).toContain('0 photos checked. Photos of points: 1 match, 1 mismatch')
  expect(again.out).toContain(`  point ${id}, bad.jpg: mismatch. ${notes[0]}`)
})
