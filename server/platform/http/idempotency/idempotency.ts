import { createHash, type Hash, hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../../credentials/guards.ts'
import { runOutsideRequest } from '../../database/request-context.ts'
import { isRolledBack } from '../../database/write-tracking.ts'
import { conflict, HttpError, invalid, UnknownOutcome } from '../../errors.ts'
import { scheduleEvery } from '../../scheduler.ts'
import { ADDRESS_SCOPE, type IdempotencyStore, type KnownRequest, type StoredAnswer } from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For responses with a secret, which is never stored, or for a single session: the Idempotency-Key is ignored. */
    holdsSecret?: boolean
  }
}

/** A running request that holds its key; its response will be stored. */
type Claim = {
  scope: string
  key: string
  request: Buffer | null
  content: FormContent | undefined
  error?: unknown
}
type Repeat = { known: KnownRequest; content: FormContent }

const claims = new WeakMap<FastifyRequest, Claim>()
const repeats = new WeakMap<FastifyRequest, Repeat>()

const CLEAN_MS = 10 * 60_000
/** Retries once: after a lost connection, another one works. */
const AGAIN_AFTER_MS = 100
const KEPT_HEADERS = ['content-type', 'location']

/**
 * Makes POST and PATCH safe to repeat: with an `Idempotency-Key`, a repeat gets the first response and does nothing. Keys are kept
 * for 24 hours, separately for each credential (or address without one). A repeat with another request, during the first, or
 * after an unknown outcome is 409.
 */
export function registerIdempotency(
  app: FastifyInstance,
  { store, guards }: { store: IdempotencyStore; guards: Guards },
) {
  app.addHook('preHandler', (request, reply, done) => {
    const key = keyOf(request)
    if (key === undefined) return done()
    // An answered repeat ends here.
    claimOrAnswer(request, reply, key).then((isAnswered) => isAnswered || done(), done)
  })

  /** @returns whether the stored response was sent */
  async function claimOrAnswer(request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
    const scope = scopeOf(request, guards)
    const content = isForm(request) ? new FormContent() : undefined
    const asked = content ? null : digest(request, JSON.stringify(request.body ?? null))
    for (;;) {
      if (await store.claim(scope, key, asked)) {
        claims.set(request, { scope, key, request: asked, content })
        request.databaseContext.tracksWrites = true
        return false
      }
      const known = await store.get(scope, key)
      if (!known) continue // released in between
      refuseUnanswered(known)
      if (content) {
        repeats.set(request, { known, content })
        return false
      }
      sendKnown(reply, known, asked!)
      return true
    }
  }

  app.addHook('onError', async (request, _reply, error) => {
    const claim = claims.get(request)
    if (claim) claim.error = error
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = claims.get(request)
    if (!claim) return done(null, payload)
    claims.delete(request)
    // The response is sent in any case: the request has been carried out.
    const settle = settling(store, request, claim, answerOf(reply, payload))
    runOutsideRequest(settle)
      .catch(() => sleep(AGAIN_AFTER_MS).then(() => runOutsideRequest(settle)))
      .catch((error: Error) => request.log.error({ err: error }, 'failed to store the response of an Idempotency-Key'))
      .then(() => done(null, payload), done)
  })

  scheduleEvery(app, {
    everyMs: CLEAN_MS,
    work: store.deleteOld,
    onError: (error) => app.log.error({ err: error }, 'failed to purge Idempotency-Keys'),
  })
}

/** Hashes the content of a form as it is read, to distinguish uploads. */
export class FormContent {
  #files: FileContent[] = []
  #texts: string[][] = []

  addText(field: string, value: string) {
    this.#texts.push([field, value])
  }

  addFile(field: string, fileName: string | undefined): FileContent {
    const file = new FileContent(field, fileName)
    this.#files.push(file)
    return file
  }

