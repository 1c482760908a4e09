import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { validateBytes } from 'gltf-validator'
import { putTogether, takeApart } from '../fuzz/glb-parts.ts'

export type SuiteModel = {
  /** Relative to the folder of the suite. */
  path: string
  /** SHA-256 of the .glb or .gltf, its first 16 digits. */
  hash: string
  /** `valid`, the code of the first error of Khronos' validator, or `incomplete` if a file that it refers to is missing. */
  validity: string
  /** The model in one file; undefined if it is incomplete. */
  glb?: Uint8Array
}

/** Lists the .glb and .gltf below a folder, by path. */
export async function suitePaths(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  // Folders may be called like models.
  const files = all.filter((entry) => entry.isFile() && /\.(glb|gltf)$/i.test(entry.name))
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort()
}

/** Reads a model of a suite with the files that it refers to. */
export async function readSuiteModel(folder: string, path: string): Promise<SuiteModel> {
  const bytes = new Uint8Array(await readFile(join(folder, path)))
  const beside = async (uri: string) => {
    const file = await readFile(join(folder, dirname(path), decodeURIComponent(uri)))
    if (file.subarray(0, lfsPointer.length).equals(lfsPointer)) throw new Error(`${uri} is in Git LFS`)
    return new Uint8Array(file)
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const validity = await validityOf(bytes, beside)
  const packed = await pack(bytes, beside)
  return packed === 'incomplete' ? { path, hash, validity: packed } : { path, hash, validity, glb: packed }
}

/** What a repository has in place of a file that is kept elsewhere. */
const lfsPointer = Buffer.from('version https://git-lfs.github.com/spec/')

type Beside = (uri: string) => Promise<Uint8Array>

async function validityOf(bytes: Uint8Array, beside: Beside): Promise<string> {
  try {
    const { issues } = await validateBytes(bytes, { maxIssues: 0, externalResourceFunction: beside })
    return issues.messages.find(({ severity }) => severity === 0)?.code ?? 'valid'
  } catch {
    return 'NOT_GLTF'
  }
}

type Resource = { uri?: unknown }

/** Puts the files that a model refers to into it: its first buffer as the binary chunk, the others as data URIs. */
async function pack(bytes: Uint8Array, beside: Beside): Promise<Uint8Array | 'incomplete'> {
  const isGlb = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'glTF'
  const parts = isGlb ? takeApart(bytes) : { text: Buffer.from(bytes).toString(), binary: new Uint8Array() }
  let json: { buffers?: (Resource & { byteLength: number })[]; images?: Resource[] }
  try {
    json = JSON.parse(parts!.text.replace(/^\ufeff/, ''))
  } catch {
    return bytes
  }
  const [first] = listOf(json?.buffers)
  const resources = [...listOf(json?.buffers), ...listOf(json?.images)].filter(isOutside)
  if (isGlb && resources.length === 0) return bytes
  let binary = parts!.binary
  try {
    for (const resource of resources) {
      const data = await beside(resource.uri as string)
      resource.uri = `data:application/octet-stream;base64,${Buffer.from(data).toString('base64')}`
    }
  } catch {
    return 'incomplete'
  }
  if (!isGlb && typeof first?.uri === 'string') {
    binary = new Uint8Array(Buffer.from(first.uri.slice(first.uri.indexOf(',') + 1), 'base64'))
    if (binary.length >= first.byteLength) binary = binary.subarray(0, first.byteLength)
    delete first.uri
  }
  return putTogether({ text: JSON.stringify(json), binary })
}

const listOf = <T extends Resource>(value: T[] | undefined): T[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []

const isOutside = ({ uri }: Resource) => typeof uri === 'string' && !uri.startsWith('data:')
