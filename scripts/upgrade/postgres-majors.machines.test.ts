import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dedicatedClient } from '../../server/platform/database/locks/dedicated-client.ts'
import { type Receiver, startReceiver } from '../../server/test/network/receiver.ts'
import { newDatabase } from '../../server/test/processes/new-database.ts'
import { thisVersion } from './checkout.ts'
import { onRestored, prepare, type Scenario, wholeIn } from './scenario.ts'
import { command } from './service.ts'

let receiver: Receiver
let scenario: Scenario
let external: Awaited<ReturnType<typeof newDatabase>>
beforeAll(async () => {
  receiver = await startReceiver()
  const here = await thisVersion()
  scenario = await prepare(here, here, receiver)
  external = await newDatabase()
})
afterAll(async () => {
  await external.drop()
  await scenario.remove()
  await receiver.stop()
})

async function majorOf(url: string): Promise<string> {
  const client = dedicatedClient(url, 'cairn-upgrade-test')
  await client.connect()
  const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
  await client.end()
  return String(rows[0].major)
}

test('a backup moves everything from the bundled PostgreSQL 18 to PostgreSQL 15, and from there back to 18', async () => {
  const { place, backup, earlier: by } = scenario
  const bundled = (await readFile(join(place.dataDir, 'database', 'postgres', 'PG_VERSION'), 'utf8')).trim()
  expect([bundled, await majorOf(external.url)]).toEqual(['18', '15'])

  await onRestored(scenario, { backup, by, databaseUrl: external.url }, async (on15) => {
    expect(await wholeIn(scenario, by, on15)).toEqual([])
    await command(by, on15, ['backup', backup, '--force'])
    await onRestored(scenario, { backup, by }, async (on18) => {
      expect(await wholeIn(scenario, by, on18)).toEqual([])
    })
  })
})
