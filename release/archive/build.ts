import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, TARGET } from '../package/folders.ts'
import { cpuOf } from './machines.ts'
import { packTree, writeChecksum } from './tarball.ts'
import { buildTree } from './tree.ts'

/**
 * Builds dist/cairn-<version>-linux-<cpu>.tar.gz and its checksum from the npm package in dist/package:
 * `npm run archive [-- --cpu arm64]`. Its folder runs where it is unpacked, with `./cairn`. With `--folder PATH` it
 * builds that folder and packs nothing.
 */
async function build(): Promise<void> {
  const { values } = parseArgs({
    options: { cpu: { type: 'string', default: process.arch }, folder: { type: 'string' } },
  })
  const cpu = cpuOf(values.cpu)
  if (!existsSync(TARGET)) throw new Error('dist/package is missing: run npm run package first')
  if (values.folder !== undefined) return buildTree(values.folder, cpu)
  const { version } = JSON.parse(await readFile(join(TARGET, 'package.json'), 'utf8'))
  const name = `cairn-${version}-linux-${cpu}`
  const file = join(ROOT, 'dist', `${name}.tar.gz`)
  const work = await mkdtemp(join(tmpdir(), 'cairn-archive-'))
  try {
    await mkdir(join(ROOT, 'dist'), { recursive: true })
    await buildTree(join(work, name), cpu)
    packTree(work, name, file)
    await writeChecksum(file)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  console.log(file)
}

await build()
