import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../database/audit.ts'
import { forbidden, notFound, unauthorized } from '../errors.ts'
import { addressBlock } from '../http/limits/address-block.ts'
import { isRead } from '../http/requests/is-read.ts'
import { isId } from '../ids.ts'
import { leastRoleOf } from './app-roles.ts'
import { bearerOf } from './bearer.ts'
import type { AppCaller, AppUser, Callers, PlayerCaller, Sender, UserCaller, Viewer, Writer } from './callers.ts'
import { assertMayCall } from './key-kinds.ts'
import { assertTokenMayCall } from './personal-tokens.ts'
import { playerTokenOf } from './player-tokens.ts'

/** A caller without a session if writes are open: in a closed network, everyone may do what ops may. */
const ANYBODY: Writer = { id: null, roles: ['ops'] }

type Deps = {
  /** Whether GCPs and photos can be written without a session (CAIRN_OPEN_WRITES). */
  openWrites: boolean
  /** The app of a key, or undefined. */
  findApp: (key: string) => AppCaller | undefined | Promise<AppCaller | undefined>
  /** The app that the user acts in, as its server key would. @throws 403, 404 without the role */
  findInApp: (appId: string, user: AppUser) => Promise<AppCaller>
  /** The user of a session token or a personal token. @throws 401 */
  findUser: (token: string) => Promise<UserCaller>
  /** The player of a token that is beside the key of this app. @throws 401, 403 if it is banned */
  findPlayer: (token: string, app: AppCaller) => Promise<PlayerCaller>
  /** The error for a refused credential; counts failed tries. */
  refused: (request: FastifyRequest, refusal: unknown) => Promise<unknown>
}

export type Guards = ReturnType<typeof createGuards>

/** Where a request stores its caller. */
const APP = Symbol('app')
const USER = Symbol('user')
const PLAYER = Symbol('player')
/** The app of a valid key on a request that needs no credential. */
const NAMED_APP = Symbol('named app')
type Called = { [APP]?: AppCaller; [USER]?: UserCaller; [PLAYER]?: PlayerCaller; [NAMED_APP]?: AppCaller }

/**
 * A hook, or a call in one. Returns no promise if the caller is known synchronously, which is the case for nearly every
 * request.
 */
type Guard = {
  (request: FastifyRequest): Promise<void>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
}
/** @returns a promise if the caller is not known synchronously @throws the error for the request */
type Check = (request: FastifyRequest) => Promise<void> | undefined

/**
 * Authenticates callers. Guards are `onRequest` hooks, so credentials are checked before bodies and parameters are
 * read.
 */
