type Deps = {
  read: () => Promise<void>
  /** Runs a reading when it is its turn among others. */
  inTurn: (read: () => Promise<void>) => Promise<void>
  /** The least time between the beginnings of two readings that `soon` asks for. */
  betweenMs: number
  /** What failed of those. */
  failed: (error: unknown) => void
}

/** Something that is read again whenever it may have changed: seldom for many changes, and one reading after another. */
export class ThrottledReader {
  readonly #parts: Deps
  /** The next reading, until it begins. */
  #next: Promise<void> | undefined
  /** The one that began last, until it ends. */
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #begunAt = Number.NEGATIVE_INFINITY

  constructor(parts: Deps) {
    this.#parts = parts
  }

  /** Reads, beginning after this call: all that is there now is seen. @throws what the reading throws */
  now(): Promise<void> {
    if (this.#next) return this.#next // not begun yet: it will see all there is now
    const { read, inTurn } = this.#parts
    const reading = this.#last.then(() =>
      inTurn(() => {
        this.#next = undefined
        this.#begunAt = performance.now()
        return read()
      }),
    )
    this.#next = reading
    this.#last = reading.catch(() => {})
    return reading
  }

  /** Reads at once, or when the time between two readings is over. */
  soon(): void {
    const { betweenMs, failed } = this.#parts
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.now().catch(failed)
      },
      Math.max(0, this.#begunAt + betweenMs - performance.now()),
    ).unref()
  }

  /** Forgets what `soon` asked for. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
