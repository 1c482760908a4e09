import { hash } from 'node:crypto'
import { HttpError } from '../errors.ts'
import type { SseConnection } from './sse-connection.ts'
import { eventFrame } from './sse-frames.ts'
import { ThrottledReader } from './throttled-reader.ts'

/**
 * A record as its reader may see it. Final: it will not change any more. `version` distinguishes two states; it is the
 * record itself by default.
 */
export type RecordState = { record: object; isFinal: boolean; version?: unknown }

type Deps = {
  /** Its subject in the change feed. */
  subject: string
  /** Reads the record as its GET does, permissions included. @throws the error of that GET, which ends the streams */
  read: () => Promise<RecordState>
  limited: (read: () => Promise<void>) => Promise<void>
  /** Reports failures other than refusals. */
  failed: (error: unknown) => void
  worked: () => void
}

/** A changing record is read at most five times a second. */
const betweenMs = 200
/** Delay before a failed read is retried. */
const againMs = 1000

/** One view of a followed record: read once for all followers, and sent to those that have not seen the state. */
export class RecordWatch {
  /** The connections, and the last event each has seen. */
  readonly listeners = new Map<SseConnection, string | undefined>()
  readonly reading: ThrottledReader
  readonly subject: string
  readonly #parts: Deps
  #shown = { id: '', isFinal: false }

  constructor(parts: Deps) {
    const { subject, limited, failed } = parts
    this.#parts = parts
    this.subject = subject
    const unlessRefused = (error: unknown) => {
      if (!isRefusal(error)) failed(error)
    }
    this.reading = new ThrottledReader({ read: () => this.#look(), limited, betweenMs, failed: unlessRefused })
  }

  /** Whether nothing follows for a client that has seen this event. */
  isOverAfter(eventId: string | undefined): boolean {
    return this.#shown.isFinal && this.#shown.id === eventId
  }

  async #look(): Promise<void> {
    const { read, worked } = this.#parts
    try {
      const { record, isFinal, version = record } = await read()
      worked()
      const id = hash('sha256', JSON.stringify(version), 'base64url').slice(0, 16)
      this.#shown = { id, isFinal }
      const frame = eventFrame({ id, data: JSON.stringify(record) })
      for (const [listener, seen] of this.listeners) {
        if (seen !== id) listener.send(frame)
        this.listeners.set(listener, id)
        if (isFinal) listener.end()
      }
    } catch (error) {
      if (isRefusal(error)) for (const listener of this.listeners.keys()) listener.end()
      else setTimeout(() => this.listeners.size > 0 && this.reading.soon(), againMs).unref()
      throw error
    }
  }
}

const isRefusal = (error: unknown) => error instanceof HttpError && error.status < 500
