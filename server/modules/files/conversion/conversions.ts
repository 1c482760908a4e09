import type { Transaction } from 'kysely'
import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import type { JobDefinition, Jobs } from '../../../platform/database/jobs/jobs.ts'
import { conflict, isFull, isUnavailable } from '../../../platform/errors.ts'
import type { JobDiskCheck } from '../../../platform/job-disk-check.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import { renamed } from '../../../platform/storage/types/file-names.ts'
import { publishEvent } from '../../webhooks/outbox.ts'
import { readWholeObject } from '../objects/read-object.ts'
import { filePresenters } from '../presenters.ts'
import type { NewFile, StoredFile } from '../schema.ts'
import type { FileRows, FileStore, Tables } from '../store.ts'
import { type ConversionKey, optionsOf } from './conversion-key.ts'
import { conversionStore, GIVEN_UP, MAX_OPTION_SETS } from './conversion-store.ts'
import { conversionWaiters } from './conversion-waiters.ts'
import { type Converted, type Converter, ConverterClosed, ConverterKilled } from './converter.ts'
import { ConversionFailure } from './converter-task.ts'
import { resultType } from './formats/convertible.ts'
import type { AnchorImages } from './options/anchor-images.ts'

export const CONVERT_JOB = 'convert'
/** Conversions with options have a queue of their own, because an older release would take the options for none. */
const CONVERT_OPTIONS_JOB = 'convert-with-options'
/** For the same reason: an older release would read a USDZ as a GLB, and fail the conversion. */
const CONVERT_TO_GLB_JOB = 'convert-to-glb'
/** Delay before a retry if the storage is unavailable or full. */
const POSTPONE_SECONDS = 10
/** Runs that may be interrupted (process killed, disk full) before the conversion fails. */
const MAX_ATTEMPTS = 3
/** A conversion without progress for this long has lost its job. Longer than any conversion can take. */
const STALE_SECONDS = 2 * 60 * 60
/** The topic of conversions in the change feed. */
export const TOPIC = 'conversion'

type Deps = {
  store: FileStore
  objects: Objects
  converter: Converter
  images: Pick<AnchorImages, 'read'>
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
  jobDiskCheck: Pick<JobDiskCheck, 'isShortForFiles' | 'assertSpaceForFiles'>
  changes: Pick<ChangeFeed, 'listen'>
  /** Groups senders without revealing who they are. */
  groupOf: (sender: string) => string
  newFileId: () => number
  log: Log
}

/** `options`: as text, absent without. `group`: the sender, for fairness. */
type ConvertJob = { sha256: string; options?: string; group?: string }

const keyOf = ({ sha256, options = '' }: ConvertJob): ConversionKey => ({ sha256, options })
const queueOf = ({ options }: ConversionKey) => {
  if (options === '') return CONVERT_JOB
  return optionsOf(options)?.format === 'glb' ? CONVERT_TO_GLB_JOB : CONVERT_OPTIONS_JOB
}

export type Conversions = ReturnType<typeof createConversions>

/**
 * Conversions of model contents to USDZ, and of USDZ to GLB, one for each set of options: requested in a transaction, run
 * by a job, shared by all files with the same bytes.
 */
