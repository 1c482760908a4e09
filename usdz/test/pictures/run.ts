import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConversionError, type Profile } from '../../index.ts'
import { type Compared, compare } from './compare.ts'
import { excusesOf } from './excuses.ts'
import { lastingStudio } from './lasting-studio.ts'
import { alike } from './losses.ts'
import { modelCard, modelSheet } from './sheet.ts'
import { type Card, sheetPage } from './sheet-page.ts'

const usage = `Draws every sample GLB and its USDZ in one headless Chromium and compares the pictures inside the model's outline.

  npm run pictures -- [prefix …] [--profile quicklook|spec|realitykit] [--views 6] [--moments 3] [--from folder] [--out folder]

prefix     names of files begin with one of these (default: all)
--from     where the GLBs are (default: ../shared/samples/glb beside the project)
--profile  has limits of its own: what it leaves to viewers excuses a model
--out      where the contact sheet goes, a page with search (default: usdz/pictures)
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

  const profile = values.profile as Profile
  const options = {
    profile,
    views: [...Array(Number(values.views)).keys()],
    moments: Number(values.moments),
    loader: true,
  }
  const studio = lastingStudio()
  const cards: Card[] = []
  try {
    for (const name of names.sort()) {
      const card = await studio
        .use(
          async (open) =>
            await cardOf(await compare(open, name, await readFile(`${from}/${name}`), options), profile, out),
        )
        .catch((error: unknown): Card => {
          const why = error instanceof Error ? error.message : String(error)
          return { name, state: error instanceof ConversionError ? 'refused' : 'failed', why }
        })
      cards.push(card)
      const { state, score, why } = card
      process.stdout.write(`${state.padEnd(7)} ${score?.toFixed(4) ?? '      '} ${name} ${why}\n`)
      // A run that is stopped leaves the page of what it has done.
      await writeFile(`${out}/index.html`, sheetPage(cards))
    }
  } finally {
    await studio.close()
  }
  return conclude(cards, out)
}

/** Draws the sheets of a model, and judges it by the limits of the profile. */
async function cardOf(compared: Compared, profile: Profile, out: string): Promise<Card> {
  const { name, report, worst, loaderWorst } = compared
  const excuses = excusesOf(report, profile)
  const state = excuses.length > 0 ? 'excused' : (worst ?? 1) < alike ? 'failed' : 'good'
  const alone = loaderWorst === undefined ? [] : [`USDLoader alone ${loaderWorst.toFixed(4)}`]
  return {
    name,
    state,
    score: worst,
    why: [...(worst === undefined ? ['empty'] : []), ...excuses, ...alone].join('; '),
    card: await modelCard(compared, out),
    sheet: await modelSheet(compared, out),
  }
}

function conclude(cards: readonly Card[], out: string): number {
  const scores = cards
    .flatMap(({ state, score }) => (state === 'good' || state === 'failed' ? (score ?? []) : []))
    .sort((a, b) => a - b)
  const median = scores[Math.floor(scores.length / 2)] ?? 1
  const failed = cards.filter(({ state }) => state === 'failed').length
  process.stdout.write(
    `\n${cards.length} models: ${scores.length} held to the limits, worst ${scores[0]?.toFixed(4)}, median ${median.toFixed(4)}; ` +
      `${failed} failed. Contact sheet: ${resolve(out, 'index.html')}\n`,
  )
  return failed > 0 || median < medianAllowed || cards.length === 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
