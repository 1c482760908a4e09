import { randomBytes } from 'node:crypto'
import { access, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  assertOptionsForGlb,
  conversionFlags,
  conversionHelp,
  convertOptions,
  describeUnit,
  InvalidCommand,
} from '../../../usdz/cli-options.ts'
import type { ConversionReport, GlbReport } from '../../../usdz/index.ts'
import type { Group } from '../command.ts'
import { readOptions, UsageError } from '../context.ts'

/** Converts a model to USDZ like an upload, or a USDZ to a GLB, without settings or a database. Writes the whole file or none, and replaces an existing one only with `--force`. */
async function convert(args: string[]) {
  const { values, positionals } = readOptions(args, {
    ...conversionFlags,
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [input, output, ...rest] = positionals
  if (!input || !output || rest.length > 0)
    throw new UsageError('Name the model and the output: convert in.glb out.usdz')
  const isToGlb = /\.usdz$/i.test(input)
  const options = await optionsOf(values, isToGlb).catch((error: Error) => {
    throw error instanceof InvalidCommand ? new UsageError(error.message) : error
  })
  const model = await readFile(input).catch((error: Error) => fail(`"${input}" cannot be read: ${error.message}`))
  if (!values.force && (await exists(output))) fail(alreadyThere(output))

  // The converter is loaded for this command only.
  const library = await import('../../../usdz/index.ts')
  const began = performance.now()
  const work = async (): Promise<{ bytes: Uint8Array; report: ConversionReport | GlbReport }> => {
    if (options) {
      const { usdz, report } = await library.convert(model, options)
      return { bytes: usdz, report }
    }
    const { glb, report } = await library.convertToGlb(model)
    return { bytes: glb, report }
  }
  const { bytes, report } = await work().catch((error: Error) =>
    fail(`"${input}" cannot be converted. ${error.message}`),
  )
  const seconds = (performance.now() - began) / 1000
  await write(output, bytes, { replace: values.force ?? false })
  const { notes, ...counts } = report
  if (values.json) console.log(JSON.stringify({ output, bytes: bytes.length, seconds, ...counts, notes }))
  else console.log(summary({ output, bytes: bytes.length, seconds, report }))
}

/** Returns the options of a conversion to USDZ; undefined for one to GLB, which has none. */
async function optionsOf(values: Parameters<typeof convertOptions>[0], isToGlb: boolean) {
  if (!isToGlb) return await convertOptions(values)
  assertOptionsForGlb(values)
  return undefined
}

function summary(made: {
  output: string
  bytes: number
  seconds: number
  report: ConversionReport | GlbReport
}): string {
  const { output, bytes, seconds, report } = made
  const lines = report.notes.map(({ message, count = 1 }) => `- ${message}${count > 1 ? ` (${count})` : ''}`)
  const metersPerUnit = 'metersPerUnit' in report ? report.metersPerUnit : undefined
  const head = `${output}: ${bytes} bytes, ${report.triangles} triangles, in ${seconds.toFixed(2)} s`
  return [head, ...(metersPerUnit === undefined ? [] : [describeUnit(metersPerUnit)]), ...lines].join('\n')
}

/** Writes a temporary file, then links it, which never replaces a file, or renames it, which does. */
async function write(output: string, bytes: Uint8Array, { replace }: { replace: boolean }) {
  const partial = join(dirname(output), `.${basename(output)}.${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(partial, bytes, { flag: 'wx' })
    await (replace ? rename(partial, output) : link(partial, output))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    fail(code === 'EEXIST' ? alreadyThere(output) : `"${output}" cannot be written: ${message}`)
  } finally {
    await rm(partial, { force: true })
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const alreadyThere = (output: string) => `"${output}" already exists: choose another name, or use --force to replace it`

function fail(sentence: string): never {
  throw new Error(sentence)
}

export const CONVERTING: Group = {
  title: 'Models',
  commands: [
    {
      words: 'convert',
      usage: 'IN.glb|ply|stl|obj|usdz OUT.usdz|glb [options] [--force] [--json]',
      summary: 'convert a model to USDZ or a USDZ to GLB, and report what is shown differently or left out',
      about: 'Needs neither settings nor a database.',
      options: [['--force', 'replace the output if it exists'], ...conversionHelp],
      examples: [
        ['cairn convert chair.glb chair.usdz', 'the same conversion as for uploads'],
        ['cairn convert chair.usdz chair.glb', 'a USDZ of any program as a GLB'],
        [
          'cairn convert lamp.stl lamp.usdz --scale 0.001 --anchor plane',
          'a model in millimetres, on a floor or table',
        ],
      ],
      run: convert,
    },
  ],
}
