#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { formatRules } from './check/rule-report.ts'
import {
  assertOptionsForGlb,
  conversionHelp,
  convertOptions,
  describeUnit,
  InvalidCommand,
  parse,
} from './cli-options.ts'
import type { ConversionReport, GlbReport } from './index.ts'

const usage = `usdz converts GLB models (binary glTF 2.0), and the meshes of PLY, STL and OBJ files, to USDZ for Apple's AR viewers, and USDZ to GLB.

  usdz convert <in.glb|ply|stl|obj> <out.usdz> [options of the conversion] [--json]
  usdz convert <in.usdz> <out.glb> [--json]
  usdz check <file.usdz> [--fix <repaired.usdz>] [--json]
  usdz --version

convert  writes the package, or the GLB, and reports what it changes or leaves out
check    reads a package, from any program, and reports for each rule of the formats and of Apple's viewers whether it is
         followed (the rules of usdchecker --arkit keep their names)
--fix    writes the package with everything repaired that changes nothing of what it shows: alignment, compression, ZIP64,
         file names and paths that lead to none, the root layer, stage metadata, names, applied schemas and extents; the
         rules are those of the result.
         Text layers get missing metadata and extents; "left" says what stays broken and why
--json   prints the report, or the rules, as JSON

Options of the conversion to USDZ:
${conversionHelp.map(([flag, help]) => `${flag}\n    ${help}`).join('\n')}

Exit codes: 0 success, 1 the file was rejected or breaks a rule, 2 invalid command, 3 a file could not be
read or written.
`

const done = 0
const refused = 1
const misunderstood = 2
const unreachable = 3

/**
 * Runs one command.
 * @returns its exit code.
 */
async function main(args: string[]): Promise<number> {
  const misunderstand = (message: string) =>
    fail(`${message}\nusdz --help lists the commands and options.\n`, misunderstood)
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return misunderstand(messageOf(error))
  }
  const { values, positionals } = parsed
  const [command, input, output, ...rest] = positionals
  if (values.help) {
    process.stdout.write(usage)
    return done
  }
  if (values.version) {
    process.stdout.write(`${version()}\n`)
    return done
  }
  const json = values.json === true
  if (command === 'convert' && input && output && rest.length === 0) {
    // Also prevents `usdz convert *.glb` from overwriting the second model.
    const isToGlb = /\.usdz$/i.test(input)
    const wanted = isToGlb ? '.glb' : '.usdz'
    if (!output.toLowerCase().endsWith(wanted)) {
      return misunderstand(`The output file must end in ${wanted}, not ${output}.`)
    }
    try {
      if (isToGlb) {
        assertOptionsForGlb(values)
        return await runConvert(input, output, json, async ({ convertToGlb }, usdz) => {
          const { glb, report } = await convertToGlb(usdz)
          return { bytes: glb, report, summary: glbSummary(output, glb.length, report) }
        })
      }
      const options = await convertOptions(values)
      return await runConvert(input, output, json, async ({ convert }, glb) => {
        const { usdz, report } = await convert(glb, options)
        return { bytes: usdz, report, summary: summary(output, usdz.length, report) }
      })
    } catch (error) {
      if (!(error instanceof InvalidCommand)) throw error
      return misunderstand(error.message)
    }
  }
  if (command === 'check' && input && output === undefined) {
    const { fix } = values
    if (fix !== undefined && !/\.usdz$/i.test(fix)) {
      return misunderstand(`The repaired file must end in .usdz, not ${fix}.`)
    }
    return fix === undefined ? await runCheck(input, json) : await runFix(input, fix, json)
  }
  if (command === undefined || ['convert', 'check'].includes(command)) return fail(usage, misunderstood)
  return misunderstand(`There is no command ${command}.`)
}

/** Loaded on demand, so that usage errors are reported at once. */
const library = () => import('./index.ts')

const version = (): string => createRequire(import.meta.url)('#package.json').version

type Converted = { bytes: Uint8Array; report: ConversionReport | GlbReport; summary: string }

async function runConvert(
  input: string,
  output: string,
  json: boolean,
  work: (library: typeof import('./index.ts'), bytes: Uint8Array) => Promise<Converted>,
): Promise<number> {
  const source = await read(input)
  const loaded = await library()
  try {
    const { bytes, report, summary } = await work(loaded, source)
    await write(output, bytes)
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : summary)
    return done
  } catch (error) {
    if (!(error instanceof loaded.ConversionError)) throw error
    if (json) process.stdout.write(`${JSON.stringify({ code: error.code, error: error.message }, null, 2)}\n`)
    return fail(`${error.message}\n`, refused)
  }
}

