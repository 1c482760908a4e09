import { expect, test } from 'vitest'
import { ANSWER, EXIT } from '../../test/processes/work-script.ts'
import { createProcessPool, ProcessPoolClosed } from './process-pool.ts'

const script = new URL('../../test/processes/work-script.ts', import.meta.url)
const keep = (idleMs = 60_000) => createProcessPool<object, { width: number }>(script, { heapMegabytes: 32, idleMs })
const answer = new Uint8Array([ANSWER])

test('a process that is given back does the next task too, and a second one starts beside it when both are needed', async () => {
  const processes = keep()
  const first = await processes.take()
  const second = await processes.take()
  processes.giveBack(first)
  expect((await processes.take()).pid).toBe(first.pid)
  expect(second.pid).not.toBe(first.pid)
  await processes.close()
})

test('one that ended is not handed out again', async () => {
  const processes = keep()
  const first = await processes.take()
  await expect(first.ask({}, new Uint8Array([EXIT]), 60)).rejects.toThrow()
  processes.giveBack(first)
  const second = await processes.take()
  expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
  await processes.close()
})

test('without work a process ends after a while', async () => {
  const processes = keep(10)
  const process = await processes.take()
  processes.giveBack(process)
  expect((await process.ended).why).toBe('ended')
  await processes.close()
})

test('a process that ends because it had no work is not handed out while it does', { tags: ['long'] }, async () => {
  const processes = keep(10)
  for (let round = 0; round < 5; round++) {
    const first = await processes.take()
    processes.giveBack(first)
    // This timer is due right after the one that ends it, and before anybody hears that it is gone.
    await new Promise((resolve) => setTimeout(resolve, 10))
    const second = await processes.take()
    expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
    processes.giveBack(second)
    await second.ended
  }
  await processes.close()
})

test('a process that is about to end is not kept', async () => {
  const processes = keep()
  const first = await processes.take()
  void first.end()
  processes.giveBack(first)
  const second = await processes.take()
  expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
  await processes.close()
})

test('a process that started under another version takes no further task, and ends', async () => {
  let version = 'old'
  const processes = createProcessPool<object, { width: number }>(script, {
    heapMegabytes: 32,
    idleMs: 60_000,
    version: async () => version,
  })
  const first = await processes.take()
  processes.giveBack(first)
  expect(await processes.take()).toBe(first)
  processes.giveBack(first)
  version = 'new'
  const second = await processes.take()
  expect(second.pid).not.toBe(first.pid)
  expect((await first.ended).why).toBe('ended')
  await processes.close()
})

test('closing ends every process, also one that is just being started, and no more are begun', async () => {
  const processes = keep()
  const kept = await processes.take()
  const starting = processes.take()
  await processes.close()
  expect((await kept.ended).why).toBe('ended')
  expect((await (await starting).ended).why).toBe('ended')
  await expect(processes.take()).rejects.toThrow(ProcessPoolClosed)
})
