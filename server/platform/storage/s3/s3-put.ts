import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../logging/log.ts'
import { collectYoungGarbage } from '../../process/garbage.ts'
import { fileBytes } from '../folder/file-bytes.ts'
import { ObjectExists } from '../objects.ts'
import type { Written } from '../spool.ts'
import { typeOfKey } from '../types/file-types.ts'
import type { S3 } from './s3-client.ts'
import { isMissing, isPreconditionFailed, isTransient, statusOf } from './s3-errors.ts'

const ATTEMPTS = 4
/** No new attempt starts after this, so that an outage is reported within ten seconds. */
const PATIENCE_MS = 4000
const PAUSE_MS = 200
/**
 * An upload without progress for this long has failed. After the last byte a storage may need longer, in proportion to
 * the size.
 */
const STALL_MS = 7000
const BYTES_PER_MS = 20_000

/** Puts files on S3, under free keys only. */
export function s3Put(s3: S3, log: Log) {
  const tidyUp = collectYoungGarbage()
  /** Whether the storage supports If-None-Match; some do not. */
  let isConditional = true

  const head = async (Key: string) => {
    const { sdk, client } = await s3.loaded()
    return client.send(new sdk.HeadObjectCommand({ Bucket: s3.bucket, Key })).catch((error) => {
      if (isMissing(error)) return undefined
      throw error
    })
  }

  async function send(path: string, key: string, mark: string, { size, sha256 }: Written) {
    const { sdk, client } = await s3.loaded()
    const command = new sdk.PutObjectCommand({
      Bucket: s3.bucket,
      Key: key,
      ContentLength: size,
      ContentType: typeOfKey(key).mimeType,
      Metadata: { write: mark },
      ...(isConditional && { IfNoneMatch: '*' }),
    })
    // The storage verifies the hash, and stores nothing else.
    command.middlewareStack.add(
      (next) => (args) => {
        ;(args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256
        return next(args)
      },
      { step: 'build', name: 'contentSha256' },
    )
    const stall = new AbortController()
    const stalled = () => stall.abort(new Error('The upload to S3 stalled, or S3 did not respond in time'))
    const timer = setTimeout(stalled, STALL_MS + size / BYTES_PER_MS)
    const file = fileBytes(path, { highWaterMark: 64 * 1024 })
    const onBytes = (bytes: number) => {
      timer.refresh()
      tidyUp(bytes)
    }
    const body = Readable.from(moving(file, onBytes)).on('error', (error) => stall.abort(error))
    command.input.Body = size === 0 ? '' : body
    try {
      await client.send(command, { abortSignal: stall.signal, requestTimeout: 0 })
    } catch (error) {
      throw stall.signal.aborted ? stall.signal.reason : error
    } finally {
      clearTimeout(timer)
      body.destroy()
      file.destroy()
    }
  }

  /** @throws ObjectExists, or the last error of S3 */
  const put = async (path: string, key: string, written: Written): Promise<void> => {
    const mark = randomBytes(16).toString('hex')
    const began = performance.now()
    if (!isConditional && (await head(key))) throw new ObjectExists()
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(path, key, mark, written)
      } catch (error) {
        // An attempt whose response was lost may have stored the object.
        if (isPreconditionFailed(error)) {
          if (attempt > 1 && (await head(key))?.Metadata?.write === mark) return
          throw new ObjectExists()
        }
        if (statusOf(error) === 501 && isConditional) {
          isConditional = false
          log.warn('this S3 does not support If-None-Match on PUT; checking keys before writing instead')
          if (await head(key)) throw new ObjectExists()
          continue
        }
        if (attempt === ATTEMPTS || !isTransient(error) || performance.now() - began > PATIENCE_MS) throw error
        await sleep(PAUSE_MS * 2 ** attempt)
      }
    }
  }

  return {
    put,
    /** As far as known: assumed until the first put. */
    isConditional: () => isConditional,
  }
}

/** Passes the bytes through and reports the size of each chunk. */
async function* moving(bytes: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void) {
  for await (const piece of bytes) {
    onBytes(piece.length)
    yield piece
  }
}
