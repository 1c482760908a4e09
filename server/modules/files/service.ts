import { hasOpsAccess } from '../../platform/credentials/guards.ts'
import { badRequest, forbidden, HttpError, invalid, notFound, unavailable } from '../../platform/errors.ts'
import { type FormFile, missingFile } from '../../platform/http/bodies/forms.ts'
import { cleanupOnFailure } from '../../platform/storage/cleanup-on-failure.ts'
import { fileNameOfKey, type Objects } from '../../platform/storage/objects.ts'
import { isKey, ownKey } from '../../platform/storage/own-urls.ts'
import { GLB, typeOfKey, USDZ } from '../../platform/storage/types/file-types.ts'
import { optionsOf, optionsText, withoutOptions } from './conversion/conversion-key.ts'
import type { Waiter } from './conversion/conversion-waiters.ts'
import type { Conversions } from './conversion/conversions.ts'
import { type Converter, ConverterClosed } from './conversion/converter.ts'
import { ConversionFailure } from './conversion/converter-task.ts'
import { assertSource, isConvertible } from './conversion/formats/convertible.ts'
import type { AnchorImages } from './conversion/options/anchor-images.ts'
import type { ConversionOptions } from './conversion/schema.ts'
import { assertCanView, type Viewer } from './objects/object-access.ts'
import { readGlbOutline } from './objects/read-object.ts'
import type { SignedUrls } from './objects/signed-url.ts'
import { filePresenters } from './presenters.ts'
import type { ConvertAnswer, ConvertedFileAnswer, Maker, StoredFile, UploadAnswer } from './schema.ts'
import type { FileStore } from './store.ts'
import { receiveOne } from './upload/receive-one.ts'
import { type Intake, isReceived, type Received, type Refused } from './upload/upload-receiver.ts'

/** How long an upload waits for its conversion before it responds without. */
const CONVERT_WAIT_MS = 10_000

/** Retry delay after a conversion that took too long. */
const RETRY_SECONDS = 60

type Deps = {
  store: FileStore
  objects: Objects
  intake: Intake
  conversions: Conversions
  images: Pick<AnchorImages, 'assertUsable'>
  converter: Pick<Converter, 'check'>
  addresses: SignedUrls
  newFileId: () => number
  /** Whether conversions wait for free disk space. */
  isHeld: () => boolean
  /** Time limit of one conversion in seconds. */
  convertSeconds: number
}

export type FileService = ReturnType<typeof fileService>

