import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { badRequest, unavailable } from '../../platform/errors.ts'
import { type Format, formats } from './formats.ts'
import { otherPhotosIn } from './other-photos.ts'
import type { ExportWriters, Place } from './process/export-writers.ts'
import type { Measured } from './projections/projected-batches.ts'
import type { Export, ExportQuery, ExportSystem, UsedOperation } from './schema.ts'
import { createSpool } from './spool.ts'
import type { ExportStore, Points } from './store.ts'
import type { Located, Piece, WriteJob } from './thread/messages.ts'
import type { WritingThread } from './thread/writing-thread.ts'

type Deps = {
  store: ExportStore
  findZone: (id: number) => Promise<{ title: string } | undefined>
  writers: ExportWriters
  photosOf: Export['photosOf']
  thread: WritingThread
}

/** A zone's points as a file that is ready to be read. */
export type OpenExport = {
  title: string
  form: Format
  /** Bytes or text. Destroying it stops all work on it. */
  stream: Readable
  /** Size in bytes, if known. */
  size: number | undefined
  /** The reference system of its coordinates. */
  crs: string
  /** The operations that transformed its points; empty in WGS84. */
  operations: UsedOperation[]
  /** Number of points without coordinates that the format cannot hold; undefined if not counted. */
  leftOut: number | undefined
}

export type ExportService = ReturnType<typeof exportService>

/** Exports the points of zones in common formats. */
export function exportService({ store, findZone, writers, thread, photosOf }: Deps) {
  const spool = createSpool()

  /** The requested system; undefined for WGS84. @throws HttpError 400 */
  async function systemOf({ format, crs, maxError }: ExportQuery): Promise<Located | undefined> {
    const { systems } = formats[format]
    if (crs === undefined) {
      if (systems !== 'projected') return undefined
      throw badRequest(`${format} requires a projected reference system, such as crs=EPSG:25833`)
    }
    const asked = { crs, maxError }
    const system = await writers.system(asked)
    refuseUnfit(format, systems, system)
    return system.name === WGS84 ? undefined : { asked, system }
  }

  /** How all points of a zone will be transformed. @throws HttpError 400 if some cannot be */
  function measured(zoneId: number, located: Located): Promise<Measured> {
    const { names, batches } = store.positionsOf(zoneId)
    const place = (pairs: Float64Array) => writers.place(located.asked, pairs)
    return thread.measure({ names, ...located }, { ...pointsOf(batches), place })
  }

  /** The pieces of a file, by what transforms its points. They are read outside of the request, and still for whom it was asked. */
  function piecesOf(zoneId: number, job: Omit<WriteJob, 'names'>) {
    const forWhomItWasAsked = AsyncLocalStorage.snapshot()
    const taggedPoints = () => store.taggedPointsOf(zoneId)
    const { names, batches } = store.gcpsOf(zoneId)
    return (place: Place) =>
      thread.write(
        { names, ...job },
        {
          ...pointsOf(batches),
          place: (pairs) => place(job.located!.asked, pairs),
          photosOf: (gcpIds) => forWhomItWasAsked(() => photosOf(gcpIds)),
          otherPhotos: () => forWhomItWasAsked(() => otherPhotosIn({ taggedPoints, photosOf })),
        },
      )
  }

  return {
    /**
     * @param signal aborts the work before there is a stream @returns undefined if there is no such zone @throws
     * HttpError 400 with the reason if the points cannot be exported like this; 503 if too many are being read
     */
    async open(zoneId: number, query: ExportQuery, signal?: AbortSignal): Promise<OpenExport | undefined> {
      const zone = await findZone(zoneId)
      if (!zone) return undefined
      if (thread.isFull()) throw unavailable('Too many exports are being downloaded: retry later', 30)
      const form = formats[query.format]
      const located = await systemOf(query)
      const { operations = [], withoutPlace } = located ? await measured(zoneId, located) : {}
      const pieces = piecesOf(zoneId, { format: query.format, name: zone.title, operations, located })
      const opened = {
        title: zone.title,
        form,
        crs: located?.system.name ?? WGS84,
        operations,
        leftOut: form.leavesOut ? withoutPlace : undefined,
      }
      if ('write' in form) return { ...opened, stream: Readable.from(bytesOf(pieces(writers.place))), size: undefined }
      const file = { form: form.file, name: zone.title, pieces }
      return { ...opened, ...(await spool((write) => writers.write(file, write, signal))) }
    },
  }
}

async function* bytesOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces) yield bytes
}

const pointsOf = (batches: Points['batches']) => ({ points: async () => (await batches.next()).value ?? undefined })

const WGS84 = 'EPSG:4326'
const FEET = 0.9
/** Formats that do not define the direction of axes. */
const REVERSED_UNCLEAR = new Set<ExportQuery['format']>(['shp', 'geojson', 'gcp_list'])

function refuseUnfit(format: ExportQuery['format'], systems: Format['systems'], system: ExportSystem): void {
  const { name, kind, unit, isReversed } = system
  if (systems === 'wgs84' && name !== WGS84)
    throw badRequest(`${format} is always in WGS84: omit crs, or use another format, such as gpkg, for ${name}`)
  if (systems === 'projected' && kind !== 'projected')
    throw badRequest(`${format} requires a projected reference system, but ${name} is in degrees`)
  if (systems === 'coded' && name.startsWith('+'))
    throw badRequest(`${format} requires a reference system with a code, such as crs=EPSG:25833`)
  if (isReversed && REVERSED_UNCLEAR.has(format))
    throw badRequest(
      `the axes of ${name} point to the west and the south, which programs read differently from ${format}: export as csv, xlsx or gpkg, or name a system whose axes point to the east and the north`,
    )
  if (format === 'gcp_list' && (kind === 'geographic' || unit < FEET || /^(?!EPSG:|\+)/.test(name)) && name !== WGS84)
    throw badRequest(
      `gcp_list requires WGS84, or a projected reference system in metres with an EPSG code or as PROJ text, not ${name}: OpenDroneMap reads heights in metres`,
    )
}
