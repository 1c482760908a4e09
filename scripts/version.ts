import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The version is that of package.json; everything else that has one follows. `node scripts/version.ts 1.2.3` sets it
 * everywhere, --check reports the files that differ.
 */
const ROOT = join(import.meta.dirname, '..')
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

type Manifest = { name?: string; version?: string; link?: boolean } & {
  [kind in 'dependencies' | 'devDependencies' | 'optionalDependencies']?: Record<string, string>
}
type Lock = Manifest & { packages: Record<string, Manifest> }

const read = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const write = (file: string, value: object) => writeFileSync(join(ROOT, file), `${JSON.stringify(value, null, 2)}\n`)

/** The folders of the project and its workspaces, as package-lock.json lists them. */
const places = ({ packages }: Lock) => Object.keys(packages).filter((place) => !place.includes('node_modules/'))

/** Sets the version of a manifest, and of its dependencies on other workspaces. @returns what differed */
function follow(manifest: Manifest, version: string, names: ReadonlySet<string>): string[] {
  const differing = manifest.version === version ? [] : [`version ${manifest.version}`]
  manifest.version = version
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    for (const [name, before] of Object.entries(manifest[kind] ?? {})) {
      if (!names.has(name) || before === version) continue
      differing.push(`${name} ${before}`)
      manifest[kind]![name] = version
    }
  return differing
}

/** Brings every file to the version. @returns a line for each that differed */
function followEverywhere(version: string, { isCheck }: { isCheck: boolean }): string[] {
  const lock = read<Lock>('package-lock.json')
  const files = places(lock).map((place) => join(place, 'package.json'))
  const manifests = files.map((file) => ({ file, manifest: read<Manifest>(file) }))
  const names = new Set(manifests.map(({ manifest }) => manifest.name!))
  const found = manifests.flatMap(({ file, manifest }) => {
    const differing = follow(manifest, version, names)
    if (differing.length > 0 && !isCheck) write(file, manifest)
    return differing.map((what) => `${file}: ${what}`)
  })
  const inLock = places(lock).flatMap((place) => follow(lock.packages[place]!, version, names))
  if (lock.version !== version) inLock.push(`version ${lock.version}`)
  lock.version = version
  if (inLock.length > 0 && !isCheck) write('package-lock.json', lock)
  return [...found, ...inLock.map((what) => `package-lock.json: ${what}`)]
}

const [given] = process.argv.slice(2)
const isCheck = given === '--check'
const version = isCheck ? read<Manifest>('package.json').version! : given
if (!version || !VERSION.test(version)) {
  console.error('Say which version, such as 1.2.3, or --check')
  process.exitCode = 2
} else {
  const found = followEverywhere(version, { isCheck })
  if (!isCheck) {
    console.log(`${version}: ${found.length} places changed`)
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'openapi.ts')], { stdio: 'inherit' })
  } else if (found.length > 0) {
    console.error(`Not ${version}, as package.json says:\n${found.join('\n')}\nRun node scripts/version.ts ${version}`)
    process.exitCode = 1
  }
}
