import type { Socket } from 'node:net'
import { fromPlain, type PlainError, toPlain } from './plain-error.ts'

/** What the other process may ask, by name. */
export type Answers = Map<string, (...args: never[]) => unknown>

/** The process at the other end of a connection. */
export type Peer = ReturnType<typeof createPeer>

/** No answer came, because the connection ended or the time was over: whether the other process did what it was asked is unknown. */
export class NoAnswer extends Error {}

type Message =
  | { is: 'question'; id: number; name: string; args: unknown[] }
  | { is: 'answer'; id: number; value: unknown }
  | { is: 'error'; id: number; error: PlainError }
  | { is: 'event'; name: string; args: unknown[] }

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

/** A process that has not read this much is stuck: its connection is closed. */
const MAX_UNREAD_BYTES = 64 * 2 ** 20

/** An unsigned 32-bit integer: the bytes of JSON that follow. JSON takes a fifth of the time of structured clones. */
const LENGTH = 4

/**
 * Questions, answers and events between two processes of this machine. Messages of one turn of the event loop are sent
 * together, and arrive in the order in which they were sent.
 */
export function createPeer(socket: Socket, answers: Answers) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let unsent: Message[] = []

  function send(message: Message): void {
    if (unsent.length === 0) setImmediate(flush)
    unsent.push(message)
  }

  function flush(): void {
    const messages = unsent
    unsent = []
    if (!socket.writable) return
    const bytes = Buffer.from(JSON.stringify(messages))
    const length = Buffer.alloc(LENGTH)
    length.writeUInt32LE(bytes.length)
    socket.cork()
    socket.write(length)
    socket.write(bytes)
    socket.uncork()
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy()
  }

  async function answer(id: number, name: string, args: unknown[]): Promise<void> {
    try {
      send({ is: 'answer', id, value: await answerOf(name)(...(args as never[])) })
    } catch (error) {
      send({ is: 'error', id, error: toPlain(error) })
    }
  }

  function answerOf(name: string) {
    const found = answers.get(name)
    if (!found) throw new Error(`Another process asked for "${name}", which this one does not answer`)
    return found
  }

  function receive(message: Message): void {
    if (message.is === 'question') return void answer(message.id, message.name, message.args)
    if (message.is === 'event') return void answers.get(message.name)?.(...(message.args as never[]))
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    clearTimeout(asked?.timer)
    if (message.is === 'answer') asked?.resolve(message.value as never)
    else asked?.reject(fromPlain(message.error))
  }

  socket.on(
    'data',
    splitter((bytes) => (JSON.parse(bytes.toString()) as Message[]).forEach(receive)),
  )
  socket.on('error', () => {}) // 'close' follows
  socket.once('close', () => {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(new NoAnswer('The other process ended before it answered'))
    }
    waiting.clear()
  })

  return {
    /** @param ms to wait for the answer @throws what the other process throws, or {@link NoAnswer} */
    ask<T>(name: string, args: unknown[], ms: number): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (socket.destroyed) return reject(new NoAnswer('The other process has ended'))
        const id = ++lastId
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new NoAnswer(`The other process did not answer "${name}" within ${ms} ms`))
        }, ms)
        waiting.set(id, { resolve, reject, timer })
        send({ is: 'question', id, name, args })
      })
    },

    /** Sends what needs no answer. It is lost if the connection ends. */
    notify: (name: string, args: unknown[]): void => send({ is: 'event', name, args }),

    close: (): void => void socket.destroy(),
  }
}

/** Collects chunks and calls `take` with each whole message. */
function splitter(take: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let length = 0
  let needed = LENGTH
  return (chunk) => {
    chunks.push(chunk)
    length += chunk.length
    while (length >= needed) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      const end = LENGTH + bytes.readUInt32LE()
      if (length >= end) take(bytes.subarray(LENGTH, end))
      const rest = length >= end ? bytes.subarray(end) : bytes
      chunks = [rest]
      length = rest.length
      needed = length >= LENGTH ? LENGTH + rest.readUInt32LE() : LENGTH
    }
  }
}
