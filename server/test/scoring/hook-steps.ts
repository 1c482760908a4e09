import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { buildersOn } from '../builders.ts'
import type { Received, Receiver } from '../network/receiver.ts'
import type { Service } from '../service.ts'
import { appUrl, makeSession, makeType, playSession } from './scoring-steps.ts'

type Sent = { playerId: string; score: number; metadata?: object }

/** Common steps of tests of score hooks. */
export function hookSteps(service: Service, receiver: Receiver) {
  const given = buildersOn(service)
  return {
    /** An app with a hook of one of its types, a session of the type, and its players. */
    async hooked({
      onFailure = 'hold',
      players = 1,
      type = {},
    }: {
      onFailure?: string
      players?: number
      type?: object
    } = {}) {
      const owner = await given.user()
      const app = await given.app({ owner })
      const { id: miniGameTypeId } = await makeType(app, 'Hooked', type)
      const { id: session } = await makeSession(app, { miniGameTypeId })
      const ids = (await playSession(given, app, session, Array(players).fill(undefined))).map(({ id }) => id)
      const hooks = `/api/v1/apps/${app.id}/score-hooks`
      const made = await owner.post(hooks, { url: receiver.url, onFailure, miniGameTypeId })
      expect(made).toMatchObject({ status: 201 })
      const scoreAt = appUrl(`game-sessions/${session}/players/${ids[0]}`)
      return {
        owner,
        app,
        miniGameTypeId,
        session,
        ids,
        hooks,
        hook: made.body as { id: string; secret: string },
        scoreAt,
        write: (score: number, metadata?: object) => app.patch(scoreAt, { score, metadata }),
        writeAll: (scores: Sent[]) => app.post(appUrl(`game-sessions/${session}/scores`), { scores }),
        scoreNow: async () => (await app.get(scoreAt)).body.score as number,
        hookNow: async () => (await owner.get(hooks)).body.scoreHooks[0],
      }
    },

    /** From now on the receiver answers with these decisions, made for each score. */
    decides(decision: (sent: Sent) => object) {
      receiver.answer = (response: ServerResponse, { data }: Received) => {
        response.end(JSON.stringify({ decisions: data.scores.map(decision) }))
        return true
      }
    },

    /** From now on the receiver answers with this text. */
    says(text: string, status = 200) {
      receiver.answer = (response: ServerResponse) => {
        response.writeHead(status).end(text)
        return true
      }
    },
  }
}