  digest(): string {
    // The order of texts has no meaning.
    return JSON.stringify([this.#files.map((file) => file.digest()), this.#texts.toSorted()])
  }
}

export class FileContent {
  readonly #name: string[]
  readonly #bytes: Hash = createHash('sha256')

  constructor(field: string, fileName: string | undefined) {
    this.#name = [field, fileName ?? '']
  }

  add(chunk: Uint8Array) {
    this.#bytes.update(chunk)
  }

  digest(): string[] {
    return [...this.#name, this.#bytes.digest('hex')]
  }
}

/** The hash of a form that is being read, if its request has an Idempotency-Key. */
export const formContent = (request: FastifyRequest): FormContent | undefined =>
  (claims.get(request) ?? repeats.get(request))?.content

/** For routes with forms: a repeat is read to its end, and then gets the first response. */
export async function replayForm(request: FastifyRequest, reply: FastifyReply, read: () => Promise<void>) {
  const repeat = repeats.get(request)
  if (!repeat) return
  await read()
  return sendKnown(reply, repeat.known, digest(request, repeat.content.digest()))
}

/** Which operations accept an Idempotency-Key. */
export const acceptsIdempotencyKey = (method: string | string[], config: FastifyContextConfig | undefined): boolean =>
  ['POST', 'PATCH'].includes(String(method)) && !config?.holdsSecret

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  // An unknown operation has nothing to repeat or store.
  if (key === undefined || !acceptsIdempotencyKey(request.method, request.routeOptions.config) || request.is404)
    return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters, such as a UUID'
    throw invalid([{ code: 'invalid_format', message, path: ['Idempotency-Key'] }])
  }
  return key
}

function scopeOf(request: FastifyRequest, guards: Guards): string {
  const [app, user] = [guards.maybeAppOf(request)?.id, guards.maybeUserOf(request)?.id]
  const player = guards.maybePlayerOf(request)?.id
  const caller = [
    ...(app ? [`app:${app}`] : []),
    ...(player ? [`player:${player}`] : []),
    ...(user ? [`user:${user}`] : []),
  ]
  return caller.length > 0 ? caller.join(' ') : `${ADDRESS_SCOPE}${request.ip}`
}

const isForm = (request: FastifyRequest) => /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')

const digest = (request: FastifyRequest, content: string): Buffer =>
  hash('sha256', `${request.method} ${request.url}\n${content}`, 'buffer')

/** @throws 409 */
function refuseUnanswered({ state, isLost }: KnownRequest) {
  if (state === 'unknown' || (state === 'running' && isLost))
    throw conflict(
      'The outcome of the request with this Idempotency-Key is unknown: check the record before you retry with a new key',
    )
  if (state === 'running')
    throw conflict('The request with this Idempotency-Key is still being answered: retry in a moment')
}

/** @throws 409 if the repeat is another request */
function sendKnown(reply: FastifyReply, known: KnownRequest, asked: Buffer) {
  if (!known.request?.equals(asked)) throw conflict('This Idempotency-Key was used for another request: use a new key')
  return reply
    .code(known.status)
    .headers({ ...known.headers, 'idempotency-replayed': 'true' })
    .send(known.body ?? undefined)
}

function answerOf(reply: FastifyReply, payload: unknown): StoredAnswer {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  )
  return { status: reply.statusCode, headers, body: typeof payload === 'string' && payload !== '' ? payload : null }
}

/** @returns a function that stores the response; or releases the key if the request certainly changed nothing */
function settling(store: IdempotencyStore, request: FastifyRequest, claim: Claim, answer: StoredAnswer) {
  const { scope, key, content } = claim
  // A refused form may not have been read to its end, so its hash is unknown.
  if (content && answer.status >= 400 && answer.status < 500) return () => store.release(scope, key)
  if (answer.status >= 500) {
    const isFree = changedNothing(request, claim)
    return () => (isFree ? store.release(scope, key) : store.unknown(scope, key))
  }
  const asked = claim.request ?? digest(request, content!.digest())
  return () => store.answered(scope, key, asked, answer)
}

/** Whether a failed request certainly changed nothing: an error of this service or of the database ended it before any commit. */
const changedNothing = ({ databaseContext }: FastifyRequest, { error }: Claim) =>
  !databaseContext.mayHaveWritten &&
  ((error instanceof HttpError && !(error instanceof UnknownOutcome)) || isRolledBack(error))
