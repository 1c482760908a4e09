import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { releaseTime } from '../../release/archive/tarball.ts'
import { ROOT, TARGET } from '../../release/package/folders.ts'
import { archiveBom, packageBom } from '../../release/sbom/boms.ts'
import { writeChecksums } from './checksums.ts'
import { sectionOf } from './notes.ts'
import { refusals } from './readiness.ts'

const RELEASE = join(ROOT, 'dist', 'release')
const CPUS = ['x64', 'arm64'] as const

/**
 * `npm run release`: builds all files of a release into dist/release: the npm packages, the archives and Debian packages
 * for both processors, an SBOM for each, the release notes and SHA256SUMS. The same commit gives the same bytes.
 */
async function run(): Promise<void> {
  const found = await refusals(ROOT)
  if (found.length > 0) {
    console.error(found.join('\n'))
    process.exitCode = 1
    return
  }
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await rm(RELEASE, { recursive: true, force: true })
  await mkdir(RELEASE, { recursive: true })
  build('release/package/build.ts')
  pack(TARGET)
  pack(join(ROOT, 'sdk'))
  await write(`cairn-server-${version}.cdx.json`, await packageBom(releaseTime()))
  for (const cpu of CPUS) {
    const archive = await keep(build('release/archive/build.ts', '--cpu', cpu))
    await write(`${basename(archive, '.tar.gz')}.cdx.json`, await archiveBom(archive, releaseTime()))
    await keep(build('release/debian/build.ts', '--cpu', cpu))
  }
  await write('RELEASE-NOTES.md', `${sectionOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)}\n`)
  console.log(await writeChecksums(RELEASE))
}

/** Runs a build. @returns the last line it prints: the path of its file */
function build(program: string, ...options: string[]): string {
  const env = { ...process.env, SOURCE_DATE_EPOCH: releaseTime() }
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const printed = execFileSync(process.execPath, [join(ROOT, program), ...options], { encoding: 'utf8', env, stdio })
  return printed.trim().split('\n').at(-1)!
}

function pack(folder: string): void {
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', RELEASE], { cwd: folder, stdio: 'inherit' })
}

/** Moves a file into the release, without the checksum that lies beside it. @returns its path */
async function keep(file: string): Promise<string> {
  const to = join(RELEASE, basename(file))
  await rename(file, to)
  await rm(`${file}.sha256`)
  // As npm does for the packages: a release takes minutes.
  console.log(basename(file))
  return to
}

const write = (name: string, text: string) => writeFile(join(RELEASE, name), text)

await run()
