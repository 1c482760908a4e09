import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../package', import.meta.url))

/** The .meta file of each file and folder of the package, by path. Unity ignores what has none in a package from a git URL. */
export function metaFiles(generated: string[]): Record<string, string> {
  const present = globSync('**/*', { cwd: root }).filter((path) => !path.endsWith('.meta') && !path.includes('~'))
  const paths = new Set([...present, ...generated])
  return Object.fromEntries([...paths].sort().map((path) => [`${path}.meta`, metaOf(path)]))
}

/** Other platforms do not link the file. */
const WEBGL_ONLY = `PluginImporter:
  serializedVersion: 2
  isExplicitlyReferenced: 0
  platformData:
  - first:
      Any: 
    second:
      enabled: 0
      settings: {}
  - first:
      WebGL: WebGL
    second:
      enabled: 1
      settings: {}
`

function metaOf(path: string): string {
  // The same ID on every run: scenes refer to scripts by it.
  const id = createHash('md5').update(`dev.cairn.client/${path}`).digest('hex')
  const folder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ? 'folderAsset: yes\n' : ''
  return `fileFormatVersion: 2\nguid: ${id}\n${folder}${path.endsWith('.jslib') ? WEBGL_ONLY : ''}`
}
