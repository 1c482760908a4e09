import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { notFound } from '../../platform/errors.ts'
import { inForms } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { displayName, disposition } from '../../platform/storage/file-names.ts'
import { forms } from './forms.ts'
import { ExportQuery } from './schema.ts'
import type { ExportStore } from './store.ts'

const Points = z.object({
  type: z.literal('FeatureCollection'),
  name: z.string(),
  features: z.array(z.looseObject({})),
})
const contents = Object.fromEntries(
  Object.values(forms).map(({ type }) => [type.split(';')[0]!, type.includes('json') ? Points : z.string()]),
)

type Parts = { store: ExportStore; findZone: (id: number) => Promise<{ title: string } | undefined> }

/** Mounted under /api. */
export const exportRoutes =
  ({ store, findZone }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/gcp/zone/:zoneId/export',
      {
        schema: {
          tags: ['Ground control points'],
          summary: "A zone's ground control points as a file",
          description:
            "CSV (importing it again changes nothing), GeoJSON, KML 2.2 or gcp_list.txt of OpenDroneMap, in WGS84. Texts that a spreadsheet would take for a formula have a `'` before them. gcp_list has a line for each photo, with 0 0 where the position in the photo belongs.",
          params: z.object({ zoneId: pathInteger }),
          querystring: ExportQuery,
          response: { 200: inForms('The file', contents), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const zone = await findZone(request.params.zoneId)
        if (!zone) throw notFound('Zone')
        const { type, ending, write } = forms[request.query.format]
        reply.headers({
          'content-type': type,
          'content-disposition': disposition(
            'attachment',
            displayName(`${zone.title.replace(/[\\/]/g, '_')}${ending}`),
          ),
        })
        return reply.send(Readable.from(write(zone.title, store.gcpsOf(request.params.zoneId))) as never)
      },
    )
  }
