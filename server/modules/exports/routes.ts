import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { notFound } from '../../platform/errors.ts'
import { inForms } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { displayName, disposition } from '../../platform/storage/file-names.ts'
import { csvOf } from './csv.ts'
import { gcpListOf } from './gcp-list.ts'
import { geojsonOf } from './geojson.ts'
import { kmlOf } from './kml.ts'
import { type ExportedGcp, type ExportFormat, ExportQuery } from './schema.ts'
import type { ExportStore } from './store.ts'

type Batches = AsyncIterable<ExportedGcp[]>

const forms: Record<
  ExportFormat,
  { type: string; ending: string; write: (name: string, batches: Batches) => AsyncIterable<string> }
> = {
  csv: { type: 'text/csv; charset=utf-8', ending: '.csv', write: (_name, batches) => csvOf(batches) },
  geojson: { type: 'application/geo+json', ending: '.geojson', write: geojsonOf },
  kml: { type: 'application/vnd.google-earth.kml+xml', ending: '.kml', write: kmlOf },
  gcp_list: {
    type: 'text/plain; charset=utf-8',
    ending: ' gcp_list.txt',
    write: (_name, batches) => gcpListOf(batches),
  },
}

const contents = Object.fromEntries(Object.values(forms).map(({ type }) => [type.split(';')[0]!, z.string()]))

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
