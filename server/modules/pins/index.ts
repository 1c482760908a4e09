import type { FastifyPluginAsync } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { jsonList } from '../../platform/records/columns.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Zones } from '../zones/index.ts'
import { indexCheck } from './memory/index-check.ts'
import { pinIndexStore } from './memory/index-store.ts'
import { pinIndex } from './memory/pin-index.ts'
import { pinResults } from './memory/result-records.ts'
import { pinFields } from './record.ts'
import { pinRoutes } from './routes.ts'
import { pinSearch } from './search/pin-search.ts'
import { pinsAround } from './search/pins-around.ts'
import { pinService } from './service.ts'
import { pinStore, pinsOfGcps } from './store.ts'

const CHECK_MS = 10_000

type Deps = {
  zones: Pick<Zones, 'owner'>
  /** Deletes objects that nothing references. */
  removeUnused: () => Promise<void>
}

export type Pins = ReturnType<typeof createPins>

/** Pins. Searches around a point use an index in memory, or the database. */
export function createPins(platform: Platform, { zones, removeUnused }: Deps) {
  const { config, database, reads, changes, ownUrls, metrics, log } = platform
  const pins = pinStore(database)
  const service = pinService({ store: pins, findZone: zones.owner, ownUrls, removeUnused })
  const store = pinIndexStore(database.reading.pool, ownUrls)
  const search = pinSearch(reads.database.pool, reads.searches.pool, ownUrls)
  const index = pinIndex({ store, changes, bytes: config.CAIRN_PIN_INDEX_BYTES, log })
  const results = pinResults({ index, store, bytes: config.CAIRN_PIN_ANSWER_BYTES })
  const check = indexCheck({
    index,
    store,
    search,
    changes,
    onMismatch: (wanted) => log.error({ wanted }, 'the index of pins differs from the database, and is reloaded'),
  })

  const searched = metrics.counter('cairn_pin_searches_total', 'Searches for pins, by who answered them', ['by'])
  metrics.gauge(
    'cairn_pin_index_pins',
    'Pins searched in memory; 0 while the database is asked',
    () => index.pins?.size ?? 0,
  )
  metrics.gauge('cairn_pin_index_bytes', 'Memory of the index of pins', () => index.pins?.bytes ?? 0)
  metrics.gauge('cairn_pin_answer_bytes', 'Memory of the written answers of pins', () => results.bytes)
  metrics.gauge(
    'cairn_pin_index_mismatches',
    'Times that the index of pins differed from the database since the start',
    () => check.counters.mismatches,
  )

  const around = pinsAround({ index, results, search, onSearch: (by) => searched.labels(by).inc() })

  return {
    index,
    /** Changes of pins, for the operations of other modules. */
    writes: { create: service.create, change: service.change, remove: service.remove },
    /** Compares one search with the database. */
    check: check.check,
    /** The pins of ground control points: `written` reads the primary, `shown` possibly a replica. */
    ofGcps: { written: pinsOfGcps(database.kysely), shown: pinsOfGcps(reads.database.kysely) },

    /** The fields of a pin for `row_to_json`. @param alias the table's alias */
    jsonFields: (alias: string) => jsonList(pinFields, alias, ownUrls.publicUrl()),

    /** Loads the index while the service listens, and compares it with the database every `CHECK_MS`. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        app.addHook('onListen', async () => index.start())
        app.addHook('onClose', async () => index.stop())
        await app.register(pinRoutes({ service, around, guards }), { prefix: '/api' })
        scheduleEvery(app, {
          everyMs: CHECK_MS,
          work: check.check,
          onError: (error) => log.warn({ err: error }, 'failed to compare the index of pins with the database'),
        })
      },

    /** For routes that write pins or report such writes: delays a response until searches in this process see the writes. */
    waitForIndex:
      (...plugins: FastifyPluginAsync[]): FastifyPluginAsync =>
      async (app) => {
        app.addHook('onSend', (request, reply, payload, done) => {
          const isRead = request.method === 'GET' && !request.routeOptions.config.reportsWrites
          const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
          if (isRead || isRefused) return done(null, payload)
          index.caughtUp().then(() => done(null, payload), done)
        })
        for (const plugin of plugins) await app.register(plugin)
      },
  }
}
