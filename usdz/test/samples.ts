import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ConversionError, convert, type Profile } from '../index.ts'
import { expectedOf } from './expected.ts'
import { type Converted, type Judgement, judgeAll } from './judgement.ts'
import { judgeMovement, type Movement } from './movement.ts'
import { isRightlyRefused } from './refusals.ts'

const usage = `Converts every sample GLB and lets three independent readers judge the result.

  npm run samples -- [prefix …] [--profile quicklook|spec|realitykit] [--from folder] [--notes] [--motion]

prefix     names of files begin with one of these (default: bio_; all: "")
--from     where the GLBs are (default: ../shared/samples/glb beside the project)
--notes    print the notes of every report
--motion   also compare the place of every vertex at twenty times of each clip with where glTF 2.0 puts it
`

const samples = new URL('../../../shared/samples/glb/', import.meta.url)

/** @returns the exit code: 1 if a model fails, or is refused for another reason than an unregistered required extension. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', default: 'quicklook' },
      from: { type: 'string' },
      notes: { type: 'boolean', default: false },
      motion: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const prefixes = positionals.length > 0 ? positionals : ['bio_']
  const folder = values.from ? pathToFileURL(`${resolve(values.from)}/`) : samples
  const names = await sampleNames(folder, prefixes)
  const converted: (Converted & { glb: Uint8Array })[] = []
  const refused: { name: string; error: ConversionError; isRight: boolean }[] = []
  let seconds = 0
  for (const name of names) {
    const glb = await readFile(new URL(encodeURIComponent(name), folder))
    const start = performance.now()
    try {
      const { usdz, report } = await convert(glb, { profile: values.profile as Profile })
      seconds += (performance.now() - start) / 1000
      converted.push({ name, glb, usdz, report, expected: await expectedOf(glb) })
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error
      refused.push({ name, error, isRight: isRightlyRefused(error) })
    }
  }
  const judgements = await judgeAll(converted)
  const movements = values.motion ? await judgeMovement(converted) : []
  for (const [index, { complaints }] of movements.entries()) judgements[index]!.complaints.push(...complaints)
  for (const [index, judgement] of judgements.entries()) print(judgement, converted[index]!, values.notes)
  for (const movement of movements) printMovement(movement)
  for (const { name, error, isRight } of refused) {
    process.stdout.write(`${isRight ? 'refused' : 'FAILED '} ${name}: ${error.message}\n`)
  }
  const failed = judgements.filter(({ complaints }) => complaints.length > 0).length
  const wronglyRefused = refused.filter(({ isRight }) => !isRight).length
  const moving = converted.filter(({ report }) => report.animations > 0).length
  process.stdout.write(
    `\n${names.length} models: ${converted.length - failed} good in all readers, ${failed + wronglyRefused} failed, ` +
      `${refused.length - wronglyRefused} rightly refused. ${moving} of them move. ` +
      `Converted in ${seconds.toFixed(2)} s.\n`,
  )
  return failed + wronglyRefused > 0 || names.length === 0 ? 1 : 0
}

async function sampleNames(folder: URL, prefixes: readonly string[]): Promise<string[]> {
  const all = await readdir(folder).catch(() => {
    throw new Error('The sample models are missing: put them into ../shared/samples/glb beside the project.')
  })
  return all.filter((name) => name.endsWith('.glb') && prefixes.some((prefix) => name.startsWith(prefix))).sort()
}

function print({ name, verdicts, complaints }: Judgement, { report }: Converted, notes: boolean): void {
  const counts = ['openusd', 'tinyusdz', 'three'].map((reader) => verdicts[reader]?.triangles ?? '-').join(' ')
  const { triangles, meshes, materials, textures } = report
  const state = complaints.length === 0 ? 'good   ' : 'FAILED '
  process.stdout.write(
    `${state} ${name.padEnd(48)} triangles ${triangles} (readers ${counts}) meshes ${meshes} materials ${materials} textures ${textures}\n`,
  )
  for (const complaint of complaints) process.stdout.write(`        ${complaint}\n`)
  if (notes)
    for (const { code, message, count } of report.notes) process.stdout.write(`        ${code} ${count}: ${message}\n`)
}

function printMovement({ name, errors, places }: Movement): void {
  const judged = Object.entries(errors).map(([reader, error]) => `${reader} ${error.toExponential(1)}`)
  const [worst] = Object.entries(errors).sort(([, one], [, other]) => other - one)
  const place = worst && places[worst[0]]
  process.stdout.write(`off by  ${name.padEnd(48)} ${judged.join(' ')}${place ? ` (worst at ${place})` : ''}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
