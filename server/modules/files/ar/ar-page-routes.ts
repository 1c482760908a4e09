import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HttpError } from '../../../platform/errors.ts'
import { noticePage, renderPage } from '../../../platform/html/page.ts'
import { FileParams } from '../schema.ts'
import type { ArModels } from './ar-models.ts'
import { type ArModel, arPage, DEVICES, deviceOf } from './ar-page.ts'

/** The page that shows a model in AR, for phones without a session. Mounted under /ar. */
export const arPageRoutes =
  ({ models }: { models: ArModels }): FastifyPluginAsyncZod =>
  async (app) => {
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      const isLater = error.status === 429
      const { text, headers } = renderPage(
        isLater ? noticePage('One moment', LATER) : noticePage('There is no model here', NOT_HERE),
      )
      return reply
        .code(error.status)
        .headers({ ...error.headers, ...headers })
        .send(text)
    })

    app.get('/:fileId', { schema: { hide: true, params: FileParams, querystring: Query } }, async (request, reply) => {
      const model: ArModel = await models.get(request.params.fileId)
      const device = request.query.on ?? deviceOf(request.headers['user-agent'] ?? '')
      const { text, headers } = renderPage(arPage(model, device))
      return reply.headers(headers).send(text)
    })
  }

/** The device, for one that does not say it. */
const Query = z.object({ on: z.enum(DEVICES).optional() })

const NOT_HERE = 'The model was removed or is not public, or the address is wrong.'
/** Phones at one place often share an address and its rate limit. */
const LATER = 'Too many requests from this network. Open this page again in a minute.'
