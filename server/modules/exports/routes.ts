import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { notFound } from '../../platform/errors.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { printable, transformationHeader } from '../../platform/http/transformation-header.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { displayName, disposition } from '../../platform/storage/types/file-names.ts'
import { formats } from './formats.ts'
import { ExportQuery } from './schema.ts'
import type { ExportService } from './service.ts'

const Points = z.object({
  type: z.literal('FeatureCollection'),
  name: z.string(),
  features: z.array(z.looseObject({})),
})
/** The ground_control_points.json of OpenSfM, with notes on photos that have no pixel. */
const ControlPoints = z.object({ points: z.array(z.looseObject({})), notes: z.array(z.string()) })
const json: Record<string, z.ZodType> = { 'application/geo+json': Points, 'application/json': ControlPoints }
const contents = Object.fromEntries(
  Object.values(formats).map(({ type }) => {
    const [name] = type.split(';') as [string]
    return [name, json[name] ?? z.string()]
  }),
)

/** Mounted under /api. */
export const exportRoutes =
  ({ service, guards }: { service: ExportService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/gcp/zone/:zoneId/export',
      {
        onRequest: guards.optionalUser,
        // After an import, for example, an export shows all of it.
        config: { reads: 'latest' },
        schema: {
          tags: ['Ground control points'],
          security: needs.optionalUser,
          operationId: 'exportGcps',
          summary: "Export a zone's ground control points",
          description: DESCRIPTION,
          params: z.object({ zoneId: pathInteger.describe('Zone ID') }),
          querystring: ExportQuery,
          response: { 200: inForms('The exported file', contents), 400: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const opened = await service.open(request.params.zoneId, request.query, gone.signal)
        if (!opened) throw notFound('Zone')
        const { title, form, stream, size, crs, operations, leftOut } = opened
        reply.headers({
          'content-type': form.type,
          'content-disposition': disposition(
            'attachment',
            displayName(`${title.replace(/[\\/]/g, '_')}${form.ending}`),
          ),
          'content-crs': contentCrs(crs),
          ...(size !== undefined && { 'content-length': size }),
          ...(operations.length > 0 && { transformation: transformationHeader(operations) }),
          ...(leftOut !== undefined && { 'points-left-out': leftOut }),
        })
        return reply.send(stream as never)
      },
    )
  }

const DESCRIPTION = [
  'The formats are CSV, XLSX, GeoJSON, GeoPackage, zipped Shapefile, KML 2.2, GPX 1.1, DXF (R12), PNEZD, the gcp_list.txt of OpenDroneMap or the ground_control_points.json of OpenSfM. Importing an exported csv, xlsx, geojson, gpkg, shp, kml, gpx or dxf file again changes nothing.',
  'With `crs`, coordinates are written in another reference system. The header `Content-Crs` names the system. `Transformation` lists the operations from WGS84, each with its accuracy in metres and the number of points. `Points-Left-Out` counts the points without coordinates, if the format cannot hold them.',
  "In csv, xlsx and pnezd, text that a spreadsheet would read as a formula is prefixed with `'`. gcp_list and opensfm have the pixel of each point in each uploaded photo that shows its AprilTag, and name photos as they were uploaded. A photo that shows another tag is not used, but is named in a remark. gcp_list has `0 0` in place of the pixel for photos that were not checked.",
].join('\n\n')

/** As OGC API Features names a system (OGC 18-058r1, 6.2.4); proj text has no address. */
const contentCrs = (name: string): string => {
  const [authority, code] = name.split(':')
  return name.startsWith('+') ? `"${printable(name)}"` : `<http://www.opengis.net/def/crs/${authority}/0/${code}>`
}