export function createGuards({ openWrites, findApp, findInApp, findUser, findPlayer, refused }: Deps) {
  const readUser: Check = (request) => {
    const token = bearerOf(request)
    if (token === undefined) return undefined
    return findUser(token).then((user) => {
      if (user.scope) assertTokenMayCall(request, user.scope)
      ;(request as Called)[USER] = user
    })
  }

  const takeApp = (request: FastifyRequest, app: AppCaller | undefined): Promise<void> | undefined => {
    if (!app) throw unauthorized('This app API key is not valid: check for a typo, and whether it was rotated')
    ;(request as Called)[APP] = app
    const token = playerTokenOf(request)
    const hasSession = (request as Called)[USER] !== undefined
    const takePlayer = (player?: PlayerCaller) => {
      if (player) (request as Called)[PLAYER] = player
      assertMayCall(request, { kind: app.kind, playerId: player?.id, hasSession })
    }
    if (token !== undefined) return findPlayer(token, app).then(takePlayer)
    takePlayer()
    return undefined
  }
  const readApp: Check = (request) => {
    const key = request.headers['x-app-api-key']
    if (key === undefined || key === '') return undefined
    const found = findApp(String(key))
    if (found instanceof Promise) return found.then((app) => takeApp(request, app))
    return takeApp(request, found)
  }

  /** The member of an app: a session, and the app's ID in a header. */
  const readMember: Check = (request) => {
    const appId = request.headers['x-app-id']
    if (appId === undefined || appId === '' || request.routeOptions.config.keyOnly) return undefined
    return enterApp(request, String(appId).toLowerCase())
  }
  const enterApp = async (request: FastifyRequest, appId: string): Promise<void> => {
    await mustHaveUser(request)
    const user = appUserOf(request)
    assertFullSession(user)
    if (!isId(appId)) throw notFound('App')
    ;(request as Called)[APP] = await findInApp(appId, user)
  }

  const counted = (check: Check): Guard => {
    const refuse = async (request: FastifyRequest, error: unknown): Promise<void> => {
      throw await refused(request, error)
    }
    const counting: Check = (request) => {
      try {
        return check(request)?.catch((error) => refuse(request, error))
      } catch (error) {
        return refuse(request, error)
      }
    }
    const guard = (request: FastifyRequest, _reply?: FastifyReply, done?: (error?: Error) => void) => {
      const checked = counting(request)
      if (!done) return checked ?? Promise.resolve()
      if (checked) checked.then(() => done(), done)
      else done()
      return undefined
    }
    return guard as Guard
  }

  const mustHaveUser: Check = (request) => {
    const reading = readUser(request)
    if (!reading) throw unauthorized('Send a session token in the header Authorization: Bearer <token>')
    return reading
  }
  /** Requires a valid session token; otherwise 401. */
  const user = counted(mustHaveUser)
  /** Accepts a session token; an invalid one is 401. Reads ignore a player token, which games send with every request. */
  const optionalUser = counted((request) =>
    isRead(request) && playerTokenOf(request) !== undefined ? undefined : readUser(request),
  )

  const maybeAppOf = (request: object): AppCaller | undefined => (request as Called)[APP]
  const maybeUserOf = (request: object): UserCaller | undefined => (request as Called)[USER]
  const appUserOf = (request: FastifyRequest): AppUser => ({
    ...maybeUserOf(request)!,
    needs: leastRoleOf(request.method, request.routeOptions.config),
  })

  return {
    user,
    optionalUser,
    openWrites,
    /** Requires a valid session token, unless writes are open. */
    writer: openWrites ? optionalUser : user,
    writerOf: (request: object): Writer => maybeUserOf(request) ?? ANYBODY,
    /** For a route with its own check: its refusals are counted too. */
    counted,
    /**
     * Requires a valid `x-app-api-key`, or the session of a member and `x-app-id`; otherwise 401. A client key is 403
     * unless the route takes it; a player token beside it must be valid. A member needs the role of the route.
     */
    app: counted((request) => {
      const reading = readApp(request) ?? (maybeAppOf(request) ? undefined : readMember(request))
      if (!reading && !maybeAppOf(request)) throw unauthorized('Send your app API key in the header x-app-api-key')
      return reading
    }),
    /** Requires a valid session token and accepts a server key: the app that the user acts in. */
    userInApp: counted(async (request) => {
      await mustHaveUser(request)
      await readApp(request)
    }),
    /** Accepts a session token, a server key, or both; an invalid one is 401. */
    optionalCaller: counted(async (request) => {
      await readUser(request)
      await readApp(request)
    }),
    /** Accepts an app key with or without a player token, or a session token, or both; an invalid one is 401. */
    optionalAppOrUser: counted(async (request) => {
      if (playerTokenOf(request) === undefined || !request.headers['x-app-api-key']) await readUser(request)
      await readApp(request)
    }),
    appOf: (request: object): AppCaller => maybeAppOf(request)!,
    /** For the audit log: the member who acts in the app, else the app. */
    actorInApp: (request: FastifyRequest): Actor => ({
      actor: maybeUserOf(request)?.id ?? `app:${maybeAppOf(request)!.id}`,
      address: request.ip,
    }),
    /** The player whose token is beside the key, or undefined. */
    maybePlayerOf: (request: object): PlayerCaller | undefined => (request as Called)[PLAYER],
    viewerOf(request: object): Viewer {
      const player = (request as Called)[PLAYER]
      const seesAll = !player && maybeAppOf(request)?.kind === 'server'
      return { seesAll, hiddenPlayer: player?.isHidden ? player.id : undefined }
    },
    userOf: (request: object): UserCaller => maybeUserOf(request)!,
    /** The user of a request, with the least role that its route needs in an app. */
    appUserOf,
    /** The sender for quotas: the user, otherwise the app, otherwise the address. */
    senderOf(request: FastifyRequest): Sender {
      const [user, app] = [maybeUserOf(request), maybeAppOf(request)]
      if (user) return { kind: 'user', id: user.id }
      return app ? { kind: 'app', id: app.id } : { kind: 'anonymous', id: addressBlock(request.ip) }
    },
    maybeAppOf,
    maybeUserOf,
    /**
     * The caller of an operation without authentication, by the credentials it sends anyway. Invalid ones, and those
     * that cannot be checked now, are ignored. Never rejects.
     */
    async namedBy(request: FastifyRequest): Promise<Callers> {
      const named = async <Caller>(find: () => Caller | undefined | Promise<Caller | undefined>) => {
        try {
          return await find()
        } catch {
          return undefined
        }
      }
      const key = request.headers['x-app-api-key']
      const [app, user] = await Promise.all([
        named(() => (key ? findApp(String(key)) : undefined)),
        named(() => {
          const token = bearerOf(request)
          return token === undefined ? undefined : findUser(token)
        }),
      ])
      if (app) (request as Called)[NAMED_APP] = app
      const token = playerTokenOf(request)
      const player = app && token !== undefined ? await named(() => findPlayer(token, app)) : undefined
      return { app, user, player }
    },
    /** The app that a request counts for: that of its key, or of a valid key on a read that needs none. */
    countedAppOf: (request: object): AppCaller | undefined => maybeAppOf(request) ?? (request as Called)[NAMED_APP],
    /**
     * The user of the request's session, checked now: an event stream lasts long after its request. @throws 401 if the
     * session has ended
     */
    async userNow(request: FastifyRequest): Promise<UserCaller | undefined> {
      const token = maybeUserOf(request) && bearerOf(request)
      return token === undefined ? undefined : findUser(token)
    },
  }
}

