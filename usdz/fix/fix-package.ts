import { crc32, inflateRawSync } from 'node:zlib'
import { inspectPackage } from '../check/check-package.ts'
import type { RuleName, RuleResult } from '../check/rules/rules.ts'
import { isCrate } from '../layers/read-crate.ts'
import { readZip, type ZipEntry } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { isLayer, type PackageFile } from '../stage/package-files.ts'
import { isTextLayer } from '../text/text-crate.ts'
import { imageHeader } from '../textures/images/image-header.ts'
import { fixLayer } from './fix-layer.ts'
import { fixTextLayer } from './fix-text-layer.ts'
import { lostFiles } from './lost-files.ts'
import { orderLayers } from './order-layers.ts'
import { asNamedIn } from './paths.ts'

/** A repaired package: what was repaired, what cannot be and why, and the result of every rule afterwards. */
export type FixedPackage = { usdz: Uint8Array; fixes: string[]; left: string[]; rules: RuleResult[] }

/** The largest size of all files of a package: an archive of a few bytes can otherwise request any amount. */
const maxBytes = 2 ** 28

/**
 * Repairs a USDZ package of any program as far as that changes nothing of what it shows: alignment, compression, names of
 * files, the root layer, metadata, names, applied schemas and extents of the layer. What cannot be repaired stays, and
 * the rules say so.
 * @returns undefined when the bytes are not a readable archive.
 */
export function fixPackage(usdz: Uint8Array): FixedPackage | undefined {
  const fixes: string[] = []
  const left: string[] = []
  let files: PackageFile[]
  try {
    files = unpacked(withoutBesides(readZip(usdz), fixes), fixes)
  } catch {
    return undefined
  }
  const renamed = new Map([...divideNames(files, fixes, left), ...renameImages(files, fixes)])
  const ordered = orderLayers(files, fixes)
  fixLayers(ordered, renamed, fixes)
  const repaired = writePackage(ordered.map(({ name, data }) => ({ name, parts: [data] })))
  const rules = inspectPackage(repaired)
  return { usdz: repaired, fixes, left: [...left, ...leftIn(ordered, rules)], rules }
}

/** Repairs the layers of a package, each by itself. */
function fixLayers(files: readonly PackageFile[], renamed: ReadonlyMap<string, string>, fixes: string[]): void {
  const layers = files.filter(isLayer)
  for (const layer of layers) {
    const role = { isRoot: layer === files[0], isOnly: layers.length === 1 }
    const names = asNamedIn(layer.name, renamed)
    try {
      const lost = [...lostFiles(layer, files, renamed)].filter(([from]) => !names.has(from))
      const { data, fixes: own } = isCrate(layer.data)
        ? fixLayer(layer.data, role, new Map([...names, ...lost]))
        : fixTextLayer(layer.data, role.isRoot, new Map([...names, ...lost]))
      layer.data = data
      fixes.push(...lost.map(([from, to]) => `${from} is named ${to}, which is in the package.`))
      fixes.push(...(role.isOnly ? own : own.map((sentence) => `${layer.name}: ${sentence}`)))
    } catch {
      // The rules say that the layer cannot be read.
    }
  }
}

/** What `fixLayer` repairs in binary layers alone. */
const inBinaryLayers: RuleName[] = ['StageMetadataChecker', 'MaterialBindingAPIAppliedChecker', 'Names', 'Extent']

/** Says why rules are still broken that are repaired in other packages. */
function leftIn(files: readonly PackageFile[], rules: readonly RuleResult[]): string[] {
  const layers = files.filter(isLayer)
  const broken = rules.filter(({ state, rule }) => state === 'failed' && inBinaryLayers.includes(rule))
  const text = layers.filter(({ data }) => isTextLayer(data)).map(({ name }) => name)
  if (broken.length === 0) return []
  const names = broken.map(({ rule }) => rule).join(', ')
  if (text.length > 0) {
    const are = text.length > 1 ? 'are text layers' : 'is a text layer'
    return [
      `${listed(text)} ${are}: only missing metadata and extents are added to it, and ${names} stays broken. Convert it with usdcat to a binary layer, and repair that.`,
    ]
  }
  if (layers.length > 1) {
    return [
      `The package has ${layers.length} layers, and ${names} stays broken. Flatten them with usdcat --flatten, and repair the result.`,
    ]
  }
  return []
}

