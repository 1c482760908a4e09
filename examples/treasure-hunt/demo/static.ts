import { createReadStream, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const PAGE = join(import.meta.dirname, '..', 'dist')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Serves a file of the built page. File names include a content hash, so everything except the page itself is cached forever. */
export function sendFile(path: string, response: ServerResponse) {
  const inside = normalize(decoded(path))
  const file = join(PAGE, inside === '/' ? 'index.html' : inside)
  if (!file.startsWith(PAGE + sep) || !isFile(file)) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page')
    return
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const isBuilt = inside.startsWith('/assets/')
  response.writeHead(200, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': isBuilt ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}

/** The path may be too long or contain invalid characters. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '/none'
  }
}
