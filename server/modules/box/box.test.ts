import { afterAll, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { startService } from '../../test/service.ts'

const service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '77' })
const given = givenOn(service)
afterAll(() => service.stop())

const box = '/api/v1/box'

test('the box is for ops and admins: 401 without a session, 403 for others', async () => {
  const ops = await given.user({ roles: ['ops'] })
  for (const path of ['health', 'jobs', 'limits']) {
    expect(await service.anonymous.get(`${box}/${path}`)).toMatchObject({ status: 401 })
    expect(await (await given.user()).get(`${box}/${path}`)).toMatchObject({ status: 403 })
    expect(await ops.get(`${box}/${path}`)).toMatchObject({ status: 200 })
  }
})

test('health tells of every part, of the disk, the database, the processes and the queues', async () => {
  const { body } = await (await given.user({ roles: ['ops'] })).get(`${box}/health`)
  expect(body.parts).toHaveLength(6)
})
