import type { FastifyInstance } from 'fastify'
import { foundPins } from '../modules/pins/memory/found-pins.ts'
import { heldStore } from '../modules/pins/memory/held-store.ts'
import { indexCheck } from '../modules/pins/memory/index-check.ts'
import { pinIndex } from '../modules/pins/memory/pin-index.ts'
import { pinSearch } from '../modules/pins/search/pin-search.ts'
import { pinsAround } from '../modules/pins/search/pins-around.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Platform } from '../platform/parts.ts'

const CHECK_MS = 10_000
/** Whoever reads here that an import is done looks for its pins next. */
export const IMPORT = '/api/gcp/upload/:id'

/** The search for pins around a point: by an index in this process, and by the database. */
export function placeIndexArea({ config, database, reads, changes, ownFiles, metrics, log }: Platform) {
  const store = heldStore(database.pool, ownFiles)
  const search = pinSearch(reads.database.pool, reads.searches.pool, ownFiles)
  const index = pinIndex({ store, changes, bytes: config.CAIRN_PIN_INDEX_BYTES, log })
  const found = foundPins({ index, store, bytes: config.CAIRN_PIN_ANSWER_BYTES })
  const check = indexCheck({
    index,
    store,
    search,
    changes,
    onMismatch: (wanted) => log.error({ wanted }, 'the index of pins differs from the database, and is loaded anew'),
  })

  const searched = metrics.counter('cairn_pin_searches_total', 'Searches for pins, by who answered them', ['by'])
  metrics.gauge(
    'cairn_pin_index_pins',
    'Pins searched in memory; 0 while the database is asked',
    () => index.pins?.size ?? 0,
  )
  metrics.gauge('cairn_pin_index_bytes', 'Memory of the index of pins', () => index.pins?.bytes ?? 0)
  metrics.gauge('cairn_pin_answer_bytes', 'Memory of the written answers of pins', () => found.bytes)
  metrics.gauge(
    'cairn_pin_index_mismatches',
    'Times that the index of pins differed from the database since the start',
    () => check.counters.mismatches,
  )

  return {
    around: pinsAround({ index, found, search, onSearch: (by) => searched.labels(by).inc() }),
    index,
    check: check.check,

    /** Holds the index while the service listens, and compares it with the database now and then. */
    serve(app: FastifyInstance) {
      app.addHook('onListen', async () => index.start())
      app.addHook('onClose', async () => index.stop())
      doRegularly(app, {
        everyMs: CHECK_MS,
        work: check.check,
        onError: (error) => log.warn({ err: error }, 'the index of pins was not compared with the database'),
      })
    },

    /** The answers of routes that write pins, and of those that tell how far an import is, leave once searches here see what was written. */
    answerWhenSeen(app: FastifyInstance) {
      app.addHook('onSend', (request, reply, payload, done) => {
        const isRead = request.method === 'GET' && request.routeOptions.url !== IMPORT
        const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
        if (isRead || isRefused) return done(null, payload)
        index.caughtUp().then(() => done(null, payload), done)
      })
    },
  }
}
