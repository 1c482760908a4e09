import { readFile, writeFile } from 'node:fs/promises'
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
  await writeFile(momentsFile(file, judge), Buffer.concat([length, text, ...data]))
}

export async function readMoments(file: string, judge: string): Promise<Moments[]> {
  const bytes = await readFile(momentsFile(file, judge))
  const length = bytes.readUInt32LE(0)
  const header = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as number[][]
  let at = 4 + length
  return header.map((moments) =>
    moments.map((count) => {
      const end = at + count * 8
      const corners = new Float64Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + end))
      at = end
      return corners
    }),
  )
}
