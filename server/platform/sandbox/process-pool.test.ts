import { expect, test } from 'vitest'
import { ANSWER, EXIT } from '../../test/processes/work-script.ts'
import { createProcessPool, ProcessPoolClosed } from './process-pool.ts'

const script = new URL('../../test/processes/work-script.ts', import.meta.url)
const keep = (idleMs = 60_000) => createProcessPool<object, { width: number }>(script, { heapMegabytes: 32, idleMs })
const answer = new Uint8Array([ANSWER])

test('a released process runs the next task, and a second one starts if both are needed', async () => {
  const processes = keep()
  const first = await processes.take()
  const second = await processes.take()
  processes.release(first)
  expect((await processes.take()).pid).toBe(first.pid)
  expect(second.pid).not.toBe(first.pid)
  await processes.close()
})

test('an ended process is not used again', async () => {
  const processes = keep()
  const first = await processes.take()
  await expect(first.ask({}, new Uint8Array([EXIT]), 60)).rejects.toThrow()
  processes.release(first)
  const second = await processes.take()
  expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
  await processes.close()
})

test('an idle process ends after a while', async () => {
  const processes = keep(10)
  const process = await processes.take()
  processes.release(process)
  expect((await process.ended).why).toBe('ended')
  await processes.close()
})

test('a process that is ending because it was idle gets no task', { tags: ['long'] }, async () => {
  const processes = keep(10)
  for (let round = 0; round < 5; round++) {
    const first = await processes.take()
    processes.release(first)
    // This timer fires right after the one that ends the process, and before its end is noticed.
    await new Promise((resolve) => setTimeout(resolve, 10))
    const second = await processes.take()
    expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
    processes.release(second)
    await second.ended
  }
  await processes.close()
})

test('a process that is about to end is not kept', async () => {
  const processes = keep()
  const first = await processes.take()
  void first.end()
  processes.release(first)
  const second = await processes.take()
  expect((await second.ask({}, answer, 60)).head.width).toBe(second.pid)
  await processes.close()
})

test('a process started under another version gets no further task, and ends', async () => {
  let version = 'old'
  const processes = createProcessPool<object, { width: number }>(script, {
    heapMegabytes: 32,
    idleMs: 60_000,
    version: async () => version,
  })
  const first = await processes.take()
  processes.release(first)
  expect(await processes.take()).toBe(first)
  processes.release(first)
  version = 'new'
  const second = await processes.take()
  expect(second.pid).not.toBe(first.pid)
  expect((await first.ended).why).toBe('ended')
  await processes.close()
})

test('closing ends every process, also one that is just starting, and starts no more', async () => {
  const processes = keep()
  const kept = await processes.take()
  const starting = processes.take()
  await processes.close()
  expect((await kept.ended).why).toBe('ended')
  expect((await (await starting).ended).why).toBe('ended')
  await expect(processes.take()).rejects.toThrow(ProcessPoolClosed)
})
