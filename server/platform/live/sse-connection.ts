import { Readable } from 'node:stream'

/** Maximum bytes that wait for a reader. A slower reader is disconnected, and can reconnect and resume. */
const waitingBytesAtMost = 1024 * 1024
/** How long an ended stream may take to be read to its end. */
const endMs = 1000

/** One open event stream. */
export class SseConnection {
  /** The body of the response. It closes with the connection. */
  readonly stream = new Readable({ read() {} })
  #isEnded = false

  /** Sends a frame; disconnects a reader that has fallen too far behind. */
  send(frame: Buffer): void {
    if (this.#isEnded || this.stream.destroyed) return
    if (this.stream.readableLength > waitingBytesAtMost) this.stream.destroy()
    else this.stream.push(frame)
  }

  /** Ends the stream, and closes the connection of a reader that does not take the rest. */
  end(): void {
    if (this.#isEnded || this.stream.destroyed) return
    this.#isEnded = true
    this.stream.push(null)
    setTimeout(() => this.stream.destroy(), endMs).unref()
  }
}
