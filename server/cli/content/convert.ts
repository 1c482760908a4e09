import { randomBytes } from 'node:crypto'
import { access, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  conversionFlags,
  conversionHelp,
  convertOptions,
  describeUnit,
  InvalidCommand,
} from '../../../usdz/cli-options.ts'
import type { ConversionReport } from '../../../usdz/index.ts'
import type { Group } from '../command.ts'
import { readOptions, UsageError } from '../context.ts'

/** Converts a model to USDZ like an upload, without settings or a database. Writes the whole file or none, and replaces an existing one only with `--force`. */
async function convert(args: string[]) {
  const { values, positionals } = readOptions(args, {
    ...conversionFlags,
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [input, output, ...rest] = positionals
  if (!input || !output || rest.length > 0)
    throw new UsageError('Name the model and the output: convert in.glb out.usdz')
  const options = await convertOptions(values).catch((error: Error) => {
    throw error instanceof InvalidCommand ? new UsageError(error.message) : error
  })
  const glb = await readFile(input).catch((error: Error) => fail(`"${input}" cannot be read: ${error.message}`))
  if (!values.force && (await exists(output))) fail(alreadyThere(output))

  // The converter is loaded for this command only.
  const { convert: convertGlb } = await import('../../../usdz/index.ts')
  const began = performance.now()
  const { usdz, report } = await convertGlb(glb, options).catch((error: Error) =>
    fail(`"${input}" cannot be converted. ${error.message}`),
  )
  const seconds = (performance.now() - began) / 1000
  await write(output, usdz, { replace: values.force ?? false })
  const { notes, ...counts } = report
  if (values.json) console.log(JSON.stringify({ output, bytes: usdz.length, seconds, ...counts, notes }))
  else console.log(summary({ output, bytes: usdz.length, seconds, report }))
}

function summary(made: { output: string; bytes: number; seconds: number; report: ConversionReport }): string {
  const { output, bytes, seconds, report } = made
  const lines = report.notes.map(({ message, count = 1 }) => `- ${message}${count > 1 ? ` (${count})` : ''}`)
  const { triangles, metersPerUnit } = report
  const head = `${output}: ${bytes} bytes, ${triangles} triangles, in ${seconds.toFixed(2)} s`
  return [head, ...(metersPerUnit === undefined ? [] : [describeUnit(metersPerUnit)]), ...lines].join('\n')
}

/** Writes a temporary file, then links it, which never replaces a file, or renames it, which does. */
async function write(output: string, usdz: Uint8Array, { replace }: { replace: boolean }) {
  const partial = join(dirname(output), `.${basename(output)}.${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(partial, usdz, { flag: 'wx' })
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
      usage: 'IN.glb|ply|stl|obj OUT.usdz [options] [--force] [--json]',
      summary: 'convert a model, and report what the USDZ shows differently or leaves out',
      about: 'Needs neither settings nor a database.',
      options: [['--force', 'replace OUT.usdz if it exists'], ...conversionHelp],
      examples: [
        ['cairn convert chair.glb chair.usdz', 'the same conversion as for uploads'],
        [
          'cairn convert lamp.stl lamp.usdz --scale 0.001 --anchor plane',
          'a model in millimetres, on a floor or table',
        ],
      ],
      run: convert,
    },
  ],
}
