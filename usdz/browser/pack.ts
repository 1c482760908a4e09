import { copyFile, cp, readFile, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutEval } from '../../web/without-eval.ts'
import { buildForBrowsers } from './build.ts'

/**
 * Adds to `dist`, behind the compiled sources, what only the npm package has: the build for browsers, the transcoder of
 * three.js, and licences.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The packages with code in the build for browsers. */
const bundled = [
  '@gltf-transform/core',
  '@gltf-transform/extensions',
  'draco3dgltf',
  'fflate',
  'meshoptimizer',
  'three',
]

await buildForBrowsers(join(dist, 'browser'))
await writeFile(join(dist, 'browser/LICENSES.txt'), (await Promise.all(bundled.map(licenceOf))).join('\n\n'))
const transcoder = join(dist, 'textures/images/basis')
await cp(join(folderOf('three'), 'examples/jsm/libs/basis'), transcoder, { recursive: true })
const script = join(transcoder, 'basis_transcoder.js')
await writeFile(script, withoutEval(await readFile(script, 'utf8')))
await copyFile(fileURLToPath(new URL('../../LICENSE', import.meta.url)), join(dist, 'LICENSE'))

function folderOf(name: string): string {
  return dirname(findPackageJSON(name, import.meta.url)!)
}

/** The name, version and licence of a package; that of the Apache License is in `LICENSE`. */
async function licenceOf(name: string): Promise<string> {
  const folder = folderOf(name)
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const texts = await Promise.all(
    ['LICENSE', 'LICENSE.md'].map((file) => readFile(join(folder, file), 'utf8').catch(() => '')),
  )
  return `${name} ${version}, ${license}\n\n${texts.join('')}`.trim()
}
