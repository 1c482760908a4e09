type Deps = {
  read: () => Promise<void>
  /** Runs a read when the concurrency limit allows it. */
  limited: (read: () => Promise<void>) => Promise<void>
  /** Shortest time between the starts of two reads requested by `soon`. */
  betweenMs: number
  /** Reports failures of those. */
  failed: (error: unknown) => void
}

/** Something that is read again when it may have changed: rarely for many changes, and one read at a time. */
export class ThrottledReader {
  readonly #parts: Deps
  /** The next read, until it starts. */
  #next: Promise<void> | undefined
  /** The last read that started, until it ends. */
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #begunAt = Number.NEGATIVE_INFINITY

  constructor(parts: Deps) {
    this.#parts = parts
  }

  /** Reads, starting after this call, so that it sees everything up to now. @throws the errors of the read */
  now(): Promise<void> {
    if (this.#next) return this.#next // not begun yet: it will see all there is now
    const { read, limited } = this.#parts
    const reading = this.#last.then(() =>
      limited(() => {
        this.#next = undefined
        this.#begunAt = performance.now()
        return read()
      }),
    )
    this.#next = reading
    this.#last = reading.catch(() => {})
    return reading
  }

  /** Reads at once, or when the time between two reads is over. */
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

  /** Cancels what `soon` requested. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