export function fileService(parts: Deps) {
  const { store, objects, intake, conversions, images, converter, addresses, newFileId, isHeld, convertSeconds } = parts

  const answers = filePresenters(objects.addressOf, isHeld)
  const { waiters } = conversions

  /** Runs the work that records the received files; if it fails, their bytes are removed. */
  const known = <T>(received: Received[], work: () => Promise<T>): Promise<T> => {
    const isKnown = async (key: string) => (await store.findByKey(key)) !== undefined
    const keys = received.map(({ key }) => key)
    return cleanupOnFailure(keys, work, { objects, isKnown })
  }

  /** Returns a file that the viewer may see. @throws 404 */
  const fileFor = async (fileId: number, viewer: Viewer) => {
    const file = await store.get(fileId)
    if (!file) throw notFound('File')
    assertCanView(await store.access(file.key), viewer)
    return file
  }

  /**
   * Checks whether a GLB is readable at all, unless that is known. Other formats have no container. @throws 400, without
   * storing anything
   */
  const checkContainer = async (received: Received) => {
    if (received.mimeType !== GLB.mimeType) return
    try {
      if (await store.conversions.get(withoutOptions(received.sha256))) return
      await converter.check(() => readGlbOutline(objects, received))
    } catch (error) {
      if (error instanceof ConversionFailure && isSound(error)) return
      await intake.discard([received])
      if (error instanceof ConversionFailure) throw badRequest(error.message)
      if (error instanceof ConverterClosed) throw unavailable('The service is restarting: send this again', 2)
      throw error
    }
  }

  return {
    /**
     * Stores each file; one that is empty or too large does not affect the others. @throws 400 without any file; 413 if
     * all are too large
     */
    async upload(incoming: AsyncIterable<FormFile>, maker: Maker): Promise<UploadAnswer> {
      const outcomes = await intake.receiveAll(incoming)
      if (outcomes.length === 0) throw missingFile('file')
      const refused = outcomes.filter((outcome) => !isReceived(outcome)) as Refused[]
      if (refused.length === outcomes.length && refused.every(({ refusal }) => refusal.status === 413))
        throw new HttpError(413, refused[0]!.refusal.message)

      const received = outcomes.filter(isReceived)
      const files = new Map(received.map((one) => [one, { ...one, id: newFileId(), ...maker }]))
      await known(received, () => store.insert([...files.values()]))
      return {
        status: refused.length === 0 ? 'success' : received.length === 0 ? 'error' : 'partial',
        results: outcomes.map((outcome) =>
          isReceived(outcome) ? answers.taken(files.get(outcome)!) : answers.notTaken(outcome),
        ),
      }
    },

    /**
     * Stores one file and, for a model, requests its conversion; waits a little for the result, unless too many wait.
     * @throws 400, without storing anything, if it claims to be a model but is malformed or something else, or is not of
     * the direction of the options; 409 if its content has too many sets of options
     */
    async convert(
      incoming: AsyncIterable<FormFile>,
      { waiter, options, ...maker }: Maker & { waiter: Waiter; options: ConversionOptions },
    ): Promise<ConvertAnswer> {
      const text = optionsText(options)
      await images.assertUsable(options, maker.userId)
      const received = await receiveOne(intake, incoming, options)
      if (!received) throw missingFile('file')
      const file = { ...received, id: newFileId(), ...maker }
      if (!isConvertible(file, options)) {
        await known([received], () => store.insert([file]))
        return answers.conversion(file, undefined)
      }
      await checkContainer(received)
      const key = { sha256: file.sha256, options: text }
      await known([received], () => conversions.request(key, { sender: waiter.caller.id, file }))
      const conversion = waiters.hasRoom(waiter.caller)
        ? await waiters.settled(key, CONVERT_WAIT_MS, waiter)
        : await store.conversions.get(key)
      if (conversion?.errorCode === 'malformed') {
        await conversions.remove(file)
        throw badRequest(conversion.error!)
      }
      return answers.conversion(file, conversion, options)
    },

    /** The state of a file's conversion. @throws 400 for an unknown file; 404 for one of another user's private scan */
    async conversionOf(fileId: number, options: ConversionOptions, viewer: Viewer): Promise<ConvertAnswer> {
      const text = optionsText(options)
      const file = await store.get(fileId)
      if (!file) throw invalid([{ code: 'custom', message: 'There is no such file', path: ['fileId'] }])
      assertCanView(await store.access(file.key), viewer)
      assertSource(file, options)
      await images.assertUsable(options, file.userId)
      return answers.conversion(file, await store.conversions.get({ sha256: file.sha256, options: text }), options)
    },

    /**
     * What a file's conversion depends on: a hash of its content. @throws 404; 400 for an image of another owner, or a
     * file of the other direction
     */
    async contentOf(fileId: number, options: ConversionOptions, viewer: Viewer): Promise<string> {
      const file = await fileFor(fileId, viewer)
      assertSource(file, options)
      await images.assertUsable(options, file.userId)
      return file.sha256
    },

    /** The state of a file's conversion, and whether it is final. @throws 404 */
    async progress(
      fileId: number,
      options: string,
      viewer: Viewer,
    ): Promise<{ record: ConvertAnswer; isFinal: boolean }> {
      const file = await fileFor(fileId, viewer)
      const asked = optionsOf(options)
      const record = answers.conversion(file, await store.conversions.get({ sha256: file.sha256, options }), asked)
      const isSettled = record.convertedFile !== undefined || record.status === 'FAILED'
      return { record, isFinal: isSettled || !isConvertible(file, asked) }
    },

    /**
     * The USDZ or GLB of a file, converted now if needed. @throws 404; 400 if it cannot be converted; 403 for new options
     * of another user's file; 409 if its content has too many sets of options; 429 and 503 if too many wait; 503 if it
     * exceeds the time limit
     */
    async convertedFile(
      fileId: number,
      options: ConversionOptions,
      { viewer, waiter }: { viewer: Viewer; waiter: Waiter },
    ): Promise<ConvertedFileAnswer> {
      const text = optionsText(options)
      const file = await fileFor(fileId, viewer)
      assertSource(file, options)
      if (!isConvertible(file, options)) throw badRequest(notConvertible(file))
      await images.assertUsable(options, file.userId)
      const key = { sha256: file.sha256, options: text }
      const known = await store.conversions.get(key)
      if (!known && (await store.isResult(file.id))) throw badRequest(IS_RESULT)
      if (!known && text !== '') assertMayChoose(file, viewer)
      if (known?.status !== 'COMPLETED') await conversions.request(key, { sender: waiter.caller.id })
      const conversion = await waiters.settled(key, convertSeconds * 1000, waiter)
      if (conversion?.errorCode === 'timed_out') throw unavailable(conversion.error!, RETRY_SECONDS)
      if (conversion?.status === 'FAILED') throw badRequest(conversion.error!)
      if (conversion?.status !== 'COMPLETED')
        throw unavailable('The conversion has not completed yet: try again later', 10)
      return answers.converted(file, conversion, { before: known?.status === 'COMPLETED' })
    },

    /** Call it when the service starts to stop. */
    stopWaiting: () => waiters.stop(),

    /**
     * A signed URL of an object of this service, for a viewer who may see it. @throws 400 for any other URL; 404 if the
     * object does not exist
     */
    async downloadAddress(address: string, viewer: Viewer): Promise<string> {
      // A URL that was signed for viewing counts as one we issued, but proves no identity.
      const key = isKey(address)
        ? address
        : await ownKey(address.replace(/\?.*$/s, ''), { keyOf: objects.keyOf, isKnown: store.isKnown })
      if (!key) throw badRequest('The url must be the URL of a file as issued by this service, or its key')
      const [size, access] = await Promise.all([objects.size(key), store.access(key)])
      if (size === undefined) throw notFound('File')
      assertCanView(access, viewer)
      const fileName = (await store.findByKey(key))?.fileName ?? fileNameOfKey(key)
      return addresses.download(key, { fileName, mimeType: typeOfKey(key).mimeType }, access)
    },
  }
}

/** Results are deleted with the file they were made of; a conversion of one would have no such file. */
const IS_RESULT =
  'This file is itself the result of a conversion: convert the file it was made of, or upload this one as a file of its own'

const notConvertible = ({ fileName, mimeType }: StoredFile) =>
  mimeType === USDZ.mimeType
    ? `"${fileName}" is a USDZ already; add format=glb to convert it to GLB`
    : `Only GLB, PLY, OBJ and STL files are converted; "${fileName}" is ${mimeType}`

/** Whether the model itself may be valid: it is stored, and its conversion says what to change. */
const isSound = ({ code }: ConversionFailure) => code === 'unsupported' || code === 'too_large'

/** Each set of options takes storage, and their number is limited. @throws 403 */
function assertMayChoose({ userId }: StoredFile, viewer: Viewer): void {
  if (userId === null || viewer?.id === userId || (viewer && hasOpsAccess(viewer))) return
  throw forbidden('This file belongs to a user: only its owner and ops can convert it with new options')
}
