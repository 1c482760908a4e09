import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { needs } from '../../platform/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import type { ScoringParts } from './routes.ts'
import { MiniGameType, MiniGameTypeList, NewMiniGameType } from './schema.ts'

const tags = ['Mini game types']
const security = needs.appKey

export const typeRoutes =
  ({ typeStore, types, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/mini-game-types',
      {
        schema: { tags, security, summary: "The app's mini game types, by name", response: { 200: MiniGameTypeList } },
      },
      async (request) => ({ miniGameTypes: await typeStore.list(guards.appOf(request).id) }),
    )

    app.post(
      '/mini-game-types',
      {
        schema: {
          tags,
          security,
          summary: 'Create a mini game type',
          description: 'A name that the app already has, in whatever case, answers 409.',
          body: NewMiniGameType,
          response: { 201: MiniGameType, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await types.create(guards.appOf(request).id, request.body)),
    )
  }
