import { open, readFile, writeFile } from 'node:fs/promises'
import type { Moments } from '../reference/compare.ts'

/** The file beside a package with the times, in seconds, at which a judge reports the positions of its meshes. */
const timesFile = (file: string) => `${file}.times`
const momentsFile = (file: string, judge: string) => `${file}.${judge}`

/** Requests the positions of the meshes of a package at times in seconds. */
export async function askMoments(file: string, times: readonly number[]): Promise<void> {
  await writeFile(timesFile(file), JSON.stringify(times))
}

/** The requested times of a judge; undefined without a request. */
export async function askedTimes(file: string): Promise<number[] | undefined> {
  const text = await readFile(timesFile(file), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as number[])
}

/** A judge's answer: for each mesh and time, the corners of its triangles. */
export async function writeMoments(file: string, judge: string, meshes: readonly Moments[]): Promise<void> {
  const header = meshes.map((moments) => moments.map((corners) => corners.length))
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  const data = meshes.flat().map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))
  await writeFile(momentsFile(file, judge), [length, text, ...data])
}

export async function readMoments(file: string, judge: string): Promise<Moments[]> {
  // One piece after the other: the whole may be larger than a buffer can be.
  await using answer = await open(momentsFile(file, judge))
  const next = async <T extends ArrayBufferView>(piece: T): Promise<T> => {
    const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await answer.read(bytes, at, bytes.length - at)
      if (bytesRead === 0) throw new Error(`The answer of ${judge} is cut off`)
      at += bytesRead
    }
    return piece
  }
  const length = (await next(Buffer.alloc(4))).readUInt32LE(0)
  const header = JSON.parse((await next(Buffer.alloc(length))).toString()) as number[][]
  const meshes: Moments[] = []
  for (const moments of header) {
    const corners: Float64Array[] = []
    for (const count of moments) corners.push(await next(new Float64Array(count)))
    meshes.push(corners)
  }
  return meshes
}
