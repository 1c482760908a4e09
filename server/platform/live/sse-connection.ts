import { Readable } from 'node:stream'

/** What waits for a reader at most. Who reads more slowly than that is cut off, and can come back and resume. */
const waitingBytesAtMost = 1024 * 1024
/** How long an ended stream may take to be read to its end. */
const endMs = 1000

/** One open event stream. */
export class SseConnection {
  /** What the answer is read from. It closes with the connection. */
  readonly stream = new Readable({ read() {} })
  #isEnded = false

  /** Sends a frame; cuts off a reader that has fallen too far behind. */
  send(frame: Buffer): void {
    if (this.#isEnded || this.stream.destroyed) return
    if (this.stream.readableLength > waitingBytesAtMost) this.stream.destroy()
    else this.stream.push(frame)
  }

  /** Ends the stream; the connection of a reader that does not take the rest is closed. */
  end(): void {
    if (this.#isEnded || this.stream.destroyed) return
    this.#isEnded = true
    this.stream.push(null)
    setTimeout(() => this.stream.destroy(), endMs).unref()
  }
}
