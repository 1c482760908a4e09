import type { UserCaller } from '../../platform/credentials/callers.ts'
import { hasOpsAccess } from '../../platform/credentials/guards.ts'
import type { Jobs } from '../../platform/database/jobs/jobs.ts'
import { badRequest, conflict, invalid, notFound } from '../../platform/errors.ts'
import type { FormFile } from '../../platform/http/bodies/forms.ts'
import type { NewFile } from '../files/schema.ts'
import type { Surroundings } from './enrichment/enrichment.ts'
import { WEATHER_JOB } from './enrichment/weather-job.ts'
import type { ScanPresenters } from './presenters.ts'
import { SCAN_JOB } from './processing/processing.ts'
import type { NewScan, Scan, ScanChange, ScanList, ScanPage, ScanWords } from './schema.ts'
import type { ScanRow, ScanStore, ScanWrite, Within } from './store.ts'

/** Time without progress after which a scan may be retried, because its job is lost. */
const STALE_SECONDS = 60 * 60

type Received = Omit<NewFile, 'id' | 'userId'>

type Deps = {
  store: ScanStore
  answers: ScanPresenters
  surroundings: Pick<Surroundings, 'of' | 'hasWeather'>
  files: {
    /** Stores the bytes of a file without a record. @throws 400, 413 */
    receive: (file: FormFile) => Promise<Received>
    /** Deletes new objects if the work fails to record them. @param keys may grow during the work */
    recorded: <T>(keys: string[], work: () => Promise<T>) => Promise<T>
    insert: (within: Within, file: NewFile) => Promise<void>
    /** Checks a presigned upload that has arrived, and records its file. @throws 400 if it is not what was announced */
    arrive: (fileIds: number[]) => Promise<void>
    newFileId: () => number
  }
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
  newId: () => string
  /** Deletes objects without references. */
  removeUnused: () => Promise<void>
}

/** The sender of a scan, and the app whose key was sent beside the session. */
export type ScanSender = { user: UserCaller; appId: string | null }

export type ScanService = ReturnType<typeof scanService>

