import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ConversionError, type Profile } from '../../index.ts'
import { openStudio } from './browser.ts'
import { type Compared, compare } from './compare.ts'
import { excusesOf } from './excuses.ts'
import { alike } from './losses.ts'
import { contactSheets, modelSheet, writeIndex } from './sheet.ts'

const usage = `Draws every sample GLB and its USDZ in one headless Chromium and compares the pictures inside the model's outline.

  npm run pictures -- [prefix …] [--profile quicklook|spec|realitykit] [--views 6] [--moments 3] [--from folder] [--out folder]

prefix     names of files begin with one of these (default: all)
--from     where the GLBs are (default: ../shared/samples/glb beside the project)
--out      where contact sheets go (default: usdz/pictures)
`

/** The limit of the median of each model's worst picture. */
const medianAllowed = 0.995

/** @returns the exit code: 1 if a model with a limit, or the median, is below it. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', default: 'quicklook' },
      views: { type: 'string', default: '6' },
      moments: { type: 'string', default: '3' },
      from: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const from = values.from ?? new URL('../../../../shared/samples/glb/', import.meta.url).pathname
  const out = values.out ?? new URL('../../pictures/', import.meta.url).pathname
  const names = (await readdir(from)).filter(
    (name) =>
      name.endsWith('.glb') && (positionals.length === 0 || positionals.some((start) => name.startsWith(start))),
  )
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })

  const studio = await openStudio()
  const models: Compared[] = []
  const rows: string[] = []
  let failed = 0
  try {
    for (const name of names.sort()) {
      try {
        const views = [...Array(Number(values.views)).keys()]
        const options = { profile: values.profile as Profile, views, moments: Number(values.moments), loader: true }
        const compared = await compare(studio, name, await readFile(`${from}/${name}`), options)
        const excuses = excusesOf(compared.report)
        const bad = excuses.length === 0 && (compared.worst ?? 1) < alike
        if (bad) failed++
        models.push(compared)
        const [worst, loader] = [compared.worst, compared.loaderWorst].map((score) => score?.toFixed(4) ?? 'empty ')
        const state = bad ? 'FAILED ' : excuses.length > 0 ? 'excused' : 'good   '
        process.stdout.write(`${state} ${worst} (USDLoader alone ${loader}) ${name} ${excuses.join('; ')}\n`)
        const sheet = await modelSheet(compared, out)
        rows.push(`<tr><td><a href="${sheet}">${name}</a><td>${worst}<td>${excuses.join('; ')}`)
      } catch (error) {
        if (error instanceof ConversionError) process.stdout.write(`refused ${name}: ${error.message}\n`)
        else {
          failed++
          process.stdout.write(`FAILED  ${name}: ${error instanceof Error ? error.message : error}\n`)
        }
      }
    }
  } finally {
    await studio.close()
  }
  await writeIndex(rows, await contactSheets(models, out), out)
  return conclude(models, failed, out)
}

function conclude(models: readonly Compared[], failed: number, out: string): number {
  const held = models.filter(({ report, worst }) => excusesOf(report).length === 0 && worst !== undefined)
  const scores = held.map(({ worst }) => worst!).sort((a, b) => a - b)
  const median = scores[Math.floor(scores.length / 2)] ?? 1
  process.stdout.write(
    `\n${models.length} models: ${held.length} held to the limits, worst ${scores[0]?.toFixed(4)}, median ${median.toFixed(4)}; ` +
      `${failed} failed. Contact sheets: ${out}\n`,
  )
  return failed > 0 || median < medianAllowed || models.length === 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
