import { z } from 'zod'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { StreamStore } from './stream-store.ts'

/** What a stream token lets its bearer listen to, and the id of the app key that it was made with. */
export type StreamGrant = { appId: string; keyId: string; typeKey: string }

const purpose = 'leaderboard-stream-tokens'
const goodForSeconds = 60
const Content = z.tuple([z.uuid(), z.string(), z.uuid(), z.string()])

/** Tokens that let a browser open the stream of one board: its EventSource sends no headers, and an app key must not stand in an address. */
export function streamTokens({ secrets, store }: { secrets: Secrets; store: StreamStore }) {
  return {
    /** A token to connect with within a minute. */
    async make({ appId, keyId, typeKey }: StreamGrant): Promise<{ token: string; expiryTime: string }> {
      const expiryTime = await store.until(goodForSeconds)
      return { token: secrets.seal(purpose, JSON.stringify([appId, keyId, typeKey, expiryTime])), expiryTime }
    },

    /** @throws 401 for a token that is not ours or is over, or whose app key was rotated or deleted */
    async open(token: unknown): Promise<StreamGrant> {
      const content = read(token)
      if (content) {
        const [appId, keyId, typeKey, expiryTime] = content
        if (await store.isGood(appId, keyId, expiryTime)) return { appId, keyId, typeKey }
      }
      throw unauthorized('This stream token is not valid, or its minute is over: ask for a new one')
    },
  }

  function read(token: unknown) {
    try {
      return Content.parse(JSON.parse(secrets.open(purpose, z.string().parse(token))))
    } catch {
      return undefined
    }
  }
}
export type StreamTokens = ReturnType<typeof streamTokens>