export function createConversions({
  store,
  objects,
  converter,
  images,
  jobs,
  jobDiskCheck,
  changes,
  groupOf,
  newFileId,
  log,
}: Deps) {
  const answers = filePresenters(objects.addressOf)
  const waiters = conversionWaiters({ get: store.conversions.get, changes, topic: TOPIC })
  const runs = new Set<Promise<void>>()

  /**
   * Publishes the outcome to apps, for each file of the content, as `GET convert` returns it. Outcomes with options are
   * not published: other files of the content have not asked for them.
   */
  async function publishOutcome(within: FileRows, transaction: Transaction<Tables>, key: ConversionKey) {
    if (key.options !== '') return
    const { sha256 } = key
    const conversion = await within.conversions.get(key)
    const type = conversion?.status === 'COMPLETED' ? 'file.converted' : 'file.failed'
    for (const file of await within.awaitingOutcome(sha256, type)) {
      const data = answers.conversion(file, conversion)
      await publishEvent(transaction, { type, appId: file.appId, userId: file.userId, subject: String(file.id), data })
    }
  }

  const fail = (key: ConversionKey, { code, message }: { code: string; message: string }) =>
    store.transaction(async (within, transaction) => {
      if (await within.conversions.fail(key, { code, error: message })) await publishOutcome(within, transaction, key)
    })

  /** Stores the result and completes the conversion; stores nothing if it has since been completed or deleted. */
  async function storeResult(source: StoredFile, conversion: ConversionKey, { bytes, report, seconds }: Converted) {
    await jobDiskCheck.assertSpaceForFiles()
    const { extension, mimeType } = resultType(optionsOf(conversion.options))
    const { key, size, sha256 } = await objects.put(inChunks(bytes), { extension })
    const id = newFileId()
    const fileName = renamed(source.fileName, extension)
    const file: NewFile = { id, key, fileName, mimeType, size, sha256, userId: null }
    const isStored = await store.transaction(async (within, transaction) => {
      await within.conversions.lock(source.sha256)
      await within.insert([file])
      const completed = await within.conversions.complete(conversion, { resultId: id, report, seconds })
      if (completed) await publishOutcome(within, transaction, conversion)
      else await within.remove(id)
      return completed
    })
    if (!isStored) await objects.remove(key)
  }

  /** The storage is unavailable or full: retry later, as often as needed. */
  const postpone = (job: ConvertJob) =>
    store.transaction(async (within, transaction) => {
      const key = keyOf(job)
      await within.conversions.uncount(key)
      const { group } = job
      await jobs.enqueue(transaction, queueOf(key), job, { ...(group && { group }), inSeconds: POSTPONE_SECONDS })
    })

  async function convert(job: ConvertJob) {
    const key = keyOf(job)
    const { sha256, options } = key
    const attempts = await store.conversions.begin(key)
    if (attempts === undefined) return
    const source = await store.findByContent(sha256)
    if (!source) return store.conversions.forgetUnused(sha256)
    if (attempts > MAX_ATTEMPTS) return giveUp(key)
    try {
      if (source.size > converter.maxBytes) throw tooLarge(converter.maxBytes)
      const load = () => readWholeObject(objects, source)
      const chosen = optionsOf(options)
      const image = chosen && (await images.read(chosen))
      await storeResult(source, key, await converter.convert(load, { options: chosen, image }))
    } catch (error) {
      if (error instanceof ConverterClosed) await store.conversions.uncount(key)
      // This run counts: the model itself may make the machine run out of memory.
      if (error instanceof ConverterKilled) {
        log.warn({ err: error.cause, sha256 }, error.message)
        throw error
      }
      if (isUnavailable(error) || isFull(error)) {
        log.warn({ err: error, sha256 }, 'a conversion waits for the storage')
        return postpone(job)
      }
      if (!(error instanceof ConversionFailure)) throw error
      log.warn({ sha256, code: error.code }, error.message)
      await fail(key, error)
    }
    waiters.notify(sha256)
  }

  async function giveUp(key: ConversionKey) {
    const error = `The conversion was interrupted ${MAX_ATTEMPTS} times: request it again later.`
    await fail(key, { code: GIVEN_UP, message: error })
    waiters.notify(key.sha256)
  }

  const jobNamed = (name: string): JobDefinition<ConvertJob> => ({
    name,
    waits: () => jobDiskCheck.isShortForFiles(),
    expireInSeconds: STALE_SECONDS,
    concurrency: converter.size,
    // Interrupted runs are counted with the conversion.
    retryLimit: 50,
    // A sender of many slow models leaves a process to others.
    perGroup: Math.max(1, converter.size - 1),
    async run(job) {
      const run = convert(job)
      runs.add(run)
      await run.finally(() => runs.delete(run))
    },
    async prepareRetry(job, transaction) {
      const rows = conversionStore(transaction as Transaction<Tables>)
      await rows.lock(job.sha256)
      if (!(await rows.restart(keyOf(job))))
        throw conflict('This model has been converted, is being converted, or its files are gone')
    },
  })

  return {
    jobs: [CONVERT_JOB, CONVERT_OPTIONS_JOB, CONVERT_TO_GLB_JOB].map(jobNamed),

    /**
     * Stores the file's record, if given, and requests a conversion of its content unless there is one: both or neither.
     * @param sender for fairness @throws 409 if the content has been converted with too many sets of options
     */
    async request(key: ConversionKey, { sender, file }: { sender: string; file?: NewFile }): Promise<void> {
      const { sha256, options } = key
      await store.transaction(async (within, transaction) => {
        await within.conversions.lock(sha256)
        if (file) await within.insert([file])
        if (options !== '' && !(await within.conversions.hasRoomFor(key))) throw tooManySets()
        if (!(await within.conversions.request(key, STALE_SECONDS))) return
        const group = groupOf(sender)
        const job: ConvertJob = { sha256, ...(options !== '' && { options }), group }
        await jobs.enqueue(transaction, queueOf(key), job, { group })
      })
      jobs.wake(queueOf(key))
    },

    waiters,

    /** Interrupts what runs: it resumes at the next start. */
    async close() {
      await converter.close()
      await Promise.allSettled(runs)
    },

    /** Deletes a file, and the conversion of its content if no other file has it. */
    async remove({ id, sha256, key }: NewFile): Promise<void> {
      await store.transaction(async (within) => {
        await within.conversions.lock(sha256)
        await within.remove(id)
        await within.conversions.forgetUnused(sha256)
      })
      await objects.remove(key)
    },
  }
}

const tooManySets = () =>
  conflict(
    `Files with this content have been converted with ${MAX_OPTION_SETS} sets of options: use one of them, or delete the files and upload the model again`,
  )

/** Files from chunked uploads can be this large, but a model is converted in memory. */
const tooLarge = (maxBytes: number) =>
  new ConversionFailure(
    'too_large',
    `The model is larger than ${maxBytes} bytes and cannot be converted. Reduce its size.`,
  )

/** Chunks small enough that hashing and writing one does not block other requests. */
async function* inChunks(bytes: Uint8Array, size = 1024 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
