import { crc32, inflateRawSync } from 'node:zlib'
import { inspectPackage } from '../check/check-package.ts'
import type { RuleResult } from '../check/rules/rules.ts'
import { readZip, type ZipEntry } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { imageHeader } from '../textures/images/image-header.ts'
import { fixLayer } from './fix-layer.ts'

/** A repaired package: what was repaired, and the result of every rule afterwards. */
export type FixedPackage = { usdz: Uint8Array; fixes: string[]; rules: RuleResult[] }

/** The largest size of all files of a package: an archive of a few bytes can otherwise request any amount. */
const maxBytes = 2 ** 30
const isCrate = (data: Uint8Array) => Buffer.from(data.subarray(0, 8)).toString('latin1') === 'PXR-USDC'

/**
 * Repairs a USDZ package of any program as far as that changes nothing of what it shows: alignment, compression, names of
 * files, the root layer, metadata, names, applied schemas and extents of the layer. What cannot be repaired stays, and
 * the rules say so.
 * @returns undefined when the bytes are not a readable archive.
 */
export function fixPackage(usdz: Uint8Array): FixedPackage | undefined {
  const fixes: string[] = []
  let files: File[]
  try {
    files = unpacked(readZip(usdz), fixes)
  } catch {
    return undefined
  }
  const renamed = renameImages(files, fixes)
  const ordered = orderLayers(files, fixes)
  const [root, ...rest] = ordered
  if (root && isCrate(root.data)) {
    try {
      const { data, fixes: inLayer } = fixLayer(root.data, renamed)
      root.data = data
      fixes.push(...inLayer)
    } catch {
      // The rules say that the layer cannot be read.
    }
  }
  const repaired = writePackage(
    [root, ...rest].flatMap((file) => (file ? [{ name: file.name, parts: [file.data] }] : [])),
  )
  return { usdz: repaired, fixes, rules: inspectPackage(repaired) }
}

type File = { name: string; data: Uint8Array }

/** Reads all files, decompressed. Encrypted files cannot be read. */
function unpacked(entries: readonly ZipEntry[], fixes: string[]): File[] {
  let left = maxBytes
  const compressed = entries.filter(({ method, encrypted }) => method === 8 && !encrypted)
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
function renameImages(files: File[], fixes: string[]): Map<string, string> {
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

/** Puts the only layer first, and names a binary one .usdc. */
function orderLayers(files: readonly File[], fixes: string[]): File[] {
  const layers = files.filter(({ name }) => /\.usd[acz]?$/.test(name))
  const [layer] = layers
  if (!layer || layers.length > 1) return [...files]
  if (files[0] !== layer) fixes.push(`${layer.name}, the only layer, is the first file.`)
  if (layer.name.endsWith('.usd') && isCrate(layer.data)) {
    layer.name = `${layer.name}c`
    fixes.push(`The layer is named ${layer.name}, as its format is.`)
  }
  return [layer, ...files.filter((file) => file !== layer)]
}

function namesOf(entries: readonly ZipEntry[]): string {
  const names = entries.slice(0, 5).map(({ name }) => name)
  return entries.length > 5 ? `${names.join(', ')} and ${entries.length - 5} more` : names.join(', ')
}
