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
    /** What comes in is kept. `request` counts against the uploads of its sender as one and by its bytes, `chunk` by its bytes alone. */
    upload?: 'request' | 'chunk'
  }
}

/** Who shows a credential may send so many times more. */
const KNOWN_SENDER = 10

export type UploadQuotas = ReturnType<typeof createUploadQuotas>

/** How many uploads, and how many bytes of them, each sender may send in an hour. @param shared where several processes serve */
export function createUploadQuotas(config: Config, shared?: SharedCounts) {
  const of = (times: number, whom: string) => {
    const [requests, bytes] = [
      config.CAIRN_LIMIT_UPLOADS_PER_HOUR * times,
      config.CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR * times,
    ]
    const quota = (name: string, quota: number, what: string) =>
      createQuota(
        { name, quota, windowSeconds: 3600, refusal: (quota) => `More than ${quota} ${what} an hour for ${whom}` },
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

type Deps = { quotas: UploadQuotas; room: UploadBudget; guards: Guards; metrics: Metrics }

/** Counts what is sent to be kept (routes with `config.upload`): against its sender by the hour, against all senders by the day, and against the disk. A length that is told is counted before the body is read; a body without one as it comes in, and cut off where it passes. To be called after `limitRequests`, and before routes are added. @throws 429, 507 */
export function limitUploads(app: FastifyInstance, { quotas, room, guards, metrics }: Deps) {
  const bytesIn = metrics.counter('cairn_upload_bytes_total', 'Bytes that came in to be kept')
  const refusals = metrics.counter('cairn_uploads_refused_total', 'Uploads refused for a limit, by status', ['status'])
  const tidyUp = collectYoungGarbage()
  const ending = new Set<Promise<void>>()

  const senderOf = (request: FastifyRequest) => {
    const { kind, id } = guards.senderOf(request)
    return { caller: id, ...quotas[kind] }
  }

  /** Counts what is about to come. @throws 429, 507; then it may be sent again when there is less of it, or later */
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
        arrival: await room.open(asked.size),
        take: (length: number) => bytes.take(caller, length),
        giveBack: (length: number) => bytes.giveBack(bytesTaken, length),
      }
    } catch (error) {
      bytes.giveBack(bytesTaken, asked.size)
      if (error instanceof HttpError) refusals.labels(String(error.status)).inc()
      throw error
    }
  }

  // Of the routes that need it, so that no other request passes here.
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
    const { arrival, take, giveBack } = await admit(request, reply, {
      isRequest: upload === 'request',
      size: announced ?? 0,
    })

    const end = () => {
      // Who goes on where a connection broke announces the rest each time: only what came is theirs.
      const missing = Math.max(0, arrival.announced - arrival.received)
      if (missing > 0) giveBack(missing)
      const ended = room
        .close(arrival)
        .catch((error: Error) => request.log.error({ err: error }, 'the bytes of an upload were not counted'))
      ending.add(ended)
      void ended.finally(() => ending.delete(ended))
    }
    // Who went away meanwhile does not go again.
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)

    let isCut = false
    const cut = (error: unknown) => {
      if (isCut || !(error instanceof HttpError)) return
      isCut = true
      refusals.labels(String(error.status)).inc()
      abortRequest(request.raw, error)
    }
    // What comes while it is counted is counted next, together.
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
      const isTimeToLook = room.receive(arrival, length)
      if (announced !== undefined) return
      void count(length)
      try {
        room.assertFitsToday()
      } catch (error) {
        cut(error)
      }
      if (isTimeToLook) room.assertStillFits().catch(cut)
    })
  }

  app.addHook('onClose', async () => await Promise.all(ending))

  /** Counts what a sender is about to put elsewhere, to be kept all the same. @throws 429, 507 */
  return async function countElsewhere(request: FastifyRequest, reply: FastifyReply, size: number): Promise<void> {
    const { arrival } = await admit(request, reply, { isRequest: true, size })
    arrival.received = size
    await room.close(arrival)
  }
}

/** Counts a file that does not come through this service. @throws 429, 507 */
export type CountElsewhere = ReturnType<typeof limitUploads>
