import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { holdSingleProcess } from './single-process.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const hold = (isShared: boolean) =>
  holdSingleProcess(database.url, {
    isShared,
    onLost: (sentence) => {
      throw new Error(sentence)
    },
  })

describe('the lock to serve a database', () => {
  test('belongs to one process, unless all of them share state', { tags: ['long'] }, async () => {
    const [one, other] = [await hold(true), await hold(true)]
    await expect(hold(false)).rejects.toThrow('CAIRN_REDIS_URL')
    await one()
    await expect(hold(false)).rejects.toThrow('Another Cairn already serves this database')
    await other()
  })

  test('is refused to processes with Redis while one without serves, with the setting to change', async () => {
    const alone = await hold(false)
    await expect(hold(true)).rejects.toThrow('A Cairn without CAIRN_REDIS_URL already serves this database')
    await alone()
    await (await hold(true))()
  })
})
