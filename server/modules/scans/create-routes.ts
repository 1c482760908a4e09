import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { HttpError } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/http/bodies/body-limits.ts'
import { acceptForms, formFiles, passThroughValidator } from '../../platform/http/bodies/forms.ts'
import { readJson } from '../../platform/http/bodies/json-bodies.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { validator } from '../../platform/http/validation.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { NewScan, NewScanBody, Scan, ScanTexts } from './schema.ts'
import type { ScanService } from './service.ts'

type Deps = { service: ScanService; guards: Guards; maxBytes: number }

/** Registered under /api/v1. */
export const newScanRoutes =
  ({ service, guards, maxBytes }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    // Accept more than one file, so that the handler can refuse them with a clear message.
    await acceptForms(app, { maxBytes, maxFiles: 4 })
    readJson(app)

    app.post(
      '/user/scans',
      {
        config: { upload: 'request' as const },
        onRequest: [
          guards.user,
          async (request) => {
            if (request.headers['x-app-api-key'] !== undefined) await guards.app(request)
          },
        ],
        // The handler validates JSON bodies too.
        validatorCompiler: passThroughValidator,
        schema: {
          tags: ['Scans'],
          security: [...needs.user, { session: [], appKey: [] }],
          consumes: ['application/json', 'multipart/form-data'],
          operationId: 'createScan',
          summary: 'Create a scan',
          description: `Send JSON with the \`fileId\` of an uploaded file: one of the caller's, or one sent without a session, which becomes the caller's (not if a pin or another record uses it). Or send a form with the file in the part \`file\`, of at most ${formatBytes(maxBytes)}, and the other members as text. A file can have at most one scan. The scan is PENDING, then PROCESSING while its file is read, then COMPLETED, or FAILED with \`error\`. Members given here take precedence over what the file contains. If an app key is sent with the session, the webhooks of that app receive the outcome. The file, preview and USDZ of a private scan return 404 for everyone but its owner and ops; the URLs in this response are signed.`,
          body: NewScanBody,
          response: { 201: Scan, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const sender = { user: guards.userOf(request), appId: guards.maybeAppOf(request)?.id ?? null }
        reply.code(201).header('cache-control', 'no-store')
        if (!request.isMultipart()) return service.create(sender, newScanOf(request))
        const texts = new Map<string, string>()
        return service.receive(sender, formFiles(request, ['file'], texts), () => wordsOf(texts))
      },
    )
  }

const checkJson = validator({ schema: NewScan })
const checkTexts = validator({ schema: ScanTexts })

/** @throws 400 */
function newScanOf({ body }: FastifyRequest): NewScan {
  return checked<NewScan>(checkJson(body ?? {}))
}

/** Reads an empty form field as absent. @throws 400 */
function wordsOf(texts: Map<string, string>): ScanTexts {
  return checked<ScanTexts>(checkTexts(Object.fromEntries([...texts].filter(([, text]) => text !== ''))))
}

function checked<T>({ value, error }: { value?: unknown; error?: HttpError }): T {
  if (error) throw error
  return value as T
}
