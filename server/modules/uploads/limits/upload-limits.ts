import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Config } from '../../../platform/config.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { HttpError } from '../../../platform/errors.ts'
import { bodyLength, countBodyBytes } from '../../../platform/http/bodies/body-bytes.ts'
import { abortRequest } from '../../../platform/http/connections/abort-request.ts'
import { createQuota, refusalOf, setQuotaHeaders, tooMany } from '../../../platform/http/limits/quotas.ts'
import type { SharedCounts } from '../../../platform/http/limits/shared-counts.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { collectYoungGarbage } from '../../../platform/process/garbage.ts'
import type { UploadBudget } from './upload-budget.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Marks routes whose body is stored. `request` counts against the sender's uploads and bytes, `chunk` against the
     * bytes only.
     */
    upload?: 'request' | 'chunk'
  }
}

/** Factor for senders with a credential. */
const KNOWN_SENDER = 10

export type UploadQuotas = ReturnType<typeof createUploadQuotas>

/** Quotas of uploads and their bytes per sender and hour. @param shared if several processes serve */
export function createUploadQuotas(config: Config, shared?: SharedCounts) {
  const of = (times: number, whom: string) => {
    const [requests, bytes] = [
      config.CAIRN_LIMIT_UPLOADS_PER_HOUR * times,
      config.CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR * times,
    ]
    const quota = (name: string, quota: number, what: string) =>
      createQuota(
        { name, quota, windowSeconds: 3600, refusal: (quota) => `More than ${quota} ${what} per hour for ${whom}` },
        shared,
      )
    return { requests: quota('uploads', requests, 'uploads'), bytes: quota('upload-bytes', bytes, 'uploaded bytes') }
  }
  return {
    anonymous: of(1, 'this address without a credential'),
    app: of(KNOWN_SENDER, 'this app key'),
    user: of(KNOWN_SENDER, 'this user'),
  }
}

type Deps = { quotas: UploadQuotas; budget: UploadBudget; guards: Guards; metrics: Metrics }

/**
 * Limits uploads (routes with `config.upload`): per sender and hour, for all senders per day, and by disk space. A
 * stated length is counted before the body is read; a body of unknown length as it arrives, and cut off at the limit.
 * Register it after `limitRequests` and before the routes. @throws 429, 507
 */
export function limitUploads(app: FastifyInstance, { quotas, budget, guards, metrics }: Deps) {
  const bytesIn = metrics.counter('cairn_upload_bytes_total', 'Bytes received in uploads')
  const refusals = metrics.counter('cairn_uploads_refused_total', 'Uploads refused for a limit, by status', ['status'])
  const tidyUp = collectYoungGarbage()
  const ending = new Set<Promise<void>>()

  const senderOf = (request: FastifyRequest) => {
    const { kind, id } = guards.senderOf(request)
    return { caller: id, ...quotas[kind] }
  }

  /** Counts an upload before it is read. @throws 429, 507; the client may retry with less, or later */
  const admit = async (request: FastifyRequest, reply: FastifyReply, asked: { isRequest: boolean; size: number }) => {
    const { caller, requests, bytes } = senderOf(request)
    const counted = await Promise.all([
      bytes.take(caller, asked.size),
      ...(asked.isRequest ? [requests.take(caller)] : []),
    ])
    const [bytesTaken] = counted
    setQuotaHeaders(reply, counted.toReversed())
    try {
      const refusal = refusalOf(counted)
      if (refusal) throw refusal
      return {
        arrival: await budget.open(asked.size),
        take: (length: number) => bytes.take(caller, length),
        uncount: (length: number) => bytes.uncount(bytesTaken, length),
      }
    } catch (error) {
      bytes.uncount(bytesTaken, asked.size)
      if (error instanceof HttpError) refusals.labels(String(error.status)).inc()
      throw error
    }
  }

  // Only on routes that need it, so that other requests skip the hooks.
  app.addHook('onRoute', (route) => {
    const upload = route.config?.upload
    if (!upload) return
    const count: preParsingHookHandler = (request, reply, _payload, done) => {
      watch(request, reply, upload).then(() => done(), done)
    }
    route.preParsing = [count, route.preParsing ?? []].flat()
  })

  async function watch(request: FastifyRequest, reply: FastifyReply, upload: 'request' | 'chunk') {
    const announced = bodyLength(request.raw)
    const { arrival, take, uncount } = await admit(request, reply, {
      isRequest: upload === 'request',
      size: announced ?? 0,
    })

    const end = () => {
      // A client that resumes announces the rest each time; only what arrived counts.
      const missing = Math.max(0, arrival.announced - arrival.received)
      if (missing > 0) uncount(missing)
      const ended = budget
        .close(arrival)
        .catch((error: Error) => request.log.error({ err: error }, 'failed to count the bytes of an upload'))
      ending.add(ended)
      void ended.finally(() => ending.delete(ended))
    }
    // The close event has already fired if the client left meanwhile.
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)

    let isCut = false
    const cut = (error: unknown) => {
      if (isCut || !(error instanceof HttpError)) return
      isCut = true
      refusals.labels(String(error.status)).inc()
      abortRequest(request.raw, error)
    }
    // Bytes that arrive during a count are counted next, together.
    let uncounted = 0
    let isCounting = false
    const count = async (length: number) => {
      uncounted += length
      if (isCounting) return
      isCounting = true
      while (uncounted > 0) {
        const amount = uncounted
        uncounted = 0
        const taken = await take(amount)
        if (taken.isOver) cut(tooMany(taken))
      }
      isCounting = false
    }
    countBodyBytes(request.raw, (length) => {
      bytesIn.inc(length)
      tidyUp(length)
      const isTimeToLook = budget.receive(arrival, length)
      if (announced !== undefined) return
      void count(length)
      try {
        budget.assertFitsToday()
      } catch (error) {
        cut(error)
      }
      if (isTimeToLook) budget.assertStillFits().catch(cut)
    })
  }

  app.addHook('onClose', async () => await Promise.all(ending))

  /** Counts a file that the client is about to send to the storage directly. @throws 429, 507 */
  return async function countElsewhere(request: FastifyRequest, reply: FastifyReply, size: number): Promise<void> {
    const { arrival } = await admit(request, reply, { isRequest: true, size })
    arrival.received = size
    await budget.close(arrival)
  }
}

/** Counts a file that does not pass through this service. @throws 429, 507 */
export type CountElsewhere = ReturnType<typeof limitUploads>
