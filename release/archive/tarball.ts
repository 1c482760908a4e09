import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { ROOT } from '../package/folders.ts'

/** The time that files of a release carry, in seconds: SOURCE_DATE_EPOCH, or that of the commit. */
export const releaseTime = (): string =>
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim()

/** Packs `<parent>/<name>` to a file whose bytes depend on the contents and the release time alone. */
export function packTree(parent: string, name: string, file: string): void {
  const sameEverywhere = ['--sort=name', `--mtime=@${releaseTime()}`, '--owner=0', '--group=0', '--numeric-owner']
  const options = ['--format=posix', '--pax-option=delete=atime,delete=ctime', '--mode=go=rX,u+rw']
  const args = [...sameEverywhere, ...options, '--use-compress-program=gzip -n', '-cf', file, '-C', parent, name]
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar failed: ${stderr}`)
}

/** Writes `<file>.sha256` in the form that `sha256sum --check` reads. */
export async function writeChecksum(file: string): Promise<void> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  await writeFile(`${file}.sha256`, `${hash.digest('hex')}  ${basename(file)}\n`)
}
