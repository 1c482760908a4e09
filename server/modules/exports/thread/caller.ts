import type { MessagePort } from 'node:worker_threads'
import type { Calls, FromThread, Piece, ToThread } from './messages.ts'

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void }

export type Caller = ReturnType<typeof callerOver>

/** Calls the main thread over the port of a job. Once the port closes, all calls fail: nobody wants the file any more. */
export function callerOver(port: MessagePort) {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let isClosed = false

  port.on('message', ({ id, value, isFailed }: ToThread) => {
    const { resolve, reject } = waiting.get(id)!
    waiting.delete(id)
    if (isFailed) reject(new Error('A call of the export failed'))
    else resolve(value as never)
  })
  port.once('close', () => {
    isClosed = true
    for (const { reject } of waiting.values()) reject(abandoned())
    waiting.clear()
  })

  const send = <Value>(call: Extract<FromThread, { id: number }>['call'], value: unknown, memory: ArrayBuffer[] = []) =>
    new Promise<Value>((resolve, reject) => {
      if (isClosed) return reject(abandoned())
      waiting.set(++last, { resolve, reject })
      port.postMessage({ id: last, call, value } satisfies FromThread, memory)
    })

  return {
    call: <Name extends keyof Calls>(name: Name, ...[value]: Parameters<Calls[Name]>) =>
      send<Awaited<ReturnType<Calls[Name]>>>(name, value),
    /** Passes a piece, whose memory is gone then. Resolves once the next one is wanted. */
    take: (piece: Piece) => send<void>('take', piece, [piece.bytes.buffer]),
  }
}

const abandoned = () => new Error('The export was abandoned')
