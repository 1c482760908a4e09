// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo, photosPath } from '../../../test/content/tags/photo-steps.ts'
import { tagPhoto } from '../../../test/content/tags/tag-photos.ts'
import { formOf } from '../../../test/multipart.ts'
import { killedService } from '../../../test/processes/killed-service.ts'

let service: Awaited<ReturnType<typeof killedService>>
beforeAll(async () => {
  service = await killedService({}, 'surveyor')
})
afterAll(() => service.stop())

const states = async () =>
  (await service.sql.query<{ state: string; attempts: number }>('select state, attempts from photo_checks')).rows

test('after a kill -9 while photos are checked, each is checked', async () => {
  const { bytes } = await tagPhoto([7])
  const headers = { authorization: `Bearer ${service.token}` }
  const form = () => formOf(photo({ bytes }), photo({ bytes }), photo({ bytes }))
  for (let i = 0; i < 4; i++) {
    const { status } = await fetch(service.url() + photosPath, { method: 'POST', headers, body: form() })
    expect(status).toBe(200)
  }
  const isBusy = async () => (await states()).some(({ state, attempts }) => state === 'pending' && attempts > 0)
  await expect.poll(isBusy, { interval: 5 }).toBe(true)
  await service.kill()
  expect((await states()).some(({ state }) => state === 'pending')).toBe(true)
  await service.startAgain()
  await expect
    .poll(async () => (await states()).map(({ state }) => state), { timeout: 240_000, interval: 250 })
    .toEqual(Array(12).fill('read'))
})
