import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify'

type Arguments = Parameters<FastifyBaseLogger['info']>

/**
 * A request's logger, created on first use: most requests log nothing themselves, and creating it would add a tenth to
 * the cost of a small response.
 */
export const requestLog: NonNullable<FastifyServerOptions['childLoggerFactory']> = (log, bindings, options) =>
  new RequestLog(() => log.child(bindings, options), log) as unknown as FastifyBaseLogger

class RequestLog {
  readonly #make: () => FastifyBaseLogger
  readonly #of: FastifyBaseLogger
  #made: FastifyBaseLogger | undefined

  constructor(make: () => FastifyBaseLogger, of: FastifyBaseLogger) {
    this.#make = make
    this.#of = of
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make()
    return this.#made
  }

  get level() {
    return (this.#made ?? this.#of).level
  }
  set level(level) {
    this.#log.level = level
  }

  trace(...said: Arguments) {
    this.#log.trace(...said)
  }
  debug(...said: Arguments) {
    this.#log.debug(...said)
  }
  info(...said: Arguments) {
    this.#log.info(...said)
  }
  warn(...said: Arguments) {
    this.#log.warn(...said)
  }
  error(...said: Arguments) {
    this.#log.error(...said)
  }
  fatal(...said: Arguments) {
    this.#log.fatal(...said)
  }
  silent(...said: Arguments) {
    this.#log.silent(...said)
  }
  child(...how: Parameters<FastifyBaseLogger['child']>) {
    return this.#log.child(...how)
  }
}
