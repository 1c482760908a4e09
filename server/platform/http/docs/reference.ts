import fastify, { type FastifyInstance } from 'fastify'
import { cachedDocument } from './cached-document.ts'
import { referencePage } from './reference-page.ts'
import { REFERENCE_SCRIPT } from './reference-script.ts'

/** Examples are in curl, TypeScript and C#: of other languages, all clients are hidden. */
const HIDDEN = [
  ...['c', 'clojure', 'dart', 'fsharp', 'go', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php'],
  ...['powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
]
const SETTINGS = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    ...Object.fromEntries(HIDDEN.map((language) => [language, true])),
    shell: ['httpie', 'wget'],
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    csharp: ['restsharp'],
  },
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'"

const hidden = { schema: { hide: true } as object }

/**
 * Serves the OpenAPI document and its interactive page, which loads nothing from other origins. The page reads the
 * session of the console, so its policy admits no inline script.
 */
export async function serveApiDocs(app: FastifyInstance, publicUrl: () => string) {
  const answer = cachedDocument(() => ({ ...app.swagger(), servers: [{ url: publicUrl() }] }))
  app.get('/openapi.json', hidden, answer)
  app.get('/', hidden, async (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs', hidden, async (_request, reply) => reply.redirect('/docs/', 301))
  app.get('/docs/', hidden, async (_request, reply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(referencePage(SETTINGS, '/console/')),
  )
  app.get('/docs/reference.js', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(REFERENCE_SCRIPT),
  )
  for (const url of ['/docs/scalar', '/docs/scalar/'])
    app.get(url, hidden, async (_request, reply) => reply.redirect('/docs/'))
  let script: Promise<string> | undefined
  app.get('/docs/scalar/js/scalar.js', hidden, async (_request, reply) => {
    script ??= pageScript()
    return reply.type('application/javascript; charset=utf-8').send(await script)
  })
}

/**
 * The script of the page. Of its package nothing else is used: its own page would need inline scripts. Loaded with the
 * first page, because the package holds it as text, of 17 MB in memory.
 */
async function pageScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: SETTINGS.url } })
  const { body } = await app.inject('/js/scalar.js')
  await app.close()
  return body
}
