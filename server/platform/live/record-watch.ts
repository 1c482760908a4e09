import { hash } from 'node:crypto'
import { HttpError } from '../errors.ts'
import type { SseConnection } from './sse-connection.ts'
import { eventFrame } from './sse-frames.ts'
import { ThrottledReader } from './throttled-reader.ts'

/** A record as its reader may see it. Final: nothing more is to come of it. `version` is what tells two states of it apart; the record itself unless told. */
export type RecordState = { record: object; isFinal: boolean; version?: unknown }

type Deps = {
  /** What the change feed calls it. */
  subject: string
  /** Reads the record as its GET does, rights included. @throws the refusal of that GET, which ends the streams */
  read: () => Promise<RecordState>
  inTurn: (read: () => Promise<void>) => Promise<void>
  /** What failed, a refusal excepted. */
  failed: (error: unknown) => void
  worked: () => void
}

/** At most five times a second a record is read again because it changed. */
const betweenMs = 200
/** When it is tried again after it could not be read. */
const againMs = 1000

/** One view of a record that somebody follows: read once for all who do, and sent to those who have not seen it so. */
export class RecordWatch {
  /** Who listens, and the event each has seen last. */
  readonly listeners = new Map<SseConnection, string | undefined>()
  readonly reading: ThrottledReader
  readonly subject: string
  readonly #parts: Deps
  #shown = { id: '', isFinal: false }

  constructor(parts: Deps) {
    const { subject, inTurn, failed } = parts
    this.#parts = parts
    this.subject = subject
    const unlessRefused = (error: unknown) => {
      if (!isRefusal(error)) failed(error)
    }
    this.reading = new ThrottledReader({ read: () => this.#look(), inTurn, betweenMs, failed: unlessRefused })
  }

  /** Whether all is told to who has seen this event. */
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
