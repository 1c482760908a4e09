import type { Readable, Writable } from 'node:stream'

/** A message between the service and a worker process: a small JSON head, and bytes. */
export type Frame<Head> = { head: Head; bytes: Uint8Array<ArrayBuffer> }

/** Two lengths, of the head and of the bytes, as unsigned 32-bit integers; then both. */
const LENGTHS = 8
const MAX_HEAD = 16 * 2 ** 20

/** Resolves once everything is written. @throws if the other side is gone */
export async function writeFrame(to: Writable, head: object, bytes: Uint8Array = new Uint8Array()): Promise<void> {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32LE(text.length, 0)
  lengths.writeUInt32LE(bytes.length, 4)
  // Corked into one system call, so that the other side wakes up once.
  to.cork()
  to.write(lengths)
  to.write(text)
  const taken = new Promise<void>((resolve, reject) => to.write(bytes, (error) => (error ? reject(error) : resolve())))
  to.uncork()
  await taken
}

/**
 * The frames that arrive, each in its own memory. Ends when the other side is gone, even in the middle of a frame.
 * @throws if a frame is larger than allowed
 */
export async function* readFrames<Head>(
  from: Readable,
  maxBytes: number,
): AsyncGenerator<Frame<Head>, void, undefined> {
  const chunks = from.iterator({ destroyOnReturn: false })
  let rest: Buffer = Buffer.alloc(0)

  async function take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const taken = new Uint8Array(length)
    for (let at = 0; at < length; ) {
      if (rest.length === 0) {
        const { value, done } = await chunks.next().catch(() => ({ value: undefined, done: true }))
        if (done) return undefined
        rest = value
      }
      const part = rest.subarray(0, length - at)
      taken.set(part, at)
      at += part.length
      rest = rest.subarray(part.length)
    }
    return taken
  }

  for (;;) {
    const lengths = await take(LENGTHS)
    if (!lengths) return
    const [head, bytes] = [0, 4].map((at) => Buffer.from(lengths.buffer).readUInt32LE(at)) as [number, number]
    if (head > MAX_HEAD || bytes > maxBytes) throw new Error(`a frame of ${head} and ${bytes} bytes is too large`)
    const [text, body] = [await take(head), await take(bytes)]
    if (!text || !body) return
    yield { head: JSON.parse(Buffer.from(text).toString('utf8')) as Head, bytes: body }
  }
}
