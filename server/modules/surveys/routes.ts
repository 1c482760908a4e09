import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { invalid } from '../../platform/errors.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import type { FollowRecord } from '../../platform/live/record-stream.ts'
import { Events, EventsQuery, NothingMore, RECORD_EVENTS } from '../../platform/live/sse-response.ts'
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
const uploadParams = z.object({ id: pathId('CSV upload').describe('Import ID') })
const zoneParams = z.object({ zoneId: pathInteger.describe('Zone ID') })

/** What streams need to follow an import. */
const TOPIC = 'csv_upload'

type Deps = { service: CsvService; guards: Guards; follow: FollowRecord }

/** Body limit: a header line of 5,000 escaped characters, and all other options. */
const IMPORT_BYTES = 64 * 1024

/** Registered under /api. */
export const csvRoutes =
  ({ service, guards, follow }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/gcp/upload',
      {
        bodyLimit: IMPORT_BYTES,
        onRequest: guards.userInApp,
        schema: {
          tags,
          security: needs.user,
          operationId: 'createImport',
          summary: 'Import a survey file into a zone',
          description:
            'Accepts CSV with any usual delimiter, encoding and header language, exports of survey controllers and gcp_list.txt; XLSX, ODS, GeoPackage, zipped Shapefile, FlatGeobuf, GML, GeoJSON, GPX, KML, KMZ and DXF. At most 50 MiB, 200,000 rows and 64 columns. Upload the file first and give its URL here, or a URL on a host that the operator allows: that file is fetched once, while the record is PENDING. Rows are matched by title within the zone, so importing a file again changes nothing. Bad rows are listed in the report and do not stop the others. If an app key is sent with the session, the webhooks of that app receive the outcome.',
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
        // A client that sees a finished import reads its points next.
        config: { reportsWrites: true },
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'getImport',
          summary: 'Get an import',
          description:
            '`status` is PENDING, then PROCESSING while `processedRows` rises, then COMPLETED or FAILED. `errorMessage` lists the skipped rows, or says why the import failed. `fileUrl` and `userId` are shown to its owner and ops; `header` also to the owner and editors of the zone. For others they are `null`.',
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
          operationId: 'streamImport',
          summary: 'Stream the progress of an import',
          description: `\`processedRows\` rises several times a second, for a progress bar. The last state is COMPLETED or FAILED. ${RECORD_EVENTS}`,
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
          operationId: 'getImportReport',
          summary: 'Get the report of an import',
          description:
            'Contains row counts, how the file was read, and each fault with its row, line, column and value, and what to write instead. `points` and `detected.cells` are empty for everyone but the owner of the import, the owner and editors of its zone, and ops. `format=csv` contains only the faults, for a spreadsheet.',
          params: uploadParams,
          querystring: z.object({
            format: z.enum(['json', 'csv']).default('json').describe('The format of the report'),
            rows: z
              .enum(['all', 'file'])
              .default('all')
              .describe('`file`: only the faults of the file as a whole; read those of rows with `…/findings`'),
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
          operationId: 'listImportFindings',
          summary: 'List the findings of an import',
          description:
            'Lists the rows that failed or have a warning, in the order of the file. The report counts them under `causes`. Faults of the file as a whole are only in the report. Anyone can read both: they quote the cells that are wrong.',
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
          operationId: 'retryImport',
          summary: 'Retry a failed import',
          description:
            'Starts from the beginning. Options given here replace those of the import, for example a `crs` that the file does not name. Rows that were already applied are unchanged.',
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
          operationId: 'listImports',
          summary: "List a zone's imports",
          description:
            'Newest first. At most 10,000 per page: `Link` has the next page, `X-Total-Count` and `totalFiles` the total.',
          params: zoneParams,
          querystring: PageQuery.extend({ userId: z.string().optional().describe('Only the imports of this user') }),
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
          operationId: 'deleteImport',
          summary: 'Delete an import',
          description:
            '`csvUploadId` names the import, in the body or, for proxies that drop bodies, in the query. The points it created remain. With `deleteGcps=true`, those that nobody has changed since are deleted too.',
          params: zoneParams,
          querystring: z.object({
            csvUploadId: z
              .string()
              .optional()
              .describe(
                'The ID of the import (CSV upload) to delete. Required, unless the body has it, which takes precedence',
              ),
            userId: z.string().optional().describe('The user who deletes it: the caller; ops may name another'),
            deleteGcps: queryBoolean
              .default(false)
              .describe('Also deletes the points that it created and nobody has changed since'),
          }),
          body: z
            .object({
              csvUploadId: z
                .string()
                .optional()
                .describe('The ID of the import (CSV upload) to delete. Required, unless the query has it'),
            })
            .nullish(),
          response: { 200: z.null().describe('Deleted; the body is empty'), 403: ErrorBody, 404: ErrorBody },
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
