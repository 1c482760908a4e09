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

/** Sends a file of the built page. Names of built files change with their content, so all but the page itself may be kept for ever. */
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

/** A name may be too long for a file, or hold what no name does. */
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
