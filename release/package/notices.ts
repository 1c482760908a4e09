import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf } from './contained.ts'

/** The licences of the transcoder that three contains, and what is changed in it. */
export const BASIS_NOTICE = fileURLToPath(new URL('basis-notice.txt', import.meta.url))

/** Each of these packages, given by their folders, with its version, its source and its licence. */
export async function notices(folders: string[], product = 'Cairn'): Promise<string> {
  const texts = await Promise.all(folders.map(noticeOf))
  const line = '='.repeat(100)
  return [`${product} contains these packages.`, ...texts.toSorted()].join(`\n\n${line}\n`)
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license, repository } = await manifestOf(folder)
  const source = typeof repository === 'object' ? repository.url : repository
  const texts: string[] = []
  for await (const file of glob('{LICENSE,LICENCE,COPYING,NOTICE,license,licence,notice}*', { cwd: folder }))
    texts.push((await readFile(join(folder, file), 'utf8').catch(() => '')).trim())
  if (name === 'three') texts.push((await readFile(BASIS_NOTICE, 'utf8')).trim())
  return [`${name} ${version}`, `License: ${license ?? 'see below'}`, `Source: ${source ?? `npm, ${name}`}`, ...texts]
    .filter(Boolean)
    .join('\n\n')
}