/**
 * @throws 403 for a session created with a six-digit code: the holder of such a device must not be able to take over
 * the user
 */
export function assertFullSession(user: UserCaller) {
  if (user.limited)
    throw forbidden(
      `A ${user.scope ? 'personal token' : 'session created with a six-digit code'} cannot do this: sign in at your identity provider`,
    )
}

/** The actor for the audit log. */
export const actorIn = (user: UserCaller, request: FastifyRequest): Actor => ({ actor: user.id, address: request.ip })

export const isAdmin = (user: Writer) => user.roles.includes('admin')
export const hasOpsAccess = (user: Writer) => isAdmin(user) || user.roles.includes('ops')

/** Records can be changed by their creator and ops; those without an owner only by ops. @throws 403 */
export function assertMayChange(user: Writer, ownerIds: (string | null)[], what: string) {
  if (!hasOpsAccess(user) && !(user.id !== null && ownerIds.includes(user.id)))
    throw forbidden(`This ${what} belongs to another user`)
}

/**
 * The acting user: `userId` in a write names the actor, and is accepted for the caller itself and for ops. @throws 403
 */
export function actorOf<Id extends string | null>(
  user: { id: Id; roles: string[] },
  userId: string | undefined,
): Id | string {
  if (userId !== undefined && userId !== user.id && !hasOpsAccess(user))
    throw forbidden('userId is another user: omit it')
  return userId ?? user.id
}
