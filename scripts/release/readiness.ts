import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sectionOf } from './notes.ts'

/** A version of Semantic Versioning 2.0, without build metadata: packages and file names do not carry it. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?$/

/** Why a checkout cannot be released, each as a sentence that says what to do. A tag on this commit is no reason. */
export async function refusals(root: string): Promise<string[]> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const found: string[] = []
  if (!SEMVER.test(version))
    found.push(`"${version}" in package.json is not a semantic version: run node scripts/version.ts 1.2.3`)
  const changed = git('status', '--porcelain').split('\n').filter(Boolean)
  if (changed.length > 0)
    found.push(`Files differ from the commit: commit or remove them first\n${changed.slice(0, 10).join('\n')}`)
  if (!sectionOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version))
    found.push(
      `CHANGELOG.md has no section for ${version}: move what it lists under [Unreleased] to "## [${version}] - ${today()}"`,
    )
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '' && git('rev-list', '-n1', tag) !== git('rev-parse', 'HEAD'))
    found.push(`${tag} is the tag of another commit: set the next version with node scripts/version.ts`)
  return found
}

const today = () => new Date().toISOString().slice(0, 10)
