import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, startProxy } from './proxy.ts'

/** An echo server. */
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.pipe(socket)
})
let proxy: FaultProxy
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
})
afterEach(async () => {
  await proxy.stop()
  await new Promise((resolve) => server.close(resolve))
})

async function open() {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  let heard = ''
  socket.on('data', (piece: Buffer) => {
    heard += piece
  })
  return { socket, heard: () => heard }
}
const closing = (socket: Socket) => new Promise((resolve) => socket.on('close', (hadError) => resolve(hadError)))

test('forwards everything without faults, including the end of a connection', async () => {
  const { socket, heard } = await open()
  socket.end('one two')
  await closing(socket)
  expect(heard()).toBe('one two')
  await expect.poll(() => proxy.open).toBe(0)
})

test('delivers nothing on a half-open connection, and delayed bytes afterwards', async () => {
  const { socket, heard } = await open()
  proxy.set({ halfOpen: true })
  socket.write('held back')
  await sleep(150)
  expect([heard(), socket.destroyed]).toEqual(['', false])
  proxy.set()
  await expect.poll(heard).toBe('held back')
  socket.destroy()
})

test('never delivers dropped bytes, and resets their connection when the fault ends', async () => {
  const { socket, heard } = await open()
  await expect.poll(() => proxy.open).toBe(1)
  proxy.set({ drop: true })
  socket.write('gone')
  await sleep(500)
  const closed = closing(socket)
  proxy.set()
  expect(await closed).toBe(true)
  expect(heard()).toBe('')
})

test('reports a reset and a refusal at once', async () => {
  const { socket } = await open()
  const closed = closing(socket)
  await expect.poll(() => proxy.open).toBe(1)
  proxy.reset()
  expect(await closed).toBe(true)
  proxy.set({ refuse: true })
  const refused = connect(proxy.port, '127.0.0.1')
  refused.on('error', () => {})
  expect(await closing(refused)).toBe(true)
})

test('keeps bytes in order with a delay and a bandwidth limit', async () => {
  const { socket, heard } = await open()
  proxy.set({ delayMs: 30, bytesPerSecond: 1000 })
  for (const word of ['a', 'b', 'c', 'd']) socket.write(word.repeat(10))
  await expect.poll(heard).toBe(['a', 'b', 'c', 'd'].map((word) => word.repeat(10)).join(''))
  socket.destroy()
})
