import type { UserCaller, Writer } from '../../platform/credentials/callers.ts'
import { actorOf, assertMayChange, hasOpsAccess } from '../../platform/credentials/guards.ts'
import type { Jobs } from '../../platform/database/jobs/jobs.ts'
import { conflict, HttpError, invalid, notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import { isId } from '../../platform/ids.ts'
import { WAITS_FOR_DISK } from '../../platform/job-disk-check.ts'
import type { GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { FetchRefused } from '../../platform/outbound/https-request.ts'
import { quotaOf } from '../../platform/quotas.ts'
import { exitCause } from '../../platform/sandbox/worker-process.ts'
import { newKey, type Objects } from '../../platform/storage/objects.ts'
import { isOwnPath, type OwnUrls, ownKey, pathOf } from '../../platform/storage/own-urls.ts'
import { heightLookup } from './heights/height-lookup.ts'
import type { SurveyReaders } from './process/survey-reader.ts'
import { FETCH_JOBS, IMPORT_JOBS, kindOf } from './queues.ts'
import { reportCsv, reportJson, withoutContents } from './report/report.ts'
import type { CsvUpload, FindingFilter, ImportOptions, NewCsvUpload, ReportRow, RetryOptions } from './schema.ts'
import type { CsvStore, StoredUpload } from './store.ts'

type Deps = {
  store: CsvStore
  findZone: (id: number) => Promise<{ title: string; userId: string | null; editors: string[] } | undefined>
  objects: Pick<Objects, 'remove'>
  ownUrls: Pick<OwnUrls, 'keyOf' | 'written'>
  /** Downloads files from other hosts, if their URLs are allowed. */
  outside: Pick<GuardedFetch, 'check'>
  /** Looks up uploaded files by object key. */
  files: {
    find: (key: string) => Promise<{ userId: string | null } | undefined>
    /** Whether a user may read the bytes. */
    maySee: (key: string, viewer: UserCaller) => Promise<boolean>
    remove: (key: string) => Promise<void>
  }
  jobs: Pick<Jobs, 'enqueue' | 'wake' | 'isHeld'>
  readers: Pick<SurveyReaders, 'refusalOfCrs' | 'heightOf'>
  /** Maximum number of open imports of a user. */
  most: number
  newId: () => string
}

export type CsvService = ReturnType<typeof csvService>

/** Survey files: registers imports, reports progress, deletes records. */
export function csvService(parts: Deps) {
  const { store, findZone, objects, ownUrls, outside, files, jobs, readers, most, newId } = parts
  const shownTo = shownWith(ownUrls.written, (upload) => upload.status === 'PENDING' && jobs.isHeld(jobOf(upload)))
  const isKnown = async (key: string) => (await files.find(key)) !== undefined

  const zoneOf = async (id: number) => {
    const zone = await findZone(id)
    if (!zone) throw notFound('Zone')
    return zone
  }
  const uploadOf = async (id: string): Promise<StoredUpload> => {
    const upload = isId(id) ? await store.get(id) : undefined
    if (!upload) throw notFound('CSV upload')
    return upload
  }

  return {
    /**
     * Registers a file of this service's storage or of an allowed host for import into a zone, and queues its job in
     * the same transaction. Returns the existing record if the same file waits or runs there.
     * @param appId the app whose webhooks receive the result, in addition to those of the user's own apps
     * @throws 400 for another user's or a missing file, 403 for another user's zone, 404 for an unknown one
     */
    async register(user: UserCaller, upload: NewCsvUpload & ImportOptions, appId: string | null): Promise<CsvUpload> {
      const zone = await zoneOf(upload.zoneId)
      assertMayChange(user, writersOf(zone), 'zone')
      const owner = actorOf(user, upload.userId ?? undefined)
      if (!isId(owner)) throw invalid([{ code: 'custom', message: 'there is no such user', path: ['userId'] }])
      await checkCrs(upload)
      const own = await ownKey(upload.fileUrl, { keyOf: ownUrls.keyOf, isKnown })
      if (own === undefined) checkOutside(upload.fileUrl)
      else await checkStored(user, own)
      const fileUrl = own === undefined ? upload.fileUrl : pathOf(own)
      const job = jobOf({ ...upload, fileUrl })
      const objectKey = own ?? newKey('csv')
      const record = await store.register(
        newId(),
        { ...upload, fileUrl, objectKey, appId },
        owner,
        quotaOf(user, most),
        (transaction, id) => jobs.enqueue(transaction, job, { uploadId: id }, { group: owner }),
      )
      // The record that blocked this one may have ended before it was read: then the caller must retry.
      if (!record)
        throw new HttpError(503, 'An import of this file is just ending: retry the request', { 'retry-after': '1' })
      jobs.wake(job)
      return shownTo(user, record, zone)
    },

    async get(viewer: UserCaller | undefined, id: string): Promise<CsvUpload> {
      const upload = await uploadOf(id)
      // Read often while an import runs, usually without a header.
      const zone = viewer && upload.header !== null ? await findZone(upload.zoneId) : undefined
      return shownTo(viewer, upload, zone)
    },

    /** The record, and whether its import has ended. @throws 404 */
    async progress(viewer: UserCaller | undefined, id: string) {
      const record = await this.get(viewer, id)
      return { record, isFinal: record.status === 'COMPLETED' || record.status === 'FAILED' }
    },

    /**
     * Restarts a failed import from the beginning, with changed options. Does not download a file from another host
     * again.
     * @throws 400, 403, 404, 409 if it did not fail or its file is being imported
     */
    async retry(user: UserCaller, id: string, options: RetryOptions): Promise<CsvUpload> {
      const upload = await uploadOf(id)
      const zone = await zoneOf(upload.zoneId)
      assertMayChange(user, [upload.userId, ...writersOf(zone)], 'CSV upload')
      await checkCrs({ ...options, maxError: options.maxError ?? upload.maxError })
      const job = jobOf({ ...upload, header: options.header ?? upload.header })
      const record = await store.restart(
        id,
        options,
        { userId: upload.userId, most: quotaOf(user, most) },
        (transaction) => jobs.enqueue(transaction, job, { uploadId: id }, { group: upload.userId ?? id }),
      )
      if (!record)
        throw conflict('Only a failed import can be retried, and only while its file is not being imported already')
      jobs.wake(job)
      return shownTo(user, record, zone)
    },

    /** A page of a zone's files, newest first, with the title of the zone. @throws 404 */
    async ofZone(
      viewer: UserCaller | undefined,
      zoneId: number,
      { userId, ...query }: PageQuery & { userId?: string | undefined },
    ) {
      const zone = await zoneOf(zoneId)
      const nobodys = userId !== undefined && !isId(userId)
      const page = nobodys ? { rows: [], next: undefined, total: 0 } : await store.ofZone(zoneId, userId, query)
      return { zoneName: zone.title, page: { ...page, rows: page.rows.map((upload) => shownTo(viewer, upload, zone)) } }
    },

    /** The report as a stream, with the content of the file if the viewer may see it. @throws 404 */
    async report(
      viewer: UserCaller | undefined,
      id: string,
      { format, rows }: { format: 'json' | 'csv'; rows: 'all' | 'file' },
    ): Promise<AsyncGenerator<string>> {
      const upload = await uploadOf(id)
      const summary = await store.summary(id)
      if (!summary) throw notFound('CSV upload')
      if (format === 'csv') return reportCsv(store.findings(id, rows))
      const seen = seesContents(viewer, upload, await findZone(upload.zoneId))
      const head = seen ? summary : withoutContents(summary)
      return reportJson({ ...head, causes: await store.causes(id) }, store.findings(id, rows))
    },

    /** The rows that failed or have a warning, in pages. @throws 404 */
    async findings(id: string, query: FindingFilter & PageQuery): Promise<Page<ReportRow>> {
      await uploadOf(id)
      return store.findingPage(id, query)
    },

    /** Deletes the record and its file, and on request the points it created that are unchanged. @throws 403, 404 */
    async remove(
      user: Writer,
      zoneId: number,
      id: string,
      options: { deleteGcps: boolean; userId?: string | undefined },
    ) {
      const zone = await zoneOf(zoneId)
      const upload = await uploadOf(id)
      if (upload.zoneId !== zoneId) throw notFound('CSV upload')
      assertMayChange(user, [upload.userId, ...writersOf(zone)], 'CSV upload')
      actorOf(user, options.userId)
      await store.remove(id, { gcps: options.deleteGcps })
      if (await store.uses(upload.objectKey, upload.userId)) return
      const file = await files.find(upload.objectKey)
      // A downloaded file has no record as an upload.
      if (!file) return objects.remove(upload.objectKey)
      // A file uploaded without a session is kept: others may use it.
      if (file.userId && file.userId === upload.userId) await files.remove(upload.objectKey)
    },
  }

  /**
   * @throws 400 for a reference system that is unknown or has no accurate transformation to WGS84; 503 if it cannot be
   * looked up
   */
  async function checkCrs({ crs, maxError, heightDatum }: Systems) {
    if (heightDatum != null) {
      const read = await heightLookup(readers)(heightDatum, null)
      if ('refusal' in read) throw invalid([{ code: 'custom', message: read.refusal, path: ['heightDatum'] }])
    }
    if (crs === undefined) return
    const refusal = await readers.refusalOfCrs(crs, maxError ?? undefined).catch((error: unknown) => {
      if (exitCause(error) === undefined) throw error
      throw new HttpError(503, 'The reference system could not be looked up: retry the request', { 'retry-after': '1' })
    })
    if (refusal !== null) throw invalid([{ code: 'custom', message: refusal, path: ['crs'] }])
  }

  /** Downloads a file from another host before the import. */
  function jobOf(upload: { fileUrl: string; header?: string | null | undefined }): string {
    return (isOwnPath(upload.fileUrl) ? IMPORT_JOBS : FETCH_JOBS)[kindOf(upload)]
  }

  /** Checks that an upload with a session belongs to the caller, or to anyone for ops. @throws 400 */
  async function checkStored(user: UserCaller, key: string): Promise<void> {
    const file = await files.find(key)
    const foreign = file?.userId && file.userId !== user.id && !hasOpsAccess(user)
    if (!file || foreign || !(await files.maySee(key, user))) throw badAddress('there is no file of yours at fileUrl')
  }

  /** @throws 400 for a URL that is not allowed, regardless of its content */
  function checkOutside(address: string): void {
    try {
      outside.check(address)
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      const message = `fileUrl must be the address of a file uploaded to this service, or on a host that it accepts files from: ${error.message}`
      throw badAddress(message)
    }
  }
}

const badAddress = (message: string) => invalid([{ code: 'custom', message, path: ['fileUrl'] }])

type Systems = {
  crs?: string | undefined
  maxError?: number | null | undefined
  heightDatum?: string | undefined
}

type Zone = { userId: string | null; editors: string[] } | undefined

/** URL and owner of a file are for its owner and ops; the header also for the owner and editors of the zone. */
const shownWith =
  (written: OwnUrls['written'], isHeld: (upload: StoredUpload) => boolean) =>
  (viewer: UserCaller | undefined, upload: StoredUpload, zone: Zone): CsvUpload => {
    const { objectKey: _, fileUrl, userId, header, ...shown } = upload
    const open = viewer !== undefined && (viewer.id === userId || hasOpsAccess(viewer))
    return {
      ...shown,
      errorMessage: shown.errorMessage ?? (isHeld(upload) ? WAITS_FOR_DISK : null),
      fileUrl: open ? written(fileUrl) : null,
      userId: open ? userId : null,
      header: seesContents(viewer, upload, zone) ? header : null,
    }
  }

const writersOf = ({ userId, editors }: NonNullable<Zone>) => [userId, ...editors]

/** Whether a user may see the content of a file: its owner, the owner and editors of its zone, and ops. */
const seesContents = (viewer: UserCaller | undefined, upload: StoredUpload, zone: Zone): boolean =>
  viewer !== undefined &&
  (hasOpsAccess(viewer) || viewer.id === upload.userId || (zone && writersOf(zone).includes(viewer.id)) === true)
