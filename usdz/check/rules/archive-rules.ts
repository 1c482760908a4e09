import { crc32 } from 'node:zlib'
import { latin1 } from '../../bytes.ts'
import type { ZipEntry } from '../../layers/read-zip.ts'
import { imageHeader } from '../../textures/images/image-header.ts'
import type { Report } from './rules.ts'

const layerFile = /\.(usd|usda|usdc|usdz)$/
const allowedFile = /\.(usd|usda|usdc|usdz|png|jpg)$/
const imageFile = /\.(png|jpe?g)$/i

/** Checks the rules of the archive. Source: "Usdz File Format Specification" of OpenUSD, and `usdchecker --arkit`. */
export function checkArchive(entries: readonly ZipEntry[], report: Report): void {
  for (const entry of entries) checkFile(entry, report)
  const names = new Set(entries.map(({ name }) => name))
  if (names.size < entries.length) report('Archive', 'Two files have the same name.')
  if (entries.some(({ isExtended }) => isExtended)) {
    report('Archive', 'The archive is in the extended (ZIP64) format, which viewers do not read.')
  }
  checkOverlaps(entries, report)

  const [root, ...rest] = entries
  const rule = 'ARKitRootLayerChecker'
  if (!root?.name.endsWith('.usdc')) report(rule, `The first file is ${root?.name ?? 'missing'}, not a .usdc layer.`)
  const layers = rest.filter(({ name }) => layerFile.test(name))
  if (layers.length > 0) {
    report(rule, `There are layers besides the first: ${layers.map(({ name }) => name).join(', ')}.`)
  }
}

function checkFile(entry: ZipEntry, report: Report): void {
  const { name, method, encrypted, crc, offset, data, disagreement } = entry
  if (method !== 0) report('CompressionChecker', `${name} is compressed.`)
  if (encrypted) report('CompressionChecker', `${name} is encrypted.`)
  if (offset % 64 !== 0) report('ByteAlignmentChecker', `${name} begins at ${offset}, not at a multiple of 64.`)
  if (!allowedFile.test(name))
    report('ARKitFileExtensionChecker', `${name} has an extension that viewers do not support.`)
  if (/^[/\\]|^\w:|\\|(^|\/)\.\.?(\/|$)|\/\/|\/$|^$|\ufffd/.test(name)) {
    report('Archive', `${JSON.stringify(name)} is not a valid path inside the package.`)
  }
  if (disagreement) report('Archive', `The header before ${name} ${disagreement}.`)
  if (method !== 0 || encrypted) return
  if (crc32(data) !== crc) report('Archive', `${name} does not match its checksum.`)
  checkContent(name, data, report)
}

/** Compares the content of a file with its extension. */
function checkContent(name: string, data: Uint8Array, report: Report): void {
  const layer = /\.(usda|usdc|usdz)$/.exec(name)?.[1] ?? (name.endsWith('.usd') ? 'usd' : undefined)
  if (layer && !isLayer(layer, data))
    report('ARKitLayerChecker', `${name} is not a layer of the format its name states.`)
  const image = imageFile.exec(name)?.[1]?.toLowerCase()
  if (image && imageHeader(data).kind !== (image === 'png' ? 'png' : 'jpeg')) {
    report('TextureChecker', `${name} is not an image of the format its name states.`)
  }
}

function isLayer(format: string, data: Uint8Array): boolean {
  const start = latin1(data.subarray(0, 8))
  const kinds = { usdc: start === 'PXR-USDC', usda: start.startsWith('#usda'), usdz: start.startsWith('PK') }
  return format === 'usd' ? kinds.usdc || kinds.usda : kinds[format as keyof typeof kinds]
}

/** Files must not overlap. */
function checkOverlaps(entries: readonly ZipEntry[], report: Report): void {
  const sorted = entries.filter(({ data }) => data.length > 0).sort((a, b) => a.offset - b.offset)
  for (const [index, entry] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next && entry.offset + entry.data.length > next.offset) {
      report('Archive', `${entry.name} and ${next.name} overlap.`)
    }
  }
}
