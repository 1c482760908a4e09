import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sectionOf } from './notes.ts'
import { refusals } from './readiness.ts'

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- Pins.\n\n## [1.2.2] - 2026-01-01\n'

let root: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
const commit = () => git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '--allow-empty', '-qm', 'x')
const write = (file: string, text: string) => writeFile(join(root, file), text)
async function commitVersion(version: string, changelog = CHANGELOG) {
  await write('package.json', JSON.stringify({ version }))
  await write('CHANGELOG.md', changelog)
  git('add', '-A')
  commit()
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'release-'))
  git('init', '-q')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a clean commit with a section in the changelog may be released, and again once it is tagged', async () => {
  await commitVersion('1.2.3')
  expect(await refusals(root)).toEqual([])
  git('tag', 'v1.2.3')
  expect(await refusals(root)).toEqual([])
})

test('a version that is the tag of another commit is refused', async () => {
  await commitVersion('1.2.3')
  git('tag', 'v1.2.3')
  commit()
  expect(await refusals(root)).toEqual([expect.stringMatching(/^v1\.2\.3 is the tag of another commit: set the next/)])
})

test.each(['changed', 'new'])('a %s file is refused by its name', async (kind) => {
  await commitVersion('1.2.3')
  const file = kind === 'new' ? 'new.txt' : 'CHANGELOG.md'
  await write(file, `${CHANGELOG}more\n`)
  expect(await refusals(root)).toEqual([expect.stringContaining(file)])
})

test.each(['1.2', 'v1.2.3', '01.2.3', '1.2.3-01', '1.2.3+5'])('the version %s is refused', async (version) => {
  await commitVersion(version, CHANGELOG.replace('1.2.3', version))
  expect(await refusals(root)).toEqual([expect.stringContaining('is not a semantic version')])
})

test.each([
  ['without a section', '2.0.0'],
  ['with an empty section', '1.2.2'],
])('a version %s in the changelog is refused with the heading to write', async (_case, version) => {
  await commitVersion(version)
  expect(await refusals(root)).toEqual([expect.stringContaining(`to "## [${version}] - `)])
})

test('the notes are the section of the version alone', () => {
  expect(sectionOf(CHANGELOG, '1.2.3')).toBe('### Added\n\n- Pins.')
})
