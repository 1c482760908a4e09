import { crc32 } from 'node:zlib'
import { imageHeader } from '../textures/image-header.ts'
import { readCrate } from './read-crate.ts'
import { readZip, type ZipEntry } from './read-zip.ts'
import { shaderProblems } from './shader-rules.ts'
import { stageOf } from './stage.ts'
import { type Problem, stageProblems } from './stage-rules.ts'

const layerFile = /\.(usd|usda|usdc|usdz)$/i
const allowedFile = /\.(usd|usda|usdc|usdz|png|jpg)$/i

/**
 * Reads a USDZ package back and checks it by the rules of the format and those of Apple's viewers: stored and aligned
 * files, one binary layer at the start, stage metadata, prim types, bindings, shader networks, textures.
 * @returns every broken rule; none for a package that follows them all. Bytes that are no package are a problem too.
 */
export function checkPackage(usdz: Uint8Array): Problem[] {
  let entries: ZipEntry[]
  try {
    entries = readZip(usdz)
  } catch (error) {
    return [{ rule: 'Archive', message: messageOf(error) }]
  }
  const problems = entries.flatMap(fileProblems)
  const names = new Set(entries.map(({ name }) => name))
  if (names.size < entries.length) problems.push({ rule: 'Archive', message: 'Two files have the same name.' })

  const [root, ...rest] = entries
  const layers = rest.filter(({ name }) => layerFile.test(name))
  const rule = 'ARKitRootLayerChecker'
  if (!root || !/\.usdc$/i.test(root.name)) {
    problems.push({ rule, message: `The first file is ${root?.name ?? 'missing'}, not a .usdc layer.` })
    return problems
  }
  if (layers.length > 0) problems.push({ rule, message: `There are ${layers.length} more layers than the first.` })
  return [...problems, ...layerProblems(root, names)]
}

function fileProblems({ name, method, encrypted, crc, offset, data }: ZipEntry): Problem[] {
  const problems: Problem[] = []
  const report = (rule: string, message: string) => problems.push({ rule, message })
  if (method !== 0) report('CompressionChecker', `${name} is compressed.`)
  if (encrypted) report('CompressionChecker', `${name} is encrypted.`)
  if (offset % 64 !== 0) report('ByteAlignmentChecker', `${name} begins at ${offset}, not at a multiple of 64.`)
  if (!allowedFile.test(name)) report('ARKitFileExtensionChecker', `${name} has an extension viewers do not read.`)
  if (/^[/\\]|\\|(^|\/)\.\.(\/|$)/.test(name)) report('Archive', `${name} is not a path inside the package.`)
  if (method === 0 && isMisnamed(name, data)) report('TextureChecker', `${name} is not an image of that kind.`)
  if (method === 0 && crc32(data) !== crc) report('Archive', `${name} does not match its checksum.`)
  return problems
}

function isMisnamed(name: string, data: Uint8Array): boolean {
  const extension = /\.(png|jpe?g)$/i.exec(name)?.[1]?.toLowerCase()
  if (!extension) return false
  return imageHeader(data).kind !== (extension === 'png' ? 'png' : 'jpeg')
}

function layerProblems(root: ZipEntry, files: ReadonlySet<string>): Problem[] {
  try {
    const stage = stageOf(readCrate(root.data))
    return [...stageProblems(stage), ...shaderProblems(stage, files)]
  } catch (error) {
    return [{ rule: 'Layer', message: `${root.name} cannot be read: ${messageOf(error)}` }]
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