/** Creates, reads, changes and deletes scans. A job reads their files. */
export function scanService({ store, answers, surroundings, files, jobs, newId, removeUnused }: Deps) {
  /** Reads a scan of the user, or any for ops. @throws 404 */
  const seen = (user: UserCaller, scan: ScanRow | undefined): ScanRow => {
    if (!scan || (scan.userId !== user.id && !hasOpsAccess(user))) throw notFound('Scan')
    return scan
  }
  const enqueue = (trx: Within, id: string, userId: string) =>
    jobs.enqueue(trx as Parameters<Jobs['enqueue']>[0], SCAN_JOB, { scanId: id }, { group: userId })

  /** Creates the scan of a file, and its job. @throws 400 for a file that the sender may not use */
  const makeOf = async (trx: Within, { user, appId }: ScanSender, fileId: number, words: ScanWords) => {
    const file = await store.claim(trx, user.id, fileId)
    if (!file || file.isResult || (file.userId !== null && file.userId !== user.id))
      throw unfit(`there is no uploaded file ${fileId} of yours`)
    if (file.userId === null && file.isShown)
      throw unfit(`the file ${fileId} was sent without a session and is shown by others: upload it with yours`)
    const id = newId()
    const { title = null, category = null, lat = null, long = null, timestamp = null, visibility = 'private' } = words
    const scan = { id, userId: user.id, appId, fileId, title, category, lat, long, timestamp, visibility }
    if (!(await store.insert(trx, scan))) throw unfit(`the file ${fileId} already has a scan`)
    await enqueue(trx, id, user.id)
    return (await store.get(id, trx))!
  }

  const queued = (scan: ScanRow): Scan => {
    jobs.wake(SCAN_JOB)
    return answers.scan(scan)
  }

  return {
    /** Creates a scan of an uploaded file. @throws 400 */
    async create(sender: ScanSender, { fileId, ...words }: NewScan): Promise<Scan> {
      await files.arrive([fileId])
      return queued(await store.transaction((trx) => makeOf(trx, sender, fileId, words)))
    },

    /** Creates a scan of the file of a form; keeps nothing of a refused form.
     * @param read parses the text fields, after the whole form has arrived. @throws 400, 413 */
    async receive(
      sender: ScanSender,
      incoming: AsyncIterable<FormFile>,
      read: () => ScanWords & { fileId?: number | undefined },
    ): Promise<Scan> {
      const keys: string[] = []
      const scan = await files.recorded(keys, async () => {
        let file: Received | undefined
        for await (const one of incoming) {
          if (file) throw badRequest('Send one file, in the part "file"; this form has several')
          file = await files.receive(one)
          keys.push(file.key)
        }
        const { fileId, ...words } = read()
        if (file && fileId !== undefined) throw badRequest('Send either a file or a fileId, not both')
        if (!file && fileId === undefined) throw badRequest('Send a file in the part "file", or a fileId')
        if (!file) await files.arrive([fileId!])
        return store.transaction(async (trx) => {
          const id = fileId ?? files.newFileId()
          if (file) await files.insert(trx, { ...file, id, userId: sender.user.id })
          return makeOf(trx, sender, id, words)
        })
      })
      return queued(scan)
    },

    /** @throws 404 */
    async get(user: UserCaller, id: string): Promise<Scan> {
      return answers.scan(seen(user, await store.get(id)))
    },

    /** The scan, and whether it and its USDZ are final. @throws 404 */
    async progress(user: UserCaller, id: string) {
      const row = seen(user, await store.get(id))
      const isUnderWay = (status: Scan['usdzStatus']) => status === 'PENDING' || status === 'PROCESSING'
      // Signed URLs differ in each read: leave them out of the comparison.
      const version = answers.event(row)
      return { record: answers.scan(row), version, isFinal: !isUnderWay(row.status) && !isUnderWay(row.usdzStatus) }
    },

    async ofUser(user: UserCaller, { sort, ...asked }: ScanPage & { sort: 'asc' | 'desc' }): Promise<ScanList> {
      return listed(asked, await store.ofUser(user.id, sort, asked))
    },

    async ofAll(asked: ScanPage): Promise<ScanList> {
      return listed(asked, await store.ofAll(asked))
    },

    /** Changes the given members; null clears. A new place or time also updates the derived values. @throws 404 */
    async change(user: UserCaller, id: string, change: ScanChange): Promise<Scan> {
      const outcome = await store.transaction(async (trx) => {
        const before = seen(user, await store.lock(trx, id))
        const after = changed(before, change)
        const isMoved = (['lat', 'long', 'timestamp'] as const).some((member) => after[member] !== before[member])
        const asksWeather = isMoved && after.lat !== null && surroundings.hasWeather
        // A scan that is not processed yet gets these later.
        if (isMoved && before.status === 'COMPLETED') {
          Object.assign(after, await surroundings.of(after), { weather: null })
          const { lat, long, timestamp } = after
          const data = { scanId: id, lat, long, timestamp }
          if (asksWeather)
            await jobs.enqueue(trx as Parameters<Jobs['enqueue']>[0], WEATHER_JOB, data, { group: user.id })
        }
        await store.change(trx, id, after)
        return { scan: (await store.get(id, trx))!, asksWeather }
      })
      if (outcome.asksWeather) jobs.wake(WEATHER_JOB)
      return answers.scan(outcome.scan)
    },

    /** Processes a failed scan again. @throws 404, 409 */
    async retry(user: UserCaller, id: string): Promise<Scan> {
      const scan = await store.transaction(async (trx) => {
        seen(user, await store.lock(trx, id))
        if (!(await store.restart(trx, id, STALE_SECONDS)))
          throw conflict('Only a scan that failed, or made no progress for an hour, can be retried')
        await enqueue(trx, id, user.id)
        return (await store.get(id, trx))!
      })
      return queued(scan)
    },

    /** @throws 404 */
    async remove(user: UserCaller, id: string): Promise<void> {
      seen(user, await store.get(id))
      if (!(await store.remove(id))) throw notFound('Scan')
      await removeUnused()
    },
  }

  function listed({ page, limit }: ScanPage, { total, rows }: { total: number; rows: ScanRow[] }): ScanList {
    const pagination = { total, page, limit, totalPages: Math.ceil(total / limit) }
    return { scans: rows.map((row) => answers.scan(row)), pagination }
  }
}

const unfit = (message: string) => invalid([{ code: 'custom', message, path: ['fileId'] }])

function changed(before: ScanRow, { title, category, visibility, timestamp, lat, long }: ScanChange): ScanWrite {
  const isPlaced = lat !== undefined && long !== undefined
  return {
    title: title === undefined ? before.title : title,
    category: category === undefined ? before.category : category,
    visibility: visibility ?? before.visibility,
    lat: isPlaced ? lat : before.lat,
    long: isPlaced ? long : before.long,
    altitude: isPlaced ? null : before.altitude,
    positionFrom: isPlaced ? 'caller' : before.positionFrom,
    timestamp: timestamp ?? before.timestamp,
    capturedFrom: timestamp === undefined ? before.capturedFrom : 'caller',
    location: before.location,
    timeOfDay: before.timeOfDay,
    weather: before.weather,
  }
}
