import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeLaterRelease } from './later-release.ts'
import { folderOf, run } from './prepared.ts'

/** A Debian package of the next release, made of this one. Its settings file has one more line. */
export function makeLaterPackage(file: string): { file: string; version: string; line: string } {
  const folder = folderOf('later')
  const tree = join(folder, 'tree')
  run('dpkg-deb', ['--raw-extract', file, tree])
  const version = makeLaterRelease(join(tree, 'usr/lib/cairn'))
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const line = '# New in this release.'
  appendFileSync(join(tree, 'etc/cairn/cairn.env'), `${line}\n`)
  const later = join(folder, `cairn-server_${version}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, later])
  rmSync(tree, { recursive: true })
  return { file: later, version, line }
}

/** A package like this one that cannot be installed. */
export function makeFailingPackage(file: string): string {
  const folder = folderOf('failing')
  const tree = join(folder, 'tree')
  run('dpkg-deb', ['--raw-extract', file, tree])
  writeFileSync(join(tree, 'DEBIAN/preinst'), '#!/bin/sh\nexit 1\n')
  const failing = join(folder, 'failing.deb')
  run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, failing])
  rmSync(tree, { recursive: true })
  return failing
}
