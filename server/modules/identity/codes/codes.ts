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
/** With 100,000 codes live, all of so many draws are taken once in 10^8 times. */
const DRAWS = 8

type Deps = {
  store: CodeStore
  secrets: Secrets
  newId: () => string
  log: Log
  /** Seconds a code lives. */
  seconds: number
  /** The chance a day, of 1, that somebody who guesses in one space comes upon a user's code. */
  risk: number
  tokens: Tokens
}

export type CodeService = ReturnType<typeof codeService>

/** Six-digit codes: a way in for devices without a keyboard, and a proof that a player is who an app says. */
export function codeService({ store, secrets, newId, log, seconds, risk, tokens }: Deps) {
  let lockouts = 0
  const digestOf = (code: string) => secrets.sign(PURPOSE, code)

  return {
    /** Makes a code; it replaces the maker's live one for that player. @param playerId undefined: no player is meant, and none is shown
     * @throws 404 for a player that does not exist, or to an app for one that is not its own; 429 when 20 codes of the user are live. */
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
      if (drawn === -1) throw unauthorized('The user or the app was deleted meanwhile')
      if (drawn === -2) throw tooMany('20 of your codes are live: use them, or wait until they end', seconds)
      if (drawn === null) throw unavailable('Too many codes are live: try again', 2)
      return { code: drafts[drawn - 1]!, ...(playerId === undefined ? {} : { playerId }), expiryTime: ends }
    },

    /** Decides a code, which then is used. With an app only its space is looked at, else every one. What could not be decided answers ERROR. @throws 429 when the guesses of the address or of the space are spent */
    async exchange(code: string, appId: string | undefined, address: string): Promise<CodeAnswer> {
      const sessionId = newId()
      try {
        // Before the code is used up: that its token can be signed.
        await tokens.ready()
        const block = addressBlock(address)
        const guess = { digest: digestOf(code), appId, block, risk, sessionId, address }
        const decision = await store.exchange(guess)
        if (decision.alarm) raiseAlarm(appId, decision)
        return await answerTo(decision, sessionId)
      } catch (error) {
        if (error instanceof HttpError && error.status === 429) throw error
        log.error({ err: error }, 'a code could not be decided')
        return { status: 'ERROR', error: 'The code could not be checked: try again, or ask for a new one' }
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
        return { status: 'EXPIRED', error: 'This code has ended: ask for a new one' }
      case 'INVALID':
        return {
          status: 'INVALID',
          error: 'There is no such code, or it was used: check the digits, or ask for a new one',
        }
      case 'ADDRESS':
        throw tooMany(`Too many wrong codes from this address: wait ${wait} s`, wait!)
      case 'SPACE':
        throw tooMany(`Too many wrong codes: no code is taken here for ${wait} s`, wait!)
    }
  }

  /** The session of a code has no roles, whatever its user may do elsewhere. */
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
      'codes are being guessed: the budget of this space is spent, and no code of it is exchanged until failures are 24 hours old',
    )
  }
}

const tooMany = (message: string, wait: number) =>
  new HttpError(429, message, { 'retry-after': String(wait), ratelimit: `"codes";r=0;t=${wait}` })
