import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** Size of the chunks passed on, and how many wait for a reader before the server waits too. */
const PIECE_BYTES = 256 * 1024
const WAITING_PIECES = 4

/** The internals of `pg` below its queries (lib/connection.js). */
type Connection = {
  stream: Socket
  query: (text: string) => void
  sendCopyFromChunk: (chunk: Uint8Array) => void
  endCopyFrom: () => void
  sendCopyFail: (why: string) => void
}

/**
 * A statement of the COPY protocol ("COPY Operations" in PostgreSQL's "Frontend/Backend Protocol"), in a client's query
 * queue.
 */
abstract class CopyStatement {
  rows = 0
  protected readonly text: string
  constructor(text: string) {
    this.text = text
  }
  submit(connection: Connection): void {
    connection.query(this.text)
  }
  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
}

class CopyOut extends CopyStatement {
  #connection: Connection | undefined
  #piece = Buffer.allocUnsafe(PIECE_BYTES)
  #filled = 0
  #pieces: Buffer[] = []
  #end: { error?: Error } | undefined
  #wake = () => {}

  override submit(connection: Connection): void {
    this.#connection = connection
    super.submit(connection)
  }
  /** The chunk is the parser's own buffer, which it reuses. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk.length > PIECE_BYTES - this.#filled) this.#handOn()
    if (chunk.length > PIECE_BYTES) this.#pieces.push(Buffer.from(chunk))
    else this.#filled += chunk.copy(this.#piece, this.#filled)
    if (this.#pieces.length >= WAITING_PIECES) this.#connection!.stream.pause()
    this.#wake()
  }
  handleError(error: Error): void {
    this.#end = { error }
    this.#wake()
  }
  handleReadyForQuery(): void {
    this.#handOn()
    this.#end ??= {}
    this.#wake()
  }
  #handOn(): void {
    if (this.#filled > 0) this.#pieces.push(this.#piece.subarray(0, this.#filled))
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES)
    this.#filled = 0
  }

  async *read(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece) {
        if (this.#pieces.length < WAITING_PIECES) this.#connection?.stream.resume()
        yield piece
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error
        return
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}

class CopyIn extends CopyStatement {
  readonly done: Promise<void>
  #settle!: { resolve: () => void; reject: (error: Error) => void }
  #error: Error | undefined
  readonly #bytes: AsyncIterable<Uint8Array>

  constructor(text: string, bytes: AsyncIterable<Uint8Array>) {
    super(text)
    this.#bytes = bytes
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }
  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection)
  }
  async #send(connection: Connection): Promise<void> {
    try {
      for await (const bytes of this.#bytes) {
        if (this.#error) return
        connection.sendCopyFromChunk(bytes)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      this.#error ??= error as Error
      connection.sendCopyFail((error as Error).message)
    }
  }
  handleError(error: Error): void {
    this.#error ??= error
    // After a lost connection nothing else follows; after a refusal a second rejection has no effect.
    this.#settle.reject(this.#error)
  }
  handleReadyForQuery(): void {
    if (this.#error) this.#settle.reject(this.#error)
    else this.#settle.resolve()
  }
}

/**
 * Streams the output of `COPY … TO STDOUT` in chunks of up to 256 KiB, with backpressure. Read it to its end, or close
 * the client.
 */
export function copyOut(
  client: pg.ClientBase,
  statement: string,
): { bytes: AsyncIterable<Buffer>; rows: () => number } {
  const copy = client.query(new CopyOut(statement) as unknown as pg.Submittable) as unknown as CopyOut
  return { bytes: copy.read(), rows: () => copy.rows }
}

/**
 * Sends bytes to `COPY … FROM STDIN`. @returns the number of rows @throws the error of PostgreSQL or of the source;
 * then nothing is stored
 */
export async function copyIn(
  client: pg.ClientBase,
  statement: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const copy = new CopyIn(statement, bytes)
  client.query(copy as unknown as pg.Submittable)
  await copy.done
  return copy.rows
}
