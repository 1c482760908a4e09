import { copyFile, cp, readFile, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesOf } from '../../release/package/contained.ts'
import { BASIS_NOTICE, notices } from '../../release/package/notices.ts'
import { withoutEval } from '../../web/without-eval.ts'
import { buildForBrowsers } from './build.ts'

/**
 * Adds to `dist`, behind the compiled sources, what only the npm package has: the build for browsers, the transcoder of
 * three.js, and licences.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

const license = fileURLToPath(new URL('../../LICENSE', import.meta.url))

const modules = await buildForBrowsers(join(dist, 'browser'))
const licenses = await notices(packagesOf(modules), 'The build for browsers')
// Some packages have the Apache License without its text.
await writeFile(join(dist, 'browser/LICENSES.txt'), `${licenses}\n\n${await readFile(license, 'utf8')}`)
const transcoder = join(dist, 'textures/images/basis')
await cp(join(dirname(findPackageJSON('three', import.meta.url)!), 'examples/jsm/libs/basis'), transcoder, {
  recursive: true,
})
const script = join(transcoder, 'basis_transcoder.js')
await writeFile(script, withoutEval(await readFile(script, 'utf8')))
await copyFile(BASIS_NOTICE, join(transcoder, 'LICENSES.txt'))
await copyFile(license, join(dist, 'LICENSE'))
