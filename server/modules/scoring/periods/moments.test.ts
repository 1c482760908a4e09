import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const moment = async (call: string, values: unknown[]) =>
  ((await client.query(`select ${call} as at`, values)).rows[0].at as Date).toISOString()

test.each([
  ['on a usual day', '2026-07-01 00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  [
    'where clocks skip midnight: the moment of the change',
    '2026-04-24 00:00',
    'Africa/Cairo',
    '2026-04-23T22:00:00.000Z',
  ],
  [
    'where clocks show midnight twice: the first time',
    '2026-11-01 00:00',
    'America/Havana',
    '2026-11-01T04:00:00.000Z',
  ],
  ['where midnight was put back: the only one', '2018-02-18 00:00', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
  ['where half an hour is put back', '2026-04-05 01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
])('a local time is found %s', async (_case, local, zone, expected) => {
  expect(await moment('first_moment($1, $2)', [local, zone])).toBe(expected)
})

test.each([
  [
    'a week across the end of daylight saving time',
    '2026-10-20T16:00:00Z',
    1,
    'week',
    'Europe/Berlin',
    '2026-10-27T17:00:00.000Z',
  ],
  ['a month from the 31st: the last day', '2026-01-31T12:00:00Z', 1, 'month', 'UTC', '2026-02-28T12:00:00.000Z'],
  ['two months from the 31st: the 31st again', '2026-01-31T12:00:00Z', 2, 'month', 'UTC', '2026-03-31T12:00:00.000Z'],
  ['twelve months from a leap day', '2028-02-29T00:00:00Z', 12, 'month', 'UTC', '2029-02-28T00:00:00.000Z'],
])('a season repeats %s', async (_case, from, times, every, zone, expected) => {
  expect(await moment('season_moment($1, $2, $3, $4)', [from, times, every, zone])).toBe(expected)
})
