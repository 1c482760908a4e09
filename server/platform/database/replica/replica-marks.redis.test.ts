import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { startRedis } from '../../../test/programs/redis/redis-server.ts'
import { createWriteMarks } from './replica-marks.ts'

/** The marks of a process whose replica has replayed up to position 0. */
const marksOn = (redis: Redis) => createWriteMarks({ redis, replayed: () => 0 })

test('the position of a caller is unknown if Redis lost its data: emptied, or restarted with saved data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-redis-saved-'))
  const settings = ['--dir', folder, '--save', '3600 1000000']
  let server = await startRedis({ settings })
  let client = new Redis(server.url)
  try {
    const [one, other] = [marksOn(client), marksOn(client)]
    expect(await other.of(['user ada'])).toBeUndefined()
    // As if Redis had been up for long.
    for (const name of await client.keys('cairn:{writes-*}:since')) {
      const [run, since] = (await client.get(name))!.split(' ')
      await client.set(name, `${run} ${Number(since) - 1000}`)
    }
    expect(await other.of(['user ada'])).toBe(0)
    await client.save()
    expect(await one.mark(['user ada'], 500)).toBe(true)
    expect(await other.of(['user ada'])).toBe(500)

    client.disconnect()
    await server.stop()
    server = await startRedis({ port: server.port, settings })
    client = new Redis(server.url)
    expect(await marksOn(client).of(['user ada'])).toBeUndefined()

    await client.flushall()
    expect(await marksOn(client).of(['user ada'])).toBeUndefined()
  } finally {
    client.disconnect()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
