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

  trace(...args: Arguments) {
    this.#log.trace(...args)
  }
  debug(...args: Arguments) {
    this.#log.debug(...args)
  }
  info(...args: Arguments) {
    this.#log.info(...args)
  }
  warn(...args: Arguments) {
    this.#log.warn(...args)
  }
  error(...args: Arguments) {
    this.#log.error(...args)
  }
  fatal(...args: Arguments) {
    this.#log.fatal(...args)
  }
  silent(...args: Arguments) {
    this.#log.silent(...args)
  }
  child(...how: Parameters<FastifyBaseLogger['child']>) {
    return this.#log.child(...how)
  }
}
