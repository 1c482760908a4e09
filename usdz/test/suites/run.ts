import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Profile } from '../../index.ts'
import { drawModels } from './draw-models.ts'
import { judgeModels, type Outcome } from './judge-models.ts'
import { countsOf, emptyRow, readResults, writeResults } from './results.ts'
import { readSuiteModel, type SuiteModel, suitePaths } from './suite-models.ts'

const usage = `Converts a folder of models of others and judges the results; the list of results is in usdz/test/suites/results.

  npm run suites -- <folder> <name> --source <text> [--profile quicklook …] [--only expression] [--pictures]

folder      has .glb files, and .gltf files with their buffers and images, at any depth
name        names the list: results/<name>.tsv
--source    where the models are from: repository and commit; the first line of the list
--profile   profiles, several times (default: all)
--only      models whose path has this regular expression; other lines of the list stay
--pictures  draws the valid models in Chromium, in place of judging them
`

/** Readers take a second to start: small models share one. */
const batch = { models: 60, bytes: 12_000_000 }

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      source: { type: 'string' },
      profile: { type: 'string', multiple: true, default: ['quicklook', 'spec', 'realitykit'] },
      only: { type: 'string', default: '' },
      pictures: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [folder, name] = positionals
  if (values.help || !folder || !name) {
    process.stdout.write(usage)
    return values.help ? 0 : 2
  }
  const file = new URL(`results/${name}.tsv`, import.meta.url).pathname
  const results = await readResults(file)
  if (values.source) results.head = values.source
  const only = new RegExp(values.only)
  const paths = (await suitePaths(resolve(folder))).filter((path) => only.test(path))
  for await (const models of batchesOf(resolve(folder), paths)) {
    for (const { path, hash, validity } of models) {
      const known = validity === 'incomplete' ? undefined : results.rows.get(path)
      results.rows.set(path, { ...emptyRow, ...known, hash, validity })
    }
    const set = (path: string, column: 'picture' | Profile, text: string) => {
      results.rows.get(path)![column] = text
      process.stdout.write(`${column}\t${path}\t${text}\n`)
    }
    if (values.pictures) {
      for await (const [path, text] of drawModels(models)) {
        set(path, 'picture', text)
        await writeResults(file, results)
      }
    } else {
      for (const profile of values.profile as Profile[]) {
        for (const [path, outcome] of await judgeModels(models, profile)) set(path, profile, textOf(outcome))
      }
    }
    await writeResults(file, results)
  }
  const counts = countsOf(results)
  process.stdout.write(`\n${counts}\n`)
  return /[1-9]\d* (refused wrongly|failed|below)/.test(counts) ? 1 : 0
}

async function* batchesOf(folder: string, paths: readonly string[]): AsyncGenerator<SuiteModel[]> {
  let models: SuiteModel[] = []
  let bytes = 0
  for (const path of paths) {
    const model = await readSuiteModel(folder, path)
    models.push(model)
    bytes += model.glb?.length ?? 0
    if (models.length < batch.models && bytes < batch.bytes) continue
    yield models
    models = []
    bytes = 0
  }
  if (models.length > 0) yield models
}

/** Slow conversions have their time; others have none, so that the lists of two runs are alike. */
const textOf = ({ state, what, seconds }: Outcome) =>
  `${state}${what && `: ${what}`}${seconds > 20 ? ` (${Math.round(seconds)} s)` : ''}`

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
