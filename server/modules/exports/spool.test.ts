import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createSpool } from './spool.ts'

const names = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('cairn-export-'))

test('a spooled file is read back completely, and is unnamed, so that none can be left behind', async () => {
  const spool = createSpool()
  const { stream, size } = await spool(async (write) => {
    await write(Buffer.from('first '))
    await write(Buffer.from('second'))
    expect(await names()).toEqual([])
  })
  expect([size, (await buffer(stream)).toString()]).toEqual([12, 'first second'])
})

test('returns 503 beyond the byte limit until a reader finishes or disconnects', async () => {
  const spool = createSpool(10)
  const fill = (bytes: number) => spool((write) => write(Buffer.alloc(bytes)))
  const first = await fill(8)
  await expect(fill(8)).rejects.toMatchObject({ status: 503 })
  first.stream.destroy()
  await new Promise((resolve) => first.stream.once('close', resolve))
  const second = await fill(8)
  await buffer(second.stream)
  const third = await fill(8)
  expect(third.size).toBe(8)
  third.stream.destroy()
})
