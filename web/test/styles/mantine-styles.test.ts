import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../src')
const CORE = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'esm')
/** Its other parts, which take components from the core by name. */
const ALSO = ['notifications', 'spotlight', 'dropzone'].map((name) => resolve(CORE, '../..', name, 'esm'))

const namesFromCore = (text: string) =>
  [...text.matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim().split(' as ')[0]!),
  )

async function namesUsed(): Promise<Set<string>> {
  const files = await Array.fromAsync(glob(['**/*.{ts,tsx,mjs}'], { cwd: SOURCES }))
  const paths = files.map((file) => join(SOURCES, file))
  for (const folder of ALSO) for await (const file of glob('**/*.mjs', { cwd: folder })) paths.push(join(folder, file))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return new Set(texts.flatMap(namesFromCore))
}

/** The style sheets of everything that these modules bring with them. */
async function sheetsBehind(entries: string[]): Promise<Set<string>> {
  const [seen, sheets] = [new Set<string>(), new Set<string>()]
  for (const waiting = [...entries]; waiting.length > 0; ) {
    const path = waiting.pop()!
    if (seen.has(path)) continue
    seen.add(path)
    if (path.endsWith('.module.mjs')) sheets.add(basename(path, '.module.mjs'))
    for (const [, from] of (await readFile(path, 'utf8')).matchAll(/from "(\.[^"]+)"/g))
      waiting.push(resolve(dirname(path), from!))
  }
  return sheets
}

test('the styles of each component of Mantine that the console uses are there, and no others', async () => {
  const names = await namesUsed()
  const index = await readFile(join(CORE, 'index.mjs'), 'utf8')
  const exported = [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)]
  const entries = exported
    .filter(([, exports]) => exports!.split(',').some((name) => names.has(name.trim())))
    .map(([, , from]) => resolve(CORE, from!))
  const needed = [...(await sheetsBehind(entries))].filter((name) => existsSync(join(CORE, `../styles/${name}.css`)))
  const sheet = await readFile(join(SOURCES, 'theme/mantine-parts.css'), 'utf8')
  const given = [...sheet.matchAll(/core\/styles\/([A-Z]\w+)\.css/g)].map(([, name]) => name)
  expect([...given].sort()).toEqual(needed.sort())
})