function summary(output: string, size: number, report: ConversionReport): string {
  const { triangles, meshes, materials, textures, splats, clips, variants, notes, size: real, metersPerUnit } = report
  const drawn = `${triangles} triangles, ${meshes} meshes, ${materials} materials, ${textures} textures`
  const all = [...(triangles > 0 || !splats ? [drawn] : []), ...(splats ? [`${splats} splats`] : [])]
  const head = `${output}: ${size} bytes, ${all.join(', ')}`
  const played = clips.map(
    ({ name, index, start, end }) =>
      `  animation ${index}${name && ` "${name}"`}: ${start.toFixed(2)} to ${end.toFixed(2)} s`,
  )
  return [
    head,
    `  ${realSize(real)}`,
    ...(metersPerUnit === undefined ? [] : [`  ${describeUnit(metersPerUnit)}`]),
    ...played,
    ...variants.map(variantLine),
    ...noteLines(notes),
    '',
  ].join('\n')
}

const variantLine = ({ name, index, selected }: ConversionReport['variants'][number]): string =>
  `  variant ${index}${name && ` "${name}"`}${selected ? ', shown first' : ''}`

function glbSummary(output: string, size: number, report: GlbReport): string {
  const { triangles, meshes, materials, textures, duration, variants, notes } = report
  const head = `${output}: ${size} bytes, ${triangles} triangles, ${meshes} meshes, ${materials} materials, ${textures} textures`
  const played = duration === undefined ? [] : [`  animation: ${duration.toFixed(2)} s`]
  return [head, ...played, ...variants.map(variantLine), ...noteLines(notes), ''].join('\n')
}

const noteLines = (notes: ConversionReport['notes']): string[] =>
  notes.map(({ message, count = 1 }) => `- ${message}${count > 1 ? ` (${count})` : ''}`)

/** Describes the size at which AR viewers show a model; most models that are very small or large have another unit. */
function realSize({ width, height, depth }: ConversionReport['size']): string {
  const sides = [width, height, depth].map((side) => Number(side.toPrecision(3)))
  const most = Math.max(width, height, depth)
  const isOdd = most > 0 && (most < 0.001 || most > 1000)
  const hint = isOdd ? '; if its unit is not the metre, use --scale' : ''
  return `size in AR: ${sides.join(' × ')} m (width, height, depth)${hint}`
}

async function runCheck(input: string, json: boolean): Promise<number> {
  const usdz = await read(input)
  const { inspectPackage } = await library()
  const results = inspectPackage(usdz)
  const ok = results.every(({ state }) => state === 'passed' || state === 'warned')
  process.stdout.write(json ? `${JSON.stringify({ ok, rules: results }, null, 2)}\n` : formatRules(input, results))
  return ok ? done : refused
}

async function runFix(input: string, output: string, json: boolean): Promise<number> {
  const usdz = await read(input)
  const { fixPackage } = await library()
  const fixed = fixPackage(usdz)
  if (!fixed)
    return fail(
      `${input} cannot be repaired: it is no ZIP archive, or files in it are damaged, encrypted or too large.\n`,
      refused,
    )
  const { rules, fixes, left } = fixed
  await write(output, fixed.usdz)
  const ok = rules.every(({ state }) => state === 'passed' || state === 'warned')
  const lines = [...fixes.map((sentence) => `repaired ${sentence}`), ...left.map((sentence) => `left     ${sentence}`)]
  const text = lines.map((line) => `${line}\n`).join('') + formatRules(output, rules)
  process.stdout.write(json ? `${JSON.stringify({ ok, fixes, left, rules }, null, 2)}\n` : text)
  return ok ? done : refused
}

/** Writes a file. @throws Error naming it. */
const write = (path: string, bytes: Uint8Array): Promise<void> =>
  writeFile(path, bytes).catch((error: Error) => {
    throw new Error(`${path} cannot be written: ${error.message}`)
  })

/**
 * Reads a file.
 * @throws Error naming the file: system errors about directories do not.
 */
const read = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`)
  })

function fail(message: string, code: number): number {
  process.stderr.write(message)
  return code
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A missing or unwritable file.
  process.exitCode = fail(`${messageOf(error)}\n`, unreachable)
}
