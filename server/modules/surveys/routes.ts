import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards, UserCaller } from '../../platform/credentials/guards.ts'
import { invalid } from '../../platform/errors.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { Events, EventsQuery, NothingMore, RECORD_EVENTS } from '../../platform/live/event-answer.ts'
import type { FollowRecord } from '../../platform/live/follow.ts'
import { ErrorBody, listLimit, pathId, pathInteger, queryBoolean } from '../../platform/schema.ts'
import {
  CsvUpload,
  FindingFilter,
  FindingList,
  ImportOptions,
  NewCsvUpload,
  Report,
  RetryOptions,
  ZoneUploads,
} from './schema.ts'
import type { CsvService } from './service.ts'

const tags = ['Ground control points']
const uploadParams = z.object({ id: pathId('CSV upload') })
const zoneParams = z.object({ zoneId: pathInteger })

/** What an import under way is followed by. */
const TOPIC = 'csv_upload'

type Parts = { service: CsvService; guards: Guards; follow: FollowRecord }

/** A header line of 5,000 characters, each escaped, and all the rest. */
const IMPORT_BYTES = 64 * 1024

/** Mounted under /api. */
export const csvRoutes =
  ({ service, guards, follow }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/gcp/upload',
      {
        bodyLimit: IMPORT_BYTES,
        onRequest: guards.userInApp,
        schema: {
          tags,
          security: needs.user,
          summary: 'Import a file of survey points into a zone',
          description:
            'CSV with any usual delimiter, encoding and header language, exports of survey controllers and gcp_list.txt; XLSX, ODS, GeoPackage, zipped Shapefile, FlatGeobuf, GML, GeoJSON, GPX, KML, KMZ and DXF; at most 50 MiB, 200,000 rows and 64 columns. Upload the file first and name its address here, or one on a host that the operator allows: that file is fetched once, while the record is PENDING. Rows are matched by title within the zone, so sending a file again changes nothing; bad rows are told in the report and stop no others. An app key beside the session names an app whose webhooks are told how it ends.',
          querystring: ImportOptions,
          body: NewCsvUpload,
          response: { 200: CsvUpload, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) =>
        service.register(
          guards.userOf(request),
          { ...request.body, ...request.query },
          guards.maybeAppOf(request)?.id ?? null,
        ),
    )

    app.get(
      '/gcp/upload/:id',
      {
        onRequest: guards.optionalUser,
        // Whoever reads here that an import is done looks for its points next.
        config: { reportsWrites: true },
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'One imported file',
          description:
            'PENDING, then PROCESSING while `processedRows` moves, then COMPLETED, with the rows left out told in `errorMessage`, or FAILED with the reason there. `fileUrl` and `userId` are shown to its owner and ops, `header` to the owner of the zone too, else null.',
          params: uploadParams,
          response: { 200: CsvUpload, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.maybeUserOf(request), request.params.id),
    )

    app.get(
      '/gcp/upload/:id/stream',
      {
        exposeHeadRoute: false,
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'One imported file as its import goes on: server-sent events',
          description: `For a bar that moves: \`processedRows\` rises several times a second. The last state is COMPLETED or FAILED. ${RECORD_EVENTS}`,
          params: uploadParams,
          querystring: EventsQuery,
          response: { 200: Events, 204: NothingMore, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const read = (viewer?: UserCaller) => service.progress(viewer, id)
        return follow(request, reply, { topic: TOPIC, subject: id, id, read })
      },
    )

    app.get(
      '/gcp/upload/:id/report',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'What became of the rows of a file',
          description:
            'Numbers of rows, what the file was taken for, and each fault with the row, the line, the column, the value and what to write instead. `points` and `detected.cells` are for the owner of the file or of its zone and ops, else empty. `format=csv` has the faults alone, for a spreadsheet.',
          params: uploadParams,
          querystring: z.object({
            format: z.enum(['json', 'csv']).default('json'),
            rows: z
              .enum(['all', 'file'])
              .default('all')
              .describe('file: those of the whole file alone, where the others are read by …/findings'),
          }),
          response: {
            200: inForms('The report', { 'application/json': Report, 'text/csv': z.string() }),
            404: ErrorBody,
          },
        },
      },
      async (request, reply) => {
        const { format } = request.query
        const text = await service.report(guards.maybeUserOf(request), request.params.id, request.query)
        reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
        return reply.send(Readable.from(text) as never)
      },
    )

    app.get(
      '/gcp/upload/:id/findings',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'The rows of a file that failed or have a warning, in the order of the file',
          description:
            'What the report has of rows, page by page and by cause; the report says under `causes` how many there are of each. What concerns the whole file is in the report alone. Anybody may read both: they quote the cells that are wrong.',
          params: uploadParams,
          querystring: PageQuery.extend({ ...FindingFilter.shape, limit: listLimit(100, 1000) }),
          response: { 200: FindingList, 404: ErrorBody },
        },
      },
      async (request, reply) => ({
        findings: pageRows(request, reply, await service.findings(request.params.id, request.query)),
      }),
    )

    app.post(
      '/gcp/upload/:id/retry',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Run a failed import again',
          description:
            'From its beginning, with the options given here in place of those it was sent with: for example a `crs` that the file does not name. Rows that it had applied are found unchanged.',
          params: uploadParams,
          querystring: RetryOptions,
          response: { 200: CsvUpload, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => service.retry(guards.userOf(request), request.params.id, request.query),
    )

    app.get(
      '/gcp/zone/:zoneId',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: "A zone's imported files, newest first",
          description:
            'Up to 10,000: the next page is in the header Link, the whole number in x-total-count and `totalFiles`.',
          params: zoneParams,
          querystring: PageQuery.extend({ userId: z.string().optional().describe('Only the files of this user') }),
          response: { 200: ZoneUploads, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { zoneId } = request.params
        const { zoneName, page } = await service.ofZone(guards.maybeUserOf(request), zoneId, request.query)
        return { zoneId, zoneName, csvFiles: pageRows(request, reply, page), totalFiles: page.total }
      },
    )

    app.delete(
      '/gcp/zone/:zoneId',
      {
        onRequest: guards.writer,
        schema: {
          tags,
          security: guards.openWrites ? needs.optionalUser : needs.user,
          summary: 'Remove an imported file',
          description:
            'Names the file by `csvUploadId` in the body or, for proxies that drop bodies, in the query. The points it created stay, unless `deleteGcps=true`: then those nobody changed since go too.',
          params: zoneParams,
          querystring: z.object({
            csvUploadId: z.string().optional().describe('Where the body does not name it'),
            userId: z.string().optional().describe('Who removes it: the caller; ops may name another'),
            deleteGcps: queryBoolean
              .default(false)
              .describe('Also removes the points that it created and nobody changed since'),
          }),
          body: z
            .object({ csvUploadId: z.string().optional().describe('Required, unless the query has it') })
            .nullish(),
          response: { 200: z.null().describe('Removed; the body is empty'), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { deleteGcps, userId } = request.query
        const id = request.body?.csvUploadId ?? request.query.csvUploadId
        if (id === undefined)
          throw invalid([
            { code: 'invalid_type', message: 'is required, in the body or in the query', path: ['csvUploadId'] },
          ])
        await service.remove(guards.writerOf(request), request.params.zoneId, id, { deleteGcps, userId })
        return reply.code(200).send('' as never)
      },
    )
  }
