import { afterEach, describe, expect, test } from 'vitest'
import { ANSWER, BLOCK, EXIT, FILL, LOOP, THROW } from '../../../test/processes/work-script.ts'
import { type Converter, ConverterClosed, createConverter } from './converter.ts'

const script = new URL('../../../test/processes/work-script.ts', import.meta.url)

let converter: Converter
const open = (options: { size?: number; seconds?: number; idleMs?: number } = {}) => {
  converter = createConverter({ maxBytes: 1000, seconds: 20, size: 1, heapMegabytes: 32, script, ...options })
  return converter
}
afterEach(() => converter.close())

const model = (what: number) => async () => new Uint8Array([what])
const convert = (what: number) => converter.convert(model(what))

describe('the converter', () => {
  test('a process stays for the next model', async () => {
    open()
    const [first, second] = [await convert(ANSWER), await convert(ANSWER)]
    expect(second.bytes).toEqual(first.bytes)
  })

  test('a process without work ends after a while, and its memory with it', async () => {
    open({ idleMs: 1 })
    const first = await convert(ANSWER)
    await expect.poll(async () => (await convert(ANSWER)).bytes).not.toEqual(first.bytes)
  })

  test.each([
    ['throws', THROW],
    ['ends', EXIT],
    ['fills its memory', FILL],
  ])('a process that %s fails its own model only: the next is converted by a new one', async (_, what) => {
    open()
    await expect(convert(what)).rejects.toMatchObject({ code: 'crashed', message: expect.stringContaining('stopped') })
    expect((await convert(ANSWER)).bytes).toHaveLength(4)
  })

  test('of a process that is killed from outside the model is not to blame: it may be sent again', async () => {
    open()
    const pid = Buffer.from((await convert(ANSWER)).bytes).readUInt32LE()
    const broken = expect(convert(LOOP)).rejects.toMatchObject({ status: 503, message: /interrupted/ })
    process.kill(pid, 'SIGKILL')
    await broken
    expect((await convert(ANSWER)).bytes).toHaveLength(4)
  })

  test('a model that takes too long is stopped, and the next is converted', { tags: ['long'] }, async () => {
    open({ seconds: 5 })
    await expect(convert(LOOP)).rejects.toMatchObject({ code: 'timed_out' })
    expect((await convert(ANSWER)).bytes).toHaveLength(4)
  })

  test('no more models are loaded at once than there are processes, and a check does not wait for conversions', async () => {
    open({ size: 2 })
    let loaded = 0
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const held = async () => {
      loaded++
      await gate
      return new Uint8Array([ANSWER])
    }
    const all = Promise.all(Array.from({ length: 6 }, () => converter.convert(held)))
    await converter.check(model(ANSWER))
    expect(loaded).toBe(2)
    go()
    expect(await all).toHaveLength(6)
    expect(loaded).toBe(6)
  })

  test('a model that cannot be loaded costs no process', async () => {
    open()
    await expect(converter.convert(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect((await convert(ANSWER)).bytes).toHaveLength(4)
  })

  test('a process deep in native code holds up neither the next model nor closing', { tags: ['long'] }, async () => {
    open({ seconds: 5 })
    await expect(convert(BLOCK)).rejects.toMatchObject({ code: 'timed_out' })
    expect((await convert(ANSWER)).bytes).toHaveLength(4)
    await converter.close()

    open()
    const running = expect(convert(BLOCK)).rejects.toBeInstanceOf(ConverterClosed)
    await converter.check(model(ANSWER))
    await converter.close()
    await running
  })

  test('closing breaks off what runs and what waits, and blames no model', async () => {
    open()
    const all = Promise.allSettled([convert(LOOP), convert(ANSWER)])
    await converter.check(model(ANSWER))
    await converter.close()
    for (const outcome of await all) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ConverterClosed)
    await expect(convert(ANSWER)).rejects.toBeInstanceOf(ConverterClosed)
  })
})
