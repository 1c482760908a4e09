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

describe('the right to serve a database', () => {
  test('is one process’s alone, unless all of them share', async () => {
    const [one, other] = [await hold(true), await hold(true)]
    await expect(hold(false)).rejects.toThrow('CAIRN_REDIS_URL')
    await one()
    await expect(hold(false)).rejects.toThrow('Another Cairn already serves this database')
    await other()
  })

  test('is refused to those who share while one serves alone, with what to set', async () => {
    const alone = await hold(false)
    await expect(hold(true)).rejects.toThrow('A Cairn without CAIRN_REDIS_URL already serves this database')
    await alone()
    await (await hold(true))()
  })
})
