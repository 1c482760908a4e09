import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { invalid } from '../../../platform/errors.ts'
import { inForms, needs } from '../../../platform/http/docs/openapi.ts'
import { disposition } from '../../../platform/storage/types/file-names.ts'
import { SheetQuery } from './schema.ts'
import { SheetFault, sheetOf } from './sheet.ts'

/** Mounted under /api. */
export const sheetRoutes =
  (guards: Guards): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/v1/tags/sheet',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags: ['Ground control points'],
          security: needs.optionalUser,
          operationId: 'getTagSheet',
          summary: 'Get a sheet of AprilTags to print',
          description:
            'A PDF with the tags in their true size: as many as fit on each page, with their white edge, ID, marks to cut along, and a bar of 100 mm. Print it at 100 %, and measure the bar.',
          querystring: SheetQuery,
          response: { 200: inForms('The sheet', { 'application/pdf': z.string().meta({ format: 'binary' }) }) },
        },
      },
      async (request, reply) => {
        const { family, ...order } = request.query
        const pdf = made(() => sheetOf(order))
        reply.headers({
          'content-type': 'application/pdf',
          'content-disposition': disposition('inline', `${family} ${order.size} mm.pdf`),
        })
        return reply.send(pdf as never)
      },
    )
  }

/** @throws 400 */
function made(make: () => Buffer): Buffer {
  try {
    return make()
  } catch (error) {
    if (error instanceof SheetFault) throw invalid([{ code: 'too_big', message: error.message, path: ['size'] }])
    throw error
  }
}
