import { randomInt } from 'node:crypto'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Tokens } from '../../../platform/credentials/tokens.ts'
import { HttpError, notFound, unauthorized, unavailable } from '../../../platform/errors.ts'
import { addressBlock } from '../../../platform/http/limits/address-block.ts'
import { isId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Code, CodeAnswer } from '../schema.ts'
import type { CodeMaker, CodeStore, Decision } from './code-store.ts'

const PURPOSE = 'codes'
/** With 100,000 active codes, all of these draws are in use once in 10^8 times. */
const DRAWS = 8

type Deps = {
  store: CodeStore
  secrets: Secrets
  newId: () => string
  log: Log
  /** Lifetime of a code in seconds. */
  seconds: number
  /** The accepted probability per day, out of 1, that guessing in one space hits a user's code. */
  risk: number
  tokens: Tokens
}

export type CodeService = ReturnType<typeof codeService>

/** Six-digit codes: sign-in for devices without a keyboard, and a proof to an app of who a player is. */
export function codeService({ store, secrets, newId, log, seconds, risk, tokens }: Deps) {
  let lockouts = 0
  const digestOf = (code: string) => secrets.sign(PURPOSE, code)

  return {
    /**
     * Creates a code that replaces the creator's active one for that player. @param playerId undefined: no player is
     * meant, and none is shown @throws 404 if the player does not exist, or does not belong to the app; 429 if the user
     * has 20 active codes
     */
    async make(maker: CodeMaker, playerId: string | null | undefined, address: string): Promise<Code> {
      if (typeof playerId === 'string' && !isId(playerId)) throw notFound('Player')
      const drafts = Array.from({ length: DRAWS }, () => String(randomInt(1_000_000)).padStart(6, '0'))
      const { drawn, ends } = await store.insert(drafts.map(digestOf), {
        id: newId(),
        maker,
        playerId: playerId ?? null,
        seconds,
        address,
      })
      if (drawn === 0) throw notFound('Player')
      if (drawn === -1) throw unauthorized('The user or the app has been deleted')
      if (drawn === -2) throw tooMany('You have 20 active codes: use them, or wait until they expire', seconds)
      if (drawn === null) throw unavailable('Too many codes are active: try again', 2)
      return { code: drafts[drawn - 1]!, ...(playerId === undefined ? {} : { playerId }), expiryTime: ends }
    },

    /**
     * Checks a code and uses it up. With an app, only the app's space is searched, otherwise all. Returns ERROR if it
     * cannot be decided. @throws 429 if the address or the space has no guesses left
     */
    async exchange(code: string, appId: string | undefined, address: string): Promise<CodeAnswer> {
      const sessionId = newId()
      try {
        // Before the code is used up, make sure that its token can be signed.
        await tokens.ready()
        const block = addressBlock(address)
        const guess = { digest: digestOf(code), appId, block, risk, sessionId, address }
        const decision = await store.exchange(guess)
        if (decision.alarm) raiseAlarm(appId, decision)
        return await answerTo(decision, sessionId)
      } catch (error) {
        if (error instanceof HttpError && error.status === 429) throw error
        log.error({ err: error }, 'failed to check a code')
        return { status: 'ERROR', error: 'The code could not be checked: try again, or request a new one' }
      }
    },

    /** How often a space was locked since the start. */
    lockouts: () => lockouts,
    deleteOld: store.deleteOld,
  }

  async function answerTo(decision: Decision, sessionId: string): Promise<CodeAnswer> {
    const { outcome, wait, owner, ends } = decision
    switch (outcome) {
      case 'VALID':
        if (!owner) return { status: 'VALID', expiryTime: ends! }
        return { status: 'VALID', sessionToken: await tokenFor(decision, sessionId), expiryTime: decision.sessionEnds! }
      case 'EXPIRED':
        return { status: 'EXPIRED', error: 'This code has expired: request a new one' }
      case 'INVALID':
        return {
          status: 'INVALID',
          error: 'This code is unknown or already used: check the digits, or request a new one',
        }
      case 'ADDRESS':
        throw tooMany(`Too many wrong codes from this address. Retry in ${wait} seconds`, wait!)
      case 'SPACE':
        throw tooMany(`Too many wrong codes: no code is accepted here for ${wait} seconds`, wait!)
    }
  }

  /** The session of a code has no roles, even if its user has some. */
  function tokenFor({ owner, opened, sessionEnds }: Decision, sessionId: string): Promise<string> {
    return tokens.issue({
      userId: owner!,
      sessionId,
      roles: [],
      issuedAt: Date.parse(opened!) / 1000,
      expiresAt: Date.parse(sessionEnds!) / 1000,
    })
  }

  function raiseAlarm(appId: string | undefined, { failures, budget }: Decision) {
    lockouts++
    log.error(
      { space: appId ?? 'keyless', failures, budget },
      'possible code guessing: this space has used up its failures and accepts no codes until they are 24 hours old',
    )
  }
}

const tooMany = (message: string, wait: number) =>
  new HttpError(429, message, { 'retry-after': String(wait), ratelimit: `"codes";r=0;t=${wait}` })