/** What archives of macOS and Windows have besides the files: folders, and settings of their views. */
const besides = /\/$|^__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/

/** Leaves out what no layer reads. */
function withoutBesides(entries: readonly ZipEntry[], fixes: string[]): ZipEntry[] {
  const leftOut = entries.filter(({ name }) => besides.test(withSlashes(name)))
  if (leftOut.length > 0) fixes.push(`What no layer reads is removed: ${namesOf(leftOut)}.`)
  return entries.filter((entry) => !leftOut.includes(entry))
}

/** What is not a path within a package: from a drive or a root, or with an empty segment, `.` or `..`. */
const outside = /^[a-z]:|(^|\/)\.{0,2}(\/|$)/i

const withSlashes = (name: string): string => name.replaceAll('\\', '/')

/** Divides paths as archives do: some programs of Windows write backslashes. Leaves those that would lead outside. */
function divideNames(files: PackageFile[], fixes: string[], left: string[]): Map<string, string> {
  const divided = new Map<string, string>()
  const names = new Set(files.map(({ name }) => name))
  for (const file of files) {
    const wanted = withSlashes(file.name)
    if (wanted === file.name || names.has(wanted)) continue
    if (outside.test(wanted)) {
      left.push(
        `${file.name} keeps its backslashes: ${wanted} is not a path within the package. Export the model again with its files in one folder.`,
      )
      continue
    }
    divided.set(file.name, wanted)
    fixes.push(`${file.name} is renamed to ${wanted}: paths in archives have no backslashes.`)
    file.name = wanted
    names.add(wanted)
  }
  return divided
}

/** Reads all files, decompressed. Encrypted files cannot be read. */
function unpacked(entries: readonly ZipEntry[], fixes: string[]): PackageFile[] {
  let left = maxBytes
  const compressed = entries.filter(({ method, encrypted }) => method === 8 && !encrypted)
  if (entries.some(({ isExtended }) => isExtended))
    fixes.push('The archive is written without the extended (ZIP64) format.')
  const misplaced = entries.filter(({ offset, method }) => offset % 64 !== 0 && method === 0)
  if (compressed.length > 0) fixes.push(`Files are stored without compression: ${namesOf(compressed)}.`)
  if (misplaced.length > 0) fixes.push(`Files begin at multiples of 64 bytes: ${namesOf(misplaced)}.`)
  return entries.map(({ name, method, encrypted, data, crc, disagreement }) => {
    if (disagreement) fixes.push(`The headers of ${name} are written anew: they disagreed.`)
    if (encrypted || (method !== 0 && method !== 8)) throw new Error(`${name} cannot be read.`)
    const bytes = method === 8 ? new Uint8Array(inflateRawSync(data, { maxOutputLength: Math.max(1, left) })) : data
    if (crc32(bytes) !== crc) fixes.push(`The checksum of ${name} is computed anew: its data may be damaged.`)
    left -= bytes.length
    if (left < 0) throw new Error('The package is too large.')
    return { name, data: bytes }
  })
}

/** Gives images the extension of their format, in lower case. */
function renameImages(files: PackageFile[], fixes: string[]): Map<string, string> {
  const renamed = new Map<string, string>()
  const names = new Set(files.map(({ name }) => name))
  for (const file of files) {
    const [, stem, extension] = /^(.*)\.(png|jpe?g)$/i.exec(file.name) ?? []
    const { kind } = imageHeader(file.data)
    if (stem === undefined || (kind !== 'png' && kind !== 'jpeg')) continue
    const wanted = kind === 'png' ? 'png' : 'jpg'
    if (extension === wanted || names.has(`${stem}.${wanted}`)) continue
    renamed.set(file.name, `${stem}.${wanted}`)
    fixes.push(`${file.name} is renamed to ${stem}.${wanted}, as its content is.`)
    file.name = `${stem}.${wanted}`
    names.add(file.name)
  }
  return renamed
}

const namesOf = (entries: readonly ZipEntry[]): string => listed(entries.map(({ name }) => name))

function listed(names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${some} and ${names.length - 5} more` : some
}
