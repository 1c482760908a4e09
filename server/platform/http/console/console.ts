import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { projectFile } from '../../process/project-files.ts'
import { consolePolicy } from './console-policy.ts'
import { unpackForPlainClients } from './packed-files.ts'

/** Output of `node web/build.ts`. */
const BUILT = projectFile('web/dist')

/** Whether the console is built. */
export const consoleIsBuilt = (): boolean => existsSync(join(BUILT, 'index.html'))

type SignIn = { issuer: string; clientId: string; isBox: boolean }

export type ConsoleOptions = {
  version: string
  publicUrl: () => string
  /** The issuer for sign-in to the console. */
  signIn: () => SignIn | undefined
  /** Whether the box has no admin yet. */
  needsFirstAdmin: () => Promise<boolean>
  /** What maps draw below: a style on another host, an archive of this service, or neither. */
  basemap: () => Promise<{
    styleUrl: string | null
    archive: { url: string; attribution: string | null } | null
  }>
  /** Origins that a style loads from, besides its own. */
  mapHosts: string[]
}

/** The origins that a page with a map loads from. */
export const mapHostsOf = (mapHosts: string[], styleUrl: string | null): string[] => [
  ...new Set([...mapHosts, ...(styleUrl ? [new URL(styleUrl).origin] : [])]),
]

const hidden = { schema: { hide: true } as object, config: { limit: 'none' as const } }

/**
 * Serves the console below /console: its immutable files, its settings, and its page at every other path, as the page
 * does its own routing.
 */
export async function serveConsole(app: FastifyInstance, parts: ConsoleOptions) {
  const { version, publicUrl, signIn, needsFirstAdmin, basemap, mapHosts } = parts

  app.get('/console/settings.json', { schema: { hide: true } as object }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const { styleUrl, archive } = await basemap()
    return {
      version,
      publicUrl: publicUrl(),
      signIn: signIn() ?? null,
      needsFirstAdmin: await needsFirstAdmin(),
      mapStyleUrl: styleUrl,
      mapArchive: archive,
    }
  })

  const page = async (reply: FastifyReply, { camera = '()' } = {}) => {
    const nonce = randomBytes(16).toString('base64')
    const issuer = signIn()?.issuer
    const { styleUrl } = await basemap()
    const hosts = mapHostsOf(mapHosts, styleUrl)
    reply
      .header('content-security-policy', consolePolicy({ nonce, mapHosts: hosts, ...(issuer ? { issuer } : {}) }))
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', `camera=${camera}`)
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
    const html = await readFile(join(BUILT, 'index.html'), 'utf8').catch(() => undefined)
    if (html === undefined)
      return reply.code(503).send({ error: 'The console is not built: run npm run build --workspace web' })
    return reply.type('text/html; charset=utf-8').send(html.replaceAll('__NONCE__', nonce))
  }

  app.get('/console', hidden, async (_request, reply) => reply.redirect('/console/'))
  app.get('/console/', hidden, async (_request, reply) => page(reply))
  // Of the pages of the console, this one alone may use a camera.
  app.get('/console/locate', hidden, async (_request, reply) => page(reply, { camera: '(self)' }))
  app.get('/console/*', hidden, async (_request, reply) => page(reply))
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      Object.assign(route, { ...hidden, config: { ...route.config, ...hidden.config } })
    })
    // Some forty files make the first page: what no script reads would be a tenth of its size.
    files.addHook('onRequest', (_request, reply, done) => {
      reply.removeHeader('access-control-expose-headers')
      done()
    })
    unpackForPlainClients(files)
    await files.register(fastifyStatic, {
      root: join(BUILT, 'assets'),
      prefix: '/console/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      index: false,
      decorateReply: false,
      logLevel: 'warn',
    })
  })
}
