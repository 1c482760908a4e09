import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { NOTE_CODES } from '../../note-codes.ts'
import { drawFeatures } from './draw.ts'
import { packagePage } from './package-page.ts'
import { type Likeness, rows, supportTable } from './table.ts'

const usage = `Writes the support table of docs/models.md from the models in this folder, and the codes of notes; then
usdz/features.md, the page of the package, from docs/models.md.

  node usdz/test/features/write-docs.ts [--pictures [prefix …] | --check]

--pictures  draws docs/pictures anew, which takes a browser and some minutes; with prefixes only files that begin so
--check     only says whether the pages are up to date, and whether there is a picture for every row
`

const page = new URL('../../../docs/models.md', import.meta.url)
const inPackage = new URL('../../features.md', import.meta.url)
const pictures = new URL('../../../docs/pictures/', import.meta.url)
const scores = new URL('likeness.json', pictures)
const [from, to] = ['<!-- written by usdz/test/features/write-docs.ts -->', '<!-- end of what is written -->']

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pictures: { type: 'boolean' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  if (values.pictures) {
    if (positionals.length === 0) await rm(pictures, { recursive: true, force: true })
    await mkdir(pictures, { recursive: true })
    const known = positionals.length > 0 ? (JSON.parse(await readFile(scores, 'utf8')) as Likeness) : {}
    const drawn = { ...known, ...(await drawFeatures(pictures, positionals)) }
    await writeFile(scores, `${JSON.stringify(drawn, null, 2)}\n`)
  }
  const likeness = JSON.parse(await readFile(scores, 'utf8')) as Likeness
  const before = await readFile(page, 'utf8')
  const [start, end] = [before.indexOf(from), before.indexOf(to)]
  if (start < 0 || end < start) throw new Error(`docs/models.md lacks the lines "${from}" and "${to}"`)
  const table = `${await supportTable(likeness)}\n\n${noteTable()}`
  const after = `${before.slice(0, start)}${from}\n\n${table}\n\n${before.slice(end)}`
  if (!values.check) {
    await writeFile(page, after)
    await writeFile(inPackage, packagePage(after))
    return 0
  }
  const drawn = await readdir(pictures)
  const missing = rows.filter(({ picture }) => !drawn.includes(picture)).map(({ picture }) => picture)
  const isCurrent = after === before && (await readFile(inPackage, 'utf8').catch(() => '')) === packagePage(after)
  if (isCurrent && missing.length === 0) return 0
  process.stderr.write(
    missing.length > 0
      ? `Pictures are missing: ${missing.join(' ')}. Run node usdz/test/features/write-docs.ts --pictures\n`
      : 'docs/models.md or usdz/features.md is stale. Run node usdz/test/features/write-docs.ts\n',
  )
  return 1
}

/** The codes of notes in alphabetical order. */
function noteTable(): string {
  const lines = Object.entries(NOTE_CODES).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return `### Codes of notes

Each note has a stable code, an effect (\`changed\` or \`left_out\`) and a message that says what of this file it concerns. Codes may be added; programs should show the message of those that they do not know.

| code | the result |
|---|---|
${lines.map(([code, says]) => `| \`${code}\` | ${says} |`).join('\n')}`
}

process.exitCode = await main()
