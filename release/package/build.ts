import { execFileSync } from 'node:child_process'
import { cp, glob, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { bundlePrograms } from './bundle.ts'
import { containedPackages } from './contained.ts'
import { cutPackages } from './cut-packages.ts'
import { CONTAINED, ROOT, TARGET } from './folders.ts'
import { manifest } from './manifest.ts'
import { notices } from './notices.ts'

/** Files of the project that the service reads by their path, and what a package on npm shows. */
const FILES = [
  'server/migrations',
  'server/modules/reference-systems/heights/grids',
  'server/modules/scans/gazetteer/places.tsv.gz',
  'server/modules/tags/detector/april-tags.wasm',
  'server/modules/tags/detector/LICENSE.md',
  'web/dist',
  'LICENSE',
]

/** Builds the npm package `cairn-server` into dist/package: `npm run package`. `npm pack ./dist/package` packs it. */
async function build(): Promise<void> {
  execFileSync(process.execPath, [join(ROOT, 'web', 'build.ts')], { stdio: 'inherit' })
  await rm(TARGET, { recursive: true, force: true })
  await mkdir(TARGET, { recursive: true })
  const { modules } = await bundlePrograms()
  const contained = await containedPackages(modules)
  for (const file of FILES) await copy(file, file)
  // Messages name these pages.
  for await (const file of glob('docs/*.md', { cwd: ROOT })) await copy(file, file)
  for (const name of ['cairn.cjs', 'start.cjs']) await copy(`release/package/bin/${name}`, `bin/${name}`)
  await copy('release/package/README.md', 'README.md')
  await cutPackages()
  await writeFile(join(TARGET, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
  await writeFile(join(TARGET, 'THIRD-PARTY-NOTICES.txt'), await notices(contained))
  await writeFile(CONTAINED, JSON.stringify(contained.map((folder) => relative(ROOT, folder)).toSorted()))
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(join(TARGET, to)), { recursive: true })
  await cp(join(ROOT, from), join(TARGET, to), { recursive: true })
}

await build()
