import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { badRequest } from '../../../platform/errors.ts'
import { formatBytes } from '../../../platform/http/bodies/body-limits.ts'
import { acceptForms, formFiles, missingFile } from '../../../platform/http/bodies/forms.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { validator } from '../../../platform/http/validation.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { readText } from './read-file.ts'
import { ImportForm, ImportQuery, ImportReport, MAX_FILE_BYTES, MAX_ROWS } from './schema.ts'

const description = `Reads scores from a CSV or JSON file: of this service, with the columns \`player_name\` or \`player_id\`, \`score\` and \`achieved_at\`, or an export of PlayFab, Nakama or Talo. A file has at most ${formatBytes(MAX_FILE_BYTES)} and ${MAX_ROWS.toLocaleString('en')} rows (otherwise 413). Players are matched by name, ignoring case. The scores are written to a game session of their own. A score is written only if it is better than the best score of its player, or equal to it and reached earlier; with another \`scoreMode\` than \`best\`, only if its player has no score. Importing a file again changes nothing. \`achieved_at\` orders equal scores; rows without it keep the order of the file. Rows with a fault do not stop the others: the report lists them. Boards of windows and seasons count the scores as written now.`

export const importRoutes =
  ({ importScores, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    await acceptForms(app, { maxBytes: MAX_FILE_BYTES, maxFiles: 8 })
    // The handler reads the form as a stream; the schema only documents it.
    app.setValidatorCompiler(((part: Parameters<typeof validator>[0]) =>
      part.httpPart === 'body' ? (data: unknown) => ({ value: data }) : validator(part)) as never)
    app.post(
      '/leaderboards/import',
      {
        config: { upload: 'request' },
        schema: {
          tags: ['Leaderboards'],
          security: needs.appKey,
          consumes: ['multipart/form-data'],
          operationId: 'importLeaderboard',
          summary: 'Import scores from a file',
          description,
          querystring: ImportQuery,
          body: ImportForm,
          response: { 200: ImportReport, 404: ErrorBody, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = guards.appOf(request)
        let file: { name: string | undefined; text: string } | undefined
        for await (const { fileName, bytes } of formFiles(request, ['file'])) {
          if (file) throw badRequest('Send one file, in the part "file"; this form has several')
          file = { name: fileName, text: await readText(bytes) }
        }
        if (!file) throw missingFile('file')
        const report = await importScores(id, file, request.query, guards.actorInApp(request))
        // Written here: a report may have as many rows as the file.
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(report) as never)
      },
    )
  }
